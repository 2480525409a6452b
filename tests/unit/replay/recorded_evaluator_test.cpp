#include "tuner/replay/recorded_evaluator.h"

#include <limits>
#include <set>

#include "tests/support/catch.h"
#include "tests/support/toy.h"

using namespace rooftune;

namespace {

Record record_of(Outcome outcome, const std::vector<double>& seconds) {
    Record record;
    record.outcome = outcome;
    for (const double s : seconds) record.slots.push_back({s, 10, false});
    record.prepare_seconds = 0.5;
    return record;
}

struct Fixture {
    Space space = toy::space();
    Variant full = toy::variant(space, {{"format", "narrow"}, {"threads", "1"}, {"unroll", "0"}});
    Variant sampled = toy::variant(space, {{"format", "narrow"}, {"threads", "1"}, {"unroll", "1"}});
    Variant failed = toy::variant(space, {{"format", "narrow"}, {"threads", "1"}, {"unroll", "2"}});
    Variant missing = toy::variant(space, {{"format", "narrow"}, {"threads", "1"}, {"unroll", "3"}});
    std::map<Variant, Record> truth{
        {full, record_of(Outcome::measured, {1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7})},
        {sampled, record_of(Outcome::raced_out, {3.0})},
        {failed, record_of(Outcome::crashed, {})}};
};

}  // namespace

TEST_CASE("recorded: slots are drawn from the variant's own, or scattered as the others' are") {
    const Fixture f;
    RecordedEvaluator evaluator(f.truth, 1);
    const Record full = evaluator.evaluate(f.full, {.role = "search"});
    CHECK(full.outcome == Outcome::measured);
    REQUIRE(full.slots.size() == 8);
    for (const Slot& s : full.slots) {
        bool own = false;
        for (const Slot& t : f.truth.at(f.full).slots) own = own || t.seconds == s.seconds;
        CHECK(own);
    }
    // 1.35 is the median of the other: its slots are 0.74 to 1.26 of it.
    std::set<double> drawn;
    const Record scattered = evaluator.evaluate(f.sampled, {.role = "search", .slots = 64});
    for (const Slot& s : scattered.slots) {
        CHECK(s.seconds >= 3.0 * 1.0 / 1.35 - 1e-9);
        CHECK(s.seconds <= 3.0 * 1.7 / 1.35 + 1e-9);
        drawn.insert(s.seconds);
    }
    CHECK(drawn.size() > 4);
}

TEST_CASE("recorded: racing, failures, what was not recorded, and a clock that moves") {
    const Fixture f;
    RecordedEvaluator evaluator(f.truth, 1);
    const Record raced = evaluator.evaluate(f.sampled, {.role = "search", .incumbent_high = 1.0});
    CHECK(raced.outcome == Outcome::raced_out);
    CHECK(raced.slots.size() == 1);
    CHECK(evaluator.evaluate(f.failed, {.role = "search"}).outcome == Outcome::crashed);
    const Record missing = evaluator.evaluate(f.missing, {.role = "search"});
    CHECK(missing.outcome == Outcome::environment);
    CHECK(missing.slots.empty());
    CHECK(evaluator.evaluations() == 3);
    // Half a second of preparation each for two, and slots.
    CHECK(evaluator.now() > 1.0);
    const std::vector<Record> pair = evaluator.rotate({f.full, f.sampled}, 12, 1e4, "finals");
    REQUIRE(pair.size() == 2);
    CHECK(pair[0].slots.size() == 12);
    CHECK(pair[1].outcome == Outcome::measured);
    CHECK(evaluator.evaluations() == 5);
    // Where the time is short, what an interval needs and no more.
    for (const Record& r : evaluator.rotate({f.full, f.sampled}, 12, 1e-3, "finals"))
        CHECK(r.slots.size() == 8);
    CHECK_FALSE(evaluator.interrupted());
    CHECK(evaluator.reprobe({}, 1.0).empty());
}

TEST_CASE("recorded: rotations have as many slots a variant as rounds, however disturbed they were") {
    Fixture f;
    for (Slot& slot : f.truth.at(f.full).slots) slot = Slot{1e-3 * slot.seconds, slot.repetitions, true};
    RecordedEvaluator evaluator(f.truth, 1);
    // Alone a disturbed slot is taken again.
    CHECK(evaluator.evaluate(f.full, {.role = "search"}).slots.size() == 12);
    for (const Record& r : evaluator.rotate({f.full, f.sampled}, 9, 1e4, "finals"))
        CHECK(r.slots.size() == 9);
}

TEST_CASE("recorded: the same seed gives the same times") {
    const Fixture f;
    const auto draw = [&](std::uint64_t seed) {
        RecordedEvaluator evaluator(f.truth, seed);
        std::vector<double> times;
        for (const Slot& s : evaluator.evaluate(f.full, {.role = "search", .slots = 32}).slots)
            times.push_back(s.seconds);
        return times;
    };
    CHECK(draw(4) == draw(4));
    CHECK(draw(4) != draw(5));
}

TEST_CASE("recorded seconds: the median, and infinite for what failed") {
    const Fixture f;
    CHECK(recorded_seconds(f.truth.at(f.full)) == Approx(1.35));
    CHECK(recorded_seconds(f.truth.at(f.sampled)) == 3.0);
    CHECK(recorded_seconds(f.truth.at(f.failed)) == std::numeric_limits<double>::infinity());
}
