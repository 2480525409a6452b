#include "tuner/own/check_bounds.h"

#include <cstdint>
#include <nlohmann/json.hpp>

#include "models/bound.h"
#include "models/roofs.h"
#include "tuner/base/si.h"
#include "tuner/base/suggested.h"
#include "tuner/chart/phrases.h"
#include "tuner/search/enumerate/bound_source.h"

namespace rooftune {
namespace {

constexpr std::uint64_t kMostVariants = 100000;

CheckedBound bound_of(const BoundSource& source, const PartialVariant& partial) {
    const Bound bound = source.explain(partial);
    if (bound.binding < 0) return {};
    return {bound.seconds_lower.value,
            std::string(to_text(bound.terms[static_cast<std::size_t>(bound.binding)].kind))};
}

// "165 µs (reads)".
std::string told(const CheckedBound& bound) {
    return bound.seconds > 0.0 ? format_seconds(bound.seconds) + " (" + term_phrase(bound.term) + ")"
                               : "no time";
}

nlohmann::ordered_json json_of(const CheckedBound& bound) {
    if (!(bound.seconds > 0.0)) return nullptr;
    return {{"seconds", bound.seconds}, {"binding", bound.term}};
}

}  // namespace

CheckedBounds check_bounds(const Space& space, const WorkModel& model, const Variant& first,
                           const Machine& machine, const Target& target) {
    const Machine view = machine_of(machine, target.device.id);
    CheckedBounds bounds;
    bounds.machine = target.backend == Backend::opencl ? target.device.name : view.name;
    bounds.known = !view.ceilings.empty();
    if (!bounds.known) return bounds;
    const Roofs roofs(view);
    const BoundModel bound(roofs);
    const BoundSource source{&space, &model, &bound};
    bounds.first = bound_of(source, first);
    bounds.all = space.count(PartialVariant()) <= kMostVariants;
    if (!bounds.all) {
        bounds.least = bound_of(source, PartialVariant());
        return bounds;
    }
    Variant least = first, most = first;
    BoundCache cache(source);
    double lowest = cache.lower(first), highest = lowest;
    space.each(PartialVariant(), [&](const Variant& variant) {
        const double seconds = cache.lower(variant);
        if (seconds < lowest) least = variant, lowest = seconds;
        if (seconds > highest) most = variant, highest = seconds;
        return true;
    });
    bounds.least = bound_of(source, least);
    bounds.most = bound_of(source, most);
    return bounds;
}

std::string bounds_text(const CheckedBounds& bounds, const Target& target) {
    const bool device = target.backend == Backend::opencl;
    if (!bounds.known)
        return "Bounds: none yet, since " +
               std::string(device ? "the device " + bounds.machine : "this machine") + " is not known; " +
               suggested(device ? "machine --quick --backend opencl" : "machine --quick") +
               " measures it in about 10 s.";
    if (!(bounds.most.seconds > 0.0) && !(bounds.first.seconds > 0.0))
        return "Bounds: no ceiling of " + bounds.machine + " bounds a variant by this work.";
    std::string text = "Bounds on " + bounds.machine + ": ";
    if (!bounds.all) {
        text += bounds.least.seconds > 0.0 ? "no variant can take less than " + told(bounds.least)
                                           : "nothing bounds all of the variants at once";
        return text + "; of the first, " + told(bounds.first) + ".";
    }
    if (bounds.least.seconds == bounds.most.seconds)
        return text + "no variant can take less than " + told(bounds.least) +
               "; none is told from another by it, so that none can be excluded before all are tried.";
    return text + "no variant can take less than " + told(bounds.least) + ", the first less than " +
           told(bounds.first) + ", and the one that has most to do less than " + told(bounds.most) + ".";
}

nlohmann::ordered_json bounds_json(const CheckedBounds& bounds) {
    if (!bounds.known) return nullptr;
    return {{"machine", bounds.machine},
            {"least", json_of(bounds.least)},
            {"first", json_of(bounds.first)},
            {"most", json_of(bounds.most)}};
}

}  // namespace rooftune
