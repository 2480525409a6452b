#include "tuner/search/growth.h"

#include "tuner/measure/statistics.h"

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

// The variant with the value before its own; nothing where there is none that goes with the others.
std::optional<Variant> before_edge(const RunState& run, const Variant& variant, int parameter) {
    const Space& whole = *run.input.space;
    Variant before = variant;
    const int value = value_below(parameter_of(whole, parameter), variant[parameter]);
    if (value < 0) return std::nullopt;
    before.fix(parameter, value);
    if (!whole.valid(before)) return std::nullopt;
    return before;
}

// Whether the step to the edge gained something, by what was measured of the best and of its neighbour with
// the value before. Where a response is flat the best is on an edge by chance, and each value more would make
// the space larger for nothing: of one stencil three parameters grew so, to eight times the space. So small a
// gain is told by the pairs where the one was timed in turn with the other.
bool edge_pays(const RunState& run, const Variant& best, const Variant& before) {
    constexpr double kGain = 0.01;
    const Record& record = run.ledger.records().at(before);
    if (is_failure(record.outcome) || record.slots.empty()) return true;
    const auto& incumbent = run.ledger.incumbent();
    const auto beside = run.timed_beside.find(before);
    if (beside != run.timed_beside.end() && beside->second == best && !record.companion.empty())
        return (1.0 - kGain) * ratio_interval(record.slots, record.companion).median >= 1.0;
    const double seconds =
        incumbent && incumbent->variant == best ? incumbent->paced() : typical(run.ledger.records().at(best));
    return seconds <= (1.0 - kGain) * typical(record);
}

// Why a value beyond the edge was never on offer.
std::string why_held_back(const RunState& run, const Variant& winner, int parameter) {
    if (!beyond_edge(run, winner, parameter)) return "none beyond goes with its other values";
    const std::optional<Variant> before = before_edge(run, winner, parameter);
    if (before && run.ledger.evaluated(*before) && run.ledger.evaluated(winner) &&
        !edge_pays(run, winner, *before))
        return std::string(run.input.space->text(*before, parameter)) + " is about as fast";
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
        const std::optional<Variant> before = before_edge(run, best, p);
        // What the store knows of the neighbour is of another day, whose clock may differ by more than a step
        // gains.
        if (before && !run.timed_beside.contains(*before)) {
            std::optional<Record> known;
            if (run.ledger.evaluated(*before)) known = run.ledger.records().at(*before);
            const Record record = run.evaluate(*before, run.race("edge"));
            if (known && record.outcome == Outcome::environment) run.ledger.add_known(*before, *known);
            return true;
        }
        if (before && !edge_pays(run, best, *before)) continue;
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
