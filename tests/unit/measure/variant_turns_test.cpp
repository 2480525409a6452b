// The turns by which comparisons, ladders and verifications measure, against workers that say whatever a test
// wants: who answered is checked, and a failure is a turn with words.
#include "tuner/measure/variant_turns.h"

#include "tests/support/catch.h"
#include "tests/support/scripted_worker.h"

using namespace rooftune;
using namespace rooftune::test;

namespace {

VariantTurns::Values unrolled(int unroll) {
    return {{"format", "narrow"}, {"threads", "2"}, {"unroll", std::to_string(unroll)}};
}

Record record_of(int unroll, std::vector<Slot> slots, Outcome outcome = Outcome::raced_out) {
    Record record;
    record.variant = unrolled(unroll);
    record.outcome = outcome;
    record.slots = std::move(slots);
    return record;
}

VariantTurns turns(const ScriptedWorker& worker, double limit = 10.0) {
    return {worker.program(), {}, -1, {unrolled(4), unrolled(5)}, {.limit = limit}};
}

bool says(const Turn& turn, const char* words) {
    return turn.failure.find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("a turn is the last slot of the variant that was asked for") {
    const ScriptedWorker worker(
        {loaded_line(), done_line({record_of(5, {{9.0, 1, true}, {2e-3, 5, true}})})});
    VariantTurns all = turns(worker);
    const Turn turn = all.take(1);
    CHECK(turn.failure.empty());
    CHECK(turn.seconds == 2e-3);
    CHECK(turn.disturbed);
    CHECK(turn.step > 0.0);
    CHECK(all.seconds_of(1) == 2e-3);
    CHECK(all.seconds_of(0) == 0.0);
}

TEST_CASE("an answer about another variant is no turn, and ends the process that gave it") {
    const ScriptedWorker worker({loaded_line(), done_line({record_of(5, {{1e-3, 1, false}})}),
                                 done_line({record_of(4, {{3e-3, 1, false}})})});
    VariantTurns all = turns(worker);
    CHECK(says(all.take(0), "another variant"));
    CHECK(all.seconds_of(0) == 0.0);
    // The same script from its start: a process that had gone on would have said 3 ms.
    CHECK(says(all.take(0), "another variant"));
}

TEST_CASE("answers about none, about two, and without a time are turns that failed") {
    const Record right = record_of(4, {{1e-3, 1, false}});
    CHECK(says(turns(ScriptedWorker({loaded_line(), done_line({})})).take(0), "another variant"));
    CHECK(says(turns(ScriptedWorker({loaded_line(), done_line({right, right})})).take(0), "another variant"));
    CHECK(says(turns(ScriptedWorker({loaded_line(), done_line({record_of(4, {})})})).take(0), "no time"));
    const Record wrong = record_of(4, {}, Outcome::wrong);
    CHECK(says(turns(ScriptedWorker({loaded_line(), done_line({wrong})})).take(0), "wrong"));
    CHECK(says(turns(ScriptedWorker(std::vector<std::string>{})).take(0), "could not load"));
}

TEST_CASE("a repetition beyond the limit names the option that sets it") {
    const ScriptedWorker worker({loaded_line(), done_line({record_of(4, {{2.0, 1, false}})})});
    VariantTurns all = turns(worker, 1.5);
    CHECK(says(all.take(0), "longer than --limit 1.5"));
    CHECK(all.seconds_of(0) == 0.0);
}

TEST_CASE("only a variant's first turn verifies") {
    const std::string answer = done_line({record_of(4, {{1e-3, 1, false}})});
    const ScriptedWorker worker({loaded_line(), answer, answer});
    VariantTurns all = turns(worker);
    CHECK(all.take(0).failure.empty());
    CHECK(all.take(0).failure.empty());
    const std::vector<std::string> asked = worker.requests();
    REQUIRE(asked.size() == 3);
    CHECK(asked[1].find("\"verify\":true") != std::string::npos);
    CHECK(asked[2].find("\"verify\":false") != std::string::npos);
}

TEST_CASE("ceilings that were not asked for are no probe") {
    Ceiling load;
    load.max = 5.0;
    std::string why;
    const ScriptedWorker two({loaded_line(), done_line({}, {load, load})});
    CHECK(turns(two).probe({load}, 0.1, why).empty());
    CHECK(why.find("other ceilings") != std::string::npos);
    const ScriptedWorker one({loaded_line(), done_line({}, {load})});
    CHECK(turns(one).probe({load}, 0.1, why).size() == 1);
}

TEST_CASE("limits grow with what a variant takes, and are not less for a device that compiles") {
    const Deadlines quick = limits_of_turn(Backend::cpu, 1e-3);
    const Deadlines slow = limits_of_turn(Backend::cpu, 10.0);
    CHECK(quick.run < slow.run);
    CHECK(slow.run >= 6 * 10.0);  // a warm-up and five batches of one repetition each
    CHECK(limits_of_turn(Backend::opencl, 1e-3).run > quick.run);
    SearchLimits search(Backend::cpu);
    CHECK(search.next(1e-3).run == unknown_limits().run);
    search.learn(0.5, 0.1);
    CHECK(search.next(1e-3).run < unknown_limits().run);
    CHECK(search.next(1.0).run > search.next(1e-3).run);
    CHECK(search.next(0.0).prepare >= 0.1);
}

TEST_CASE("a program of seconds has a limit for each run, and one that hangs does not cost an hour") {
    SearchLimits search(Backend::cpu);
    search.learn(10 * 14.0, 0.01);  // eight slots, a check before them and one behind
    const Deadlines limits = search.next(14.0);
    CHECK(limits.run >= 11 * 14.0);  // one at ten times the incumbent, and the incumbent beside it
    CHECK(limits.run <= 40 * 14.0);
    // At first, as long as its user says.
    setenv("ROOFTUNE_RUN_LIMIT", "900", 1);
    CHECK(unknown_limits(1.0).run == 901.0);
    CHECK(unknown_limits().load == 900.0);
    // What goes before a run is nothing that it limits.
    setenv("ROOFTUNE_RUN_LIMIT", "1.5", 1);
    CHECK(unknown_limits().run == 1.5);
    CHECK(unknown_limits().load == 120.0);
    CHECK(unknown_limits().prepare == 120.0);
    setenv("ROOFTUNE_RUN_LIMIT", "soon", 1);
    CHECK(unknown_limits().run == 120.0);
    unsetenv("ROOFTUNE_RUN_LIMIT");
    CHECK(unknown_limits().run == 120.0);
}

TEST_CASE("who compiles has the time for it from the first variant on, and who builds anew for each run") {
    const CompilerLimits compilers{600.0, 0.0}, builds{600.0, 500.0};
    CHECK(unknown_limits(0.0, compilers).prepare >= 120.0 + 2 * 600.0);
    CHECK(unknown_limits(0.0, compilers).run == 120.0);
    CHECK(SearchLimits(Backend::cpu, compilers).next(0.0).prepare >= 120.0 + 2 * 600.0);
    CHECK(limits_of_turn(Backend::cpu, 1e-3, compilers).prepare >= 120.0 + 600.0);
    CHECK(limits_of_turn(Backend::cpu, 1e-3, compilers).run == limits_of_turn(Backend::cpu, 1e-3).run);
    // Two pairs of a variant and the best one; in a turn the variant alone.
    SearchLimits search(Backend::cpu, builds);
    CHECK(search.next(0.0).run >= 120.0 + 4 * 500.0);
    CHECK(limits_of_turn(Backend::cpu, 1e-3, builds).run >= 500.0);
    const double without = [] {
        SearchLimits same(Backend::cpu);
        same.learn(1.0, 0.5);
        return same.next(1e-3).run;
    }();
    // Once it is seen what builds take, one that hangs does not cost four times the limit.
    search.learn(1.0, 0.5);
    CHECK(search.next(1e-3).run >= without + 4 * 4 * 0.5);
    CHECK(search.next(1e-3).run <= without + 4 * 10.0);
    CHECK(search.builds(3) >= 3 * 4 * 0.5);
}
