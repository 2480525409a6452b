#include "tuner/inspect/inspected.h"

#include <algorithm>

#include "models/roofs.h"
#include "tuner/search/enumerate/bound_source.h"

namespace rooftune {
namespace {

// The storage parameters are the first in the branching order (kernels/contract/inspection.h).
std::vector<PartialVariant> choices_of(const Setting& setting, const std::vector<std::string>& names) {
    int last = -1;
    for (const std::string& name : names) last = std::max(last, setting.space->find(name));
    std::vector<PartialVariant> open{PartialVariant{}}, chosen;
    while (!open.empty()) {
        const PartialVariant partial = open.back();
        open.pop_back();
        const int next = setting.space->first_free(partial);
        if (next < 0 || next > last) {
            chosen.push_back(partial);
            continue;
        }
        std::vector<PartialVariant> children;
        setting.space->children(partial, children);
        open.insert(open.end(), children.begin(), children.end());
    }
    return chosen;
}

StorageWay way_of(const Setting& setting, const BoundSource& source, const PartialVariant& choice,
                  bool known) {
    StorageWay way;
    way.choice = choice;
    way.variants = setting.space->count(choice);
    const Work work = setting.model->work(choice);
    way.bytes = work.traffic.reads.value + work.traffic.writes.value;
    if (!known) return way;
    setting.space->each(choice, [&](const Variant& variant) {
        const double estimate = source.rank(variant);
        if (!(estimate > 0.0) || (way.promising && estimate >= way.estimate)) return true;
        way.estimate = estimate;
        way.promising = variant;
        return true;
    });
    const Bound bound = source.explain(choice);
    way.lower = bound.seconds_lower.value;
    if (bound.binding >= 0) way.binding = to_text(bound.terms[static_cast<std::size_t>(bound.binding)].kind);
    return way;
}

}  // namespace

Inspected inspect_problem(const Job& job, const CommonOptions& options, const Machine& machine, int cells) {
    Inspected found;
    found.family = job.family->name();
    found.setting = make_setting(job, options, {}, machine);
    const Setting& s = found.setting;
    found.inspection = s.problem->inspect(cells);
    const Machine view = machine_of(machine, s.target.device.id);
    const bool known = !view.ceilings.empty();
    if (known) found.machine = s.target.backend == Backend::opencl ? s.target.device.name : view.name;
    if (found.inspection.storage.empty()) return found;
    const Roofs roofs(view);
    const BoundModel bound(roofs);
    const BoundSource source{s.space.get(), s.model.get(), &bound};
    for (const PartialVariant& choice : choices_of(s, found.inspection.storage)) {
        StorageWay way = way_of(s, source, choice, known);
        if (way.variants > 0) found.ways.push_back(std::move(way));
    }
    if (known) found.default_estimate = source.rank(s.fallback);
    std::stable_sort(found.ways.begin(), found.ways.end(), [](const StorageWay& a, const StorageWay& b) {
        // What no rate is known for comes last.
        if ((a.estimate > 0.0) != (b.estimate > 0.0)) return a.estimate > 0.0;
        if (a.estimate != b.estimate) return a.estimate < b.estimate;
        if (a.bytes != b.bytes) return a.bytes < b.bytes;
        return a.choice < b.choice;
    });
    return found;
}

}  // namespace rooftune
