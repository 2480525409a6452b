// The harness of the comparisons with peers: rounds on a synthetic clock, arms in processes that work,
// fail, die or answer wrongly. No timing is judged.
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "kernels/registry.h"
#include "kernels/runtime/cpu.h"
#include "kernels/runtime/error.h"
#include "tests/peers/harness/child.h"
#include "tests/peers/harness/family_arm.h"
#include "tests/peers/harness/report.h"
#include "tests/peers/harness/rounds.h"
#include "tests/support/catch.h"

namespace rooftune::peers {
namespace {

struct FakeSubject final : Subject {
    Correctness verdict{true, 0.25, ""};
    std::string words = "fake";
    std::function<void()> work = [] {};
    void run() override { work(); }
    Correctness check(std::uint64_t) override { return verdict; }
    std::string detail() const override { return words; }
};

Arm fake(const std::function<void(FakeSubject&)>& change) {
    Arm arm;
    arm.name = "fake";
    arm.make = [change](const std::vector<int>&) {
        auto subject = std::make_unique<FakeSubject>();
        change(*subject);
        return subject;
    };
    return arm;
}

std::vector<int> one_cpu() {
    return {usable_cpus().front()};
}

TurnRules quick() {
    TurnRules rules;
    rules.seconds = 3e-4;
    return rules;
}

/// A clock that only work moves.
struct FakeStopwatch final : Stopwatch {
    double time = 0.0;
    bool was_disturbed = false;
    double now() override { return time; }
    void watch() override {}
    bool disturbed() override { return was_disturbed; }
    double resolution() const override { return 1e-9; }
};

/// The turn of an arm whose first repetition takes `first` seconds and the others `later`; `runs` counts.
Slot turn_of(double first, double later, int& runs) {
    FakeStopwatch clock;
    runs = 0;
    return take_turn([&] { clock.time += runs++ == 0 ? first : later; }, clock, TurnRules{});
}

}  // namespace

TEST_CASE("rounds alternate in direction, and every arm has one turn in each") {
    std::vector<int> order;
    double time = 0.0;
    RoundRules rules;
    rules.least = 3;
    rules.seconds = 0.0;
    const auto slots = rotate(
        3, rules,
        [&](int arm) {
            order.push_back(arm);
            time += 1.0;
            return Slot{arm + 1.0, 1, false};
        },
        [&] { return time; }, [] { return false; });
    CHECK(order == std::vector<int>{0, 1, 2, 2, 1, 0, 0, 1, 2});
    REQUIRE(slots.size() == 3);
    for (std::size_t arm = 0; arm < 3; ++arm) {
        REQUIRE(slots[arm].size() == 3);
        CHECK(slots[arm][1].seconds == static_cast<double>(arm) + 1.0);
    }
}

TEST_CASE("rounds go on until the time is over, at least and at most as many as asked for") {
    double time = 0.0;
    RoundRules rules;
    rules.least = 2;
    rules.most = 9;
    const auto rounds = [&](double seconds) {
        time = 0.0;
        rules.seconds = seconds;
        return rotate(
                   1, rules,
                   [&](int) {
                       return time += 1.0, Slot{1.0, 1, false};
                   },
                   [&] { return time; }, [] { return false; })[0]
            .size();
    };
    CHECK(rounds(0.0) == 2);
    CHECK(rounds(4.5) == 5);
    CHECK(rounds(1e9) == 9);
}

TEST_CASE("a round that is cut short is dropped for every arm") {
    int turns = 0;
    const auto slots = rotate(
        2, RoundRules{},
        [&](int) {
            return ++turns, Slot{1.0, 1, false};
        },
        [] { return 0.0; }, [&] { return turns == 5; });
    CHECK(slots[0].size() == 2);
    CHECK(slots[1].size() == 2);
}

TEST_CASE("a turn is a warm-up that does not count and three batches") {
    int runs = 0;
    const Slot quick_one = turn_of(1e-3, 1e-3, runs);
    CHECK(quick_one.seconds == Approx(1e-3));
    CHECK(quick_one.repetitions == 20);
    CHECK(runs == 1 + 3 * 20);
    CHECK(turn_of(0.15, 0.1, runs).seconds == Approx(0.1));
    CHECK(runs == 4);
    // Slow waking: batches sized by it would last 20 microseconds.
    const Slot woken = turn_of(20e-3, 20e-6, runs);
    CHECK(woken.seconds == Approx(20e-6));
    CHECK(woken.repetitions >= 900);
}

TEST_CASE("long repetitions shorten a turn") {
    int runs = 0;
    CHECK(turn_of(0.5, 0.4, runs).seconds == Approx(0.4));
    CHECK(runs == 2);
    CHECK(turn_of(1.5, 1.4, runs).seconds == Approx(1.5));
    CHECK(runs == 1);
}

TEST_CASE("a turn passes on that it was disturbed") {
    FakeStopwatch clock;
    clock.was_disturbed = true;
    CHECK(take_turn([&] { clock.time += 1e-3; }, clock, TurnRules{}).disturbed);
}

TEST_CASE("speed over a peer is the median of the rounds' ratios, above 1 for the faster") {
    Line base{"peer", true, {true, "", 0.0}, {}};
    Line arm{"ours", false, {true, "", 0.0}, {}};
    // The machine slows down eightfold on the way; the ratio of each round stays 2.
    for (int round = 0; round < 8; ++round) {
        const double drift = 1.0 + round;
        base.slots.push_back({2e-3 * drift, 1, false});
        arm.slots.push_back({1e-3 * drift, 1, false});
    }
    const TimeInterval speed = speed_over(base, arm);
    CHECK(speed.median == Approx(2.0));
    CHECK(speed.low == Approx(2.0));
    CHECK(speed.high == Approx(2.0));
}

TEST_CASE("the table has a ratio for each peer, and names arms that failed") {
    Comparison c{"a title", "a machine", {{"n", "1"}}, {0, 1}, {{"flop/s", 2e9}}, {}, 0.0, false};
    const std::vector<Slot> slow(8, Slot{2e-3, 1, false});
    const std::vector<Slot> fast(8, Slot{1e-3, 1, false});
    c.lines.push_back({"peer", true, {true, "theirs", 0.5}, slow});
    c.lines.push_back({"broken", true, {false, "wrong answer: element 3", 9.0}, {}});
    c.lines.push_back({"tuned", false, {true, "ours", 0.5}, fast});
    const std::string text = to_text(c);
    CHECK_THAT(text, Catch::Contains("speed over peer") && !Catch::Contains("speed over broken"));
    CHECK_THAT(text, Catch::Contains("2.00×") && Catch::Contains("2.00 Tflop/s"));
    CHECK_THAT(text, Catch::Contains("broken: not measured: wrong answer: element 3"));
    const Json document = to_json(c);
    CHECK(document["arms"][2]["speed_over"]["peer"]["median"].get<double>() == Approx(2.0));
    CHECK_FALSE(document["arms"][1].contains("seconds"));
}

TEST_CASE("an arm works in a process of its own, on the processors and in the environment given") {
    Arm arm = fake([](FakeSubject& s) {
        cpu_set_t mask;
        sched_getaffinity(0, sizeof mask, &mask);
        const char* value = std::getenv("ROOFTUNE_PEERS_TEST");
        s.words = std::to_string(getpid()) + " " + std::to_string(CPU_COUNT(&mask)) + " " +
                  (value ? value : "unset");
    });
    arm.environment = {{"ROOFTUNE_PEERS_TEST", "set"}};
    Child child(arm, one_cpu());
    const Ready ready = child.prepare(1);
    CHECK(ready.ok);
    CHECK(ready.error == 0.25);
    CHECK_THAT(ready.detail, Catch::EndsWith(" 1 set") && !Catch::StartsWith(std::to_string(getpid())));
    CHECK(std::getenv("ROOFTUNE_PEERS_TEST") == nullptr);
    const Slot slot = child.turn(quick());
    CHECK(slot.seconds > 0.0);
    CHECK(slot.repetitions >= 1);
    CHECK(child.settle() < 2.0);
}

TEST_CASE("an arm that answers wrongly, throws or dies says so, and is not ready") {
    Child wrong(fake([](FakeSubject& s) {
                    s.verdict = {false, std::numeric_limits<double>::infinity(), "element 7"};
                }),
                one_cpu());
    const Ready was_wrong = wrong.prepare(1);
    CHECK_FALSE(was_wrong.ok);
    CHECK_THAT(was_wrong.detail, Catch::Contains("wrong answer: element 7"));

    Child throws(fake([](FakeSubject&) { throw EnvironmentError("no such library"); }), one_cpu());
    const Ready threw = throws.prepare(1);
    CHECK_FALSE(threw.ok);
    CHECK(threw.detail == "no such library");

    Child dies(fake([](FakeSubject&) { _exit(9); }), one_cpu());
    const Ready died = dies.prepare(1);
    CHECK_FALSE(died.ok);
    CHECK_THAT(died.detail, Catch::Contains("ended with status 9"));
}

TEST_CASE("an arm that dies in its turn is an error that names it, not a hang") {
    Child child(fake([](FakeSubject& s) { s.work = [] { kill(getpid(), SIGKILL); }; }), one_cpu());
    REQUIRE(child.prepare(1).ok);
    CHECK_THROWS_WITH(child.turn(quick()), Catch::Contains("arm fake killed"));
    CHECK_THROWS_AS(child.turn(quick()), EnvironmentError);
}

TEST_CASE("an arm whose threads go on after its turn is not at rest") {
    Child child(fake([](FakeSubject& s) {
                    s.work = [] {
                        // A process of the system's own making would do; a thread is what libraries have.
                        static bool spinning = false;
                        if (spinning) return;
                        spinning = true;
                        pthread_t thread{};
                        pthread_create(
                            &thread, nullptr,
                            [](void*) -> void* {
                                for (std::atomic<unsigned> i = 0;; ++i) {
                                }
                            },
                            nullptr);
                        pthread_detach(thread);
                    };
                }),
                one_cpu());
    REQUIRE(child.prepare(1).ok);
    child.turn(quick());
    CHECK(child.settle(0.2) == 0.2);
}

TEST_CASE("every family's naive and default variants can be arms") {
    const Registry registry = built_in_families();
    for (const auto& family : registry.families()) {
        const ProblemSpec spec = family->examples().front();
        for (const Choice choice : {Choice::naive, Choice::fallback}) {
            Child child(family_arm("ours", std::string(family->name()), spec, choice), one_cpu());
            const Ready ready = child.prepare(1);
            INFO(family->name() << ": " << ready.detail);
            CHECK(ready.ok);
            CHECK(child.turn(quick()).seconds > 0.0);
        }
    }
    Child none(family_arm("ours", "nothing", {}, Choice::naive), one_cpu());
    CHECK_THAT(none.prepare(1).detail, Catch::Contains("no family 'nothing'"));
    Child odd(family_arm("ours", std::string(registry.families().front()->name()),
                         registry.families().front()->examples().front(), Choice::given, {{"x", "y"}}),
              one_cpu());
    CHECK_THAT(odd.prepare(1).detail, Catch::Contains("does not exist here"));
}

}  // namespace rooftune::peers
