#include "tuner/engine/warm_start.h"

#include <cmath>

#include "tests/unit/search/toy_problem.h"

using namespace rooftune;
using namespace rooftune::test;

namespace {

WarmStart of_toy(const ToyProblem& f, const SearchInput& input, const SearchOptions& options,
                 int* evaluated = nullptr, double slower = 1.0, double taught = 0.0) {
    toy::Evaluator evaluator(f.space, [&](const Variant& v) { return slower * f.honest(v); });
    evaluator.noise = 0.0;
    const SearchResult r = search(input, evaluator, options, nullptr);
    if (evaluated) *evaluated = static_cast<int>(evaluator.measured.size());
    return warm_start_of(r, input, taught);
}

WarmStart by_hand(const std::string& best_unroll, double best_ratio) {
    WarmStart warm_start;
    warm_start.best = {{"format", "narrow"}, {"threads", "2"}, {"unroll", best_unroll}};
    warm_start.timings = {{warm_start.best, best_ratio},
                          {{{"format", "narrow"}, {"threads", "2"}, {"unroll", "9"}}, best_ratio + 1.0}};
    return warm_start;
}

}  // namespace

TEST_CASE("a warm start holds the winner and the ratio of every timing to the estimate") {
    const ToyProblem f;
    const SearchInput input = f.input();
    const WarmStart warm_start = of_toy(f, input, unlimited());
    CHECK(warm_start.best == f.space.to_map(f.truly_best()));
    CHECK(warm_start.timings.size() > 10);
    bool saw_best = false;
    for (const WarmStart::Timing& t : warm_start.timings) {
        const Variant v = toy::variant(f.space, t.variant);
        const Roofs roofs(f.machine);
        const BoundModel bound(roofs);
        const BoundSource source{&f.space, &f.model, &bound};
        CHECK(t.log_ratio == Approx(std::log(f.honest(v) / source.rank(v))).margin(1e-12));
        saw_best = saw_best || t.variant == warm_start.best;
    }
    CHECK(saw_best);
}

TEST_CASE("a warm start knows what failed or is in quarantine as tried, and has no timing of it") {
    const ToyProblem f;
    SearchInput input = f.input();
    Record quarantined;
    quarantined.variant = f.space.to_map(f.narrow(7));
    quarantined.outcome = Outcome::crashed;
    input.known[f.narrow(7)] = quarantined;
    input.starts = {f.narrow(6)};
    toy::Evaluator evaluator = f.evaluator();
    evaluator.fail[f.narrow(6)] = Outcome::wrong;
    const WarmStart warm_start = warm_start_of(search(input, evaluator, unlimited(), nullptr), input, 0.0);
    for (const int unroll : {6, 7}) {
        INFO(unroll);
        const auto variant = f.space.to_map(f.narrow(unroll));
        CHECK(warm_start.tried.contains(variant));
        CHECK(std::none_of(warm_start.timings.begin(), warm_start.timings.end(),
                           [&](const WarmStart::Timing& t) { return t.variant == variant; }));
    }
    CHECK(warm_start.tried.contains(warm_start.best));
}

TEST_CASE("teaching: winners as starts, each once; timings moved so that winners agree") {
    const ToyProblem f;
    SearchInput input = f.input();
    const WarmStart near = by_hand("4", 0.5), far = by_hand("4", 0.1);
    const WarmStart* neighbours[] = {&near, &far};
    CHECK(teach(neighbours, input) == Approx(0.3));
    REQUIRE(input.starts.size() == 1);
    CHECK(input.starts[0] == f.truly_best());
    // Both have timed the same two variants: the nearer one counts.
    REQUIRE(input.experience.size() == 2);
    CHECK(input.experience[0].log_ratio == Approx(0.3));
    CHECK(input.experience[1].log_ratio == Approx(1.3));
    SearchInput alone = f.input();
    CHECK(teach({}, alone) == 0.0);
    CHECK(alone.starts.empty());
    CHECK(alone.experience.empty());
}

TEST_CASE("teaching: what does not exist here is the nearest, or left out") {
    const ToyProblem f;
    SearchInput input = f.input();
    WarmStart other;
    other.best = {{"format", "narrow"}, {"threads", "64"}, {"unroll", "4"}};
    other.timings = {{other.best, 0.0},
                     {{{"format", "diagonal"}, {"threads", "64"}, {"unroll", "4"}}, 0.5},
                     {{{"format", "narrow"}, {"threads", "2"}, {"unroll", "3"}}, 0.2}};
    const WarmStart* neighbours[] = {&other};
    teach(neighbours, input);
    CHECK(input.starts == std::vector<Variant>{f.narrow(4)});
    REQUIRE(input.experience.size() == 2);
    CHECK(input.experience[0].variant == f.narrow(4));
    CHECK(input.experience[1].variant == f.narrow(3));
}

TEST_CASE("patience of a taught search") {
    CHECK(taught_patience(1) == 20);
    CHECK(taught_patience(1'000'000'000) == static_cast<int>(0.5 * usual_patience(1'000'000'000).unrewarded));
    CHECK(taught_patience(1'000'000'000) > 20);
}

TEST_CASE("a taught search starts with the neighbour's winner and needs fewer evaluations") {
    const ToyProblem f;
    SearchOptions options = unlimited();
    options.bounds = false;
    options.patience = 8;
    options.audit = 0;
    int alone = 0, taught_evaluations = 0;
    const SearchInput first = f.input();
    const WarmStart warm_start = of_toy(f, first, options, &alone);
    SearchInput second = f.input();
    const WarmStart* neighbours[] = {&warm_start};
    const double taught = teach(neighbours, second);
    const WarmStart passed_on = of_toy(f, second, options, &taught_evaluations, 3.0, taught);
    CHECK(taught_evaluations < alone);
    CHECK(passed_on.best == f.space.to_map(f.truly_best()));
    // What only the first has tried is not forgotten, and fits the second's own timings: all ratios are three
    // times as high there.
    CHECK(passed_on.timings.size() >= warm_start.timings.size());
    CHECK(warm_start.tried.size() == warm_start.timings.size());
    CHECK_FALSE(passed_on.tried.empty());
    CHECK(passed_on.tried.size() < passed_on.timings.size());
    CHECK(passed_on.tried.size() <= static_cast<std::size_t>(taught_evaluations));
    std::map<std::map<std::string, std::string>, double> before;
    for (const WarmStart::Timing& t : warm_start.timings) before[t.variant] = t.log_ratio;
    for (const WarmStart::Timing& t : passed_on.timings) {
        if (before.contains(t.variant))
            CHECK(t.log_ratio == Approx(before[t.variant] + std::log(3.0)).margin(1e-9));
    }
}
