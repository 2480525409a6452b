// However a search ends (budgets of every kind, Ctrl-C at every stage, spaces of none, one or only failing
// variants), its certificate is true and says what ended it.
#include <cstdlib>
#include <map>
#include <set>

#include "tests/unit/search/toy_problem.h"

using namespace rooftune;
using namespace rooftune::test;

namespace {

/// Variants measured by any stage, finals included; what confirms an alarm or a regret is not counted.
int evaluations_of(const toy::Evaluator& evaluator) {
    int count = 0;
    for (const std::string& asked : evaluator.order) {
        // Further processes of the finals measure the same variants again.
        if (asked.rfind("finals again of ", 0) == 0) continue;
        if (asked.rfind("finals of ", 0) == 0) {
            count += std::atoi(asked.c_str() + 10);
        } else if (asked.rfind("audit of ", 0) != 0) {
            ++count;
        }
    }
    return count;
}

/// Cuts the space down to these variants.
void keep_only(const std::set<Variant>& variants, ToyProblem& f) {
    f.space.add(Constraint{"the chosen ones", 3,
                           [variants](const PartialVariant& v) { return variants.contains(v); }});
}

}  // namespace

TEST_CASE("a budget of 0 measures nothing, and claims nothing") {
    const ToyProblem f;
    toy::Evaluator evaluator = f.evaluator();
    SearchInput input = f.input();
    SearchOptions options = unlimited();
    options.bounds_only = true;
    const bool resumed = GENERATE(false, true);
    if (resumed) {
        Record record;
        record.outcome = Outcome::measured;
        record.slots.assign(8, {f.honest(f.narrow(5)), 10, false});
        input.known[f.narrow(5)] = record;
    }
    const SearchResult r = search(input, evaluator, options, nullptr);
    CHECK(evaluator.order.empty());
    CHECK_FALSE(r.best);
    CHECK(r.certificate.stopped_by == "budget");
    CHECK(r.certificate.measured == (resumed ? 1 : 0));
    CHECK(r.certificate.unmeasured == (resumed ? 95 : 96));
    CHECK(std::isinf(r.certificate.gap));
    CHECK(r.problem_roof.value > 0.0);
    check_certificate(f, r);
}

TEST_CASE("a budget of 1 is exactly one evaluation: the default variant") {
    const ToyProblem f;
    toy::Evaluator evaluator = f.evaluator();
    SearchOptions options = unlimited();
    options.evaluations = 1;
    const SearchResult r = search(f.input(), evaluator, options, nullptr);
    CHECK(evaluator.order == std::vector<std::string>{"reference " + f.space.to_text(f.input().fallback)});
    REQUIRE(r.best);
    CHECK(*r.best == f.input().fallback);
    CHECK(r.certificate.measured == 1);
    CHECK(r.certificate.stopped_by == "budget");
    CHECK(r.certificate.gap > 0.0);
    CHECK(r.certificate.audit.measured == 0);
    // What was not compared is not told.
    CHECK(r.naive_ratio.slots == 0);
    CHECK(r.default_ratio.slots == 0);
    CHECK(r.naive_seconds.median == 0.0);
    CHECK(r.roof_now == 0.0);
    check_certificate(f, r);
}

TEST_CASE("a budget of 1 with results of earlier runs measures their best again") {
    const ToyProblem f;
    toy::Evaluator evaluator = f.evaluator();
    SearchInput input = f.input();
    for (const Variant& v : {f.narrow(4), f.narrow(8), input.fallback, input.naive}) {
        Record record;
        record.outcome = Outcome::measured;
        record.slots.assign(8, {f.honest(v), 10, false});
        input.known[v] = record;
    }
    SearchOptions options = unlimited();
    options.evaluations = 1;
    const SearchResult r = search(input, evaluator, options, nullptr);
    CHECK(evaluator.order == std::vector<std::string>{"incumbent " + f.space.to_text(f.narrow(4))});
    REQUIRE(r.best);
    CHECK(*r.best == f.narrow(4));
    CHECK(r.certificate.measured == 4);
    check_certificate(f, r);
}

TEST_CASE("a budget in evaluations is kept to, finals and audit included") {
    const ToyProblem f;
    const bool bounds = GENERATE(true, false);
    for (int budget = 1; budget <= 100; budget += budget < 12 ? 1 : 40) {
        INFO("budget " << budget << (bounds ? "" : " without bounds"));
        toy::Evaluator evaluator = f.evaluator();
        SearchOptions options = unlimited();
        options.epsilon = 0.0;
        options.bounds = bounds;
        options.evaluations = budget;
        const SearchResult r = search(f.input(), evaluator, options, nullptr);
        CHECK(evaluations_of(evaluator) <= budget);
        // A budget far below what there is to do is also spent, but for places in the finals that nobody
        // takes.
        if (budget < 12) {
            CHECK(evaluations_of(evaluator) >= budget - 1);
            CHECK(r.certificate.stopped_by == "budget");
        }
        REQUIRE(r.best);
        check_certificate(f, r);
    }
}

TEST_CASE("of several limits the first one ends the search") {
    const ToyProblem f;
    struct Limits {
        double seconds;
        int evaluations, patience;
        double epsilon;
        const char* ends;
    };
    const Limits limits =
        GENERATE(Limits{0.3, 1000, 1000, 0.0, "budget"}, Limits{1000.0, 5, 1000, 0.0, "budget"},
                 Limits{1000.0, 1000, 3, 0.0, "patience"}, Limits{1000.0, 1000, 1000, 0.9, "epsilon"},
                 Limits{1000.0, 1000, 1000, 0.0, "exhausted"}, Limits{1000.0, 2, 3, 0.0, "budget"},
                 Limits{1000.0, 1000, 3, 0.9, "epsilon"});
    toy::Evaluator evaluator = f.evaluator();
    SearchOptions options = unlimited();
    options.seconds = limits.seconds;
    options.evaluations = limits.evaluations;
    options.patience = limits.patience;
    options.epsilon = limits.epsilon;
    options.audit = 5;
    // Patience waits for every value to have had its chance; where bounds exclude nothing that takes longest.
    options.bounds = std::string(limits.ends) != "patience";
    const SearchResult r = search(f.input(), evaluator, options, nullptr);
    CHECK(r.certificate.stopped_by == limits.ends);
    CHECK(evaluations_of(evaluator) <= limits.evaluations);
    REQUIRE(r.best);
    check_certificate(f, r);
}

TEST_CASE("what preparation takes is paid from the budget of time") {
    const ToyProblem f;
    const auto run = [&](double prepare, double seconds) {
        toy::Evaluator evaluator = f.evaluator();
        evaluator.prepare_seconds = prepare;
        SearchOptions options = unlimited();
        options.epsilon = 0.0;
        options.bounds = false;
        options.seconds = seconds;
        const SearchResult r = search(f.input(), evaluator, options, nullptr);
        check_certificate(f, r);
        // One evaluation that had begun and the least finals: six variants prepared, eight rounds each.
        const double least_finals = 6 * (prepare + 8 * 0.005);
        CHECK(evaluator.now() <= seconds + prepare + 8 * 0.005 + least_finals);
        return evaluations_of(evaluator);
    };
    const int cheap = run(0.0, 3.0);
    const int dear = run(0.3, 3.0);
    CHECK(dear < cheap / 2);
    CHECK(dear >= 8);
}

TEST_CASE("Ctrl-C at any stage: nothing is blamed, what is known is kept, and the certificate is true") {
    const ToyProblem f;
    const std::string stage = GENERATE(as<std::string>{}, "reference", "start", "search", "finals", "audit");
    toy::Evaluator evaluator = f.evaluator();
    evaluator.interrupt_in = stage;
    SearchInput input = f.input();
    input.starts = {f.narrow(9)};
    const SearchResult r = search(input, evaluator, unlimited(), nullptr);
    INFO(stage);
    CHECK(r.certificate.stopped_by == "interrupted");
    CHECK(r.certificate.failed == 0);
    CHECK(r.best.has_value() == (stage != "reference"));
    CHECK(r.certificate.audit.measured == 0);
    CHECK(evaluator.order.back().rfind(stage, 0) == 0);  // nothing was asked for after it
    if (stage == "audit") CHECK(r.naive_ratio.slots > 0);
    if (stage == "finals") CHECK(r.naive_ratio.slots == 0);
    check_certificate(f, r);
}

TEST_CASE("Ctrl-C among others' winners leaves a resumed search what was best before") {
    const ToyProblem f;
    SearchInput input = f.input();
    toy::Evaluator first = f.evaluator();
    for (const Observation& o : search(input, first, unlimited(), nullptr).observations)
        input.known[o.variant] = o.record;
    input.known.erase(f.narrow(9));
    input.starts = {f.narrow(9)};
    toy::Evaluator evaluator = f.evaluator();
    evaluator.interrupt_in = "start";
    const SearchResult r = search(input, evaluator, unlimited(), nullptr);
    CHECK(r.certificate.stopped_by == "interrupted");
    REQUIRE(r.best);
    CHECK(*r.best == f.truly_best());
    check_certificate(f, r);
}

TEST_CASE("Ctrl-C while an alarm is looked into: the time that was not confirmed is not known") {
    const ToyProblem f;
    toy::Evaluator evaluator = f.evaluator();
    evaluator.interrupt_in = "alarm";
    evaluator.plant = [&](const Variant& v, Record& record) {
        if (v == f.narrow(4)) {
            for (Slot& slot : record.slots) slot.seconds *= 0.01;
        }
    };
    const SearchResult r = search(f.input(), evaluator, unlimited(), nullptr);
    CHECK(r.certificate.stopped_by == "interrupted");
    CHECK_FALSE(record_of(r, f.narrow(4)));
    CHECK(r.certificate.violations == 0);
    REQUIRE(r.best);
    check_certificate(f, r);
}

TEST_CASE("Ctrl-C while everything is measured: the best so far, and the rest is unmeasured") {
    const ToyProblem f;
    toy::Evaluator evaluator = f.evaluator();
    evaluator.interrupt_after = 100;
    SearchOptions options = unlimited();
    options.exhaustive = true;
    const SearchResult r = search(f.input(), evaluator, options, nullptr);
    CHECK(r.certificate.stopped_by == "interrupted");
    REQUIRE(r.best);
    CHECK(r.certificate.unmeasured + r.certificate.set_aside + r.certificate.excluded > 0);
    check_certificate(f, r);
}

TEST_CASE("a space of one variant") {
    ToyProblem f;
    const Variant best = f.truly_best();
    SearchInput input = f.input();
    input.naive = input.fallback = best;
    keep_only({best}, f);
    toy::Evaluator evaluator = f.evaluator();
    SECTION("that works is the winner, and nothing is left") {
        const SearchResult r = search(input, evaluator, unlimited(), nullptr);
        REQUIRE(r.best);
        CHECK(*r.best == best);
        CHECK(r.certificate.space == 1);
        CHECK(r.certificate.measured == 1);
        CHECK(r.certificate.gap == 0.0);
        CHECK(r.certificate.stopped_by == "exhausted");
        CHECK(r.naive_ratio.median == 1.0);
        CHECK_FALSE(r.runner_up);
        check_certificate(f, r);
    }
    SECTION("that fails leaves no winner") {
        evaluator.fail[best] = GENERATE(Outcome::crashed, Outcome::wrong, Outcome::environment);
        const SearchResult r = search(input, evaluator, unlimited(), nullptr);
        CHECK_FALSE(r.best);
        CHECK(r.certificate.failed == 1);
        CHECK(r.certificate.stopped_by == "exhausted");
        check_certificate(f, r);
    }
    SECTION("within a budget of 1") {
        SearchOptions options = unlimited();
        options.evaluations = 1;
        const SearchResult r = search(input, evaluator, options, nullptr);
        REQUIRE(r.best);
        CHECK(evaluations_of(evaluator) == 1);
        check_certificate(f, r);
    }
}

TEST_CASE("an empty space is refused before anything is asked for") {
    ToyProblem f;
    const SearchInput input = f.input();
    keep_only({}, f);
    toy::Evaluator evaluator = f.evaluator();
    CHECK_THROWS_AS(search(input, evaluator, unlimited(), nullptr), std::invalid_argument);
    CHECK(evaluator.order.empty());
}

TEST_CASE("every variant fails, each in its own way") {
    const ToyProblem f;
    toy::Evaluator evaluator = f.evaluator();
    const std::vector<Outcome> ways = {
        Outcome::crashed,     Outcome::wrong,         Outcome::illegal,          Outcome::timed_out,
        Outcome::unbuildable, Outcome::out_of_memory, Outcome::out_of_resources, Outcome::environment};
    std::size_t i = 0;
    f.space.each(PartialVariant{}, [&](const Variant& v) {
        evaluator.fail[v] = ways[i++ % ways.size()];
        return true;
    });
    const SearchResult r = search(f.input(), evaluator, unlimited(), nullptr);
    CHECK_FALSE(r.best);
    CHECK(r.certificate.failed == 96);
    CHECK(r.certificate.failed_environment == 12);
    CHECK(std::isinf(r.certificate.gap));  // what the environment failed may work, as fast as it likes
    CHECK(r.certificate.stopped_by == "exhausted");
    for (const auto& [variant, count] : evaluator.measured) CHECK(count == 1);
    check_certificate(f, r);
}
