// The time of a run of a program: by the clock on the wall, or as the program itself printed it.
#pragma once

#include <regex.h>

#include <memory>
#include <string>

#include "tuner/external/declaration.h"

namespace rooftune::external {

/// A time that a program printed.
struct PrintedTime {
    double seconds = 0.0;
    double resolution = 0.0;  ///< one in its last printed digit, seconds
};

/// What `time` declares.
class TimeSource {
public:
    enum class Kind {
        wall,     ///< from before the program is started until it has ended
        printed,  ///< the last number of the last line of its standard output that has one
        pattern,  ///< the last match of a regular expression, whose first group is the number
    };

    /// `wall`, as where `time` is left out.
    TimeSource() = default;
    /// Throws InputError at `text`: what is neither `wall` nor `printed` is a regular expression (POSIX
    /// extended, in quotes or bare), and has to be one with a group.
    TimeSource(const Declaration& declaration, const Text& text);

    Kind kind() const { return kind_; }

    /// The time that an output tells, for `printed` and `pattern`. It is one of seconds unless a unit stands
    /// behind the number (s, ms, us, µs, ns, and the words). Throws VariantError with the end of the output
    /// where it tells none: no number, one with another unit, zero or a negative one.
    PrintedTime printed_in(const std::string& output) const;

private:
    Kind kind_ = Kind::wall;
    std::shared_ptr<const regex_t> pattern_;
};

/// Throws VariantError for a time that is longer than the `wall` seconds of the run it was printed in.
void check_printed(const PrintedTime& printed, double wall);

/// The end of what a program printed, on one line, for messages; "nothing" where that is empty.
std::string end_of_output(const std::string& output);

}  // namespace rooftune::external
