#include "tuner/external/least_beyond.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kernels/runtime/error.h"

namespace rooftune::external {
namespace {

constexpr double kMebi = 1024.0 * 1024.0;

}  // namespace

LeastBeyond::LeastBeyond(const Space& space, Constants numbers, const DeclaredBeyond& declared,
                         std::string where)
    : space_(&space),
      numbers_(std::move(numbers)),
      name_(declared.capacity.text),
      text_(declared.bytes.text),
      where_(std::move(where)) {
    for (const double capacity : {kSmallest, kMebi, kMebi * kMebi}) {
        const LeastValue* const before = known_.empty() ? nullptr : &known_.rbegin()->second;
        LeastValue now = at(capacity, [&](const PartialVariant& variant, double value) {
            refuse(fmt::format("is {:.6g} with {} = {:.0f}, and bytes are a number", value, name_, capacity),
                   variant);
        });
        if (!now.claims())
            throw InputError(
                fmt::format("{} '{}' depends on parameters of which there are more than {:.0f} "
                            "combinations; name fewer of them",
                            where_, text_, kMostWays));
        if (before) {
            if (const auto variant = now.above(*before))
                refuse(
                    fmt::format("grows with {}, from {:.6g} to {:.6g} up to {} = {:.0f}, and a larger cache "
                                "can do all that a smaller one does",
                                name_, before->of(*variant), now.of(*variant), name_, capacity),
                    *variant);
        }
        known_.emplace(capacity, std::move(now));
    }
}

void LeastBeyond::refuse(const std::string& what, const PartialVariant& variant) const {
    const std::string text = space_->to_text(variant);
    throw InputError(where_ + " '" + text_ + "' " + what + (text.empty() ? "" : ", where " + text));
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
    const double bytes = std::max(kSmallest, capacity.value);
    auto known = known_.find(bytes);
    if (known == known_.end())
        known = known_.emplace(bytes, at(bytes, [](const PartialVariant&, double) {})).first;
    return known->second.of(partial);
}

}  // namespace rooftune::external
