// The description of a program that is tuned as it is: a text of annotations, one a line. It stands in a file
// NAME.rooftune, or is composed of the command line's flags.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tuner/external/annotations.h"

namespace rooftune::external {

/// Its lines without blanks at either end; blank ones, and those that begin with #, are left out. Where the
/// text was `composed`, the places of its parts are flags ("--parameter tile").
std::vector<Text> lines_of_description(const std::string& text, bool composed);

/// A value as a line has it: in quotes where it has blanks or is empty, or `always`. Throws InputError, which
/// begins with `flag`, for one that has both kinds of quotes.
std::string quoted_value(const std::string& flag, const std::string& value, bool always = false);

/// What the flags of the command line say of a program, each as it was given.
struct ProgramFlags {
    std::string command, build, time, verify, flops, reads, writes, arithmetic, tolerance;
    /// "tile=8:512:x2", "threads=1,2", or as a description has it: "tile 8 16 when n > 8"
    std::vector<std::string> parameters;
    std::vector<std::string> environment;   ///< the same, handed over as a variable of the environment
    std::vector<std::string> sizes, reals;  ///< "n=512"
    std::vector<std::string> rules;         ///< "tile <= n"

    /// Whether there is any but `rules`, which other problems have as well.
    bool any() const;
};

/// The description that they make. Throws InputError with the flag: no command, a parameter without `=`, a
/// line break.
std::string composed_description(const ProgramFlags& flags);

/// The words of the command line that make this description, as flags and their values.
std::vector<std::string> flags_of_description(const std::string& text);

/// Whether a word of the command line is the file of a description: by its ending, .rooftune.
bool is_description_name(std::string_view word);

}  // namespace rooftune::external
