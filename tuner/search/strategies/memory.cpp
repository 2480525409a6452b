#include "tuner/search/strategies/memory.h"

namespace rooftune {

bool Memory::observe(std::size_t point, std::optional<double> value) {
    const double seconds = value.value_or(kFailed);
    const bool fresh = values_.insert_or_assign(point, seconds).second;
    if (seconds < best_value_) {
        best_ = point;
        best_value_ = seconds;
    } else if (point == best_ && seconds > best_value_) {
        // The best was measured again and is slower than it seemed.
        best_value_ = kFailed;
        for (const auto& [other, other_value] : values_) {
            if (other_value < best_value_ || (other_value == best_value_ && other < best_)) {
                best_ = other;
                best_value_ = other_value;
            }
        }
    }
    return fresh;
}

double Memory::value(std::size_t point) const {
    const auto at = values_.find(point);
    return at == values_.end() ? kFailed : at->second;
}

std::optional<std::size_t> Memory::best() const {
    if (best_value_ == kFailed) return std::nullopt;
    return best_;
}

std::size_t Memory::any() {
    for (;;) {
        const std::size_t point = order_[next_];
        next_ = (next_ + 1) % order_.size();
        if (all() || !seen(point)) return point;
    }
}

}  // namespace rooftune
