// Values of a sweep: "n=1:32768:x2" (each twice the one before) or "n=64:512:+64" (each 64 more).
#pragma once

#include <string>
#include <vector>

namespace rooftune {

struct SweepValues {
    std::string size;            ///< "n"
    std::vector<double> values;  ///< ascending; both ends are among them
};

/// Throws InputError: another form, ends or a step that are no positive numbers, ends the wrong way round,
/// more than 100 000 values.
SweepValues sweep_from(const std::string& text);

/// Values spread evenly on a logarithmic scale from the least to the largest of these, these included.
std::vector<double> dense_between(const std::vector<double>& values, int extra);

}  // namespace rooftune
