// Faults planted in measurements: what no clock can show, answers about something else, stolen time, bounds
// that lie. Whatever happens, the winner is right, the counts are true, and nothing is claimed that is not
// known.
#include <cmath>

#include "tests/unit/search/toy_problem.h"
#include "tuner/measure/statistics.h"

using namespace rooftune;
using namespace rooftune::test;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Unroll 3 and 5 take the same time.
bool is_second_best(const ToyProblem& f, const Variant& v) {
    return v == f.narrow(3) || v == f.narrow(5);
}

}  // namespace

TEST_CASE("planted: a time that no clock can show is a failure of that measurement, and decides nothing") {
    const double impossible = GENERATE(as<double>{}, kNan, -kNan, kInfinity, -kInfinity, -1e-3, 0.0, -0.0);
    const int at = GENERATE(0, 5);
    const ToyProblem f;
    toy::Evaluator evaluator = f.evaluator();
    evaluator.plant_slot = [&](const Variant& v, int count, Slot& slot) {
        if (v == f.truly_best() && count == at) slot.seconds = impossible;
    };
    const SearchResult r = search(f.input(), evaluator, unlimited(), nullptr);
    INFO(impossible << " in slot " << at);
    const Record* record = record_of(r, f.truly_best());
    REQUIRE(record);
    CHECK(record->outcome == Outcome::environment);
    CHECK(record->slots.empty());
    CHECK(record->detail.find("the clock gave") != std::string::npos);
    CHECK(record->detail.find("slot " + std::to_string(at + 1)) != std::string::npos);
    REQUIRE(r.best);
    CHECK(is_second_best(f, *r.best));
    CHECK(r.certificate.failed_environment == 1);
    CHECK(r.certificate.gap > 0.0);  // it may still be faster
    CHECK(r.certificate.violations == 0);
    check_certificate(f, r);
}

TEST_CASE("planted: a clock that never works leaves no winner and no claim") {
    const double impossible = GENERATE(as<double>{}, kNan, -1.0, 0.0, kInfinity);
    const ToyProblem f;
    toy::Evaluator evaluator = f.evaluator();
    evaluator.plant_slot = [&](const Variant&, int, Slot& slot) { slot.seconds = impossible; };
    const SearchResult r = search(f.input(), evaluator, unlimited(), nullptr);
    CHECK_FALSE(r.best);
    CHECK(r.certificate.failed_environment == 96);
    CHECK(r.certificate.excluded == 0);
    CHECK(r.certificate.gap == kInfinity);
    CHECK(r.certificate.stopped_by == "exhausted");
    check_certificate(f, r);
}

TEST_CASE("planted: an impossible time in the finals or the audit changes neither winner nor bound") {
    const double impossible = GENERATE(as<double>{}, kNan, -1.0, 0.0, kInfinity);
    const ToyProblem f;
    SECTION("of the best in the finals: the next best wins, and its times are its own") {
        toy::Evaluator evaluator = f.evaluator();
        evaluator.plant = [&](const Variant& v, Record& record) {
            if (record.role == "finals" && v == f.truly_best()) record.slots[3].seconds = impossible;
        };
        const SearchResult r = search(f.input(), evaluator, unlimited(), nullptr);
        REQUIRE(r.best);
        CHECK(*r.best != f.truly_best());
        CHECK(r.seconds.median == Approx(f.honest(*r.best)).epsilon(0.02));
        check_certificate(f, r);
    }
    SECTION("of everybody in the finals: the search's winner stays") {
        toy::Evaluator evaluator = f.evaluator();
        evaluator.plant = [&](const Variant&, Record& record) {
            if (record.role == "finals") record.slots[0].seconds = impossible;
        };
        const SearchResult r = search(f.input(), evaluator, unlimited(), nullptr);
        REQUIRE(r.best);
        CHECK(*r.best == f.truly_best());
        CHECK(r.naive_ratio.slots == 0);
        check_certificate(f, r);
    }
    SECTION("in the audit") {
        toy::Evaluator evaluator = f.evaluator();
        evaluator.plant = [&](const Variant&, Record& record) {
            if (record.role == "audit" || record.role == "sample") record.slots[0].seconds = impossible;
        };
        const SearchResult r = search(f.input(), evaluator, unlimited(), nullptr);
        REQUIRE(r.best);
        CHECK(*r.best == f.truly_best());
        CHECK(r.certificate.audit.measured == 0);
        CHECK(r.certificate.audit.regrets == 0);
        const SampledReport& sampled = r.certificate.sampled;
        CHECK(sampled.unmeasured.untimed + sampled.raced_out.untimed == sampled.drawn());
        CHECK(sampled.unmeasured.faster + sampled.raced_out.faster == 0);
        // What had been raced out before is so still: nothing new is known of it.
        const int asked_again = static_cast<int>(
            std::count_if(evaluator.order.begin(), evaluator.order.end(),
                          [](const std::string& asked) { return asked.rfind("sample ", 0) == 0; }));
        CHECK(asked_again > 0);
        CHECK(r.certificate.raced_out >= static_cast<std::uint64_t>(asked_again));
        CHECK(r.certificate.failed_environment == static_cast<std::uint64_t>(20 - asked_again));
        check_certificate(f, r);
    }
}

TEST_CASE("planted: measured without a slot, and an answer about another variant") {
    const ToyProblem f;
    toy::Evaluator evaluator = f.evaluator();
    const bool empty = GENERATE(true, false);
    evaluator.plant = [&](const Variant& v, Record& record) {
        if (v != f.truly_best()) return;
        if (empty) {
            record.slots.clear();
        } else {
            record.variant = f.space.to_map(f.narrow(7));
            for (Slot& slot : record.slots) slot.seconds = 1e-9;
        }
    };
    const SearchResult r = search(f.input(), evaluator, unlimited(), nullptr);
    const Record* record = record_of(r, f.truly_best());
    REQUIRE(record);
    CHECK(record->outcome == Outcome::environment);
    CHECK(record->detail.find(empty ? "has no time" : "another variant") != std::string::npos);
    REQUIRE(r.best);
    CHECK(is_second_best(f, *r.best));
    CHECK(r.certificate.violations == 0);
    check_certificate(f, r);
}

TEST_CASE("planted: a probe that answers nonsense moves no ceiling") {
    const double factor = GENERATE(as<double>{}, kNan, kInfinity, -1.0, 0.0);
    const ToyProblem f;
    toy::Evaluator evaluator = f.evaluator();
    evaluator.reprobe_factor = factor;
    const SearchResult r = search(f.input(), evaluator, unlimited(), nullptr);
    REQUIRE(r.best);
    CHECK(*r.best == f.truly_best());
    REQUIRE(r.machine.ceilings.size() == f.machine.ceilings.size());
    for (std::size_t i = 0; i < r.machine.ceilings.size(); ++i)
        CHECK(r.machine.ceilings[i].max == f.machine.ceilings[i].max);
    check_certificate(f, r);
}

TEST_CASE("planted: one lucky measurement below the bound is taken again, and only the second counts") {
    const ToyProblem f;
    const bool on_the_default = GENERATE(true, false);
    const Variant lucky = on_the_default ? f.input().fallback : f.narrow(8);
    toy::Evaluator evaluator = f.evaluator();
    evaluator.plant = [&](const Variant& v, Record& record) {
        if (v == lucky && evaluator.measured[v] == 1) {
            for (Slot& slot : record.slots) slot.seconds *= 0.01;
        }
    };
    const SearchResult r = search(f.input(), evaluator, unlimited(), nullptr);
    CHECK(evaluator.measured[lucky] == 2);
    CHECK(r.certificate.violations == 0);
    CHECK(r.demoted.empty());
    CHECK(r.beat == 0);
    REQUIRE(r.best);
    CHECK(*r.best == f.truly_best());
    check_certificate(f, r);
}

TEST_CASE("planted: a variant that beat its bound and fails when it is timed again has failed") {
    const ToyProblem f;
    toy::Evaluator evaluator = f.evaluator();
    evaluator.plant = [&](const Variant& v, Record& record) {
        if (v != f.truly_best()) return;
        for (Slot& slot : record.slots) slot.seconds *= 0.01;
        if (record.role == "alarm") record.outcome = Outcome::crashed;
    };
    const SearchResult r = search(f.input(), evaluator, unlimited(), nullptr);
    const Record* record = record_of(r, f.truly_best());
    REQUIRE(record);
    CHECK(record->outcome == Outcome::crashed);
    CHECK(record->slots.empty());
    CHECK(r.certificate.violations == 0);
    REQUIRE(r.best);
    CHECK(is_second_best(f, *r.best));
    check_certificate(f, r);
}

TEST_CASE("planted: a stolen slot does not drop the true winner") {
    const ToyProblem f;
    const bool noticed = GENERATE(true, false);
    const int stolen = GENERATE(0, 1, 7);
    toy::Evaluator evaluator = f.evaluator();
    evaluator.plant_slot = [&](const Variant& v, int count, Slot& slot) {
        if (v != f.truly_best() || count != stolen) return;
        slot.seconds *= 3.0;
        slot.disturbed = noticed;
    };
    // Without an audit, which measures some of the raced out again.
    SearchOptions options = unlimited();
    options.audit = GENERATE(0, 20);
    const SearchResult r = search(f.input(), evaluator, options, nullptr);
    REQUIRE(r.best);
    INFO("slot " << stolen << (noticed ? " noticed" : " unnoticed") << ", audit " << options.audit);
    if (noticed || stolen > 0 || options.audit > 0) {
        CHECK(*r.best == f.truly_best());
    } else {
        // Nobody saw it: one slot is all that racing has, and the certificate counts it as racing's claim.
        REQUIRE(record_of(r, f.truly_best()));
        CHECK(record_of(r, f.truly_best())->outcome == Outcome::raced_out);
        CHECK(r.certificate.raced_out > 0);
    }
    check_certificate(f, r);
}

TEST_CASE("planted: in a spell of stolen time the winner is measured once more, and wins") {
    const ToyProblem f;
    toy::Evaluator evaluator = f.evaluator();
    evaluator.plant_slot = [&](const Variant& v, int count, Slot& slot) {
        if (v != f.truly_best() || count >= 8) return;
        slot.seconds *= 3.0;
        slot.disturbed = true;
    };
    const SearchResult r = search(f.input(), evaluator, unlimited(), nullptr);
    CHECK(evaluator.measured[f.truly_best()] == 2);
    REQUIRE(r.best);
    CHECK(*r.best == f.truly_best());
    CHECK(r.seconds.high < 1.1 * f.honest(f.truly_best()));
    check_certificate(f, r);
}

TEST_CASE("planted: where every slot is disturbed, few are measured twice and the search ends") {
    const ToyProblem f;
    toy::Evaluator evaluator = f.evaluator();
    evaluator.plant_slot = [&](const Variant&, int, Slot& slot) { slot.disturbed = true; };
    const SearchResult r = search(f.input(), evaluator, unlimited(), nullptr);
    int twice = 0;
    for (const auto& [variant, count] : evaluator.measured) twice += count > 1 ? 1 : 0;
    CHECK(twice >= 1);
    CHECK(twice <= 1 + static_cast<int>(evaluator.measured.size()) / 10 + 1);
    REQUIRE(r.best);
    CHECK(*r.best == f.truly_best());
    check_certificate(f, r);
}

TEST_CASE("planted: a slow spell that nobody notices costs time, never the truth of the certificate") {
    const ToyProblem f;
    const int from = GENERATE(0, 8, 40);
    const int length = GENERATE(10, 60, 100'000);
    toy::Evaluator evaluator = f.evaluator();
    int slots = 0;
    evaluator.plant_slot = [&](const Variant&, int, Slot& slot) {
        const int now = slots++;
        if (now >= from && now < from + length) slot.seconds *= 3.0;
    };
    const SearchResult r = search(f.input(), evaluator, unlimited(), nullptr);
    INFO("from " << from << " for " << length);
    REQUIRE(r.best);
    check_certificate(f, r);
    // Nothing that was excluded or is open is faster than the certificate allows.
    f.space.each(PartialVariant{}, [&](const Variant& v) {
        if (!record_of(r, v))
            CHECK(f.honest(v) >= r.seconds.median / (1.0 + r.certificate.gap) * (1.0 - 1e-9));
        return true;
    });
}

TEST_CASE("planted: failures of the environment stay in the gap") {
    const ToyProblem f;
    toy::Evaluator evaluator = f.evaluator();
    for (const int unroll : {0, 4, 9}) evaluator.fail[f.narrow(unroll)] = Outcome::environment;
    evaluator.fail[f.narrow(3)] = Outcome::timed_out;
    const SearchResult r = search(f.input(), evaluator, unlimited(), nullptr);
    REQUIRE(r.best);
    CHECK(f.space.to_text(*r.best) == "format=narrow,threads=2,unroll=5");
    CHECK(r.certificate.failed == 4);
    CHECK(r.certificate.failed_environment == 3);
    const double promised = r.seconds.median / (1.0 + r.certificate.gap);
    CHECK(f.honest(f.truly_best()) >= promised);
    check_certificate(f, r);
}

TEST_CASE("planted: right in the search and wrong on fresh inputs is never the winner") {
    const ToyProblem f;
    toy::Evaluator evaluator = f.evaluator();
    const auto wrong = [](Record& record) {
        record.outcome = Outcome::wrong;
        record.slots.clear();
    };
    SECTION("the best one") {
        evaluator.plant = [&](const Variant& v, Record& record) {
            if (record.role == "finals" && v == f.truly_best()) wrong(record);
        };
        const SearchResult r = search(f.input(), evaluator, unlimited(), nullptr);
        REQUIRE(r.best);
        CHECK(*r.best != f.truly_best());
        CHECK(f.honest(*r.best) == Approx(f.honest(f.narrow(3))));
        CHECK(record_of(r, f.truly_best())->outcome == Outcome::wrong);
        CHECK(r.certificate.failed == 1);
        check_certificate(f, r);
    }
    SECTION("all of the first finals: the next best take their place") {
        int finals = 0;
        evaluator.plant = [&](const Variant&, Record& record) {
            if (record.role != "finals") return;
            finals = 0;
            for (const std::string& asked : evaluator.order)
                finals += asked.rfind("finals of", 0) == 0 ? 1 : 0;
            if (finals == 1) wrong(record);
        };
        const SearchResult r = search(f.input(), evaluator, unlimited(), nullptr);
        // At once, before what the refuted ones had excluded is searched; that may have finals of its own.
        const auto is_finals = [](const std::string& asked) { return asked.rfind("finals of", 0) == 0; };
        const auto first = std::find_if(evaluator.order.begin(), evaluator.order.end(), is_finals);
        REQUIRE(evaluator.order.end() - first >= 2);
        CHECK(is_finals(first[1]));
        CHECK(finals >= 2);
        REQUIRE(r.best);
        CHECK(r.certificate.failed >= 2);
        CHECK(record_of(r, *r.best)->outcome == Outcome::measured);
        check_certificate(f, r);
    }
    SECTION("every variant, always: there is no winner, and nothing is excluded by one") {
        evaluator.plant = [&](const Variant&, Record& record) {
            if (record.role == "finals") wrong(record);
        };
        const SearchResult r = search(f.input(), evaluator, unlimited(), nullptr);
        CHECK_FALSE(r.best);
        CHECK(r.certificate.measured == 0);
        CHECK(r.certificate.excluded == 0);
        CHECK(r.certificate.audit.measured == 0);
        check_certificate(f, r);
    }
}

TEST_CASE(
    "planted: an alarm whose ceiling cannot be probed again makes the term stop excluding, and says so") {
    const double factor = GENERATE(as<double>{}, kNan, kInfinity, -1.0);
    const ToyProblem f;
    toy::Evaluator evaluator(f.space, [&](const Variant& v) { return f.honest(v) / 4.0; });
    evaluator.reprobe_factor = factor;
    const SearchResult r = search(f.input(), evaluator, unlimited(), nullptr);
    CHECK(r.certificate.violations > 0);
    CHECK_FALSE(r.demoted.empty());
    for (std::size_t i = 0; i < r.machine.ceilings.size(); ++i)
        CHECK(r.machine.ceilings[i] == f.machine.ceilings[i]);
    CHECK(std::count_if(r.trace.begin(), r.trace.end(), [](const std::string& line) {
              return line.find("could not be probed again") != std::string::npos;
          }) > 0);
    REQUIRE(r.best);
    CHECK(*r.best == f.truly_best());
    CHECK(sum(r.certificate) == 96);
}

TEST_CASE("planted: the same faults give the same trace, with starts and experience too") {
    const ToyProblem f;
    const auto run = [&](std::uint64_t seed) {
        toy::Evaluator evaluator = f.evaluator();
        evaluator.fail[f.narrow(2)] = Outcome::environment;
        evaluator.plant_slot = [&](const Variant& v, int count, Slot& slot) {
            if (v == f.narrow(6) && count == 2) slot.seconds = kNan;
            slot.disturbed = count % 3 == 0;
            if (slot.disturbed) slot.seconds *= 3.0;
        };
        SearchInput input = f.input();
        input.starts = {f.narrow(9), f.narrow(7)};
        for (const int unroll : {0, 3, 8}) input.experience.push_back({f.narrow(unroll), 0.1 * unroll});
        SearchOptions options = unlimited();
        options.seed = seed;
        const SearchResult r = search(input, evaluator, options, nullptr);
        check_certificate(f, r);
        CHECK(evaluator.order[2] == "start " + f.space.to_text(f.narrow(9)));
        CHECK(evaluator.order[3] == "start " + f.space.to_text(f.narrow(7)));
        return r.trace;
    };
    CHECK(run(7) == run(7));
    CHECK(run(7) != run(8));
}
