#include "tuner/search/calibration.h"

#include <algorithm>
#include <cmath>

namespace rooftune {

double set_aside_factor(std::vector<double> ratios) {
    constexpr std::size_t kEnough = 30;
    std::erase_if(ratios, [](double r) { return !(r > 0.0) || !std::isfinite(r); });
    if (ratios.size() < kEnough) return 1.0;
    std::sort(ratios.begin(), ratios.end());
    const auto rank =
        static_cast<std::size_t>(std::ceil(kWrongSetAside * static_cast<double>(ratios.size())));
    return std::min(1.0, ratios[std::max<std::size_t>(rank, 1) - 1]);
}

}  // namespace rooftune
