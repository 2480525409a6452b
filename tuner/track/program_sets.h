// From the flags of `rooftune compare` for programs to what is compared in the same rounds.
#pragma once

#include <string>
#include <vector>

#include "tuner/track/compare_programs.h"

namespace rooftune {

/// The flags as they were given.
struct ProgramWish {
    std::string base, candidate;        ///< --command-a and --command-b
    std::vector<std::string> commands;  ///< --command
    std::vector<std::string> parameters;
    bool reads_time = false;
    std::string control = "compute";
    std::string prepare;
    int warmup = 0;

    bool any_command() const { return !base.empty() || !candidate.empty() || !commands.empty(); }
    /// The first flag besides the commands that differs from its default; empty: none.
    std::string first_flag() const;
};

/// One set, or with parameters and more than one program a set for each combination of values; of one program
/// with parameters a set whose arms are the combinations. Throws InputError for what does not belong
/// together, for words of any arm that command_words() cannot split, and as parameter_scan.h does.
std::vector<ProgramSet> program_sets(const ProgramWish& wish);

}  // namespace rooftune
