// Planted samples for each verdict: what must be called so, and what must not.
#include "tuner/measure/verdict.h"

#include <cmath>
#include <limits>
#include "tests/support/catch.h"

using namespace rooftune::track;

namespace {

constexpr double kDelta = 0.03;

// Some per cent of noise with median 0 whose neighbours do not correlate; the sequence depends on `from`.
double noise(int round, int from, double size) {
    static constexpr int kPattern[] = {3, -8, 6, -2, 9, 1, -5, 7, -9, 2, -1, 8, -6, 4, -7, 5, -3, 0, -4, 0};
    return size * kPattern[(round * 3 + from) % 20] / 9.0;
}

// Rounds in which B takes `ratio` times what A takes.
RoundTimes rounds(int count, double ratio, double size = 0.0) {
    RoundTimes times;
    for (int i = 0; i < count; ++i) {
        times.base.push_back(0.1 * std::exp(noise(i, 0, size)));
        times.candidate.push_back(0.1 * ratio * std::exp(noise(i, 2, size)));
        times.again.push_back(0.1 * std::exp(noise(i, 4, size)));
        times.control.push_back(0.02 * std::exp(noise(i, 7, 0.1 * size)));
    }
    return times;
}

bool says(const Judgement& j, const std::string& part) {
    return j.reason.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("REGRESSED: the whole interval lies beyond the threshold") {
    for (const int count : {10, 20, 40}) {
        const Judgement j = judge(rounds(count, 1.10, 0.01), kDelta);
        INFO(count << " " << j.reason);
        CHECK(j.verdict == Verdict::regressed);
        CHECK(j.settled);
        CHECK(j.ratio == Approx(1.10).epsilon(0.01));
        CHECK(j.low > 1.03);
        CHECK(j.low <= j.ratio);
        CHECK(j.ratio <= j.high);
        CHECK(j.rounds == count);
        CHECK(says(j, "beyond the threshold of 3.0 %"));
    }
}

TEST_CASE("IMPROVED is REGRESSED mirrored") {
    const RoundTimes times = rounds(20, 1.10, 0.01);
    RoundTimes mirrored = times;
    std::swap(mirrored.base, mirrored.candidate);
    mirrored.again = mirrored.base;
    const Judgement there = judge(times, kDelta);
    const Judgement back = judge(mirrored, kDelta);
    CHECK(there.verdict == Verdict::regressed);
    CHECK(back.verdict == Verdict::improved);
    CHECK(back.ratio == Approx(1.0 / there.ratio));
    CHECK(back.low == Approx(1.0 / there.high));
    CHECK(back.high == Approx(1.0 / there.low));
}

TEST_CASE("UNCHANGED needs proof: the whole interval within the threshold") {
    const Judgement j = judge(rounds(20, 1.002, 0.005), kDelta);
    INFO(j.reason);
    CHECK(j.verdict == Verdict::unchanged);
    CHECK(j.settled);
    CHECK(says(j, "proven"));
    // The same with noise that reaches beyond the threshold proves nothing.
    const Judgement noisy = judge(rounds(20, 1.002, 0.08), kDelta);
    CHECK(noisy.verdict == Verdict::inconclusive);
    CHECK_FALSE(noisy.settled);
}

TEST_CASE("INCONCLUSIVE after the last look, with the effect that would have been seen") {
    const Judgement j = judge(rounds(40, 1.03, 0.05), kDelta);
    INFO(j.reason);
    CHECK(j.verdict == Verdict::inconclusive);
    CHECK(j.settled);
    CHECK(j.detectable > kDelta);
    CHECK(j.detectable < 0.5);
    // An effect that large, with this noise, is seen.
    CHECK(judge(rounds(40, 1.0 + 1.05 * j.detectable, 0.05), kDelta).verdict == Verdict::regressed);
}

TEST_CASE("an effect of exactly delta sits on the threshold and is neither") {
    const double m = 1.0 + kDelta;
    for (const double ratio : {m, 1.0 / m}) {
        const Judgement j = judge(rounds(40, ratio), kDelta);
        INFO(j.reason);
        CHECK(j.verdict == Verdict::inconclusive);
        CHECK(j.low == Approx(ratio));
    }
    CHECK(judge(rounds(40, m * 1.0001), kDelta).verdict == Verdict::regressed);
    CHECK(judge(rounds(40, m / 1.0001), kDelta).verdict == Verdict::unchanged);
    CHECK(judge(rounds(40, 1.0001 / m), kDelta).verdict == Verdict::unchanged);
    CHECK(judge(rounds(40, 1.0 / (m * 1.0001)), kDelta).verdict == Verdict::improved);
}

TEST_CASE("a factor of two is a factor of two") {
    const Judgement slower = judge(rounds(10, 2.0), kDelta);
    CHECK(slower.verdict == Verdict::regressed);
    CHECK(slower.ratio == Approx(2.0));
    CHECK(says(slower, "+100.0 %"));
    const Judgement faster = judge(rounds(10, 0.5), kDelta);
    CHECK(faster.verdict == Verdict::improved);
    CHECK(faster.ratio == Approx(0.5));
    CHECK(says(faster, "-50.0 %"));
}

TEST_CASE("all equal: nothing changed, and no number is undefined") {
    const Judgement j = judge(rounds(10, 1.0), kDelta);
    CHECK(j.verdict == Verdict::unchanged);
    CHECK(j.ratio == 1.0);
    CHECK(j.low == 1.0);
    CHECK(j.high == 1.0);
    CHECK(j.autocorrelation == 0.0);
    CHECK(j.again == 0.0);
    CHECK(j.control_drift == 0.0);
    CHECK(j.detectable == Approx(kDelta));
}

TEST_CASE("too few rounds say nothing: none, one, nine") {
    for (const int count : {0, 1, 9}) {
        const Judgement j = judge(rounds(count, 1.5), kDelta);
        INFO(j.reason);
        CHECK(j.verdict == Verdict::inconclusive);
        CHECK_FALSE(j.settled);
        CHECK(std::isnan(j.ratio));
        CHECK(std::isnan(j.detectable));
        CHECK(j.rounds == count);
    }
    CHECK(says(judge(rounds(1, 1.5), kDelta), "1 round is too few"));
}

TEST_CASE("INVALID: a time that no clock shows, in any arm and any round, at once") {
    constexpr double kInfinite = std::numeric_limits<double>::infinity();
    for (const double bad : {std::numeric_limits<double>::quiet_NaN(), 0.0, -0.1, kInfinite, -kInfinite}) {
        for (const auto row :
             {&RoundTimes::base, &RoundTimes::candidate, &RoundTimes::again, &RoundTimes::control}) {
            for (const int count : {1, 10, 40}) {
                RoundTimes times = rounds(count, 1.0);
                (times.*row).back() = bad;
                const Judgement j = judge(times, kDelta);
                INFO(bad << " " << count << " " << j.reason);
                CHECK(j.verdict == Verdict::invalid);
                CHECK(j.settled);
                CHECK(says(j, "which no clock shows"));
                CHECK(says(j, "round " + std::to_string(count)));
            }
        }
    }
    RoundTimes times = rounds(10, 1.0);
    times.candidate[3] = 0.0;
    CHECK(says(judge(times, kDelta), "B took 0 s in round 4"));
}

TEST_CASE("INVALID: A differs from itself by more than the threshold, once no round is left to mend it") {
    for (const double apart : {1.05, 0.95}) {
        for (const double ratio : {1.0, 1.2, 0.8}) {
            RoundTimes times = rounds(40, ratio);
            for (double& t : times.again) t *= apart;
            const Judgement j = judge(times, kDelta);
            INFO(apart << " " << ratio << " " << j.reason);
            CHECK(j.verdict == Verdict::invalid);
            CHECK(j.settled);
            CHECK(says(j, "A differed from itself"));
            for (auto row :
                 {&RoundTimes::base, &RoundTimes::candidate, &RoundTimes::again, &RoundTimes::control})
                (times.*row).resize(20);
            const Judgement earlier = judge(times, kDelta);
            CHECK(earlier.verdict == Verdict::inconclusive);
            CHECK_FALSE(earlier.settled);
        }
    }
    // Exactly at the threshold it is not beyond it.
    RoundTimes times = rounds(40, 1.2);
    for (double& t : times.again) t *= 1.0299;
    CHECK(judge(times, kDelta).verdict == Verdict::regressed);
}

TEST_CASE("INVALID: the control drifts by more than 5 % between the halves") {
    const auto drifting = [](double by, int count) {
        RoundTimes times = rounds(count, 1.2);
        for (std::size_t i = times.control.size() / 2; i < times.control.size(); ++i) times.control[i] *= by;
        return judge(times, kDelta);
    };
    CHECK(drifting(1.06, 40).verdict == Verdict::invalid);
    CHECK(drifting(0.94, 40).verdict == Verdict::invalid);
    CHECK(says(drifting(1.06, 40), "control drifted by 6.0 %"));
    CHECK(drifting(1.04, 40).verdict == Verdict::regressed);
    CHECK(drifting(0.96, 40).verdict == Verdict::regressed);
    CHECK_FALSE(drifting(1.06, 10).settled);
}

TEST_CASE("without a control its drift is not known, and nothing is held against the rounds") {
    RoundTimes times = rounds(10, 1.2);
    times.control.clear();
    const Judgement j = judge(times, kDelta);
    CHECK(j.verdict == Verdict::regressed);
    CHECK(std::isnan(j.control_drift));
}

TEST_CASE("a threshold that is none is refused") {
    for (const double delta :
         {0.0, -0.03, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        CHECK(judge(rounds(40, 1.0), delta).verdict == Verdict::invalid);
    }
}

TEST_CASE("one wild round decides nothing") {
    RoundTimes times = rounds(20, 1.0, 0.002);
    times.candidate[7] *= 50.0;
    CHECK(judge(times, kDelta).verdict == Verdict::unchanged);
    times = rounds(20, 1.1, 0.002);
    times.base[7] *= 50.0;
    CHECK(judge(times, kDelta).verdict == Verdict::regressed);
}

TEST_CASE("rounds beyond the last look are left out") {
    RoundTimes times = rounds(10, 1.2);
    RoundTimes more = rounds(15, 1.2);
    for (std::size_t i = 10; i < 15; ++i) more.candidate[i] = 0.01;
    const Judgement j = judge(more, kDelta);
    CHECK(j.rounds == 10);
    CHECK(j.ratio == Approx(judge(times, kDelta).ratio));
}
