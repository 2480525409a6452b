// Functions of this very process under an evaluator without workers: on which processors they and the probes
// run, and what becomes of one that throws in the middle of a rotation.
#include "tuner/measure/in_process_evaluator.h"

#include <sched.h>

#include <map>
#include <stdexcept>

#include "kernels/runtime/error.h"
#include "tests/support/catch.h"
#include "tuner/base/interrupt.h"
#include "tuner/external/family.h"
#include "tuner/external/function_family.h"
#include "tuner/measure/probing_beside.h"

using namespace rooftune;
using Catch::Contains;

namespace {

cpu_set_t mask_now() {
    cpu_set_t mask;
    CPU_ZERO(&mask);
    sched_getaffinity(0, sizeof mask, &mask);
    return mask;
}

std::vector<int> cpus_of(const cpu_set_t& mask) {
    std::vector<int> cpus;
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
        if (CPU_ISSET(cpu, &mask)) cpus.push_back(cpu);
    }
    return cpus;
}

/// A kernel with three tiles, and who measures it.
struct SpinProgram {
    explicit SpinProgram(external::Functions functions)
        : family("spin", {{"parameter TILE 8 16 32", 0, 0, "parameter"}}, std::move(functions), 1e12),
          problem(family.problem({})),
          cpus(cpus_of(mask_now())) {
        target.threads = static_cast<int>(cpus.size());
        space.emplace(family.space(*problem, target));
        WorkerSetup setup;
        setup.family = "external";
        setup.target = target;
        setup.cpus = cpus;
        evaluator = std::make_unique<InProcessEvaluator>(
            family, problem, *space, setup,
            InProcessProbes{[this](const std::vector<Ceiling>& ceilings, Team& team, double seconds) {
                                probed_for.push_back(seconds);
                                probed_on.push_back(cpus_of(mask_now()).size());
                                kept = true;
                                CHECK(team.size() == target.threads);
                                if (probes_throw) throw std::runtime_error("no room to probe");
                                std::vector<Ceiling> fresh = ceilings;
                                for (Ceiling& c : fresh) c.max = c.p95 = c.median = 1e9;
                                return fresh;
                            },
                            [this] {
                                ++released;
                                kept = false;
                            }},
            1);
    }
    Variant tile(int index) const {
        Variant variant;
        variant.fix(0, index);
        return variant;
    }

    external::FunctionFamily family;
    std::shared_ptr<Problem> problem;
    std::vector<int> cpus;
    Target target;
    std::optional<Space> space;
    std::vector<std::size_t> probed_on;
    bool probes_throw = false;
    std::vector<double> probed_for;  ///< seconds
    bool kept = false;               ///< memory of the probes
    int released = 0;                ///< how often it was given back
    std::unique_ptr<InProcessEvaluator> evaluator;
};

}  // namespace

TEST_CASE(
    "probes are pinned, functions have all processors that the caller has, and the caller gets them back") {
    const cpu_set_t before = mask_now();
    bool wide = true;
    {
        SpinProgram program({{},
                             [&](const Values&) {
                                 const cpu_set_t now = mask_now();
                                 wide = wide && CPU_EQUAL(&before, &now);
                             },
                             {}});
        const Ceiling asked;
        REQUIRE(program.evaluator->reprobe({asked}, 0.01).size() == 1);
        CHECK(program.evaluator->evaluate(program.tile(0), {.role = "search"}).outcome == Outcome::measured);
        const Rotation rotation = program.evaluator->rotation({.variants = {program.tile(0), program.tile(1)},
                                                               .rounds = 8,
                                                               .role = "finals",
                                                               .beside = {asked}});
        REQUIRE(rotation.rates.size() == 1);
        CHECK(rotation.rates.front().size() == 8);
        CHECK(program.probed_on.size() > 1);
        for (const std::size_t processors : program.probed_on) CHECK(processors == 1);
        const cpu_set_t now = mask_now();
        CHECK(CPU_EQUAL(&before, &now));
    }
    const cpu_set_t after = mask_now();
    CHECK(CPU_EQUAL(&before, &after));
    CHECK(wide);
}

TEST_CASE("what is probed beside rounds has the time that these are given, shared out among the ceilings") {
    for (const double seconds : {0.08, 60.0}) {
        SpinProgram program({{}, [](const Values&) {}, {}});
        const Ceiling asked;
        program.evaluator->rotation({.variants = {program.tile(0), program.tile(1)},
                                     .rounds = 8,
                                     .seconds = seconds,
                                     .role = "finals",
                                     .beside = {asked, asked}});
        // Of rounds that somebody disturbed one of three.
        REQUIRE(program.probed_for.size() >= 4);
        for (const double each : program.probed_for) CHECK(each == probing_seconds_beside(seconds, 2));
    }
}

TEST_CASE("what probes keep is given back when a request is through, and not between its rounds") {
    SpinProgram program({{}, [](const Values&) {}, {}});
    const Ceiling asked;
    program.evaluator->rotation(
        {.variants = {program.tile(0), program.tile(1)}, .rounds = 8, .role = "finals", .beside = {asked}});
    CHECK(program.probed_on.size() > 1);
    CHECK(program.released == 1);
    CHECK_FALSE(program.kept);
    program.evaluator->reprobe({asked}, 0.01);
    CHECK(program.released == 2);
    program.probes_throw = true;
    CHECK_THROWS_WITH(program.evaluator->reprobe({asked}, 0.01), "no room to probe");
    CHECK_FALSE(program.kept);
}

TEST_CASE(
    "a thread that the program has moved meanwhile is where it put it after a probe, also a failed one") {
    SpinProgram program({{}, [](const Values&) {}, {}});
    if (program.cpus.size() < 2) {
        WARN("skipped: there is one processor");
        return;
    }
    const cpu_set_t before = mask_now();
    cpu_set_t moved;
    CPU_ZERO(&moved);
    CPU_SET(program.cpus.back(), &moved);
    REQUIRE(sched_setaffinity(0, sizeof moved, &moved) == 0);
    program.probes_throw = GENERATE(false, true);
    try {
        program.evaluator->reprobe({Ceiling()}, 0.01);
    } catch (const std::runtime_error&) {
        CHECK(program.probes_throw);
    }
    CHECK(program.probed_on.size() == 1);
    const cpu_set_t after = mask_now();
    CHECK(CPU_EQUAL(&moved, &after));
    sched_setaffinity(0, sizeof before, &before);
}

TEST_CASE("one that throws in a turn of a rotation is accused alone, and the others are measured") {
    std::map<std::int64_t, int> runs;
    SpinProgram program({{},
                         [&](const Values& v) {
                             const std::int64_t tile = v.integer("TILE");
                             if (++runs[tile] > 40 && tile == 16) throw std::runtime_error("worn out");
                         },
                         {}});
    const Rotation rotation = program.evaluator->rotation(
        {.variants = {program.tile(0), program.tile(1), program.tile(2)}, .rounds = 8, .role = "finals"});
    REQUIRE(rotation.records.size() == 3);
    CHECK(rotation.records[0].outcome == Outcome::measured);
    CHECK(rotation.records[0].slots.size() == 8);
    CHECK(rotation.records[1].outcome == Outcome::crashed);
    CHECK(rotation.records[1].slots.empty());
    CHECK_THAT(rotation.records[1].detail, Contains("its run() threw: worn out"));
    CHECK(rotation.records[2].slots.size() == 8);
    CHECK(rotation.records[1].variant.at("TILE") == "16");
}

TEST_CASE("a companion that cannot be made ready says nothing of the variant beside it") {
    SpinProgram program({[](const Values& v) {
                             if (v.integer("TILE") == 8) throw std::runtime_error("no room");
                         },
                         [](const Values&) {},
                         {}});
    const Record alone =
        program.evaluator->evaluate(program.tile(1), {.role = "search", .companion = program.tile(0)});
    CHECK(alone.outcome == Outcome::measured);
    CHECK(alone.companion.empty());
}

TEST_CASE("a companion that throws in its turn says nothing of the variant beside it, and has no other") {
    bool throws = false;
    SpinProgram program({{},
                         [&](const Values& v) {
                             if (throws && v.integer("TILE") == 8) throw std::runtime_error("worn out");
                         },
                         {}});
    CHECK(program.evaluator->evaluate(program.tile(0), {.role = "search"}).outcome == Outcome::measured);
    const EvaluationRequest beside{.role = "search", .companion = program.tile(0)};
    CHECK(program.evaluator->evaluate(program.tile(1), beside).outcome != Outcome::crashed);
    throws = true;
    const Record record = program.evaluator->evaluate(program.tile(1), beside);
    CHECK(record.outcome == Outcome::environment);
    CHECK(record.slots.empty());
    CHECK(record.variant.at("TILE") == "16");
    CHECK_THAT(record.detail, Contains("worn out"));
    const Record alone = program.evaluator->evaluate(program.tile(1), beside);
    CHECK(alone.outcome == Outcome::measured);
    CHECK(alone.companion.empty());
}

TEST_CASE("a request is given up between its parts when somebody asks for the end, and blames nobody") {
    SpinProgram program({{}, [](const Values&) {}, {}});
    const StopRequest stop([] { return true; });
    const Record record = program.evaluator->evaluate(program.tile(0), {.role = "search"});
    CHECK(record.outcome == Outcome::environment);
    const Rotation rotation =
        program.evaluator->rotation({.variants = {program.tile(0)}, .rounds = 8, .role = "finals"});
    CHECK(rotation.records.at(0).outcome == Outcome::environment);
}

TEST_CASE("memory that a function does not get is its variant's failure") {
    SpinProgram program({{},
                         [](const Values& v) {
                             if (v.integer("TILE") == 8) throw std::bad_alloc();
                         },
                         {}});
    CHECK(program.evaluator->evaluate(program.tile(0), {.role = "search"}).outcome == Outcome::out_of_memory);
    CHECK(program.evaluator->evaluate(program.tile(1), {.role = "search"}).outcome == Outcome::measured);
}

TEST_CASE("a config of functions is no problem of any other process") {
    const SpinProgram program({{}, [](const Values&) {}, {}});
    const ProblemSpec spec = program.problem->spec();
    CHECK(spec == ProblemSpec{{"function", "spin"}});
    CHECK_THROWS_WITH(all_families().find("external")->problem(spec),
                      Contains("'spin' is a function of the program that tuned it"));
    CHECK(program.family.share(*program.problem) == -1);
    CHECK_THROWS_AS(program.family.attach(3), EnvironmentError);
}
