#include "tuner/search/enumerate/bound_source.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

namespace rooftune {

double BoundSource::gather_seconds(const Variant& variant, const Traits& traits) const {
    if (traits.gathers.value <= 0.0) return 0.0;
    return bound->roofs()
        .gather_seconds(traits.dtype, traits.threads,
                        [&](Bytes between) {
                            double count = traits.gathers.value;
                            if (between.value > 0.0)
                                model->likely_gathers(variant, std::span(&between, 1), std::span(&count, 1));
                            return count;
                        })
        .value;
}

RankParts BoundSource::parts(const Variant& variant) const {
    const Work work = model->work(variant);
    const Traits traits = model->traits(variant);
    RankParts parts = bound->rank(work, traits);
    parts.in_core = std::max(parts.in_core, Seconds(gather_seconds(variant, traits)));
    const std::vector<BandwidthStep>& steps = bound->roofs().bandwidth(traits.threads);
    constexpr std::size_t kMostSteps = 128;
    std::array<Bytes, kMostSteps> capacities{}, bytes{};
    const std::size_t count = std::min(steps.size(), kMostSteps);
    for (std::size_t i = 0; i < count; ++i) {
        capacities[i] = Bytes(steps[i].from);
        bytes[i] = work.traffic.sum_beyond(capacities[i]);
    }
    model->likely_traffic(variant, std::span(capacities.data(), count), std::span(bytes.data(), count));
    for (std::size_t i = 0; i < count; ++i) {
        if (steps[i].both > 0.0)
            parts.traffic = std::max(parts.traffic, Seconds(bytes[i].value / steps[i].both));
    }
    return parts;
}

double BoundCache::lower(const PartialVariant& partial) {
    const int kind = source_.model->work_class(partial);
    if (kind < 0) return source_.lower(partial);
    const auto at = static_cast<std::size_t>(kind);
    if (at >= known_.size()) known_.resize(at + 1, std::numeric_limits<double>::quiet_NaN());
    if (std::isnan(known_[at])) known_[at] = source_.lower(partial);
    return known_[at];
}

}  // namespace rooftune
