#include "tuner/engine/binding_ceiling.h"

#include <algorithm>

#include "tuner/search/enumerate/bound_source.h"

namespace rooftune {

Demoted demoted_terms(const TuneResult& tuned) {
    Demoted demoted;
    for (const TermReport& term : tuned.bound.terms) {
        const auto kind = term_kind_from(term.kind);
        if (term.demoted && kind) demoted.insert(*kind);
    }
    return demoted;
}

std::optional<Ceiling> binding_ceiling(const Setting& s, const Machine& view, const PartialVariant& partial,
                                       const Demoted& demoted) {
    const Roofs roofs(view);
    const BoundModel model(roofs, demoted);
    const Bound bound = BoundSource{s.space.get(), s.model.get(), &model}.explain(partial);
    if (bound.binding < 0) return std::nullopt;
    const int index = bound.terms[static_cast<std::size_t>(bound.binding)].ceiling;
    if (index < 0) return std::nullopt;
    return view.ceilings[static_cast<std::size_t>(index)];
}

double problem_roof(const Setting& s, const Machine& view, const Demoted& demoted) {
    const Roofs roofs(view);
    const BoundModel model(roofs, demoted);
    return BoundSource{s.space.get(), s.model.get(), &model}.lower(PartialVariant{});
}

bool same_ceiling(const Ceiling& a, const Ceiling& b) {
    return a.resource == b.resource && a.when == b.when;
}

std::vector<Ceiling> watched_ceilings(const Setting& s, const Machine& view, const Variant& variant,
                                      const Demoted& demoted) {
    std::vector<Ceiling> watched;
    for (const PartialVariant& partial : {PartialVariant(variant), PartialVariant{}}) {
        const auto ceiling = binding_ceiling(s, view, partial, demoted);
        if (ceiling && (watched.empty() || !same_ceiling(watched.front(), *ceiling)))
            watched.push_back(*ceiling);
    }
    return watched;
}

RoofBeside roof_beside(const Setting& s, Machine view, const std::vector<Ceiling>& watched,
                       const std::vector<std::vector<double>>& rates, const Demoted& demoted) {
    const auto highest = [&](std::size_t i) { return *std::max_element(rates[i].begin(), rates[i].end()); };
    const double seconds_before = problem_roof(s, view, demoted);
    const auto before = binding_ceiling(s, view, PartialVariant{}, demoted);
    for (std::size_t i = 0; i < watched.size(); ++i) {
        if (rates[i].empty()) continue;
        Ceiling fresh = watched[i];
        fresh.max = highest(i);
        merge(view, fresh);
    }
    RoofBeside roof;
    roof.seconds = problem_roof(s, view, demoted);
    roof.binding = binding_ceiling(s, view, PartialVariant{}, demoted);
    // The ceiling that bound before was probed; with its rate raised, another one may bind, which then is the
    // roof as well.
    for (std::size_t i = 0; before && i < watched.size(); ++i) {
        if (same_ceiling(watched[i], *before) && !rates[i].empty())
            roof.now = std::max(roof.seconds, seconds_before * before->max / highest(i));
    }
    return roof;
}

double roof_now_for(const RoofBeside& roof, double seconds) {
    constexpr double kNoise = 1.03;
    return seconds > 0.0 && roof.now > kNoise * seconds ? roof.seconds : roof.now;
}

double roof_then(const TuneResult& tuned, const std::string& machine) {
    const bool known = tuned.machine_id == machine && tuned.fraction_of_roof_now > 0.0 &&
                       tuned.fraction_of_problem_roof > 0.0;
    return known ? tuned.problem_roof_seconds * tuned.fraction_of_roof_now / tuned.fraction_of_problem_roof
                 : 0.0;
}

track::Roof roof_beside(const Setting& s, const Machine& view, const std::vector<Ceiling>& watched,
                        const std::vector<std::vector<double>>& rates, const TuneResult& tuned,
                        const std::string& machine) {
    const RoofBeside beside = roof_beside(s, view, watched, rates, demoted_terms(tuned));
    return {.seconds = beside.seconds, .now = beside.now, .then = roof_then(tuned, machine)};
}

}  // namespace rooftune
