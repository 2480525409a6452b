// Which variant a plan takes, and what it says about that.
#include "tuner/plans/pick.h"

#include <string>
#include <vector>

#include "kernels/matmul/family.h"
#include "kernels/runtime/error.h"
#include "tests/support/catch.h"
#include "tests/unit/plans/tuned_folder.h"

using namespace rooftune;
using namespace rooftune::test;
using Catch::Contains;

namespace {

struct Environment {
    std::unique_ptr<Family> family = make_matmul_family();
    std::unique_ptr<Problem> problem = family->problem({{"m", "40"}, {"n", "24"}, {"k", "16"}});
    Space space = family->space(*problem, one_thread());
    Variant winner = unusual_variant(*family, *problem, space, one_thread());
    TunedConfig config = config_of(*family, *problem, winner, space);

    Picked pick_with(const TunedConfig& c, const std::string& state = "warm", bool here = true) const {
        Tuned::Inside inside;
        inside.folder = "tuned";
        inside.configs.push_back({"tuned/a.json", c, here});
        return pick(inside, *family, *problem, 1, state);
    }
};

}  // namespace

TEST_CASE("pick: the winner of this very problem") {
    const Environment h;
    const Picked picked = h.pick_with(h.config);
    CHECK(picked.choice.from == PlanChoice::From::tuned);
    CHECK(picked.variant == h.winner);
    CHECK(picked.choice.parameters.map() == h.space.to_map(h.winner));
    CHECK(picked.choice.why == "tuned for this problem on 2026-03-04");
    CHECK(picked.choice.file == "tuned/a.json");
    CHECK(picked.choice.threads == 1);
    CHECK(picked.choice.seconds_when_tuned == 1.25e-5);
    CHECK_FALSE(picked.choice.variant.empty());
}

TEST_CASE("pick: the state asked for comes first, another one does, and is told") {
    const Environment h;
    CHECK_THAT(h.pick_with(h.config, "cold").choice.why, Contains("for warm caches"));
    Tuned::Inside inside;
    TunedConfig cold = h.config;
    cold.result.state = "cold";
    cold.created = "2026-12-31T00:00:00Z";
    inside.configs = {{"cold.json", cold, true}, {"warm.json", h.config, true}};
    CHECK(pick(inside, *h.family, *h.problem, 1, "warm").choice.file == "warm.json");
    CHECK(pick(inside, *h.family, *h.problem, 1, "cold").choice.file == "cold.json");
    CHECK_THROWS_WITH(pick(inside, *h.family, *h.problem, 1, "lukewarm"), Contains("'lukewarm'"));
}

TEST_CASE("pick: of two configs of one problem the later") {
    const Environment h;
    Tuned::Inside inside;
    TunedConfig later = h.config;
    later.created = "2026-03-05T00:00:00Z";
    inside.configs = {{"old.json", h.config, true}, {"new.json", later, true}};
    CHECK(pick(inside, *h.family, *h.problem, 1, "warm").choice.file == "new.json");
}

TEST_CASE("pick: the winner of another problem that will do, the first that is named") {
    const Environment h;
    const auto other = [&](const char* beta, unsigned seed) {
        const auto problem = h.family->problem({{"m", "40"}, {"n", "24"}, {"k", "16"}, {"beta", beta}});
        const Space space = h.family->space(*problem, one_thread());
        return config_of(*h.family, *problem, unusual_variant(*h.family, *problem, space, one_thread(), seed),
                         space);
    };
    Tuned::Inside inside;
    inside.configs = {{"1.json", other("1", 6), true}, {"2.json", other("2", 7), true}};
    const auto named = [](const char* beta) -> Difference {
        return [beta](const TuneResult& r) {
            return r.problem.at("beta") == beta ? "with beta " + std::string(beta) : std::string();
        };
    };
    const auto picked = [&](const std::vector<Difference>& differences) {
        return pick(inside, *h.family, *h.problem, 1, "warm", differences);
    };
    CHECK(picked({}).choice.from == PlanChoice::From::fallback);
    const Picked second = picked({named("3"), named("2"), named("1")});
    CHECK(second.choice.file == "2.json");
    CHECK(second.choice.from == PlanChoice::From::nearby);
    CHECK(second.choice.why == "tuned for this problem with beta 2 on 2026-03-04");
    CHECK(second.choice.parameters.map() == inside.configs[1].what.result.best);
    CHECK(second.choice.seconds_when_tuned == 0.0);
    // This very problem comes before them, and one of another machine is none.
    inside.configs[1].here = false;
    CHECK(picked({named("2"), named("1")}).choice.file == "1.json");
    inside.configs.push_back({"0.json", h.config, true});
    CHECK(picked({named("1")}).choice.file == "0.json");
}

TEST_CASE("pick: what does not fit here gives the default variant and its reason") {
    const Environment h;
    const auto falls_back = [&](const Picked& picked, const char* why) {
        CHECK(picked.choice.from == PlanChoice::From::fallback);
        CHECK(picked.variant == h.family->default_variant(*h.problem, picked.space, picked.target));
        CHECK_THAT(picked.choice.why, Contains(why) && Contains("the default variant, unmeasured"));
        CHECK(picked.choice.file.empty());
    };
    SECTION("another machine") {
        falls_back(h.pick_with(h.config, "warm", false), "tuned on another machine (Some Xeon)");
    }
    SECTION("more threads than the plan has, and another version of the space") {
        TunedConfig config = h.config;
        config.result.threads = 64;
        config.result.space_version += 1;
        falls_back(h.pick_with(config), "for 64 threads and this plan has 1");
    }
    SECTION("another version of the space") {
        TunedConfig config = h.config;
        config.result.space_version += 1;
        falls_back(h.pick_with(config), "another version of matmul");
    }
    SECTION("a value that is not in the space") {
        TunedConfig config = h.config;
        config.result.best["simd"] = "4096";
        falls_back(h.pick_with(config), "does not exist here");
    }
    SECTION("another problem") {
        TunedConfig config = h.config;
        config.result.digest = "another";
        falls_back(h.pick_with(config), "nothing in tuned is for a problem like this");
    }
    SECTION("an OpenCL device's config") {
        TunedConfig config = h.config;
        config.result.backend = "opencl";
        falls_back(h.pick_with(config), "nothing in tuned");
    }
    SECTION("no folder at all") {
        falls_back(pick({}, *h.family, *h.problem, 1, "warm"), "no folder of tuned configs was named");
    }
}

TEST_CASE("pick: where only more threads were tuned for, their winner on those that there are") {
    const Environment h;
    TunedConfig config = h.config;
    config.result.threads = 64;
    config.result.best["threads"] = "64";
    const Picked picked = h.pick_with(config);
    CHECK(picked.choice.from == PlanChoice::From::nearby);
    CHECK(picked.choice.threads == 1);
    CHECK(picked.choice.parameters.map().at("simd") == h.space.to_map(h.winner).at("simd"));
    CHECK(picked.choice.file == "tuned/a.json");
    CHECK(picked.choice.seconds_when_tuned == 0.0);
    CHECK_THAT(picked.choice.why, Contains("on 64 threads") && Contains("the 1 of this plan"));
    CHECK(h.space.valid(picked.variant));
}

TEST_CASE("pick: of those that want more threads, the state asked for, the least more, and the latest") {
    const Environment h;
    const auto on = [&](int threads, const char* state, const char* created) {
        TunedConfig config = h.config;
        config.result.threads = threads;
        config.result.state = state;
        config.created = created;
        return config;
    };
    Tuned::Inside inside;
    inside.configs = {{"warm16.json", on(16, "warm", "2026-03-09T00:00:00Z"), true},
                      {"cold16.json", on(16, "cold", "2026-03-09T00:00:00Z"), true},
                      {"warm4old.json", on(4, "warm", "2026-03-04T00:00:00Z"), true},
                      {"warm4new.json", on(4, "warm", "2026-03-05T00:00:00Z"), true}};
    const auto picked = [&](const char* state) {
        return pick(inside, *h.family, *h.problem, 2, state).choice;
    };
    CHECK(picked("warm").file == "warm4new.json");
    CHECK_THAT(picked("warm").why, Contains("on 4 threads; on the 2 of this plan"));
    CHECK(picked("cold").file == "cold16.json");
    inside.configs.erase(inside.configs.begin() + 1);
    CHECK(picked("cold").file == "warm4new.json");
    CHECK_THAT(picked("cold").why, Contains("on 4 threads, for warm caches; on the 2"));
}

TEST_CASE("pick: of the configs that fit, the one for the most threads") {
    const Environment h;
    Tuned::Inside inside;
    TunedConfig fewer = h.config, more = h.config;
    fewer.created = "2026-12-31T00:00:00Z";
    more.result.threads = 2;
    inside.configs = {{"fewer.json", fewer, true}, {"more.json", more, true}};
    CHECK(pick(inside, *h.family, *h.problem, 2, "warm").choice.file == "more.json");
    CHECK(pick(inside, *h.family, *h.problem, 1, "warm").choice.file == "fewer.json");
}

TEST_CASE("pick: another build of the kernels is told, and the winner kept") {
    const Environment h;
    TunedConfig config = h.config;
    config.kernels_build = "older";
    const Picked picked = h.pick_with(config);
    CHECK(picked.choice.from == PlanChoice::From::tuned);
    CHECK_THAT(picked.choice.why, Contains("another build of the kernels"));
}

TEST_CASE("pick: a like problem's winner, by the rule of a set, within its reach") {
    const Environment h;
    TunedSet set;
    set.machine_id = this_machine().fingerprint;
    set.kernels_build = kernels_build();
    TunedGroup group;
    group.family = "matmul";
    group.space_version = h.space.version();
    group.dtype = "f64";
    group.state = "warm";
    group.reach = 0.5;
    TunedProblem neighbour;
    neighbour.title = "matmul 40x24x20 f64";
    neighbour.digest = "near";
    for (const auto& [name, value] : h.problem->features()) {
        group.features.push_back(name);
        group.scales.push_back(1.0);
        neighbour.features.push_back(value);
    }
    neighbour.features[0] += 0.3;
    neighbour.best = h.space.to_map(h.winner);
    group.problems = {neighbour};
    const auto pick_from = [&](const TunedGroup& g, bool here = true) {
        Tuned::Inside inside;
        inside.folder = "tuned";
        set.groups = {g};
        inside.sets.push_back({"tuned/set.json", set, here});
        return pick(inside, *h.family, *h.problem, 1, "warm");
    };
    const Picked near = pick_from(group);
    CHECK(near.choice.from == PlanChoice::From::nearby);
    CHECK(near.variant == h.winner);
    CHECK_THAT(near.choice.why, Contains("the winner of matmul 40x24x20 f64, which is near"));

    // Of sets as near as each other, the one for the most threads that the plan has.
    const auto on_threads = [&](int most, const std::vector<int>& threads_of_sets) {
        Tuned::Inside inside;
        for (const int threads : threads_of_sets) {
            TunedGroup one = group;
            one.threads = threads;
            set.groups = {one};
            inside.sets.push_back({std::to_string(threads) + ".json", set, true});
        }
        return pick(inside, *h.family, *h.problem, most, "warm").choice.file;
    };
    CHECK(on_threads(2, {1, 2, 4}) == "2.json");
    CHECK(on_threads(4, {4, 2, 1}) == "4.json");
    CHECK(on_threads(1, {2, 1}) == "1.json");

    TunedGroup far = group;
    far.reach = 0.2;
    CHECK(pick_from(far).choice.from == PlanChoice::From::fallback);
    CHECK_THAT(pick_from(far).choice.why, Contains("nothing is near: matmul 40x24x20 f64 is the nearest"));
    TunedGroup other = group;
    other.features[0] = "log3(m)";
    CHECK_THAT(pick_from(other).choice.why, Contains("another version of matmul"));
    CHECK_THAT(pick_from(group, false).choice.why, Contains("another machine"));
    TunedGroup itself = group;
    itself.problems[0].digest = h.problem->digest();
    CHECK(pick_from(itself).choice.from == PlanChoice::From::tuned);
    TunedGroup f32 = group;
    f32.dtype = "f32";
    CHECK_THAT(pick_from(f32).choice.why, Contains("nothing in tuned"));
}
