#include "tuner/own/check_bounds.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "models/bound.h"
#include "models/roofs.h"
#include "tuner/base/joined.h"
#include "tuner/base/si.h"
#include "tuner/base/suggested.h"
#include "tuner/base/text_width.h"
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
    bounds.variants = space.count(PartialVariant());
    bounds.all = bounds.variants <= kMostVariants;
    bounds.first = bound_of(source, first);
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
    const std::string machine = printable(bounds.machine);
    if (!bounds.failure.empty())
        return "Bounds: none, since the machine's file cannot be read: " + bounds.failure;
    if (!bounds.known)
        return "Bounds: none yet, since " + std::string(device ? "the device " + machine : "this machine") +
               " is not known; " +
               suggested(device ? "machine --quick --backend opencl" : "machine --quick") +
               " measures it in about 10 s.";
    std::vector<std::string> parts;
    const auto add = [&](const CheckedBound& bound, const char* of) {
        if (bound.seconds > 0.0)
            parts.push_back(format_seconds(bound.seconds) + " (" + term_phrase(bound.term) + ")" + of);
    };
    const bool alike = bounds.all && bounds.least.seconds == bounds.most.seconds;
    add(bounds.least, bounds.variants == 1 ? "" : " in any variant");
    if (bounds.first.seconds != bounds.least.seconds) add(bounds.first, " in the first");
    if (!alike && bounds.most.seconds != bounds.first.seconds)
        add(bounds.most, " in the one with the highest bound");
    if (parts.empty()) return "Bounds: no ceiling of " + machine + " bounds a variant by this work.";
    std::string text = "Bounds on " + machine + ": at least " + joined(parts);
    if (alike && bounds.variants > 1) text += "; it is the same of all, so that none will be excluded";
    return text + ".";
}

nlohmann::ordered_json bounds_json(const CheckedBounds& bounds) {
    if (!bounds.known) return nullptr;
    return {{"machine", bounds.machine},
            {"least", json_of(bounds.least)},
            {"first", json_of(bounds.first)},
            {"most", json_of(bounds.most)}};
}

}  // namespace rooftune
