#include "tuner/search/growth.h"

namespace rooftune {
namespace {

const Parameter& parameter_of(const Space& space, int parameter) {
    return space.parameters()[static_cast<std::size_t>(parameter)];
}

const std::string& text_of(const Parameter& parameter, int value) {
    return parameter.values[static_cast<std::size_t>(value)].text;
}

// The variant with the first value that is held back; nothing where it is on no edge, or none has the other
// values beside that one.
std::optional<Variant> beyond_edge(const RunState& run, const Variant& variant, int parameter) {
    const Space& whole = *run.input.space;
    const int edge = run.offer().edge(whole, parameter);
    if (edge < 0 || variant[parameter] != edge) return std::nullopt;
    Variant next = variant;
    next.fix(parameter, run.offer().offered(whole, parameter));
    if (!whole.valid(next)) return std::nullopt;
    return next;
}

// Why a value beyond the edge was never on offer.
std::string why_held_back(const RunState& run, const Variant& winner, int parameter) {
    if (!beyond_edge(run, winner, parameter)) return "none beyond goes with its other values";
    if (run.options.strategy || run.options.exhaustive)
        return "only the search by bounds goes beyond the first offer";
    return "the search ended before more was tried";
}

}  // namespace

bool grow(RunState& run) {
    if (!run.ledger.incumbent()) return false;
    const Variant best = run.ledger.incumbent()->variant;
    const Space& whole = *run.input.space;
    for (int p = 0; p < whole.size(); ++p) {
        const std::optional<Variant> next = beyond_edge(run, best, p);
        if (!next) continue;
        const Parameter& parameter = parameter_of(whole, p);
        const std::string& name = parameter.name;
        run.notice("the best has " + name + "=" + text_of(parameter, best[p]) + ", the greatest on offer: " +
                   name + "=" + text_of(parameter, (*next)[p]) + " is offered, too");
        run.offer_more(p);
        const bool excluded =
            run.options.bounds && run.tree->excluded(run.source().lower(*next), run.ledger.high());
        if (!excluded && !run.ledger.evaluated(*next)) run.evaluate(*next, run.race("growth"));
        return true;
    }
    return false;
}

std::vector<GrowthReport> growth_of(const Space& whole, const SpaceOffer& first, const SpaceOffer& last) {
    std::vector<GrowthReport> grown;
    for (int p = 0; p < whole.size(); ++p) {
        const int before = first.offered(whole, p), now = last.offered(whole, p);
        if (now <= before) continue;
        const Parameter& parameter = parameter_of(whole, p);
        grown.push_back(
            {parameter.name, text_of(parameter, first.edge(whole, p)), text_of(parameter, now - 1)});
    }
    return grown;
}

std::vector<EdgeReport> edges_of(const RunState& run, const Variant& winner) {
    const Space& whole = *run.input.space;
    std::vector<EdgeReport> edges;
    for (int p = 0; p < whole.size(); ++p) {
        const Parameter& parameter = parameter_of(whole, p);
        if (!parameter.is_ordered || !winner.fixed(p)) continue;
        const auto add = [&](std::string reason) {
            edges.push_back({parameter.name, text_of(parameter, winner[p]), std::move(reason)});
        };
        if (run.offer().edge(whole, p) == winner[p]) {
            add(why_held_back(run, winner, p));
        } else if (value_above(parameter, winner[p]) < 0 && value_below(parameter, winner[p]) >= 0 &&
                   !parameter.ends_because.empty()) {
            add(parameter.ends_because);
        }
    }
    return edges;
}

}  // namespace rooftune
