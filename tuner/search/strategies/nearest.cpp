#include "tuner/search/strategies/nearest.h"

#include <algorithm>
#include <cmath>

namespace rooftune {

double distance(const Landscape& landscape, const std::vector<int>& a, const std::vector<int>& b) {
    double sum = 0.0;
    for (std::size_t p = 0; p < a.size(); ++p) {
        if ((a[p] < 0) != (b[p] < 0)) {
            sum += 1.0;
        } else {
            sum += std::abs(a[p] - b[p]) / static_cast<double>(std::max(1, landscape.values()[p] - 1));
        }
    }
    return sum;
}

std::size_t nearest(const Landscape& landscape, const std::vector<int>& wanted, std::size_t from) {
    if (const auto at = landscape.find(wanted)) return *at;
    std::size_t best = from;
    double least = distance(landscape, landscape.at(from), wanted);
    for (bool nearer = true; nearer;) {
        nearer = false;
        for (const std::size_t next : landscape.neighbours(best)) {
            const double d = distance(landscape, landscape.at(next), wanted);
            if (d < least) {
                least = d;
                best = next;
                nearer = true;
            }
        }
    }
    return best;
}

}  // namespace rooftune
