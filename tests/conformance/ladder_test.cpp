// Every family's ladder, on each of its backends and examples: optimisations hold the space's parameters once
// each, and between the naive variant and any other there is a ladder of variants.
#include <set>

#include "tests/support/catch.h"
#include "tests/support/descent.h"
#include "tests/support/family_targets.h"
#include "tuner/ladder/plan.h"

using namespace rooftune;
using namespace rooftune::test;

namespace {

void check_optimisations(const Ladder& ladder, const Space& space, bool threads_first) {
    std::set<std::string> names, released;
    for (const Optimisation& optimisation : ladder.optimisations) {
        INFO(optimisation.name);
        CHECK_FALSE(optimisation.name.empty());
        CHECK_FALSE(optimisation.why.empty());
        CHECK_FALSE(optimisation.parameters.empty());
        CHECK(names.insert(optimisation.name).second);
        for (const std::string& name : optimisation.parameters) {
            INFO(name);
            CHECK(space.find(name) >= 0);
            CHECK(released.insert(name).second);
        }
    }
    for (const Parameter& p : space.parameters()) {
        INFO(p.name);
        CHECK(released.contains(p.name));
    }
    for (const auto& [name, value] : ladder.plain) {
        INFO("plain " << name);
        CHECK(space.find(name) >= 0);
        CHECK_FALSE(value.empty());
    }
    REQUIRE_FALSE(ladder.optimisations.empty());
    if (threads_first) CHECK(ladder.optimisations.front().parameters.front() == "threads");
}

void check_plan(const ladder::Plan& plan, const ladder::Ends& ends, const Ladder& ladder) {
    CHECK(plan.steps.size() == ladder.optimisations.size());
    CHECK(plan.variants.at(static_cast<std::size_t>(plan.best())).values == ends.best);
    CHECK_FALSE(plan.variants.at(static_cast<std::size_t>(plan.best())).alone);
    for (const ladder::Stand& stand : plan.variants) {
        std::string why;
        const Space& space = stand.alone ? *ends.single : *ends.all;
        CHECK(space.from_map(stand.values, why).has_value());
        CHECK(why.empty());
    }
    for (const ladder::PlannedStep& step : plan.steps) CHECK(step.without != plan.best());
}

}  // namespace

TEST_CASE("every family: the ladder's rungs hold each parameter once, threads first") {
    const Registry registry = built_in_families();
    for (const auto& family : registry.families()) {
        for (const ProblemSpec& spec : family->examples()) {
            const auto problem = family->problem(spec);
            for (const Target& target : targets_of(*family, problem->dtype())) {
                INFO(family->name() << " " << text_of(spec) << " on " << text_of(target));
                const Space space = family->space(*problem, target);
                check_optimisations(family->ladder(space, target), space, target.backend == Backend::cpu);
            }
        }
    }
}

TEST_CASE("every family: a ladder leads from the naive variant to the default one and to any other") {
    const Registry registry = built_in_families();
    for (const auto& family : registry.families()) {
        int plans = 0, adapted = 0;
        for (const ProblemSpec& spec : family->examples()) {
            const auto problem = family->problem(spec);
            for (const Target& target : targets_of(*family, problem->dtype())) {
                INFO(family->name() << " " << text_of(spec) << " on " << text_of(target));
                const Space all = family->space(*problem, target);
                const Ladder ladder = family->ladder(all, target);
                ladder::Ends ends;
                ends.all = &all;
                ends.naive = ends.bottom = all.to_map(family->naive_variant(*problem, all, target));
                Target one = target;
                one.threads = 1;
                const Space single = family->space(*problem, one);
                if (target.backend == Backend::cpu && target.threads > 1) {
                    ends.single = &single;
                    ends.bottom = single.to_map(family->naive_variant(*problem, single, one));
                }
                std::vector<Variant> bests = some_variants(all, 6, 6, 29);
                bests.push_back(family->default_variant(*problem, all, target));
                bests.push_back(family->naive_variant(*problem, all, target));
                for (const Variant& best : bests) {
                    INFO(all.to_text(best));
                    ends.best = all.to_map(best);
                    const ladder::Plan plan = ladder::plan_of(ladder, ends);
                    check_plan(plan, ends, ladder);
                    ++plans;
                    for (const ladder::PlannedStep& step : plan.steps) adapted += !step.adapted.empty();
                }
            }
        }
        INFO(family->name() << ": " << plans << " ladders, " << adapted << " steps adapted");
        CHECK(plans > 0);
    }
}
