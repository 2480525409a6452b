// What was lost of the attainable, and what moved.
#include "tuner/measure/head_room.h"

#include <cmath>
#include "tests/support/catch.h"

using namespace rooftune::track;

namespace {

Judgement called(Verdict verdict) {
    Judgement j;
    j.verdict = verdict;
    j.reason = "as planted";
    return j;
}

}  // namespace

TEST_CASE("fractions are of the roof as it is now, and what is lost is their difference") {
    const auto room = head_room({0.8, 0.86, 0.86}, 1.0, 1.075);
    REQUIRE(room);
    CHECK(room->base == Approx(0.86));
    CHECK(room->candidate == Approx(0.80));
    CHECK(room->lost == Approx(0.06));
    CHECK(room->roof_change == Approx(0.0).margin(1e-12));
    CHECK(head_room({0.8, 0.8, 0.8}, 1.0, 0.9)->lost < 0.0);
}

TEST_CASE("without a roof or a time there is no head-room") {
    const double nan = std::nan("");
    CHECK_FALSE(head_room({}, 1.0, 1.0));
    for (const double bad : {0.0, -1.0, nan}) {
        CHECK_FALSE(head_room({0.8, bad, 0.8}, 1.0, 1.0));
        CHECK_FALSE(head_room({0.8, 0.8, 0.8}, bad, 1.0));
        CHECK_FALSE(head_room({0.8, 0.8, 0.8}, 1.0, bad));
    }
    const auto room = head_room({0.8, 0.8, 0.0}, 1.0, 1.0);
    REQUIRE(room);
    CHECK(std::isnan(room->roof_change));
}

TEST_CASE("a roof that needs longer now is lower") {
    CHECK(head_room({0.8, 1.0, 0.8}, 2.0, 2.0)->roof_change == Approx(-0.2));
    CHECK(head_room({0.8, 0.8, 1.0}, 2.0, 2.0)->roof_change == Approx(0.25));
}

TEST_CASE("kernel, roof, both or neither") {
    const auto steady = head_room({0.8, 0.8, 0.82}, 1.0, 1.0);
    const auto fallen = head_room({0.8, 1.0, 0.8}, 2.0, 2.0);
    const auto unknown = head_room({0.8, 0.8, 0.0}, 1.0, 1.0);
    CHECK(moved_by(Verdict::regressed, steady) == Moved::kernel);
    CHECK(moved_by(Verdict::improved, steady) == Moved::kernel);
    CHECK(moved_by(Verdict::unchanged, steady) == Moved::neither);
    CHECK(moved_by(Verdict::regressed, fallen) == Moved::both);
    CHECK(moved_by(Verdict::unchanged, fallen) == Moved::roof);
    CHECK(moved_by(Verdict::regressed, unknown) == Moved::kernel);
    CHECK(moved_by(Verdict::unchanged, std::nullopt) == Moved::neither);
    for (const Verdict open : {Verdict::inconclusive, Verdict::invalid}) {
        CHECK(moved_by(open, steady) == Moved::unknown);
        CHECK(moved_by(open, fallen) == Moved::unknown);
    }
}

TEST_CASE("faster than the roof allows is INVALID, and the bound is suspect") {
    const track::Roof roof{1.0, 1.2, 1.2};
    CHECK(plausible(called(Verdict::unchanged), roof, 0.98, 1.5).verdict == Verdict::unchanged);
    for (const auto& [base, candidate, name] :
         {std::tuple{0.9, 1.5, "A reached 111 %"}, {1.5, 0.5, "B reached 200 %"}}) {
        const Judgement j = plausible(called(Verdict::regressed), roof, base, candidate);
        CHECK(j.verdict == Verdict::invalid);
        CHECK(j.reason.find(name) == 0);
        CHECK(j.reason.find("under suspicion") != std::string::npos);
    }
    // What is INVALID for another reason keeps that, and without a roof nothing is implausible.
    CHECK(plausible(called(Verdict::invalid), roof, 0.1, 0.1).reason == "as planted");
    CHECK(plausible(called(Verdict::improved), {}, 0.1, 0.1).verdict == Verdict::improved);
    // Against the highest rates, not against a slow second of the probe.
    CHECK(plausible(called(Verdict::unchanged), roof, 1.05, 1.05).verdict == Verdict::unchanged);
}
