#include "tuner/external/least_value.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rooftune::external {

LeastValue::LeastValue(const Space& space, const Expression& expression,
                       const std::function<void(const PartialVariant&, double)>& refused, double most_ways) {
    double ways = 1.0;
    for (int p = 0; p < space.size(); ++p) {
        if (!expression.depends_on.contains(p)) continue;
        parameters_.push_back(p);
        const Parameter& parameter = space.parameters()[static_cast<std::size_t>(p)];
        // Behind the values of a conditional one: that it is not there.
        radix_.push_back(parameter.values.size() + (parameter.exists ? 1 : 0));
        ways *= static_cast<double>(radix_.back());
    }
    if (ways > most_ways) return;
    values_.resize(static_cast<std::size_t>(ways));
    for (std::size_t way = 0; way < values_.size(); ++way) {
        const PartialVariant at = way_at(way);
        // Behind the last value: the parameter is not there.
        const bool all_there = std::all_of(parameters_.begin(), parameters_.end(), [&](int p) {
            return static_cast<std::size_t>(at[p]) <
                   space.parameters()[static_cast<std::size_t>(p)].values.size();
        });
        if (!all_there) continue;  // nothing is claimed of a variant that lacks what the formula names
        const double value = expression.value(at);
        // Where the rules leave no such variant nobody needs a value.
        if (std::isfinite(value) && value >= 0.0) {
            values_[way] = value;
        } else {
            values_[way] = std::numeric_limits<double>::infinity();
            if (space.count(at) > 0) {
                refused(at, value);
                values_[way] = 0.0;
            }
        }
    }
}

PartialVariant LeastValue::way_at(std::size_t way) const {
    PartialVariant at;
    for (std::size_t k = parameters_.size(); k-- > 0;) {
        at.fix(parameters_[k], static_cast<int>(way % radix_[k]));
        way /= radix_[k];
    }
    return at;
}

std::optional<PartialVariant> LeastValue::above(const LeastValue& other) const {
    constexpr double kRounding = 1.0 + 1e-9;
    for (std::size_t way = 0; way < std::min(values_.size(), other.values_.size()); ++way) {
        if (std::isfinite(values_[way]) && values_[way] > kRounding * other.values_[way]) return way_at(way);
    }
    return std::nullopt;
}

double LeastValue::of(const PartialVariant& partial) const {
    if (values_.empty()) return 0.0;
    PartialVariant key;
    for (const int p : parameters_) {
        if (partial.fixed(p) || partial.absent(p)) key.fix(p, partial[p]);
    }
    if (const auto found = known_.find(key); found != known_.end()) return found->second;
    // Only the ways that agree are visited: of all prefixes together each way once a level.
    std::vector<std::size_t> ways{0};
    for (std::size_t k = 0; k < parameters_.size(); ++k) {
        const std::int8_t wanted = key[parameters_[k]];
        const std::size_t absent = radix_[k] - 1;
        const std::size_t first = wanted == PartialVariant::kFree     ? 0
                                  : wanted == PartialVariant::kAbsent ? absent
                                                                      : static_cast<std::size_t>(wanted);
        const std::size_t last = wanted == PartialVariant::kFree ? radix_[k] : first + 1;
        std::vector<std::size_t> longer;
        longer.reserve(ways.size() * (last - first));
        for (const std::size_t way : ways) {
            for (std::size_t value = first; value < last; ++value) longer.push_back(way * radix_[k] + value);
        }
        ways = std::move(longer);
    }
    double least = std::numeric_limits<double>::infinity();
    for (const std::size_t way : ways) least = std::min(least, values_[way]);
    if (!std::isfinite(least)) least = 0.0;
    known_.emplace(key, least);
    return least;
}

}  // namespace rooftune::external
