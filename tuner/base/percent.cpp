#include "tuner/base/percent.h"

#include <fmt/format.h>

#include <cmath>

namespace rooftune {

std::string percent(double fraction) {
    return fmt::format("{:.1f} %", 100.0 * fraction);
}

std::string percent_change(double fraction) {
    const bool nothing = std::fabs(fraction) < 0.0005;
    return fmt::format("{:+.1f} %", nothing ? 0.0 : 100.0 * fraction);
}

}  // namespace rooftune
