// How many of the evaluated variants lie below a prefix: what a subtree that is cut or waits does not count.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "models/space.h"

namespace rooftune {

class EvaluatedBelow {
public:
    /// Of the evaluated variants those count that agree with the slice; with all where nothing of it is
    /// fixed. The space must outlive this.
    explicit EvaluatedBelow(const Space& space, const PartialVariant& slice = {});

    /// To be called once for each variant.
    void add(const Variant& variant);

    std::uint64_t operator()(const PartialVariant& prefix) const;

private:
    struct Hash {
        std::size_t operator()(const PartialVariant& v) const { return v.hash(); }
    };
    const Space* space_;
    PartialVariant slice_;
    std::unordered_map<PartialVariant, std::uint64_t, Hash> below_;
};

}  // namespace rooftune
