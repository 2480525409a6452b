#include "tuner/search/second_opinion.h"

#include "tests/support/catch.h"
#include "tests/unit/search/toy_problem.h"

using namespace rooftune;

namespace {

struct Asking {
    test::ToyProblem toy{60};
    SearchInput input = toy.input();
    SearchOptions options = test::unlimited();
    toy::Evaluator evaluator = toy.evaluator();
    std::vector<Node> nodes;

    std::vector<const Node*> open(RunState& run) {
        nodes.clear();
        toy.space.each(PartialVariant{}, [&](const Variant& v) {
            if (!run.ledger.evaluated(v)) nodes.push_back({v, run.source().lower(v), run.source().rank(v)});
            return true;
        });
        std::vector<const Node*> all;
        for (const Node& node : nodes) all.push_back(&node);
        return all;
    }
};

}  // namespace

TEST_CASE("a second opinion needs something timed, and something to choose from") {
    Asking a;
    RunState run(a.input, a.evaluator, a.options, nullptr);
    CHECK_FALSE(second_opinion(run, a.open(run), {}));
    run.evaluate(a.input.fallback, {.role = "reference", .incumbent_high = 0.0, .slots = 8});
    CHECK_FALSE(second_opinion(run, {}, {}));
    const auto choice = second_opinion(run, a.open(run), run.ledger.best(4));
    REQUIRE(choice);
    CHECK_FALSE(run.ledger.evaluated(*choice));
}

TEST_CASE("a second opinion follows what was timed, and what like problems taught") {
    Asking a;
    // One thread is more than twice as slow, padding costs, and unroll 4 is best.
    const auto pick = [&](bool taught) {
        SearchInput input = a.input;
        RunState plain(a.input, a.evaluator, a.options, nullptr);
        std::vector<Variant> known;
        a.toy.space.each(PartialVariant{}, [&](const Variant& v) {
            if (a.toy.space.number(v, 3, 0) % 3 == 0) known.push_back(v);
            return true;
        });
        if (taught) {
            for (const Variant& v : known)
                input.experience.push_back({v, std::log(a.toy.honest(v) / plain.source().rank(v))});
            known = {a.input.fallback};
        }
        RunState run(input, a.evaluator, a.options, nullptr);
        for (const Variant& v : known) run.evaluate(v, {.role = "search", .incumbent_high = 0.0, .slots = 8});
        const auto choice = second_opinion(run, a.open(run), run.ledger.best(4));
        REQUIRE(choice);
        return *choice;
    };
    for (const bool taught : {false, true}) {
        const Variant choice = pick(taught);
        CAPTURE(taught, a.toy.space.to_text(choice));
        CHECK(a.toy.space.number(choice, 2, 0) == 2);
        CHECK(a.toy.space.number(choice, 3, 0) <= 12);
    }
}
