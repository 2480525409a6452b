#include "tuner/ceilings/statistics.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "models/machine.h"

namespace rooftune {

RateSummary summarise(std::vector<double> rates) {
    RateSummary s;
    s.windows = static_cast<int>(rates.size());
    if (rates.empty()) return s;
    std::sort(rates.begin(), rates.end());
    const std::size_t n = rates.size();
    s.max = rates.back();
    s.median = n % 2 == 1 ? rates[n / 2] : 0.5 * (rates[n / 2 - 1] + rates[n / 2]);
    // Rounded up: with fewer than 20 windows no percentile lies strictly between maximum and the rest.
    const auto rank = static_cast<std::size_t>(std::ceil(0.95 * static_cast<double>(n)));
    s.p95 = rates[std::min(n, rank) - 1];
    return s;
}

void WindowLog::add(int way, double rate, bool undisturbed) {
    rates_[static_cast<std::size_t>(way)].push_back(rate);
    if (!undisturbed) return;
    ++undisturbed_.count;
    std::vector<double>& top = undisturbed_.top;
    top.insert(std::upper_bound(top.begin(), top.end(), rate, std::greater<>()), rate);
    top.resize(std::min(top.size(), kTopWindows));
}

UndisturbedWindows WindowLog::take_undisturbed() {
    return std::exchange(undisturbed_, {});
}

int WindowLog::windows() const {
    std::size_t n = 0;
    for (const auto& rates : rates_) n += rates.size();
    return static_cast<int>(n);
}

int WindowLog::windows_of(int way) const {
    return static_cast<int>(rates_[static_cast<std::size_t>(way)].size());
}

double WindowLog::best_of(int way) const {
    const auto& rates = rates_[static_cast<std::size_t>(way)];
    return rates.empty() ? 0.0 : *std::max_element(rates.begin(), rates.end());
}

double WindowLog::best() const {
    double best = 0.0;
    for (int way = 0; way < ways(); ++way) best = std::max(best, best_of(way));
    return best;
}

std::vector<int> WindowLog::worthwhile() const {
    std::vector<int> list;
    // Not of what is refused by now: nothing would be near it for the rest of the process.
    double best = 0.0;
    for (int way = 0; way < ways(); ++way) {
        if (!is_refused(way)) best = std::max(best, best_of(way));
    }
    for (int way = 0; way < ways(); ++way) {
        const std::size_t tried = rates_[static_cast<std::size_t>(way)].size();
        const double share = tried < 2 ? 0.15 : 0.05;
        if (is_refused(way)) continue;
        if (tried == 0 || best_of(way) >= (1.0 - share) * best) list.push_back(way);
    }
    constexpr int kKnown = 2;  // windows
    const auto comes_first = [&](int a, int b) {
        const int known[] = {std::min(kKnown, windows_of(a)), std::min(kKnown, windows_of(b))};
        return known[0] != known[1] ? known[0] < known[1] : best_of(a) > best_of(b);
    };
    std::stable_sort(list.begin(), list.end(), comes_first);
    return list;
}

bool WindowLog::outlier(int way, double rate) const {
    return rates_[static_cast<std::size_t>(way)].size() >= 3 && rate > 1.03 * best_of(way);
}

RateSummary WindowLog::summary() const {
    int fastest = 0;
    for (int way = 1; way < ways(); ++way) {
        if (best_of(way) > best_of(fastest)) fastest = way;
    }
    if (rates_.empty()) return {};
    RateSummary s = summarise(rates_[static_cast<std::size_t>(fastest)]);
    s.windows = windows();
    return s;
}

}  // namespace rooftune
