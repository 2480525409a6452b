#include "tuner/engine/exchange.h"

#include "tests/unit/search/toy_problem.h"

using namespace rooftune;
using namespace rooftune::test;

namespace {

using Values = std::map<std::string, std::string>;

Values narrow(const std::string& unroll) {
    return {{"format", "narrow"}, {"threads", "2"}, {"unroll", unroll}};
}

struct World {
    ToyProblem f;
    toy::Evaluator evaluator{f.space, [this](const Variant& v) { return f.honest(v); }};
    std::set<Variant> known;
    Exchange exchange(int own_unroll, const std::vector<Values>& offers, double seconds_left = 100.0) {
        const Variant best = f.narrow(own_unroll);
        return measure_exchange(evaluator, f.space, best, f.honest(best), offers, known, seconds_left);
    }
    int rotations() const {
        return static_cast<int>(
            std::count_if(evaluator.order.begin(), evaluator.order.end(),
                          [](const auto& o) { return o.find(" of ") != std::string::npos; }));
    }
};

}  // namespace

TEST_CASE("exchange: the fastest of the others' winners that is faster than the own") {
    World w;
    // Unroll 5 costs 1.15, 3 the same, 4 is best: 1.1.
    const Exchange e = w.exchange(5, {narrow("9"), narrow("4"), narrow("3")});
    REQUIRE(e.better);
    CHECK(e.better->offer == 1);
    CHECK(e.better->variant == w.f.truly_best());
    CHECK(e.better->ratio.median == Approx(1.1 / 1.15).epsilon(0.02));
    CHECK(e.better->ratio.high < 1.0);
    CHECK(e.tried == 3);
}

TEST_CASE("exchange: what is as fast as the own winner or slower is not better") {
    World w;
    CHECK_FALSE(w.exchange(4, {narrow("5"), narrow("3"), narrow("9")}).better);
    // 3 and 5 take as long as each other.
    CHECK_FALSE(w.exchange(5, {narrow("3")}).better);
}

TEST_CASE("exchange: what is far slower takes no part in the rotation") {
    World w;
    const Exchange e = w.exchange(4, {narrow("8"), narrow("9")});
    CHECK(e.tried == 2);
    CHECK(w.rotations() == 0);
}

TEST_CASE("exchange: the own winner, what the search measured, and what is offered twice is not tried") {
    World w;
    w.known.insert(w.f.narrow(3));
    const Exchange e = w.exchange(5, {narrow("5"), narrow("3"), narrow("6"), narrow("6")});
    CHECK(e.tried == 1);
    CHECK(w.evaluator.measured[w.f.narrow(3)] == 0);
    CHECK(w.evaluator.measured[w.f.narrow(6)] == 1);
    World idle;
    CHECK(idle.exchange(5, {narrow("5")}).tried == 0);
    CHECK(idle.exchange(5, {}).tried == 0);
    CHECK(idle.evaluator.order.empty());
}

TEST_CASE("exchange: an offer that does not exist here is the nearest that does") {
    World w;
    const Exchange e = w.exchange(6, {{{"format", "narrow"}, {"threads", "9"}, {"unroll", "4"}}});
    REQUIRE(e.better);
    CHECK(e.better->variant == w.f.truly_best());
}

TEST_CASE("exchange: without time nothing is measured") {
    World w;
    CHECK(w.exchange(5, {narrow("4")}, 0.2).tried == 0);
    CHECK(w.evaluator.order.empty());
}

TEST_CASE("exchange: where preparing takes longer than expected the rest is left out, and the time is kept") {
    World w;
    w.evaluator.prepare_seconds = 3.0;
    const double begun = w.evaluator.now();
    const Exchange e = w.exchange(5, {narrow("9"), narrow("4"), narrow("3")}, 9.0);
    CHECK(e.tried >= 1);
    CHECK(e.tried < 3);
    CHECK(w.rotations() == 0);
    CHECK_FALSE(e.better);
    CHECK(w.evaluator.now() - begun <= 9.0 + w.evaluator.prepare_seconds);
}

TEST_CASE("exchange: failures and broken environments are passed over") {
    World w;
    w.evaluator.fail[w.f.narrow(4)] = Outcome::wrong;
    const Exchange e = w.exchange(7, {narrow("4"), narrow("5")});
    REQUIRE(e.better);
    CHECK(e.better->offer == 1);
    // The own winner fails: nothing can be compared.
    w.evaluator.fail[w.f.narrow(7)] = Outcome::environment;
    CHECK_FALSE(w.exchange(7, {narrow("5")}).better);
}

TEST_CASE("exchange: slots without a time, or stolen ones, make nobody better") {
    World w;
    // One stolen slot of the winner's first two must not make all others look near, nor better.
    w.evaluator.plant_slot = [&](const Variant& v, int count, Slot& slot) {
        if (v == w.f.truly_best() && count == 0) slot.seconds *= 3.0;
    };
    CHECK_FALSE(w.exchange(4, {narrow("5"), narrow("6")}).better);
    CHECK(w.rotations() == 0);
}

TEST_CASE("exchange: Ctrl-C ends it with nothing claimed") {
    World w;
    w.evaluator.interrupt_after = 0;
    w.evaluator.interrupt_in = "exchange";
    CHECK_FALSE(w.exchange(5, {narrow("4"), narrow("3")}).better);
    CHECK(w.rotations() == 0);
}
