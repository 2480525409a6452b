// Flags that several commands share.
#pragma once

#include <string>

#include "tuner/command/command_line.h"
#include "tuner/engine/options.h"

namespace rooftune {

/// What a command is told beside where it measures: how it answers.
struct CommonFlags : CommonOptions {
    bool json = false;
    bool quiet = false;
};

void add_common(Command& app, CommonFlags& options);
/// The same for a command that takes several numbers of threads: the text of --threads goes to `threads`, and
/// `threads` of the options is left to the command.
void add_common(Command& app, CommonFlags& options, std::string& threads);

/// `--delta`, the threshold of comparisons; `delta` stays 0 where it is not given.
void add_delta(Command& app, double& delta);

/// `--file`: where the text goes besides, so that one measurement gives it and the JSON.
void add_text_file(Command& app, std::string& file);
/// Throws EnvironmentError where that file could not be written: found before anything is measured.
void check_text_file(const std::string& file);
/// The document with --json, else the text, on standard output; the text in the file as well, where one is
/// named. Throws EnvironmentError.
void answer(const CommonFlags& flags, const std::string& file, const std::string& document,
            const std::string& text);

/// The flags of commands that measure programs and not variants: where, how quiet, and by which draws.
void add_program_flags(Command& app, CommonFlags& options);

}  // namespace rooftune
