// Whether the work of a partial variant is the least of its completions, as contracts 1 and 2 of the bound
// ask.
#pragma once

#include <vector>

#include "kernels/contract/family.h"

namespace rooftune::test {

/// Every field of a work from which terms of the bound come; the larger, the longer it takes.
inline std::vector<double> fields_of(const Work& w) {
    std::vector<double> list{w.chain_steps.value, w.chain_repeats, w.chain_instructions.value};
    for (const InCore* c : {&w.total, &w.heaviest}) {
        for (const Operations o : {c->ops, c->fused, c->added, c->instructions, c->loads, c->fmas,
                                   c->wide_loads, c->split_loads, c->gathered})
            list.push_back(o.value);
    }
    for (const TrafficProfile* t : {&w.traffic, &w.heaviest_traffic}) {
        for (const double amount :
             {t->reads.value, t->writes.value, t->passes, t->products, -t->results, -t->held.value})
            list.push_back(amount);
    }
    return list;
}

/// Each field of `less` at most that of `more`, and its traits at least as permissive.
inline bool permits(const WorkModel& model, const PartialVariant& less, const PartialVariant& more) {
    const std::vector<double> a = fields_of(model.work(less)), b = fields_of(model.work(more));
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (!(a[i] <= b[i])) return false;
    }
    const Traits s = model.traits(less), t = model.traits(more);
    return s.width_bits >= t.width_bits && s.narrowest_bits <= t.narrowest_bits &&
           s.load_bits <= t.load_bits && s.threads >= t.threads && s.gathers <= t.gathers &&
           s.gather_footprint <= t.gather_footprint && s.dtype == t.dtype;
}

}  // namespace rooftune::test
