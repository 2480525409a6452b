// The audit's loop on synthetic peers: what is followed up and how, frozen and raising, passes and time.
#include <cmath>

#include "tests/support/catch.h"
#include "tests/unit/machine/audit/world.h"
#include "tuner/machine/audit/audit_json.h"

namespace rooftune::audit::test {
namespace {

Audit audited(FakeWorld& fake, const std::vector<Case>& cases, Rules rules, Machine& machine) {
    return run_audit(machine, cases, rules, fake.world());
}
Audit audited(FakeWorld& fake, const std::vector<Case>& cases, Rules rules = {}) {
    Machine machine = small_machine();
    return audited(fake, cases, rules, machine);
}

Ceiling higher_peak(double rate) {
    Ceiling c = small_machine().ceilings[1];
    c.max = rate;
    return c;
}

}  // namespace

TEST_CASE("below a ceiling nothing is measured again") {
    FakeWorld fake{{took(1.0)}};
    const Audit audit = audited(fake, {product(119.0)});
    REQUIRE(audit.findings.size() == 1);
    CHECK(audit.findings[0].verdict == PeerVerdict::below);
    CHECK(fake.measured == 1);
    CHECK(fake.probed == 0);
    CHECK(audit.above() == 0);
    CHECK(status_of(audit) == 0);
}

TEST_CASE("a peer that counts twice its flops is above, again and again, and unexplained") {
    // It really does 100 flops in a second, and says 200.
    FakeWorld fake{{took(1.0)}, {higher_peak(121.0)}};
    const Audit audit = audited(fake, {product(200.0)});
    CHECK(audit.findings.at(0).verdict == PeerVerdict::unexplained);
    CHECK(audit.findings.at(0).explanation.find("repeatedly") != std::string::npos);
    CHECK(fake.measured == 3);
    CHECK(fake.probed == 3);
    CHECK(audit.raised.empty());
    CHECK(status_of(audit) == 1);
}

TEST_CASE("a ceiling that was too low rises, for all that come after") {
    FakeWorld fake{{took(1.0)}, {higher_peak(135.0)}};
    Machine machine = small_machine();
    const Audit audit = audited(fake, {product(130.0), product(134.0)}, {}, machine);
    CHECK(audit.findings.at(0).verdict == PeerVerdict::raised);
    CHECK(audit.findings.at(1).verdict == PeerVerdict::below);
    REQUIRE(audit.raised.size() == 1);
    CHECK(audit.raised[0].max == 135.0);
    CHECK(machine.ceilings[1].max == 135.0);
    CHECK(fake.probed == 1);
    CHECK(status_of(audit) == 0);
}

TEST_CASE("a frozen ceiling stays, and what passes it is counted each time") {
    FakeWorld fake{{took(1.0)}, {higher_peak(135.0)}};
    Machine machine = small_machine();
    Rules rules;
    rules.frozen = true;
    const Audit audit = audited(fake, {product(130.0), product(134.0)}, rules, machine);
    CHECK(audit.count(PeerVerdict::outgrown) == 2);
    CHECK(audit.raised.empty());
    CHECK(machine == small_machine());
    // The second is covered by what was probed for the first.
    CHECK(fake.probed == 1);
    CHECK(status_of(audit) == 0);
}

TEST_CASE("above by less than the margin, again and again, is no violation; by more it is") {
    // 120 at most, 3 % margin: nothing up to 123.71 is excluded.
    FakeWorld near{{took(1.0)}};
    const Audit audit = audited(near, {product(123.7)});
    CHECK(audit.findings.at(0).verdict == PeerVerdict::within_margin);
    CHECK(audit.findings.at(0).explanation.find(
              "3.1 % below, and every exclusion leaves it a margin of 3.0 %") != std::string::npos);
    CHECK(audit.above() == 1);
    CHECK(near.probed == 3);
    CHECK(status_of(audit) == 0);
    FakeWorld beyond{{took(1.0)}};
    CHECK(audited(beyond, {product(123.8)}).findings.at(0).verdict == PeerVerdict::unexplained);
}

TEST_CASE("a probe that comes near enough leaves a rate within the margin of the new ceiling") {
    Ceiling steady = higher_peak(135.0);
    steady.p95 = 135.0;  // as steady as all others here: 3 %
    Rules rules;
    rules.frozen = true;
    FakeWorld near{{took(1.0)}, {steady}};
    CHECK(audited(near, {product(139.0)}, rules).findings.at(0).verdict == PeerVerdict::within_margin);
    FakeWorld far{{took(1.0)}, {steady}};
    CHECK(audited(far, {product(140.0)}, rules).findings.at(0).verdict == PeerVerdict::unexplained);
}

TEST_CASE("above once and never again is not repeated, not unexplained") {
    FakeWorld fake{{took(0.5), took(1.0), took(1.0)}};
    const Audit audit = audited(fake, {product(100.0)});
    CHECK(audit.findings.at(0).verdict == PeerVerdict::not_repeated);
    CHECK(audit.above() == 1);
    CHECK(fake.probed == 3);
    CHECK(status_of(audit) == 0);
}

TEST_CASE("the fastest of the repetitions is what stands in the end") {
    FakeWorld fake{{took(0.8), took(0.5), took(0.7)}};
    const Audit audit = audited(fake, {product(100.0)});
    CHECK(audit.findings.at(0).measurement.seconds == 0.5);
    CHECK(audit.findings.at(0).checks.at(0).rate == 200.0);
    CHECK(audit.findings.at(0).verdict == PeerVerdict::unexplained);
}

TEST_CASE("a probe that found nothing raises nothing") {
    Ceiling nothing = higher_peak(1e9);
    nothing.windows = 0;
    FakeWorld fake{{took(1.0)}, {nothing}};
    const Audit audit = audited(fake, {product(200.0)});
    CHECK(audit.findings.at(0).verdict == PeerVerdict::unexplained);
}

TEST_CASE("a new ceiling at the case's own footprint explains it") {
    Conditions when{.mix = Mix::load, .threads = 1, .footprint = Bytes(524288.0), .streams = 8};
    FakeWorld fake{{took(1.0)}, {ceiling(Resource::bandwidth, when, 13.0)}};
    const Audit audit = audited(fake, {walk(12.0, 0.0, 524288.0)});
    CHECK(audit.findings.at(0).verdict == PeerVerdict::raised);
    CHECK(audit.raised.size() == 1);
}

TEST_CASE("crashes, hangs, wrong answers and absent peers are findings, and no failure of the audit") {
    for (const Outcome o :
         {Outcome::absent, Outcome::wrong, Outcome::failed, Outcome::crashed, Outcome::hung}) {
        Measurement bad;
        bad.outcome = o;
        bad.detail = "because";
        FakeWorld fake{{bad, took(1.0)}};
        const Audit audit = audited(fake, {product(100.0), product(100.0)});
        CHECK(audit.findings.at(0).verdict == PeerVerdict::not_judged);
        CHECK(audit.findings.at(0).explanation == "because");
        CHECK(audit.findings.at(1).verdict == PeerVerdict::below);
        CHECK(status_of(audit) == 0);
    }
}

TEST_CASE("a time of zero or none says so") {
    for (const double seconds : {0.0, std::nan("")}) {
        FakeWorld fake{{took(seconds)}};
        const Audit audit = audited(fake, {product(100.0)});
        CHECK(audit.findings.at(0).verdict == PeerVerdict::not_judged);
        CHECK(audit.findings.at(0).explanation.find("no time") != std::string::npos);
    }
}

TEST_CASE("passes: what has a turn takes it, the rest is in all") {
    Case always = product(1.0);
    Case second = product(1.0);
    second.turn = 1;
    FakeWorld fake{{took(1.0)}};
    Rules rules;
    rules.passes = 4;
    const Audit audit = audited(fake, {always, second}, rules);
    CHECK(audit.complete_passes == 4);
    CHECK(audit.findings.size() == 5);
    CHECK(audit.findings.at(2).pass == 1);
    CHECK(audit.findings.at(2).what.turn == 1);
}

TEST_CASE("what there is no time for is counted") {
    FakeWorld fake{{took(1.0)}};
    fake.seconds_a_case = 10.0;
    Rules rules;
    rules.pass_seconds = 25.0;
    const Audit audit = audited(fake, std::vector<Case>(5, product(1.0)), rules);
    CHECK(audit.findings.size() == 3);
    REQUIRE(audit.left_out.size() == 1);
    CHECK(audit.left_out[0] == 2);
}

TEST_CASE("an interruption keeps what was found") {
    FakeWorld fake{{took(1.0)}};
    fake.stop_after = 2;
    const Audit audit = audited(fake, std::vector<Case>(5, product(1.0)));
    CHECK(audit.interrupted);
    CHECK(audit.findings.size() == 2);
    CHECK(audit.complete_passes == 0);
}

}  // namespace rooftune::audit::test
