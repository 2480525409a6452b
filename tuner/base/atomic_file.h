// Files that are either the old one or the new one, whatever happens in between.
#pragma once

#include <string>
#include <string_view>

namespace rooftune {

/// Writes `text` to a temporary in the same folder, forces it to the device, renames it over `path`
/// and forces the folder. Throws EnvironmentError with path and reason (no such folder, not
/// writable, disk full); the old file is then intact and the temporary is gone. A symbolic link at
/// `path` keeps pointing where it did: its target is replaced.
void write_atomically(const std::string& path, std::string_view text);

/// Throws EnvironmentError unless write_atomically() could begin to write this file: its folder is there and
/// takes files, and the path is no folder. Called before a measurement whose result is to go there.
void check_can_be_written(const std::string& path);

/// Makes the folder and those above it. Throws EnvironmentError with path and reason.
void make_folder(const std::string& path);

/// Throws EnvironmentError unless a file can be created in this folder and `bytes` written to it;
/// what it created is removed. Called before a long run, so that a full disk is found at its start.
void check_writable(const std::string& folder, std::size_t bytes = 1 << 20);

}  // namespace rooftune
