// What no clock can show is refused, wherever it is; what can be true passes unchanged.
#include "tuner/measure/checked_evaluator.h"

#include <limits>

#include "tests/support/catch.h"
#include "tests/support/toy.h"

using namespace rooftune;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Record timed(const std::vector<double>& seconds, Outcome outcome = Outcome::measured) {
    Record record;
    record.outcome = outcome;
    for (const double s : seconds) record.slots.push_back({s, 3, false});
    return record;
}

/// Answers what it was told to.
class Parrot final : public Evaluator {
public:
    Record evaluate(const Variant&, const EvaluationRequest&) override { return records.front(); }
    Rotation rotation(const RotationRequest&) override { return {records, rates, seen}; }
    std::vector<Ceiling> reprobe(const std::vector<Ceiling>&, double) override { return ceilings; }
    double now() override { return 42.0; }
    bool interrupted() override { return true; }
    std::vector<Record> records;
    std::vector<std::vector<double>> rates;
    std::vector<Ceiling> ceilings, seen;
};

}  // namespace

TEST_CASE("times that a clock can show pass, in their outcome") {
    for (const double seconds : {1e-12, 1e-6, 1.0, 1e6, std::numeric_limits<double>::denorm_min()}) {
        for (const Outcome outcome : {Outcome::measured, Outcome::raced_out}) {
            Record record = timed({seconds, 2.0 * seconds}, outcome);
            record.prepare_seconds = 0.5;
            refuse_impossible(record);
            CHECK(record.outcome == outcome);
            CHECK(record.slots.size() == 2);
            CHECK(record.slots[1].seconds == 2.0 * seconds);
            CHECK(record.prepare_seconds == 0.5);
            CHECK(record.detail.empty());
        }
    }
}

TEST_CASE("a time that no clock can show fails the measurement, with the slot and the time in words") {
    struct Case {
        double seconds;
        const char* spelled;
    };
    for (const Case& c : {Case{kNan, "nan"}, Case{kInfinity, "inf"}, Case{-kInfinity, "-inf"},
                          Case{-2.5, "-2.5"}, Case{0.0, "0 s"}}) {
        for (const Outcome outcome : {Outcome::measured, Outcome::raced_out}) {
            Record record = timed({1.0, c.seconds, 1.0}, outcome);
            refuse_impossible(record);
            CHECK(record.outcome == Outcome::environment);
            CHECK(record.slots.empty());
            CHECK(record.detail.find(c.spelled) != std::string::npos);
            CHECK(record.detail.find("slot 2") != std::string::npos);
        }
    }
    Record none = timed({});
    refuse_impossible(none);
    CHECK(none.outcome == Outcome::environment);
    CHECK(none.detail == "it was called measured and has no time");
}

TEST_CASE("a failure keeps its reason and loses its times; preparation times are numbers") {
    Record crashed = timed({1.0, kNan}, Outcome::crashed);
    crashed.detail = "signal";
    crashed.prepare_seconds = kNan;
    refuse_impossible(crashed);
    CHECK(crashed.outcome == Outcome::crashed);
    CHECK(crashed.detail == "signal");
    CHECK(crashed.slots.empty());
    CHECK(crashed.prepare_seconds == 0.0);
    for (const double impossible : {-1.0, kInfinity, kNan}) {
        Record record = timed({1.0});
        record.prepare_seconds = impossible;
        refuse_impossible(record);
        CHECK(record.outcome == Outcome::measured);
        CHECK(record.prepare_seconds == 0.0);
    }
}

TEST_CASE("rates that nothing can have become no rate") {
    for (const double impossible : {kNan, kInfinity, -kInfinity, -1.0}) {
        for (double Ceiling::*field : {&Ceiling::max, &Ceiling::p95, &Ceiling::median}) {
            Ceiling c = toy::ceiling(Resource::compute, {}, 1e9);
            c.*field = impossible;
            refuse_impossible(c);
            CHECK(c.max == 0.0);
            CHECK(c.p95 == 0.0);
            CHECK(c.median == 0.0);
        }
    }
    Ceiling good = toy::ceiling(Resource::compute, {}, 1e9, 9e8);
    refuse_impossible(good);
    CHECK(good.max == 1e9);
    CHECK(good.p95 == 9e8);
}

TEST_CASE("answers about something else are refused, each with its reason") {
    const Space space = toy::space();
    const Variant asked = toy::variant(space, {{"format", "narrow"}, {"threads", "2"}, {"unroll", "4"}});
    const Variant other = toy::variant(space, {{"format", "narrow"}, {"threads", "2"}, {"unroll", "5"}});
    Parrot parrot;
    CheckedEvaluator evaluator(parrot, space);
    const auto about = [&](const Variant& v) {
        Record record = timed({1.0});
        record.variant = space.to_map(v);
        return record;
    };
    parrot.records = {about(asked)};
    CHECK(evaluator.evaluate(asked, {}).outcome == Outcome::measured);
    parrot.records = {about(other)};
    const Record wrong = evaluator.evaluate(asked, {});
    CHECK(wrong.outcome == Outcome::environment);
    CHECK(wrong.slots.empty());
    CHECK(wrong.variant == space.to_map(asked));
    CHECK(wrong.detail == "the answer is about another variant");
    // Whoever does not say what it is about is asked about one thing only.
    parrot.records = {timed({1.0})};
    CHECK(evaluator.evaluate(asked, {}).variant == space.to_map(asked));

    parrot.records = {about(other), about(asked)};
    const std::vector<Record> swapped = evaluator.rotate({asked, other}, 8, 1.0, "finals");
    REQUIRE(swapped.size() == 2);
    for (const Record& record : swapped) CHECK(record.outcome == Outcome::environment);
    parrot.records = {about(asked)};
    const std::vector<Record> missing = evaluator.rotate({asked, other}, 8, 1.0, "finals");
    REQUIRE(missing.size() == 2);
    for (const Record& record : missing) {
        CHECK(record.outcome == Outcome::environment);
        CHECK(record.detail.find("another number") != std::string::npos);
    }
    // Rates beside: one list a ceiling, of rates that can be.
    parrot.records = {about(asked)};
    const RotationRequest beside{
        .variants = {asked}, .role = "finals", .beside = {toy::ceiling(Resource::compute, {}, 1.0)}};
    parrot.rates = {{5.0, -1.0, kInfinity, std::numeric_limits<double>::quiet_NaN()}};
    CHECK(evaluator.rotation(beside).rates == std::vector<std::vector<double>>{{5.0, 0.0, 0.0, 0.0}});
    // Their windows: of ceilings that were asked for, and with rates that can be.
    Conditions others;
    others.threads = 7;
    parrot.seen = {toy::ceiling(Resource::compute, {}, 6.0), toy::ceiling(Resource::compute, {}, kInfinity),
                   toy::ceiling(Resource::compute, others, 6.0), toy::ceiling(Resource::clock, {}, 6.0)};
    const std::vector<Ceiling> seen = evaluator.rotation(beside).seen;
    REQUIRE(seen.size() == 2);
    CHECK(seen[0].max == 6.0);
    CHECK(seen[1].max == 0.0);
    parrot.rates = {{5.0}, {5.0}};
    CHECK(evaluator.rotation(beside).rates.empty());
    CHECK(evaluator.rotation(beside).seen.empty());
    parrot.ceilings = {toy::ceiling(Resource::compute, {}, kInfinity)};
    CHECK(evaluator.reprobe({}, 1.0).front().max == 0.0);
    CHECK(evaluator.now() == 42.0);
    CHECK(evaluator.interrupted());
}
