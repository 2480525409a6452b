// The roof beside rounds, with planted rates of the ceiling behind it.
#include "tuner/engine/binding_ceiling.h"

#include <utility>

#include "tests/support/catch.h"
#include "tests/support/toy.h"

using namespace rooftune;

namespace {

Setting setting(const Registry& registry) {
    Job job;
    job.family = registry.find("stencil");
    job.problem = {{"nx", "64"}, {"ny", "64"}, {"nz", "64"}};
    CommonOptions common;
    common.threads = 1;
    return make_setting(job, common, {}, toy::machine());
}

const Demoted kNone;

}  // namespace

TEST_CASE("the roof now follows the rate of the ceiling that binds") {
    const Registry registry = built_in_families();
    const Setting s = setting(registry);
    const Machine view = toy::machine();
    const std::vector<Ceiling> watched = watched_ceilings(s, view, s.naive, kNone);
    const auto binding = binding_ceiling(s, view, PartialVariant{}, kNone);
    REQUIRE(binding);
    REQUIRE_FALSE(watched.empty());
    CHECK(same_ceiling(watched.back(), *binding));
    const double roof = problem_roof(s, view, kNone);
    REQUIRE(roof > 0.0);
    // Every watched ceiling at this share of its highest rate.
    const auto beside = [&](double share) {
        std::vector<std::vector<double>> rates;
        for (const Ceiling& c : watched) rates.push_back({0.1 * share * c.max, share * c.max});
        return roof_beside(s, view, watched, rates, kNone);
    };
    CHECK(beside(1.0).now == Approx(roof));
    CHECK(beside(0.5).now == Approx(2.0 * roof));
    CHECK(beside(0.5).seconds == Approx(roof));
    // A higher rate than ever lifts the roof for good, and the one now is never above that.
    const RoofBeside lifted = beside(100.0);
    CHECK(lifted.seconds < roof);
    CHECK(lifted.now >= lifted.seconds);
    CHECK(lifted.now > 0.0);
}

TEST_CASE("a roof that was not probed is not known now") {
    const Registry registry = built_in_families();
    const Setting s = setting(registry);
    const Machine view = toy::machine();
    const std::vector<Ceiling> watched = watched_ceilings(s, view, s.naive, kNone);
    CHECK(roof_beside(s, view, {}, {}, kNone).now == 0.0);
    CHECK(roof_beside(s, view, watched, std::vector<std::vector<double>>(watched.size()), kNone).now == 0.0);
    Machine bare = view;
    bare.ceilings.clear();
    CHECK_FALSE(binding_ceiling(s, bare, PartialVariant{}, kNone));
    CHECK(watched_ceilings(s, bare, s.naive, kNone).empty());
    CHECK(roof_beside(s, bare, {}, {}, kNone).now == 0.0);
}

TEST_CASE("a kernel that is faster than the probes beside it shows that these were disturbed") {
    const RoofBeside roof{.seconds = 1.0, .now = 2.0, .binding = {}};
    CHECK(roof_now_for(roof, 4.0) == 2.0);
    CHECK(roof_now_for(roof, 1.95) == 2.0);  // noise
    CHECK(roof_now_for(roof, 1.5) == 1.0);
    CHECK(roof_now_for(roof, 0.0) == 2.0);  // no time
    CHECK(roof_now_for({}, 1.0) == 0.0);
}

TEST_CASE("a term that the tune demoted bounds nothing beside later rounds either") {
    const Registry registry = built_in_families();
    const Setting s = setting(registry);
    const Machine view = toy::machine();
    TuneResult tuned;
    CHECK(demoted_terms(tuned).empty());
    Demoted all;
    // Which of them binds depends on the vectors of the machine that runs this.
    for (int k = 0; k < kTermKinds; ++k) {
        const auto kind = static_cast<TermKind>(k);
        tuned.bound.terms.push_back({.kind = std::string(to_text(kind)), .demoted = true});
        all.insert(kind);
    }
    tuned.bound.terms.push_back({.kind = "no such term", .demoted = true});
    CHECK(demoted_terms(tuned) == all);
    CHECK(problem_roof(s, view, all) < problem_roof(s, view, kNone));
}

TEST_CASE("walks beside gathers are probed where kernels gather, and beside few scalars where they do not") {
    const Registry registry = built_in_families();
    Job job;
    job.family = registry.find("spmv");
    job.problem = {{"gen", "poisson27"}, {"nx", "20"}};
    CommonOptions common;
    common.threads = 1;
    Setting s = make_setting(job, common, {}, toy::machine());
    const auto asks = [&](const std::vector<int>& widths, bool slow) {
        s.target.width_bits = widths;
        s.target.slow_gathers = slow;
        bool gathered = false, few_scalars = false;
        for (const Ceiling& c : joint_ceilings(s, toy::machine().topology)) {
            gathered = gathered || c.when.besides.gathered > 0;
            few_scalars = few_scalars || (c.when.besides.scalars > 0 && c.when.besides.scalars <= 6);
        }
        return std::pair(gathered, few_scalars);
    };
    CHECK(asks({128, 256, 512}, false) == std::pair(true, false));
    CHECK(asks({128, 256, 512}, true) == std::pair(false, true));
    CHECK(asks({128, 256}, false) == std::pair(false, true));
    CHECK(asks({128, 256}, true) == std::pair(false, true));
}
