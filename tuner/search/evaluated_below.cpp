#include "tuner/search/evaluated_below.h"

namespace rooftune {

EvaluatedBelow::EvaluatedBelow(const Space& space, const PartialVariant& slice)
    : space_(&space), slice_(slice) {}

void EvaluatedBelow::add(const Variant& variant) {
    for (int p = 0; p < space_->size(); ++p) {
        if (!slice_.free_at(p) && slice_[p] != variant[p]) return;
    }
    PartialVariant prefix = variant;
    for (int p = space_->size(); p >= 0; --p) {
        if (p < space_->size()) prefix.free(p);
        ++below_[prefix];
    }
}

std::uint64_t EvaluatedBelow::operator()(const PartialVariant& prefix) const {
    const auto found = below_.find(prefix);
    return found == below_.end() ? 0 : found->second;
}

}  // namespace rooftune
