// Bounds of the variants of a space: its work model on a machine's roofs.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "kernels/contract/family.h"
#include "models/bound.h"
#include "models/space.h"

namespace rooftune {

class Calibration;

/// What the tree needs to know of a problem. All must outlive it.
struct BoundSource {
    const Space* space = nullptr;
    const WorkModel* model = nullptr;
    const BoundModel* bound = nullptr;
    const Calibration* calibration =
        nullptr;  ///< of the ranking estimate, where it sets aside; null: as it is

    double lower(const PartialVariant& partial) const {
        return bound->seconds(model->work(partial), model->traits(partial)).value;
    }
    /// The ranking estimate of a variant, seconds: everything that bounds or ranks, the traffic that the
    /// family expects of its loops, and a part of what could be hidden behind the rest. At least T_lower;
    /// never a bound.
    double rank(const Variant& variant) const { return estimate(parts(variant), kNotHidden); }
    /// Its parts.
    RankParts parts(const Variant& variant) const;
    /// The longer part, and `not_hidden` of the shorter one, seconds.
    static double estimate(const RankParts& parts, double not_hidden) {
        const auto [shorter, longer] = std::minmax(parts.in_core.value, parts.traffic.value);
        return longer + not_hidden * shorter;
    }
    /// Of the shorter part: results/estimates.md has more and less. Beyond the caches on one kind of core all
    /// of it counts for SpMV, and next to nothing for a stencil of 7 points.
    static constexpr double kNotHidden = 0.25;
    /// What a variant's indexed loads probably take, by how far apart the uses of an element are; 0 where it
    /// has none or they were never probed.
    double gather_seconds(const Variant& variant, const Traits& traits) const;
    Bound explain(const PartialVariant& partial) const {
        return bound->explain(model->work(partial), model->traits(partial));
    }
    /// The binding term of explain(), quickly.
    std::optional<TermKind> binding(const PartialVariant& partial) const {
        return bound->binding(model->work(partial), model->traits(partial));
    }
};

/// T_lower of (partial) variants, each class of equal work (WorkModel::work_class) worked out once: a search
/// asks for the bound of thousands of variants that differ in what no bound depends on. What the source
/// points to must stay as it is.
class BoundCache {
public:
    explicit BoundCache(const BoundSource& source) : source_(source) {}
    /// BoundSource::lower, to the last digit.
    double lower(const PartialVariant& partial);

private:
    BoundSource source_;
    std::vector<double> known_;  ///< by class; NaN where not asked for yet
};

}  // namespace rooftune
