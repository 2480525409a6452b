// The roof beside rounds, with planted rates of the ceiling behind it.
#include "tuner/cli/binding_ceiling.h"

#include <catch2/catch.hpp>

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

}  // namespace

TEST_CASE("the roof now follows the rate of the ceiling that binds") {
    const Registry registry = built_in_families();
    const Setting s = setting(registry);
    const Machine view = toy::machine();
    const std::vector<Ceiling> watched = watched_ceilings(s, view, s.naive);
    const auto binding = binding_ceiling(s, view, PartialVariant{});
    REQUIRE(binding);
    REQUIRE_FALSE(watched.empty());
    CHECK(same_ceiling(watched.back(), *binding));
    const double roof = problem_roof(s, view);
    REQUIRE(roof > 0.0);
    // Every watched ceiling at this share of its highest rate.
    const auto beside = [&](double share) {
        std::vector<std::vector<double>> rates;
        for (const Ceiling& c : watched) rates.push_back({0.1 * share * c.max, share * c.max});
        return roof_beside(s, view, watched, rates);
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
    const std::vector<Ceiling> watched = watched_ceilings(s, view, s.naive);
    CHECK(roof_beside(s, view, {}, {}).now == 0.0);
    CHECK(roof_beside(s, view, watched, std::vector<std::vector<double>>(watched.size())).now == 0.0);
    Machine bare = view;
    bare.ceilings.clear();
    CHECK_FALSE(binding_ceiling(s, bare, PartialVariant{}));
    CHECK(watched_ceilings(s, bare, s.naive).empty());
    CHECK(roof_beside(s, bare, {}, {}).now == 0.0);
}
