#include "models/layer_condition.h"

#include <algorithm>

namespace rooftune {
namespace {

/// Differences between neighbouring offsets of an array that the cache sees.
std::vector<std::int64_t> distances_of(const ArrayAccesses& array) {
    std::vector<std::int64_t> sorted = array.offsets;
    std::sort(sorted.begin(), sorted.end());
    std::vector<std::int64_t> distances;
    for (std::size_t i = 1; i < sorted.size(); ++i) distances.push_back(sorted[i] - sorted[i - 1]);
    return distances;
}

}  // namespace

std::vector<LayerCondition> layer_conditions(std::span<const ArrayAccesses> arrays, Bytes element) {
    std::vector<std::int64_t> finite;
    double endless = 0.0;
    double stores = 0.0;
    double allocated = 0.0;  // arrays whose foremost access is a store that fetches
    for (const ArrayAccesses& array : arrays) {
        stores += array.stores;
        if (array.nontemporal || array.offsets.empty()) continue;
        const std::vector<std::int64_t> distances = distances_of(array);
        finite.insert(finite.end(), distances.begin(), distances.end());
        endless += 1.0;
        // An array that is only stored to: its fetches are write-allocate.
        if (array.stores >= static_cast<int>(array.offsets.size())) allocated += 1.0;
    }
    std::sort(finite.begin(), finite.end());

    std::vector<LayerCondition> conditions;
    const auto add = [&](std::int64_t reach) {
        double kept = 0.0;
        double hits = 0.0;
        for (const std::int64_t d : finite) {
            if (d > reach) break;
            kept += static_cast<double>(d);
            hits += 1.0;
        }
        const double passing = endless + static_cast<double>(finite.size()) - hits;
        LayerCondition c;
        c.reach = reach;
        c.needed = Bytes(element.value * (kept + static_cast<double>(reach) * passing));
        c.hits = hits;
        c.store_misses = allocated;
        c.load_misses = passing - allocated;
        c.evictions = stores;
        conditions.push_back(c);
    };
    for (auto it = finite.rbegin(); it != finite.rend(); ++it) {
        if (*it > 0 && (conditions.empty() || conditions.back().reach != *it)) add(*it);
    }
    add(0);
    return conditions;
}

LayerCondition layer_condition(std::span<const ArrayAccesses> arrays, Bytes element, Bytes capacity) {
    const std::vector<LayerCondition> all = layer_conditions(arrays, element);
    const auto fits =
        std::find_if(all.begin(), all.end(), [&](const LayerCondition& c) { return c.needed <= capacity; });
    return fits != all.end() ? *fits : all.back();
}

}  // namespace rooftune
