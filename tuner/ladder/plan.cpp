#include "tuner/ladder/plan.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <stdexcept>

#include "tuner/base/joined.h"
#include "tuner/choose/closest_variant.h"

namespace rooftune::ladder {
namespace {

using Names = std::set<std::string>;
/// The value that is wanted of a parameter.
using Wish = std::function<std::string(const Parameter&)>;

std::optional<std::string> value_in(const Values& values, const std::string& name) {
    const auto at = values.find(name);
    return at == values.end() ? std::nullopt : std::optional(at->second);
}

// The first of several sources that knows the parameter; else the space's first value.
std::string first_of(const Parameter& p, std::initializer_list<const Values*> sources) {
    for (const Values* source : sources) {
        if (const auto value = value_in(*source, p.name)) return *value;
    }
    return p.values.front().text;
}

int index_of(const Parameter& p, const std::string& text) {
    const auto at = std::find_if(p.values.begin(), p.values.end(),
                                 [&](const ParameterValue& v) { return v.text == text; });
    return at == p.values.end() ? -1 : static_cast<int>(at - p.values.begin());
}

// The variant with the wanted values in the parameters that then exist; nothing where it is none.
std::optional<Variant> assembled(const Space& space, const Wish& wish) {
    Variant variant;
    for (int p = 0; p < space.size(); ++p) {
        const Parameter& parameter = space.parameters()[static_cast<std::size_t>(p)];
        if (!space.exists(variant, p)) {
            variant.fix(p, PartialVariant::kAbsent);
            continue;
        }
        const int value = index_of(parameter, wish(parameter));
        if (value < 0) return std::nullopt;
        variant.fix(p, value);
    }
    return space.valid(variant) ? std::optional(variant) : std::nullopt;
}

// The space in which these parameters have the wanted values wherever they exist.
Space held(const Space& space, const Names& names, const Wish& wish) {
    Space cut = space;
    for (const std::string& name : names) {
        const int p = space.find(name);
        if (p < 0) continue;
        const int value = index_of(space.parameters()[static_cast<std::size_t>(p)],
                                   wish(space.parameters()[static_cast<std::size_t>(p)]));
        if (value < 0) continue;
        cut.add(Constraint{
            "ladder",
            p,
            [p, value](const PartialVariant& v) { return v[p] == value || v[p] == PartialVariant::kAbsent; },
            {p}});
    }
    return cut;
}

struct Found {
    Stand stand;
    std::string adapted;
};

// What a variant has other than was wanted.
std::string adaptation(const Space& space, const Values& values, const Wish& wish) {
    std::vector<std::string> parts;
    for (const Parameter& p : space.parameters()) {
        const auto value = value_in(values, p.name);
        if (!value) continue;
        const std::string wanted = wish(p);
        if (wanted != *value) parts.push_back(p.name + " " + *value + " instead of " + wanted);
    }
    return joined(parts, ", ");
}

// What changes from one variant to the next: values that were others, and the new ones of this step.
std::string change_between(const Space& space, const Values& from, const Values& to, const Names& own) {
    std::vector<std::string> parts;
    for (const Parameter& p : space.parameters()) {
        const auto before = value_in(from, p.name), after = value_in(to, p.name);
        if (!after || before == after) continue;
        if (before)
            parts.push_back(p.name + " " + *before + " → " + *after);
        else if (own.contains(p.name))
            parts.push_back(p.name + " " + *after);
    }
    return parts.empty() ? "parameters that come or go with others" : joined(parts, ", ");
}

class Planner {
public:
    Planner(const Ladder& ladder, const Ends& ends) : ladder_(ladder), ends_(ends) {}

    Plan plan() {
        Plan plan;
        const Wish bottom = [&](const Parameter& p) { return first_of(p, {&ends_.bottom, &ladder_.plain}); };
        const auto start = exact(bottom);
        std::string why;
        if (!start || !ends_.all->from_map(ends_.best, why))
            throw std::invalid_argument("a ladder between variants that do not exist: " + why);
        plan.variants.push_back(*start);
        Names released;
        for (const Optimisation& optimisation : optimisations()) {
            const Names own(optimisation.parameters.begin(), optimisation.parameters.end());
            released.insert(own.begin(), own.end());
            plan.steps.push_back(step(plan, optimisation, own, released));
        }
        for (PlannedStep& s : plan.steps) leave_out(plan, s);
        return plan;
    }

private:
    // The family's optimisations, less what is not in this space, and a last one for what they leave out.
    std::vector<Optimisation> optimisations() const {
        std::vector<Optimisation> all;
        Names left;
        for (const Parameter& p : ends_.all->parameters()) left.insert(p.name);
        for (const Optimisation& optimisation : ladder_.optimisations) {
            Optimisation mine{optimisation.name, {}, optimisation.why};
            for (const std::string& name : optimisation.parameters) {
                if (left.erase(name) > 0) mine.parameters.push_back(name);
            }
            if (!mine.parameters.empty()) all.push_back(std::move(mine));
        }
        if (!left.empty())
            all.push_back({"the rest", {left.begin(), left.end()}, "what has no step of its own"});
        return all;
    }

    std::optional<Stand> exact(const Wish& wish) const {
        if (const auto v = assembled(*ends_.all, wish)) return Stand{ends_.all->to_map(*v), false};
        if (!on_one_thread(wish)) return std::nullopt;
        const auto v = assembled(*ends_.single, wish);
        return v ? std::optional(Stand{ends_.single->to_map(*v), true}) : std::nullopt;
    }

    bool on_one_thread(const Wish& wish) const {
        if (!ends_.single) return false;
        const int p = ends_.all->find("threads");
        return p >= 0 && wish(ends_.all->parameters()[static_cast<std::size_t>(p)]) == "1";
    }

    // The variant that is wanted, or the nearest. `keep` are sets of parameters that should keep their wanted
    // values, the dearest set first.
    Found find(const Wish& wish, const std::vector<Names>& keep) const {
        if (const auto stand = exact(wish)) return {*stand, ""};
        const Space& space = *ends_.all;
        Values wanted;
        for (const Parameter& p : space.parameters()) wanted[p.name] = wish(p);
        std::optional<ClosestVariant> closest;
        for (const Names& names : keep) {
            if (!closest) closest = closest_variant(held(space, names, wish), wanted);
        }
        if (!closest) closest = closest_variant(space, wanted);
        const Values values = closest ? space.to_map(closest->variant) : ends_.best;
        return {{values, false}, adaptation(space, values, wish)};
    }

    static int add(Plan& plan, const Stand& stand) {
        const auto at = std::find(plan.variants.begin(), plan.variants.end(), stand);
        if (at != plan.variants.end()) return static_cast<int>(at - plan.variants.begin());
        plan.variants.push_back(stand);
        return static_cast<int>(plan.variants.size()) - 1;
    }

    PlannedStep step(Plan& plan, const Optimisation& optimisation, const Names& own,
                     const Names& released) const {
        const Wish wish = [&](const Parameter& p) {
            return released.contains(p.name) ? first_of(p, {&ends_.best, &ladder_.plain, &ends_.naive})
                                             : first_of(p, {&ends_.naive, &ladder_.plain});
        };
        const Found found = find(wish, {released, own});
        PlannedStep s;
        s.name = optimisation.name;
        s.why = optimisation.why;
        s.parameters = optimisation.parameters;
        const int before = plan.best();
        s.variant = add(plan, found.stand);
        s.changes = s.variant != before;
        s.adapted = found.adapted;
        if (s.changes)
            s.change = change_between(*ends_.all, plan.variants[static_cast<std::size_t>(before)].values,
                                      found.stand.values, own);
        return s;
    }

    void leave_out(Plan& plan, PlannedStep& s) const {
        const Names own(s.parameters.begin(), s.parameters.end());
        // Nothing to leave out where the best has none of these parameters, or the naive values of all.
        const bool has = std::any_of(own.begin(), own.end(), [&](const std::string& name) {
            return ends_.best.contains(name) && value_in(ends_.best, name) != value_in(ends_.bottom, name);
        });
        if (!has) return;
        const Wish wish = [&](const Parameter& p) {
            return own.contains(p.name) ? first_of(p, {&ladder_.plain, &ends_.bottom})
                                        : first_of(p, {&ends_.best, &ladder_.plain, &ends_.naive});
        };
        const Found found = find(wish, {own});
        const bool differs = std::any_of(own.begin(), own.end(), [&](const std::string& name) {
            return value_in(found.stand.values, name) != value_in(ends_.best, name);
        });
        if (!differs) return;
        s.without = add(plan, found.stand);
        s.without_adapted = found.adapted;
    }

    const Ladder& ladder_;
    const Ends& ends_;
};

}  // namespace

Plan plan_of(const Ladder& ladder, const Ends& ends) {
    return Planner(ladder, ends).plan();
}

}  // namespace rooftune::ladder
