// What rounds say: a wrong answer, a slower machine and a slower kernel told apart, a runner-up that wins.
#include "tuner/verify/measured.h"

#include <cmath>
#include <limits>

#include "tests/unit/verify/planted.h"

using namespace rooftune;
using namespace rooftune::verify;
using namespace rooftune::test;
using Catch::Contains;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Validity verdict(const Claim& claim, const Measured& m) {
    return verdict_of(all_checks(claim, sound_here(), m));
}

Check check(const Claim& claim, const Measured& m, Question question) {
    return check_of(measured_checks(claim, m), question);
}

// The winner's time and the machine's roof, both over what they were when it was tuned.
Measured with(double time, double roof) {
    Measured m = sound_measured();
    for (double* t :
         {&m.turns.seconds.median, &m.turns.seconds.low, &m.turns.seconds.high, &m.turns.seconds.min})
        *t *= time;
    m.roof.now *= roof;
    m.roof.seconds = std::min(m.roof.seconds, m.roof.now);
    return m;
}

}  // namespace

TEST_CASE("as right, as fast and as far ahead as then: VALID") {
    const std::vector<Check> checks = measured_checks(sound_claim(), sound_measured());
    CHECK(verdict_of(checks) == Validity::valid);
    for (const Check& c : checks) {
        INFO(to_text(c.question));
        CHECK(c.status == Status::ok);
        CHECK(c.meaning.empty());
    }
    CHECK(fraction_now(sound_measured()) == Approx(0.84));
    CHECK(verdict_of(unmeasured_checks()) == Validity::valid);
}

TEST_CASE("a wrong answer is WRONG, whatever else; one that could not be had is UNDECIDED") {
    Measured m = sound_measured();
    m.answer = {Answer::Found::wrong, 3, 7.0, "wrong: y[3] is 4, expected 2"};
    CHECK(verdict(sound_claim(), m) == Validity::wrong);
    CHECK_THAT(check(sound_claim(), m, Question::answer).meaning,
               Contains("y[3] is 4") && Contains("do not use it"));
    CHECK(check(sound_claim(), m, Question::speed).status == Status::not_checked);
    m.answer = {Answer::Found::unknown, 3, 0.0, "environment: the worker could not start"};
    CHECK(verdict(sound_claim(), m) == Validity::undecided);
}

TEST_CASE("a rival that took too long to be met in rounds has lost, whatever the winner's own rounds say") {
    Measured m = sound_measured();
    m.rival_slow = "takes 2.5 s a repetition, longer than --limit 2 s";
    m.duel = track::invalid("noise", 0.03);
    const Check winner = check(sound_claim(), m, Question::winner);
    CHECK(winner.status == Status::ok);
    CHECK_THAT(winner.now, Contains("2.5 s"));
    CHECK(check(sound_claim(), m, Question::speed).status == Status::undecided);
    m.duel = track::judge(rounds(20, 1.0), 0.03);
    CHECK(verdict(sound_claim(), m) == Validity::valid);
}

TEST_CASE("a slower machine is told and is no rot: the kernel reaches as much of it as then") {
    const Measured m = with(1.25, 1.25);
    CHECK(verdict(sound_claim(), m) == Validity::valid);
    const Check roof = check(sound_claim(), m, Question::roof);
    CHECK(roof.status == Status::changed);
    CHECK_FALSE(roof.tune_again);
    CHECK_THAT(roof.meaning,
               Contains("20.0 % slower now than when it was tuned") && Contains("rooftune doctor"));
    const Check speed = check(sound_claim(), m, Question::speed);
    CHECK(speed.status == Status::ok);
    CHECK(speed.now == "84 % of the roof");
}

TEST_CASE("a slower kernel on the same machine is SLOWER") {
    const Measured m = with(1.25, 1.0);
    CHECK(verdict(sound_claim(), m) == Validity::slower);
    CHECK(check(sound_claim(), m, Question::roof).status == Status::ok);
    CHECK_THAT(check(sound_claim(), m, Question::speed).meaning,
               Contains("reaches 67.2 % of the roof as probed just now and reached 84 %"));
}

TEST_CASE("what is slow beside other processes is UNDECIDED, and a kernel that is slow alone is SLOWER") {
    // Thirty turns of a machine that somebody else uses: three times as slow in the crowded ones.
    const auto measured = [](int alone, double slower_alone) {
        track::Compared c;
        c.times = rounds(30, 1.10);
        for (int i = 0; i < 30; ++i) {
            const bool crowded = i >= alone;
            c.base_crowded.push_back(crowded);
            c.candidate_crowded.push_back(crowded);
            c.times.base[static_cast<std::size_t>(i)] *= crowded ? 3.0 : slower_alone;
        }
        Measured m = sound_measured();
        m.turns = winner_turns(c);
        return m;
    };
    Measured m = measured(0, 1.0);
    CHECK(m.turns.count == 30);
    CHECK(m.turns.crowded == 30);
    CHECK_FALSE(m.turns.enough);
    CHECK(verdict(sound_claim(), m) == Validity::undecided);
    Check speed = check(sound_claim(), m, Question::speed);
    CHECK(speed.status == Status::undecided);
    CHECK_THAT(
        speed.meaning,
        Contains(
            "reaches 28 % of the roof as probed just now and reached 84 % of the roof when it was tuned") &&
            Contains("other processes ran beside 30 of the winner's 30 turns") &&
            Contains("verify again on a quieter machine") && !Contains("the kernel itself is slower"));
    // Five are no interval, and one lucky turn among them proves nothing either way.
    CHECK(verdict(sound_claim(), measured(5, 1.0)) == Validity::undecided);
    // Six are: the kernel is as it was, whatever the others say.
    m = measured(6, 1.0);
    CHECK(m.turns.seconds.median == Approx(1e-3));
    CHECK(m.turns.seconds.slots == 6);
    CHECK(verdict(sound_claim(), m) == Validity::valid);
    // And a kernel that is slower in those fails, beside as many crowded ones and beside none.
    for (const int alone : {6, 29, 30}) {
        m = measured(alone, 1.5);
        CHECK(verdict(sound_claim(), m) == Validity::slower);
        CHECK_THAT(check(sound_claim(), m, Question::speed).meaning, Contains("the kernel itself is slower"));
    }
    // A kernel that reaches its share in spite of all is VALID.
    m = measured(0, 1.0);
    m.roof.now = m.roof.seconds = 3.0 * m.roof.now;
    CHECK(check(sound_claim(), m, Question::speed).status == Status::ok);
}

TEST_CASE("a machine that is slower as a whole is judged by the roof beside, whoever took its time") {
    // Stolen time disturbs a turn and crowds none: nothing is left out.
    track::Compared c;
    c.times = rounds(20, 1.10, 0.002, 1.25e-3);
    c.base_crowded.assign(20, false);
    Measured m = sound_measured();
    m.turns = winner_turns(c);
    CHECK(m.turns.enough);
    CHECK(verdict(sound_claim(), m) == Validity::slower);
    m.roof.now *= 1.25;
    CHECK(verdict(sound_claim(), m) == Validity::valid);
    CHECK(check(sound_claim(), m, Question::speed).status == Status::ok);
}

TEST_CASE("a rival that is faster only beside other processes does not beat the winner") {
    // Beside a process that took one of two processors, a winner on both took twice its time.
    track::Compared c;
    c.times = rounds(20, 1.10);
    for (std::size_t i = 0; i < 20; ++i) {
        c.base_crowded.push_back(i >= 4);
        c.candidate_crowded.push_back(false);
        if (i >= 4) c.times.base[i] *= 2.0;
    }
    Measured m = sound_measured();
    m.turns = winner_turns(c);
    m.duel = track::judge(c.times, 0.03);
    m.duel.verdict = track::Verdict::improved;
    Check winner = check(sound_claim(), m, Question::winner);
    CHECK(winner.status == Status::undecided);
    CHECK_THAT(winner.meaning, Contains("INCONCLUSIVE: the runner-up") &&
                                   Contains("beside 16 of the winner's 20 turns") &&
                                   Contains("not shown to be faster"));
    // One that is faster alone as well does.
    for (double& t : c.times.candidate) t *= 0.8;
    m.turns = winner_turns(c);
    CHECK(check(sound_claim(), m, Question::winner).status == Status::failed);
    // And so does one that is far faster where no turn was quiet.
    c.base_crowded.assign(20, true);
    for (double& t : c.times.base) t *= 2.0;
    m.turns = winner_turns(c);
    CHECK(check(sound_claim(), m, Question::winner).status == Status::failed);
}

TEST_CASE("a loss that noise explains is none, on both sides of the threshold") {
    // 3 % of the threshold, 5 % of the probes, and the two intervals: 2 % then, 1 % now.
    const double edge = 1.03 * 1.05 * 1.02 / 0.99;
    CHECK(verdict(sound_claim(), with(edge * 0.995, 1.0)) == Validity::valid);
    CHECK(verdict(sound_claim(), with(edge * 1.005, 1.0)) == Validity::slower);
    // A faster kernel is no complaint.
    CHECK(verdict(sound_claim(), with(0.97, 1.0)) == Validity::valid);
}

TEST_CASE("a smaller share of a higher roof in the same time: told, and the kernel is not called slower") {
    // The roof was probed in a slow moment beside the tune, 16 % below the highest rate.
    Claim claim = sound_claim();
    claim.tuned.fraction_of_roof_now = 0.95;
    Measured m = sound_measured();
    m.roof = {0.80e-3, 0.80e-3, 0.95e-3};
    CHECK(verdict(claim, m) == Validity::valid);
    Check speed = check(claim, m, Question::speed);
    CHECK(speed.status == Status::changed);
    CHECK_THAT(speed.meaning, Contains("reaches 80 % of the roof as probed just now and reached 95 %") &&
                                  Contains("in no more time"));
    for (double* t : {&m.turns.seconds.median, &m.turns.seconds.low, &m.turns.seconds.high}) *t *= 1.07;
    speed = check(claim, m, Question::speed);
    CHECK(speed.status == Status::failed);
}

TEST_CASE("a machine that is faster than anything known then: STALE") {
    const Measured m = with(0.7, 0.7);
    CHECK(verdict(sound_claim(), m) == Validity::stale);
    CHECK_THAT(check(sound_claim(), m, Question::roof).meaning,
               Contains("36.1 % faster than anything seen when it was tuned") &&
                   Contains("FMA, 512 bits, 2 threads"));
    CHECK_THAT(check(sound_claim(), with(0.05, 0.05), Question::roof).meaning,
               Contains("× as fast as anything seen when it was tuned") && !Contains("%"));
    // Up to the highest rate known then, and a margin beyond it, nothing that was proven falls.
    CHECK(check(sound_claim(), with(0.96, 0.96), Question::roof).status == Status::ok);
    CHECK(check(sound_claim(), with(0.91, 0.91), Question::roof).status == Status::ok);
    CHECK(check(sound_claim(), with(0.90, 0.90), Question::roof).status == Status::changed);
}

TEST_CASE("a kernel beyond the roof: not the kernel is suspect, but the roof") {
    Measured m = with(0.7, 1.0);
    CHECK(verdict(sound_claim(), m) == Validity::stale);
    CHECK_THAT(check(sound_claim(), m, Question::roof).meaning, Contains("114 % of what the ceilings allow"));
    m = with(0.80 / 1.02, 1.0);
    CHECK(check(sound_claim(), m, Question::roof).status == Status::ok);
}

TEST_CASE("a runner-up that now wins: BEATEN") {
    Measured m = sound_measured();
    m.duel = track::judge(rounds(20, 0.90), 0.03);
    REQUIRE(m.duel.verdict == track::Verdict::improved);
    CHECK(verdict(sound_claim(), m) == Validity::beaten);
    const Check winner = check(sound_claim(), m, Question::winner);
    CHECK(winner.status == Status::failed);
    CHECK_THAT(winner.meaning, Contains("the runner-up, 512-bit vectors on 1 thread, takes 0.9") &&
                                   Contains("tune the problem again"));
    CHECK(winner.then == "1.040× [1.020, 1.060] of its time");
    m.rival = Rival::default_variant;
    CHECK_THAT(check(sound_claim(), m, Question::winner).meaning, Contains("the default variant"));
    CHECK(check(sound_claim(), m, Question::winner).then == "1.400× [1.300, 1.500] of its time");
}

TEST_CASE("a runner-up as fast as the winner does not beat it") {
    Measured m = sound_measured();
    m.duel = track::judge(rounds(20, 1.0), 0.03);
    REQUIRE(m.duel.verdict == track::Verdict::unchanged);
    CHECK(verdict(sound_claim(), m) == Validity::valid);
    // Around the threshold on the slower side `compare` leaves it open, and here nothing is.
    m.duel = track::judge(rounds(40, 1.03, 0.02), 0.03);
    REQUIRE(m.duel.verdict == track::Verdict::inconclusive);
    CHECK(verdict(sound_claim(), m) == Validity::valid);
}

TEST_CASE("rounds that do not decide are told, not passed") {
    Measured m = sound_measured();
    m.duel = track::judge(rounds(40, 1.0 / 1.03, 0.02), 0.03);
    REQUIRE(m.duel.verdict == track::Verdict::inconclusive);
    CHECK(verdict(sound_claim(), m) == Validity::undecided);
    CHECK_THAT(check(sound_claim(), m, Question::winner).meaning, Contains("INCONCLUSIVE"));
    // Too few rounds have no interval at all.
    m.duel = track::judge(rounds(5, 1.10), 0.03);
    CHECK(verdict(sound_claim(), m) == Validity::undecided);
    m.duel = track::invalid("the control drifted by 9 %", 0.03);
    CHECK(verdict(sound_claim(), m) == Validity::undecided);
    CHECK_THAT(
        check(sound_claim(), m, Question::winner).meaning,
        Contains(
            "the rounds cannot be judged: the control drifted by 9 %; verify again on a quieter machine (") &&
            Contains("may say what disturbs") && !Contains("INVALID"));
    // There is no A in a verification, and no B.
    m.duel = track::invalid("A gave no time in round 3: it said A", 0.03);
    CHECK_THAT(check(sound_claim(), m, Question::winner).meaning,
               Contains("judged: the winner gave no time in round 3: it said A;"));
    m.duel = track::invalid("B gave no time in round 3", 0.03);
    CHECK_THAT(check(sound_claim(), m, Question::winner).meaning, Contains("its rival gave no time"));
    m.duel = track::invalid("the second A gave no time in round 3", 0.03);
    CHECK_THAT(check(sound_claim(), m, Question::winner).meaning, Contains("the winner's second turn gave"));
    m.duel = track::invalid("A differed from itself by 4.2 %, beyond the threshold of 3.0 %", 0.03);
    m.duel.again = 0.042;
    CHECK_THAT(
        check(sound_claim(), m, Question::speed).meaning,
        Contains("the machine was too unsteady to judge: the same variant differed from itself by 4.2 %, and "
                 "more than 3.0 % is too much; verify again"));
    m.duel = track::invalid("the control drifted by 9 %", 0.03);
    CHECK_THAT(check(sound_claim(), m, Question::speed).meaning, Contains("the control drifted"));
    // A slow kernel in rounds that are not to be trusted is not called slow.
    m = with(2.0, 1.0);
    m.duel = track::invalid("the control drifted by 9 %", 0.03);
    CHECK(verdict(sound_claim(), m) == Validity::undecided);
    m = sound_measured();
    m.no_rounds = "one repetition took 3 s when it was tuned, longer than --limit 2 s; raise it";
    CHECK(verdict(sound_claim(), m) == Validity::undecided);
}

TEST_CASE("what is not known is not checked: no runner-up, no roof, no fraction then") {
    Measured m = sound_measured();
    m.rival = Rival::nobody;
    Check winner = check(sound_claim(), m, Question::winner);
    CHECK(winner.status == Status::not_checked);
    CHECK(verdict(sound_claim(), m) == Validity::valid);
    m.rival_gone = "wrong: y[3] is 4";
    winner = check(sound_claim(), m, Question::winner);
    CHECK_THAT(winner.meaning, Contains("y[3] is 4"));
    for (const double none : {0.0, -1.0, kNaN, std::numeric_limits<double>::infinity()}) {
        Claim claim = sound_claim();
        claim.tuned.fraction_of_roof_now = none;
        const Check speed = check(claim, sound_measured(), Question::speed);
        CHECK(speed.status == Status::not_checked);
        CHECK_THAT(speed.meaning, Contains("not judged") && Contains("when it was tuned"));
        m = sound_measured();
        m.roof.now = none;
        CHECK(check(sound_claim(), m, Question::speed).status == Status::not_checked);
        CHECK(check(sound_claim(), m, Question::roof).status == Status::not_checked);
        m = sound_measured();
        m.roof.then = none;
        CHECK(check(sound_claim(), m, Question::roof).status == Status::ok);
        m = sound_measured();
        m.turns.seconds = {none, none, none, none, 0};
        CHECK(check(sound_claim(), m, Question::speed).status == Status::not_checked);
        CHECK(fraction_now(m) == 0.0);
    }
}

TEST_CASE("the gravest decides, and what changed does not hide what is lost") {
    Measured m = with(1.25, 1.0);
    m.duel = track::judge(rounds(20, 0.90), 0.03);
    Environment here = sound_here();
    here.compiler = "GNU 13.1.0";
    CHECK(verdict_of(all_checks(sound_claim(), here, m)) == Validity::beaten);
    m.duel = sound_measured().duel;
    CHECK(verdict_of(all_checks(sound_claim(), here, m)) == Validity::slower);
    m.answer.found = Answer::Found::wrong;
    CHECK(verdict_of(all_checks(sound_claim(), here, m)) == Validity::wrong);
    m = sound_measured();
    m.duel = track::invalid("noise", 0.03);
    CHECK(verdict_of(all_checks(sound_claim(), here, m)) == Validity::stale);
    CHECK(verdict_of({}) == Validity::valid);
    CHECK(reason_of({}).empty());
}
