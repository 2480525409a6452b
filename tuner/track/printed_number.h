// The time that a program prints about itself: the last number of its output.
#pragma once

#include <optional>
#include <string_view>

namespace rooftune::track {

struct PrintedNumber {
    double value = 0.0;  ///< NaN and infinities are kept as such: the verdict refuses them
    double step = 0.0;   ///< what its last printed digit stands for: "0.12" steps by 0.01, "1.2e-5" by 1e-6
};

/// The last word that is a number, or begins with one and goes on with a unit: "time=1.25s" has 1.25,
/// "GFLOP64" has none. Words end at blanks and at any of = : , ; ( ) [ ]. Nothing where there is no number.
std::optional<PrintedNumber> last_number(std::string_view text);

}  // namespace rooftune::track
