// Who meets in the finals where their time is short, and what they are expected to take.
#include <algorithm>

#include "tests/unit/search/toy_problem.h"
#include "tuner/search/run_state.h"

using namespace rooftune;
using namespace rooftune::test;

namespace {

constexpr double kPrepare = 1.0;
constexpr double kBudget = 1000.0;
// Four are prepared, and a fifth would not be done.
constexpr double kTimeOfFour = 4.5 * kPrepare;

/// A search that has measured ten variants and whose finals are next.
struct Searched {
    ToyProblem f;
    SearchInput input = f.input();
    toy::Evaluator evaluator = f.evaluator();
    SearchOptions options = unlimited();

    Searched() {
        evaluator.prepare_seconds = kPrepare;
        options.seconds = kBudget;
        options.reprobe = false;
    }

    void know(RunState& run, const Variant& variant, double times = 1.0) const {
        Record record;
        record.outcome = Outcome::measured;
        record.prepare_seconds = kPrepare;
        record.slots.assign(8, Slot{times * f.honest(variant), 1, false});
        run.ledger.add(variant, record);
    }
    void know_all(RunState& run) const {
        for (int unroll = 1; unroll < 10; ++unroll) know(run, f.narrow(unroll));
        know(run, input.naive);
    }

    /// Of finals that begin with so many seconds left.
    std::vector<Variant> field(RunState& run, double left) {
        run.started = evaluator.now() - (kBudget - left);
        const std::size_t before = evaluator.rotations.size();
        finals_stage(run, 0.1);
        REQUIRE(evaluator.rotations.size() > before);
        return evaluator.rotations[before].variants;
    }
};

bool has(const std::vector<Variant>& field, const Variant& variant) {
    return std::find(field.begin(), field.end(), variant) != field.end();
}

}  // namespace

TEST_CASE("finals: winner, references and one more meet however little time is left") {
    for (const double left : {0.1, kTimeOfFour, 6.5 * kPrepare, kBudget}) {
        Searched s;
        RunState run(s.input, s.evaluator, s.options, nullptr);
        s.know_all(run);
        const std::vector<Variant> field = s.field(run, left);
        INFO(left);
        for (const Variant& one : {s.f.truly_best(), s.input.naive, s.input.fallback}) CHECK(has(field, one));
        CHECK(field.size() == (left == kBudget ? 10U : left > kTimeOfFour ? 6U : 4U));
    }
}

TEST_CASE("finals: who is to be replaced meets the new winner, unless it works no more") {
    const auto meets = [](bool is_kept, bool is_wrong) {
        Searched s;
        const Variant before = s.f.narrow(9);
        if (is_kept) s.input.kept = before;
        RunState run(s.input, s.evaluator, s.options, nullptr);
        s.know_all(run);
        Record wrong;
        wrong.outcome = Outcome::wrong;
        if (is_wrong) run.ledger.add_known(before, wrong);
        const std::vector<Variant> field = s.field(run, kTimeOfFour);
        // Somebody new is there in any case.
        CHECK(field.size() == (is_kept && !is_wrong ? 5U : 4U));
        return has(field, before);
    };
    CHECK_FALSE(meets(false, false));
    CHECK(meets(true, false));
    CHECK_FALSE(meets(true, true));
}

TEST_CASE("finals: who won the first meets whoever wins the second, unless it works no more") {
    for (const bool is_wrong : {false, true}) {
        Searched s;
        RunState run(s.input, s.evaluator, s.options, nullptr);
        s.know_all(run);
        s.field(run, kTimeOfFour);
        REQUIRE(run.ledger.incumbent());
        const Variant first = run.ledger.incumbent()->variant;
        CHECK(first == s.f.truly_best());
        // An audit found some that look faster.
        for (int unroll = 7; unroll < 10; ++unroll) s.know(run, s.f.narrow(unroll), 0.5);
        REQUIRE(run.ledger.incumbent()->variant != first);
        Record wrong;
        wrong.outcome = Outcome::wrong;
        if (is_wrong) run.ledger.add_known(first, wrong);
        CHECK(has(s.field(run, kTimeOfFour), first) != is_wrong);
    }
}

TEST_CASE("finals: their least time has all in it that they prepare, and not what is kept") {
    Searched s;
    s.input.kept = s.f.narrow(9);
    const auto least = [&] {
        RunState run(s.input, s.evaluator, s.options, nullptr);
        s.know_all(run);
        return least_finals_seconds(run);
    };
    // Winner, default, naive, the one before and whoever is second.
    const double all = least();
    CHECK(all == Approx(5 * kPrepare).epsilon(0.05));
    s.input.builds_are_kept = true;
    CHECK(least() == Approx(all - 5 * kPrepare));
    s.input.kept = s.input.fallback;
    CHECK(least() == Approx(0.8 * (all - 5 * kPrepare)));
}

TEST_CASE("finals: a naive variant that was not measured before takes as long in them as the default") {
    Searched s;
    RunState run(s.input, s.evaluator, s.options, nullptr);
    for (int unroll = 1; unroll < 10; ++unroll) s.know(run, s.f.narrow(unroll));
    CHECK(least_finals_seconds(run) == Approx(4 * kPrepare).epsilon(0.05));
    CHECK(s.field(run, 5.5 * kPrepare).size() == 5);
}
