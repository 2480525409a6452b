#include "tuner/external/least_beyond.h"

#include <algorithm>
#include <utility>

namespace rooftune::external {

LeastBeyond::LeastBeyond(const Space& space, Constants numbers, const DeclaredBeyond& declared,
                         std::string where, const std::function<void(const PartialVariant&, double)>& refused)
    : space_(&space),
      numbers_(std::move(numbers)),
      name_(declared.capacity.text),
      text_(declared.bytes.text),
      where_(std::move(where)) {
    constexpr double kMebi = 1024.0 * 1024.0;
    for (const double capacity : {1.0, kMebi, kMebi * kMebi}) known_.emplace(capacity, at(capacity, refused));
}

LeastValue LeastBeyond::at(double capacity,
                           const std::function<void(const PartialVariant&, double)>& refused) const {
    Constants numbers = numbers_;
    numbers[name_] = capacity;
    Expression expression = expression_from(*space_, numbers, text_, where_);
    // A cache that holds it all exchanges nothing: 8*n - w is meant so.
    expression.value = [value = std::move(expression.value)](const PartialVariant& variant) {
        const double bytes = value(variant);
        return bytes < 0.0 ? 0.0 : bytes;
    };
    return {*space_, expression, refused, kMostWays};
}

double LeastBeyond::of(const PartialVariant& partial, Bytes capacity) const {
    if (space_ == nullptr) return 0.0;
    const double bytes = std::max(1.0, capacity.value);
    auto known = known_.find(bytes);
    if (known == known_.end())
        known = known_.emplace(bytes, at(bytes, [](const PartialVariant&, double) {})).first;
    return known->second.of(partial);
}

}  // namespace rooftune::external
