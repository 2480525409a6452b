// A machine that changes its pace: a time says something about another one only if both are of the same
// minutes.
#include <cmath>
#include <map>
#include <random>

#include "tests/unit/search/toy_problem.h"
#include "tuner/measure/racing.h"
#include "tuner/measure/statistics.h"
#include "tuner/search/ledger.h"

using namespace rooftune;
using namespace rooftune::test;

namespace {

std::vector<Slot> slots_of(const std::vector<double>& seconds) {
    std::vector<Slot> slots;
    for (const double s : seconds) slots.push_back({s, 1, false});
    return slots;
}

/// Half a second at full speed, then as long at `slow` times the time, and so on.
std::function<double(double)> spells(double slow) {
    return [slow](double clock) { return std::fmod(clock, 1.0) < 0.5 ? 1.0 : slow; };
}

}  // namespace

TEST_CASE("racing in pairs: only what both were measured in counts") {
    const auto out = [](const std::vector<double>& own, const std::vector<double>& companion) {
        return raced_out(slots_of(own), slots_of(companion));
    };
    CHECK_FALSE(out({1.3}, {1.0}));  // one pair may lie across a change of pace
    CHECK(out({1.3, 1.25}, {1.0, 1.0}));
    CHECK_FALSE(out({2.0, 1.0}, {1.0, 1.0}));
    CHECK_FALSE(out({1.19, 1.3}, {1.0, 1.0}));
    CHECK_FALSE(out({2.38, 1.19}, {2.0, 1.0}));                    // both were slow
    CHECK_FALSE(out({2.0, 2.0, 1.0, 1.0}, {2.0, 1.0, 1.0, 1.0}));  // a change within the second
    CHECK(out({1.06, 1.06, 1.06}, {1.0, 1.0, 1.0}));
    CHECK_FALSE(out({1.04, 1.04, 1.04}, {1.0, 1.0, 1.0}));
    CHECK_FALSE(out({1.1, 1.1}, {1.0, 1.0}));
    CHECK_FALSE(out({2.0, 1.0, 1.0}, {1.0, 1.0, 1.0}));
    CHECK_FALSE(out({}, {}));
    CHECK_FALSE(out({3.0}, {}));
    std::vector<Slot> disturbed = slots_of({3.0});
    disturbed[0].disturbed = true;
    CHECK_FALSE(raced_out(disturbed, slots_of({1.0})));
    CHECK_FALSE(raced_out(slots_of({3.0}), disturbed));
}

TEST_CASE("racing in pairs: two in a row beyond any disturbance need not be undisturbed") {
    const auto out = [](const std::vector<double>& own) {
        std::vector<Slot> slots = slots_of(own);
        for (Slot& slot : slots) slot.disturbed = true;
        return raced_out(slots, slots_of(std::vector<double>(own.size(), 1.0)));
    };
    CHECK_FALSE(out({100.0}));
    CHECK(out({100.0, 100.0}));
    CHECK_FALSE(out({3.9, 3.9, 3.9, 3.9}));  // which a stolen core can do for long
    CHECK_FALSE(out({100.0, 1.0, 100.0, 1.0}));
    CHECK(out({1.0, 100.0, 100.0}));
}

TEST_CASE(
    "racing in pairs: beside somebody who takes a processor, many disturbed pairs of equal threads decide") {
    // Bursts of 0.2 to 5 s, 60 % of the time, in which everything takes twice as long; every slot is told to
    // be disturbed. Of 2000 variants, how many are dropped, and after how many pairs?
    struct Dropped {
        int variants = 0;
        double pairs = 0.0;  ///< on average, of those that were dropped
    };
    std::mt19937_64 random(3);
    const auto race = [&](double times, bool alike, double repetition = 20e-3) {
        constexpr int kMostPairs = 12;
        std::uniform_real_distribution<double> length(0.2, 5.0), noise(0.97, 1.03);
        bool burst = true;
        double left = 1.0;
        const auto slot = [&](double seconds) {
            double done = 0.0, took = 0.0;  // parts of it in a burst take twice as long
            while (done < seconds) {
                const double pace = burst ? 2.0 : 1.0, part = std::min(seconds - done, left / pace);
                done += part;
                took += part * pace;
                left -= part * pace;
                if (left > 1e-12) continue;
                left = burst ? length(random) * 0.4 / 0.6 : length(random);
                burst = !burst;
            }
            return Slot{took * noise(random), 1, true};
        };
        Dropped dropped;
        for (int variant = 0; variant < 2000; ++variant) {
            std::vector<Slot> own, companion;
            while (own.size() < kMostPairs) {
                const bool after = own.size() % 2 == 0;  // as a worker takes them
                if (!after) companion.push_back(slot(repetition));
                own.push_back(slot(times * repetition));
                if (after) companion.push_back(slot(repetition));
                if (!raced_out(own, companion, alike)) continue;
                ++dropped.variants;
                dropped.pairs += static_cast<double>(own.size());
                break;
            }
        }
        dropped.pairs /= std::max(1, dropped.variants);
        return dropped;
    };
    CHECK(race(0.9, true).variants <= 2);
    CHECK(race(0.97, true).variants <= 10);
    CHECK(race(1.1, true).variants >= 1950);
    CHECK(race(1.1, true).pairs < 6.0);
    CHECK(race(1.4, true).variants >= 1990);
    CHECK(race(1.4, true).pairs < 4.0);
    CHECK(race(2.0, true).pairs < 3.5);
    CHECK(race(1.0, true).variants <= 20);
    // Turns that are nearly as long as bursts.
    CHECK(race(0.9, true, 0.1).variants <= 20);
    CHECK(race(1.0, true, 0.1).variants <= 100);
    CHECK(race(1.4, true, 0.1).variants >= 1950);
    // Where only one of the two has a thread on the core that is taken, nothing is told by as many pairs.
    CHECK(race(1.4, false).variants == 0);
}

TEST_CASE("rotations: what takes many times as long as the fastest has a few turns") {
    const auto record = [](const std::vector<double>& seconds) {
        Record r;
        r.slots = slots_of(seconds);
        for (Slot& slot : r.slots) slot.seconds *= 1e-3;
        return r;
    };
    const std::vector<Record> rotation{record({1.0, 1.1, 1.0}), record({20.0, 7.9, 20.0}),
                                       record({8.1, 9.0, 9.0}), record({100.0, 100.0}), record({})};
    CHECK_FALSE(is_far_slower(rotation, 0, 3));
    CHECK_FALSE(is_far_slower(rotation, 1, 3));  // its least may be what it takes
    CHECK(is_far_slower(rotation, 2, 3));
    CHECK_FALSE(is_far_slower(rotation, 2, 0));
    CHECK_FALSE(is_far_slower(rotation, 3, 3));  // not yet
    CHECK_FALSE(is_far_slower(rotation, 4, 3));
    // One turn of half a second is enough, against others' two.
    CHECK(is_far_slower(std::vector{record({1.0, 60.0}), record({500.0})}, 1, 3));
    CHECK_FALSE(is_far_slower(std::vector{record({1.0, 60.0}), record({499.0})}, 1, 3));
    CHECK_FALSE(is_far_slower(std::vector{record({1.0}), record({500.0})}, 1, 3));
    CHECK_FALSE(is_far_slower(std::vector{record({100.0, 100.0}), record({799.0})}, 1, 3));
}

TEST_CASE("rotations: a slot that is no time, or one lucky one, makes nobody many times slower") {
    const auto record = [](const std::vector<double>& seconds) {
        Record r;
        r.slots = slots_of(seconds);
        return r;
    };
    for (const double odd : {0.0, -1.0, std::nan(""), 0.1}) {
        INFO("one slot of " << odd);
        const std::vector<Record> rotation{record({1.0, odd, 1.0, 1.0}), record({1.1, 1.1, 1.1, 1.1}),
                                           record({9.0, 9.0, 9.0, 9.0}), record({odd, 0.4})};
        CHECK_FALSE(is_far_slower(rotation, 0, 3));
        CHECK_FALSE(is_far_slower(rotation, 1, 3));
        CHECK(is_far_slower(rotation, 2, 3));
        CHECK_FALSE(is_far_slower(rotation, 3, 3));
        const std::vector<Record> began{record({odd, 1.0}), record({1.0, 1.0})};
        CHECK_FALSE(is_far_slower(began, 0, 3));
        CHECK_FALSE(is_far_slower(began, 1, 3));
    }
    // Nobody is many times slower than one that has had no time yet.
    const std::vector<Record> one{record({9.0, 9.0, 9.0}), record({0.0, 0.0, 0.0})};
    CHECK_FALSE(is_far_slower(one, 0, 3));
    CHECK_FALSE(is_far_slower(one, 1, 3));
}

TEST_CASE("screening: far behind in one pair, and undisturbed") {
    const auto slot = [](double seconds, bool disturbed = false) {
        Slot one;
        one.seconds = seconds;
        one.disturbed = disturbed;
        return one;
    };
    CHECK(looks_far_behind(slot(1.4), slot(1.0)));
    CHECK(looks_far_behind(slot(2.8e-3), slot(2.0e-3)));
    CHECK_FALSE(looks_far_behind(slot(1.3), slot(1.0)));
    CHECK_FALSE(looks_far_behind(slot(0.5), slot(1.0)));
    CHECK_FALSE(looks_far_behind(slot(3.9, true), slot(1.0)));
    CHECK_FALSE(looks_far_behind(slot(3.9), slot(1.0, true)));
    CHECK(looks_far_behind(slot(9.0, true), slot(1.0)));
    CHECK(looks_far_behind(slot(1.6, true), slot(1.0), true));
    CHECK_FALSE(looks_far_behind(slot(1.4, true), slot(1.0), true));
    CHECK(looks_far_behind(slot(1.4), slot(1.0), true));
    CHECK_FALSE(looks_far_behind(slot(9.0), slot(0.0)));
    // A single pair decides by itself where it is long and beyond anything that disturbs.
    CHECK(is_hopeless(slot(0.9, true), slot(0.11, true)));
    CHECK_FALSE(is_hopeless(slot(0.87), slot(0.11)));
    CHECK_FALSE(is_hopeless(slot(0.49), slot(0.001)));
    CHECK_FALSE(is_hopeless(slot(9.0), slot(0.0)));
    CHECK_FALSE(is_hopeless(slot(std::nan("")), slot(0.1)));
}

TEST_CASE("pace: the best is found on a machine that is three times as slow every other half second") {
    const ToyProblem f;
    toy::Evaluator evaluator = f.evaluator();
    evaluator.pairs = true;
    evaluator.drift = spells(3.0);
    SearchOptions options = unlimited();
    options.bounds = false;  // the toy's bounds are those of the fast spells
    const SearchResult r = search(f.input(), evaluator, options, nullptr);
    REQUIRE(r.best);
    CHECK(f.space.to_text(*r.best) == f.space.to_text(f.truly_best()));
    int wrongly_out = 0;
    for (const Observation& o : r.observations) {
        if (o.record.outcome == Outcome::raced_out && f.honest(o.variant) < 1.05 * f.honest(f.truly_best()))
            ++wrongly_out;
    }
    CHECK(wrongly_out == 0);

    SECTION("without pairs the same machine drops good ones, which this test must be able to see") {
        toy::Evaluator alone = f.evaluator();
        alone.drift = spells(3.0);
        const SearchResult other = search(f.input(), alone, options, nullptr);
        int dropped = 0;
        for (const Observation& o : other.observations) {
            if (o.record.outcome == Outcome::raced_out && o.record.role == "search" &&
                f.honest(o.variant) < 1.25 * f.honest(f.truly_best()))
                ++dropped;
        }
        CHECK(dropped > 0);
    }
}

TEST_CASE("pace: proofs are held against what was measured, estimates against the pace") {
    Ledger ledger;
    Variant a, b;
    a.fix(0, 0);
    b.fix(0, 1);
    Record first;
    first.outcome = Outcome::measured;
    first.slots = slots_of(std::vector<double>(8, 1.0));
    CHECK(ledger.add(a, first));
    Record second = first;
    second.slots = slots_of(std::vector<double>(8, 1.8));
    second.pace = 2.0;  // as fast as 0.9 would be
    CHECK(ledger.add(b, second));
    REQUIRE(ledger.incumbent());
    CHECK(ledger.incumbent()->variant == b);
    CHECK(ledger.high() == Approx(1.8));
    CHECK(ledger.paced_high() == Approx(0.9));
    CHECK(ledger.best(2) == std::vector<Variant>{b, a});
    second.pace = 1.5;  // as slow as 1.2
    Ledger other;
    other.add(a, first);
    CHECK_FALSE(other.add(b, second));
    CHECK(other.incumbent()->variant == a);
}

TEST_CASE("pace: beside a busy process, one thread takes nothing over from two that are faster without it") {
    Ledger ledger;
    Variant two, one;
    two.fix(0, 0);
    one.fix(0, 1);
    Record record;
    record.outcome = Outcome::measured;
    record.slots = slots_of(std::vector<double>(8, 1.0));
    for (Slot& slot : record.slots) slot.disturbed = true;
    ledger.add(two, record);
    record.companion = record.slots;
    record.slots = slots_of(std::vector<double>(8, 0.8));
    Ledger quiet = ledger;
    CHECK(quiet.add(one, record));  // nothing says otherwise
    record.companion[3].seconds = record.companion[5].seconds = 0.5;
    CHECK_FALSE(ledger.add(one, record));
    CHECK(ledger.incumbent()->variant == two);
}

TEST_CASE("racing in pairs: among equals nobody becomes the best by luck, and the best does not walk away") {
    const ToyProblem f(100);
    for (const unsigned seed : {1U, 2U, 3U}) {
        std::mt19937_64 random(seed);
        std::normal_distribution<double> noise(1.0, 0.03);
        // Each a hair slower than the one before, the last by a sixth than the first.
        const auto truth = [](int i) { return 43e-6 * (1.0 + 0.0017 * i); };
        const auto slots = [&](double seconds) {
            std::vector<double> all;
            for (int k = 0; k < 8; ++k) all.push_back(seconds * noise(random));
            return slots_of(all);
        };
        Ledger ledger;
        std::map<Variant, int> number;
        int faster = 0;
        for (int i = 0; i < 100; ++i) {
            number[f.narrow(i)] = i;
            Record record;
            record.outcome = Outcome::measured;
            record.slots = slots(truth(i));
            if (const std::optional<Incumbent> best = ledger.incumbent()) {
                record.companion = slots(truth(number.at(best->variant)));
                // As the search notes it: what the companion takes now over what it took.
                record.pace = interval_of(record.companion).median / best->paced();
            }
            faster += ledger.add(f.narrow(i), record);
        }
        CHECK(truth(number.at(ledger.incumbent()->variant)) <= 1.03 * truth(0));
        CHECK(faster <= 4);
        // One that is faster takes over all the same.
        Record better;
        better.outcome = Outcome::measured;
        better.slots = slots(0.9 * truth(0));
        better.companion = slots(truth(number.at(ledger.incumbent()->variant)));
        better.pace = interval_of(better.companion).median / ledger.incumbent()->paced();
        CHECK(ledger.add(f.truly_best(), better));
        CHECK(ledger.incumbent()->variant == f.truly_best());
    }
}
