// Binaries of OpenCL programs, kept between runs: building one takes a tenth of a second and more.
#pragma once

#include <string>
#include <vector>

namespace rooftune::opencl {

/// $ROOFTUNE_OPENCL_CACHE, else $XDG_CACHE_HOME/rooftune/opencl, else ~/.cache/rooftune/opencl. Empty when
/// none of them says where.
std::string cache_folder();

/// Name of an entry, from everything that decides the binary.
std::string cache_key(const std::string& source, const std::string& options, const std::string& device_id,
                      const std::string& driver);

/// The entry's binary; empty when there is none, or it is damaged.
std::vector<unsigned char> cache_load(const std::string& key);

/// Keeps a binary: written beside the entry and renamed, so that a reader sees all or nothing. Does nothing
/// when the folder cannot be written or the disk is full.
void cache_store(const std::string& key, const std::vector<unsigned char>& binary);

/// Removes an entry that was rejected.
void cache_drop(const std::string& key);

}  // namespace rooftune::opencl
