// What becomes of a tuned config that is tuned again.
#include "tuner/engine/config_before.h"

#include <fstream>

#include "tests/support/catch.h"
#include "tests/support/process.h"
#include "tests/unit/formats/example_result.h"

using namespace rooftune;
using namespace rooftune::test;
using Catch::Contains;

namespace {

TunedConfig tuned(double seconds) {
    TuneResult r = example_result();
    r.seconds = {seconds, 0.99 * seconds, 1.01 * seconds, 0.98 * seconds, 12};
    return tuned_config_of(r, "g++", "build");
}

}  // namespace

TEST_CASE("config before: that of the problem on this machine, and nothing that cannot be read") {
    const TemporaryFolder folder;
    const std::string path = folder / "config.json";
    const TunedConfig config = tuned(1e-3);
    const std::string digest = config.result.digest, machine = config.result.machine_id;
    CHECK_FALSE(config_before(path, digest, machine));
    write_tuned_config(path, config);
    const auto before = config_before(path, digest, machine);
    REQUIRE(before);
    CHECK(before->result.best == config.result.best);
    CHECK_FALSE(config_before(path, "another", machine));
    CHECK_FALSE(config_before(path, digest, "another"));
    std::ofstream(folder / "torn.json") << "{\"schema\": \"rooftune/tuned-config/3\", ";
    CHECK_FALSE(config_before(folder / "torn.json", digest, machine));
    CHECK_FALSE(config_before(folder.path(), digest, machine));
}

TEST_CASE("config before: said is what replaced its winner, and that the same one takes longer") {
    const TunedConfig before = tuned(1.31e-3);
    TuneResult now = before.result;
    Record record;
    record.outcome = Outcome::raced_out;
    CHECK(what_became_of(before, now, record).empty());
    now.seconds.median = 1.35e-3;
    CHECK(what_became_of(before, now, record).empty());  // as minutes differ
    now.seconds.median = 2.2e-3;
    CHECK_THAT(what_became_of(before, now, record),
               Contains("takes 1.68× of its time then (2.20 ms, then 1.31 ms)") &&
                   Contains("this machine gives less"));
    now.best["chunk"] = "32";
    now.runner_up = before.result.best;
    now.runner_up_ratio = {1.04, 1.03, 1.06, 1.02, 12};
    CHECK_THAT(what_became_of(before, now, record),
               Contains("took 1.04× [1.03, 1.06] of the new winner's time beside it"));
    now.runner_up.clear();
    CHECK_THAT(what_became_of(before, now, record), Contains("(1.31 ms then)") && Contains("(2.20 ms now)"));
    record.outcome = Outcome::wrong;
    CHECK_THAT(what_became_of(before, now, record), Contains("works no more (wrong)"));
    now.best.clear();
    CHECK(what_became_of(before, now, record).empty());
}

TEST_CASE("config before: it stays where the rounds do not say which winner is faster, and by how much") {
    const TunedConfig before = tuned(1.31e-3);
    TuneResult now = before.result;
    now.best["chunk"] = "32";
    now.runner_up = before.result.best;
    const auto with = [&](double low, double high) {
        now.runner_up_ratio = {1.01, low, high, low, 12};
        return is_undecided(before, now);
    };
    CHECK(with(0.21, 10.7));
    CHECK(with(1.00, 1.2));
    CHECK_FALSE(with(1.01, 10.7));  // the new one is faster
    CHECK_FALSE(with(0.98, 1.05));  // either will do
    now.runner_up = before.result.naive;
    CHECK_FALSE(with(0.21, 10.7));  // it was not the old one that came second
    now = before.result;
    now.runner_up_ratio = {1.01, 0.2, 9.0, 0.2, 12};
    CHECK_FALSE(is_undecided(before, now));  // the same winner
}

TEST_CASE("config before: its fate is that of the whole tune, with the gap that its certificate had") {
    const TunedConfig before = tuned(1.31e-3);
    const double gap = before.result.certificate.gap;
    CHECK(fate_of(std::nullopt, true, nullptr).fate.empty());
    CHECK(fate_of(before, true, nullptr).fate == "replaced");
    CHECK(fate_of(before, true, nullptr).gap == gap);
    CHECK(fate_of(before, false, nullptr).fate == "kept");
    // What a second part finds there is the first part's, unless that kept the one before.
    TuneResult first = before.result;
    first.config_before = {"replaced", 0.05};
    CHECK(fate_of(before, true, &first).gap == 0.05);
    first.config_before = {};
    CHECK(fate_of(before, true, &first).fate.empty());
    first.config_before = {"kept", gap};
    CHECK(fate_of(before, true, &first).fate == "replaced");
}
