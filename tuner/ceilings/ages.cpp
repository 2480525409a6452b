#include "tuner/ceilings/ages.h"

#include <algorithm>
#include <optional>

#include "tuner/base/date.h"

namespace rooftune {

ProbePlan missing_or_old(const Machine& machine, const ProbePlan& plan, const std::string& now,
                         double most_seconds) {
    const std::optional<double> present = seconds_of(now);
    const auto known = [&](const probe::Target& target) {
        return std::any_of(machine.ceilings.begin(), machine.ceilings.end(), [&](const Ceiling& c) {
            if (c.resource != target.resource || !(c.when == target.when)) return false;
            const std::optional<double> seen = seconds_of(c.seen);
            return seen && present && *present - *seen <= most_seconds;
        });
    };
    ProbePlan rest = plan;
    for (auto& group : rest.groups) std::erase_if(group, known);
    std::erase_if(rest.groups, [](const auto& group) { return group.empty(); });
    return rest;
}

CeilingAges ages_of(const Machine& machine, const std::string& now) {
    CeilingAges ages;
    const std::optional<double> present = seconds_of(now);
    for (const Ceiling& c : machine.ceilings) {
        const std::optional<double> seen = seconds_of(c.seen);
        if (!seen) continue;
        ++ages.dated;
        // Dates of one spelling: they order as text does.
        if (ages.oldest.empty() || c.seen < ages.oldest) ages.oldest = c.seen;
        if (c.seen > ages.newest) ages.newest = c.seen;
        if (present && *present - *seen > kOld) ++ages.old;
    }
    return ages;
}

}  // namespace rooftune
