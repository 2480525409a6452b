// The rotation of a ladder's variants, with planted times on a clock that only turns move.
#include "tuner/ladder/rounds.h"

#include <cmath>
#include <functional>
#include <limits>
#include "tests/support/catch.h"

using rooftune::Turn;
using namespace rooftune::ladder;

namespace {

class Planted final : public Field {
public:
    using Answer = std::function<Turn(std::size_t variant, int round)>;
    explicit Planted(Answer answer) : answer_(std::move(answer)) {}

    void begin(int round) override {
        round_ = round;
        orders.emplace_back();
    }
    Turn take(std::size_t variant) override {
        clock_ += seconds_a_turn;
        orders.back().push_back(variant);
        ++turns;
        return answer_(variant, round_);
    }
    bool interrupted() override { return turns >= stop_after; }
    double now() override { return clock_; }
    void progress(int, std::size_t) override { ++told; }

    double seconds_a_turn = 1.0;
    int stop_after = 1'000'000;
    int turns = 0, told = 0;
    std::vector<std::vector<std::size_t>> orders;

private:
    Answer answer_;
    double clock_ = 0.0;
    int round_ = 0;
};

Turn fine(std::size_t variant, int) {
    return {static_cast<double>(variant) + 1.0, false, ""};
}

RotationRules rules(double seconds, int most = 60) {
    RotationRules r;
    r.seconds = seconds;
    r.most = most;
    return r;
}

}  // namespace

TEST_CASE("every round takes every variant once, every other round backwards") {
    Planted field(fine);
    const MeasuredRounds m = measure(field, 3, rules(24.0));
    CHECK(m.rounds == 8);
    CHECK_FALSE(m.interrupted);
    CHECK(field.orders[0] == std::vector<std::size_t>{0, 1, 2});
    CHECK(field.orders[1] == std::vector<std::size_t>{2, 1, 0});
    for (std::size_t v = 0; v < 3; ++v)
        CHECK(m.times[v] == std::vector<double>(8, static_cast<double>(v) + 1.0));
    CHECK(field.told == 24);
}

TEST_CASE("eight rounds whatever they take, more as long as there is time, and not without end") {
    Planted slow(fine);
    slow.seconds_a_turn = 1000.0;
    CHECK(measure(slow, 2, rules(1.0)).rounds == 8);
    Planted quick(fine);
    CHECK(measure(quick, 2, rules(40.0)).rounds == 20);
    Planted endless(fine);
    CHECK(measure(endless, 1, rules(1e9, 30)).rounds == 30);
    Planted nothing(fine);
    CHECK(measure(nothing, 0, rules(0.0)).rounds == 8);
}

TEST_CASE("a variant that fails is told, has no times, and is not asked again") {
    Planted field([](std::size_t v, int round) {
        return v == 1 && round == 2 ? Turn{0.0, false, "crashed: SIGSEGV"} : fine(v, round);
    });
    const MeasuredRounds m = measure(field, 3, rules(0.0));
    CHECK(m.rounds == 8);
    CHECK(m.failures == std::vector<std::string>{"", "crashed: SIGSEGV", ""});
    for (const double seconds : m.times[1]) CHECK(std::isnan(seconds));
    CHECK(m.times[2] == std::vector<double>(8, 3.0));
    CHECK(field.orders[3] == std::vector<std::size_t>{2, 0});
}

TEST_CASE("a time that is none is a failure") {
    for (const double none :
         {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        Planted field([&](std::size_t, int) { return Turn{none, false, ""}; });
        const MeasuredRounds m = measure(field, 1, rules(0.0));
        CHECK_FALSE(m.failures[0].empty());
        CHECK(field.turns == 1);
    }
}

TEST_CASE("a disturbed turn is taken once more, and then counts whatever it is") {
    int asked = 0;
    Planted field([&](std::size_t v, int round) {
        if (v != 0 || round != 0) return fine(v, round);
        return Turn{++asked == 1 ? 9.0 : 7.0, true, ""};
    });
    const MeasuredRounds m = measure(field, 2, rules(0.0));
    CHECK(asked == 2);
    CHECK(m.retaken == 1);
    CHECK(m.times[0].front() == 7.0);
}

TEST_CASE("Ctrl-C keeps what was measured, the turns of the unfinished round included") {
    Planted field(fine);
    field.stop_after = 5;
    const MeasuredRounds m = measure(field, 2, rules(100.0));
    CHECK(m.interrupted);
    CHECK(m.rounds == 2);
    CHECK(field.turns == 5);
    CHECK(m.times[0][2] == 1.0);
    CHECK(std::isnan(m.times[1][2]));

    Planted before(fine);
    before.stop_after = 0;
    const MeasuredRounds none = measure(before, 2, rules(100.0));
    CHECK(none.interrupted);
    CHECK(none.rounds == 0);
    CHECK(none.times[0].empty());
}

TEST_CASE("a turn that Ctrl-C cut short is nobody's fault") {
    Planted field([&](std::size_t, int) { return Turn{0.0, false, "environment: interrupted"}; });
    field.stop_after = 1;
    const MeasuredRounds m = measure(field, 2, rules(100.0));
    CHECK(m.interrupted);
    CHECK(m.failures[0].empty());
}
