#include "tuner/measure/probing_beside.h"

#include <algorithm>

namespace rooftune {
namespace {

// Time for five windows; further ones hardly ever show a higher rate.
constexpr double kMost = 20e-3;

}  // namespace

double probing_seconds_beside(double seconds, std::size_t ceilings) {
    if (ceilings == 0) return 0.0;
    return std::clamp(seconds / (kLeastRounds * static_cast<double>(ceilings)), 0.0, kMost);
}

}  // namespace rooftune
