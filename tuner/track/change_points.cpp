#include "tuner/track/change_points.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "tuner/measure/statistics.h"

namespace rooftune::track {
namespace {

// SplitMix64 (Steele, Lea and Flood 2014): a distribution of the library is not the same on every platform.
class Draws {
public:
    explicit Draws(std::uint64_t seed) : state_(seed) {}
    std::size_t below(std::size_t n) {
        state_ += 0x9e3779b97f4a7c15u;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return static_cast<std::size_t>((z ^ (z >> 31)) % n);
    }
    void shuffle(std::vector<double>& values) {
        for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[below(i)]);
    }

private:
    std::uint64_t state_;
};

struct Split {
    std::size_t at = 0;
    double energy = 0.0;
};

double pairs(double n) {
    return 0.5 * n * (n - 1.0);
}

double energy(double across, double before, double after, double n, double m) {
    if (n < 2.0 || m < 2.0) return 0.0;
    return n * m / (n + m) * (2.0 * across / (n * m) - before / pairs(n) - after / pairs(m));
}

// The split with the largest statistic: sums of distances follow the boundary, one value at a time.
Split best_split(std::span<const double> x, int least) {
    const std::size_t n = x.size();
    double before = 0.0;
    double across = 0.0;
    double after = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = i + 1; j < n; ++j) after += std::fabs(x[i] - x[j]);
    }
    Split best;
    for (std::size_t at = 0; at + 1 < n; ++at) {
        double left = 0.0;
        double right = 0.0;
        for (std::size_t j = 0; j < at; ++j) left += std::fabs(x[at] - x[j]);
        for (std::size_t j = at + 1; j < n; ++j) right += std::fabs(x[at] - x[j]);
        before += left;
        across += right - left;
        after -= right;
        const std::size_t size = at + 1;
        if (size < static_cast<std::size_t>(least) || n - size < static_cast<std::size_t>(least)) continue;
        const double e =
            energy(across, before, after, static_cast<double>(size), static_cast<double>(n - size));
        if (best.at == 0 || e > best.energy) best = {size, e};
    }
    return best;
}

// Whether so short a segment could be significant at all: of all its orders, those that keep the values of a
// half together reach the same statistic, and they must be rarer than the significance.
bool could_be_significant(std::size_t n, double significance) {
    double ways = 1.0;
    for (std::size_t i = 1; i <= n / 2; ++i)
        ways *= static_cast<double>(n - n / 2 + i) / static_cast<double>(i);
    return 2.0 / ways < significance;
}

std::optional<double> significant(std::span<const double> segment, const Split& found,
                                  const ChangeRules& rules, Draws& draws) {
    std::vector<double> shuffled(segment.begin(), segment.end());
    const int most = static_cast<int>(rules.significance * (rules.permutations + 1));
    int as_large = 1;  // the series itself
    for (int i = 0; i < rules.permutations; ++i) {
        draws.shuffle(shuffled);
        // Sums of the same distances in another order differ by rounding.
        if (best_split(shuffled, rules.least_segment).energy >= found.energy * (1.0 - 1e-12)) ++as_large;
        if (as_large > most) return std::nullopt;
    }
    return static_cast<double>(as_large) / (rules.permutations + 1);
}

}  // namespace

std::vector<ChangePoint> change_points(std::span<const double> all, const ChangeRules& rules) {
    const std::size_t skipped = all.size() > kMostChangeValues ? all.size() - kMostChangeValues : 0;
    const std::span<const double> values = all.subspan(skipped);
    struct Segment {
        std::size_t from, to;
    };
    Draws draws(rules.seed);
    std::vector<ChangePoint> found;
    std::vector<Segment> open{{0, values.size()}};
    while (!open.empty()) {
        const Segment s = open.back();
        open.pop_back();
        const std::size_t n = s.to - s.from;
        if (n < 2 * static_cast<std::size_t>(rules.least_segment) ||
            !could_be_significant(n, rules.significance))
            continue;
        const std::span<const double> segment = values.subspan(s.from, n);
        const Split split = best_split(segment, rules.least_segment);
        if (!(split.energy > 0.0)) continue;
        const std::optional<double> p = significant(segment, split, rules, draws);
        if (!p) continue;
        found.push_back({s.from + split.at, *p, 0.0});
        open.push_back({s.from + split.at, s.to});
        open.push_back({s.from, s.from + split.at});
    }
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.at < b.at; });
    for (std::size_t i = 0; i < found.size(); ++i) {
        const std::size_t from = i == 0 ? 0 : found[i - 1].at;
        const std::size_t to = i + 1 < found.size() ? found[i + 1].at : values.size();
        found[i].shift = median(values.subspan(found[i].at, to - found[i].at)) -
                         median(values.subspan(from, found[i].at - from));
    }
    for (ChangePoint& c : found) c.at += skipped;
    return found;
}

}  // namespace rooftune::track
