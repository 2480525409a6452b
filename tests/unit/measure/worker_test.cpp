// The tuner's side of the talk with a worker, against workers that say whatever a test wants: shell scripts
// with fixed replies. Nothing that a worker says may reach a record unchecked, and no worker may end the
// tuner.
#include <limits>
#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"
#include "tests/support/catch.h"
#include "tests/support/scripted_worker.h"
#include "tests/support/toy.h"
#include "tuner/measure/worker_evaluator.h"
#include "tuner/measure/worker_main.h"

using namespace rooftune;
using namespace rooftune::test;

namespace {

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

/// A scripted worker, and an evaluator of the toy's variants that asks it.
struct Script : ScriptedWorker {
    using ScriptedWorker::ScriptedWorker;
    Space space = toy::space();

    WorkerEvaluator evaluator() const { return WorkerEvaluator(space, program(), {}, -1, 1); }
    Variant variant(int unroll) const {
        return toy::variant(space,
                            {{"format", "narrow"}, {"threads", "2"}, {"unroll", std::to_string(unroll)}});
    }
};

/// A measured record of the toy's narrow variant with eight slots, one of them as given.
Record record_of(int unroll, double slot) {
    Record record;
    record.variant = {{"format", "narrow"}, {"threads", "2"}, {"unroll", std::to_string(unroll)}};
    record.outcome = Outcome::measured;
    record.slots.assign(8, {1e-3, 5, false});
    record.slots[3].seconds = slot;
    return record;
}

}  // namespace

TEST_CASE("a program's own arguments do not make a worker of it") {
    const auto parent = [](std::vector<std::string> words) {
        std::vector<char*> argv;
        for (std::string& word : words) argv.push_back(word.data());
        return worker_parent(static_cast<int>(argv.size()), argv.data());
    };
    CHECK_FALSE(parent({"app", "--worker", "3"}));
    CHECK_FALSE(parent({"app", kWorkerFlag, "3"}));
    setenv(kWorkerMark, "3", 1);
    CHECK_FALSE(parent({"app"}));
    CHECK_FALSE(parent({"app", "--worker", "3"}));
    CHECK_FALSE(parent({"app", kWorkerFlag, "4"}));
    CHECK_FALSE(parent({"app", kWorkerFlag, "3", "more"}));
    CHECK(parent({"rooftune", kWorkerFlag, "3"}) == 3);
    unsetenv(kWorkerMark);
}

TEST_CASE("a worker's honest answer arrives whole") {
    const Script script({loaded_line(), done_line({record_of(4, 2e-3)})});
    WorkerEvaluator evaluator = script.evaluator();
    const Record record = evaluator.evaluate(script.variant(4), {.role = "search"});
    CHECK(record.outcome == Outcome::measured);
    REQUIRE(record.slots.size() == 8);
    CHECK(record.slots[3].seconds == 2e-3);
    CHECK(record.role == "search");
}

TEST_CASE("an impossible time in a worker's answer is a failure of that measurement, told in words") {
    const double impossible = GENERATE(as<double>{}, kNotANumber, std::numeric_limits<double>::infinity(),
                                       -std::numeric_limits<double>::infinity(), -1e-3, 0.0);
    const Script script(
        {loaded_line(), done_line({record_of(4, impossible)}), done_line({record_of(5, 1e-3)})});
    WorkerEvaluator evaluator = script.evaluator();
    const Record record = evaluator.evaluate(script.variant(4), {.role = "search"});
    CHECK(record.outcome == Outcome::environment);
    CHECK(record.slots.empty());
    CHECK(record.detail.find("slot 4") != std::string::npos);
    CHECK(record.variant.at("unroll") == "4");
    // The worker is not at fault: the next answer comes from the same process.
    CHECK(evaluator.evaluate(script.variant(5), {}).outcome == Outcome::measured);
}

TEST_CASE("an answer about another variant, or about none, is not taken for the one asked about") {
    SECTION("another") {
        const Script script({loaded_line(), done_line({record_of(5, 1e-9)})});
        WorkerEvaluator evaluator = script.evaluator();
        const Record record = evaluator.evaluate(script.variant(4), {});
        CHECK(record.outcome == Outcome::environment);
        CHECK(record.slots.empty());
        CHECK(record.variant.at("unroll") == "4");
        CHECK(record.detail.find("another variant") != std::string::npos);
    }
    SECTION("in rotation: swapped, or one too few") {
        const Script script({loaded_line(), done_line({record_of(5, 1e-3), record_of(4, 1e-3)})});
        const Script short_script({loaded_line(), done_line({record_of(4, 1e-3)})});
        for (const Script* s : {&script, &short_script}) {
            WorkerEvaluator evaluator = s->evaluator();
            const std::vector<Record> records =
                evaluator.rotate({s->variant(4), s->variant(5)}, 8, 0.1, "finals");
            REQUIRE(records.size() == 2);
            for (const Record& record : records) {
                CHECK(record.outcome == Outcome::environment);
                CHECK(record.slots.empty());
            }
            CHECK(records[1].variant.at("unroll") == "5");
        }
    }
    SECTION("in rotation, one impossible time: the others stand") {
        const Script script({loaded_line(), done_line({record_of(4, kNotANumber), record_of(5, 1e-3)})});
        WorkerEvaluator evaluator = script.evaluator();
        const std::vector<Record> records =
            evaluator.rotate({script.variant(4), script.variant(5)}, 8, 0.1, "finals");
        CHECK(records[0].outcome == Outcome::environment);
        CHECK(records[1].outcome == Outcome::measured);
    }
}

TEST_CASE("probes that answer nonsense give no rate") {
    const double impossible =
        GENERATE(as<double>{}, kNotANumber, std::numeric_limits<double>::infinity(), -1.0);
    const Script script({loaded_line(), done_line({}, {toy::ceiling(Resource::compute, {}, impossible)})});
    WorkerEvaluator evaluator = script.evaluator();
    const std::vector<Ceiling> fresh = evaluator.reprobe({Ceiling{}}, 0.1);
    REQUIRE(fresh.size() == 1);
    CHECK(fresh[0].max == 0.0);
}

TEST_CASE("what is no message ends the worker, not the tuner") {
    SECTION("instead of an answer: the variant wrote where it must not") {
        for (const char* reply : {"hello", "{}", "[1,2", "{\"phase\":\"done\"}"}) {
            const Script script({loaded_line(), reply});
            WorkerEvaluator evaluator = script.evaluator();
            const Record record = evaluator.evaluate(script.variant(4), {});
            INFO(reply);
            CHECK(record.outcome == Outcome::crashed);
            CHECK(record.slots.empty());
        }
    }
    SECTION("instead of the first word, or no word at all") {
        for (const std::vector<std::string>& replies : std::vector<std::vector<std::string>>{
                 {"hello"}, {"{}"}, {to_text(WorkerLine{"failed", "no such matrix", {}, {}})}, {}}) {
            const Script script(replies);
            WorkerEvaluator evaluator = script.evaluator();
            for (int i = 0; i < 2; ++i) {
                const Record record = evaluator.evaluate(script.variant(4), {});
                CHECK(record.outcome == Outcome::environment);
                CHECK(record.detail.find("could not load the problem") != std::string::npos);
                // Its end is seen when it comes, and not waited for until the deadline.
                CHECK(record.detail.find("killed after") == std::string::npos);
            }
            // A worker that never starts is the end of the run, said with what is kept.
            CHECK_THROWS_AS(evaluator.evaluate(script.variant(4), {}), EnvironmentError);
        }
    }
    SECTION("no such program") {
        const Space space = toy::space();
        WorkerEvaluator evaluator(space, "/no/such/program", {}, -1, 1);
        const Record record = evaluator.evaluate(Script(std::vector<std::string>{}).variant(4), {});
        CHECK(record.outcome == Outcome::environment);
    }
}
