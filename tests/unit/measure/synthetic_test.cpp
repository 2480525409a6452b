// The decision code on synthetic comparisons, through the same driver as real ones: it errs as rarely as its
// arithmetic says, and sees what it should see. Seeds are fixed; limits are theory plus four standard errors.
#include <array>
#include <cmath>
#include <functional>
#include <random>

#include "tests/support/catch.h"
#include "tuner/measure/order_interval.h"
#include "tuner/measure/rounds.h"

using rooftune::Turn;
using namespace rooftune::track;

namespace {

using Noise = std::function<double()>;

class SyntheticArms final : public Arms {
public:
    SyntheticArms(const Noise& noise, double effect) : noise_(&noise), effect_(effect) {}
    Turn take(Arm arm) override {
        const double log = (*noise_)() + (arm == Arm::candidate ? effect_ : 0.0);
        return {0.1 * std::exp(log), false, {}, 1e-9};
    }
    bool has_control() const override { return false; }
    bool interrupted() override { return false; }
    void progress(int, const RoundTimes&) override {}

private:
    const Noise* noise_;
    double effect_;
};

struct Tally {
    std::array<int, 5> of{};
    int all = 0;
    double share(Verdict v) const { return static_cast<double>(of[static_cast<std::size_t>(v)]) / all; }
};

constexpr double kThreshold = 0.03;

Tally tally(int comparisons, const Noise& noise, double effect) {
    Tally t;
    SyntheticArms arms(noise, std::log1p(effect));
    for (int i = 0; i < comparisons; ++i) {
        const Compared c = compare(arms, {static_cast<std::uint64_t>(i), kThreshold});
        ++t.of[static_cast<std::size_t>(c.judgement.verdict)];
        ++t.all;
    }
    return t;
}

// Share that is exceeded by chance in one of some 30 000 trials.
double with_luck(double share, int trials) {
    return share + 4.0 * std::sqrt(share * (1.0 - share) / trials);
}

double nominal() {
    double sum = 0.0;
    for (const Look& look : kLooks) sum += miscoverage(look);
    return sum;
}

// Noise of one arm in logarithms: normal, or with the tails of Student's t of two degrees of freedom.
class Source {
public:
    Source(unsigned seed, double size, bool heavy) : random_(seed), size_(size), heavy_(heavy) {}
    double operator()() {
        const double z = normal_(random_);
        return size_ * (heavy_ ? z / std::sqrt(exponential_(random_)) : z);
    }

private:
    std::mt19937_64 random_;
    std::normal_distribution<double> normal_{};
    std::exponential_distribution<double> exponential_{};
    double size_;
    bool heavy_;
};

}  // namespace

TEST_CASE("100 000 series: each look's interval misses the truth as often as its binomial sum says") {
    constexpr int kSeries = 100'000;
    for (const bool heavy : {false, true}) {
        Source noise(heavy ? 12u : 11u, 0.02, heavy);
        std::array<int, 3> missed{};
        int any = 0;
        std::vector<double> series(kMostRounds);
        for (int i = 0; i < kSeries; ++i) {
            for (double& d : series) d = noise() - noise();
            bool missed_one = false;
            for (std::size_t l = 0; l < kLooks.size(); ++l) {
                const Estimate e = interval_at(
                    kLooks[l], std::span(series).first(static_cast<std::size_t>(kLooks[l].rounds)));
                const bool miss = e.low > 0.0 || e.high < 0.0;
                missed[l] += miss ? 1 : 0;
                missed_one = missed_one || miss;
            }
            any += missed_one ? 1 : 0;
        }
        for (std::size_t l = 0; l < kLooks.size(); ++l) {
            const double p = miscoverage(kLooks[l]);
            const double seen = static_cast<double>(missed[l]) / kSeries;
            INFO("look " << kLooks[l].rounds << ": " << seen << " of " << p);
            CHECK(std::fabs(seen - p) < with_luck(p, kSeries) - p);
        }
        const double seen = static_cast<double>(any) / kSeries;
        INFO("any look: " << seen << " of at most " << nominal());
        CHECK(seen < with_luck(nominal(), kSeries));
        CHECK(seen > miscoverage(kLooks[1]));
    }
}

TEST_CASE("100 000 comparisons at exactly delta are decided no more often than the nominal error rate") {
    // Whoever decides here is wrong: the truth is on the threshold, and beyond or within it is a missed
    // interval.
    constexpr int kComparisons = 100'000;
    const Noise noise = Source(21, 0.005, false);
    const Tally t = tally(kComparisons, noise, kThreshold);
    const double decided = t.share(Verdict::regressed) + t.share(Verdict::unchanged);
    INFO("decided " << decided << " of at most " << nominal());
    CHECK(decided < with_luck(nominal(), kComparisons));
    CHECK(decided > 0.3 * nominal());  // and the error rate is not zero by some other rule
    CHECK(t.share(Verdict::improved) == 0.0);
    CHECK(t.share(Verdict::inconclusive) > 0.98);
}

TEST_CASE("A against A: false alarms stay below the nominal rate, whatever the tails") {
    constexpr int kComparisons = 10'000;
    for (const bool heavy : {false, true}) {
        for (const double size : {0.005, 0.03}) {
            const Noise noise = Source(31, size, heavy);
            const Tally t = tally(kComparisons, noise, 0.0);
            const double alarms = t.share(Verdict::regressed) + t.share(Verdict::improved);
            INFO((heavy ? "heavy " : "normal ") << size << ": " << alarms);
            CHECK(alarms < with_luck(nominal(), kComparisons));
            if (size < 0.01) CHECK(t.share(Verdict::unchanged) > 0.95);
        }
    }
}

TEST_CASE("an effect above delta is never called UNCHANGED, up to the nominal rate, nor IMPROVED") {
    constexpr int kComparisons = 5'000;
    for (const bool heavy : {false, true}) {
        for (const double effect : {1.1 * kThreshold, 2.0 * kThreshold, 0.10}) {
            for (const double size : {0.01, 0.04}) {
                const Noise noise = Source(41, size, heavy);
                const Tally t = tally(kComparisons, noise, effect);
                INFO((heavy ? "heavy " : "normal ") << effect << " in " << size);
                CHECK(t.share(Verdict::unchanged) < with_luck(0.5 * nominal(), kComparisons));
                CHECK(t.share(Verdict::improved) < with_luck(0.5 * nominal(), kComparisons));
                if (!heavy && size < 0.02 && effect >= 2.0 * kThreshold)
                    CHECK(t.share(Verdict::regressed) > 0.97);
                // One in ten of the heavy noise's ratios is off by a factor of 1.2 and more.
                const double seen = size < 0.02 ? 0.99 : heavy ? 0.7 : 0.95;
                if (effect == 0.10) CHECK(t.share(Verdict::regressed) > seen);
            }
        }
    }
}

TEST_CASE("a drift over a comparison is no effect: mirrored rounds cancel it") {
    // The machine slows down steadily: by 20 % over forty rounds, far more than the threshold.
    class Drifting final : public Arms {
    public:
        explicit Drifting(unsigned seed) : noise_(seed, 0.004, false) {}
        Turn take(Arm) override { return {0.1 * std::exp(0.0015 * turns_++ + noise_()), false, {}, 1e-9}; }
        bool has_control() const override { return false; }
        bool interrupted() override { return false; }
        void progress(int, const RoundTimes&) override {}

    private:
        Source noise_;
        int turns_ = 0;
    };
    int unchanged = 0;
    for (unsigned i = 0; i < 500; ++i) {
        Drifting arms(i);
        const Compared c = compare(arms, {i, kThreshold});
        unchanged += c.judgement.verdict == Verdict::unchanged ? 1 : 0;
        CHECK(c.judgement.verdict != Verdict::regressed);
        CHECK(c.judgement.verdict != Verdict::improved);
    }
    CHECK(unchanged > 480);
}
