// The whole of a verification: reset, run, guards, then a comparison by the bench in place or by the judge.
#include <cmath>
#include <limits>

#include "kernels/runtime/cpu.h"
#include "tests/support/catch.h"
#include "tuner/measure/judge.h"

using namespace rooftune;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Answers seed, 2·seed, 3·seed, spoilt as the test asks.
class Fake final : public Prepared {
public:
    void run() override {
        ++runs;
        if (lazy) return;
        y_ = {seed_, 2.0 * seed_, 3.0 * seed_};
        if (seed_ == spoilt_seed) y_[1] = spoilt;
        if (seed_ == guard_seed) intact_ = false;
    }
    void reset(std::uint64_t seed) override {
        seed_ = static_cast<double>(seed);
        y_.assign(3, kNan);
        intact_ = true;
    }
    std::vector<double> output() const override {
        ++copies;
        return y_;
    }
    bool guards_intact() const override { return intact_; }
    void flush() override {}

    bool lazy = false;
    double spoilt_seed = 0.0, spoilt = 0.0, guard_seed = 0.0;
    int runs = 0;
    mutable int copies = 0;

private:
    double seed_ = 0.0;
    std::vector<double> y_;
    bool intact_ = true;
};

class FakeBench final : public Bench {
public:
    std::unique_ptr<Prepared> prepare(const Variant&, Team&) override { return std::make_unique<Fake>(); }
    const Oracle& oracle(std::uint64_t seed) override {
        ++oracles;
        const auto s = static_cast<double>(seed);
        oracle_ = {{s, 2.0 * s, 3.0 * s}, {1e-12}};
        return oracle_;
    }
    std::optional<Worst> compare(const Prepared&, std::uint64_t seed, Team&) override {
        ++compared;
        if (!in_place) return std::nullopt;
        return seed == bad_seed ? Worst{found_error, 7, 1.0, 1e-12, kNan} : Worst{0.25, 3, 1.0, 1e-12, 1.0};
    }

    bool in_place = false;
    std::uint64_t bad_seed = 0;
    double found_error = kInfinity;
    int oracles = 0, compared = 0;

private:
    Oracle oracle_;
};

struct Case {
    Fake prepared;
    FakeBench bench;
    Team team{{usable_cpus().front()}};
    std::vector<std::uint64_t> seeds{1, 2, 3};

    Correctness verify_answer() { return rooftune::verify_answer(prepared, bench, team, seeds); }
};

bool mentions(const Correctness& v, const std::string& text) {
    return v.detail.find(text) != std::string::npos;
}

}  // namespace

TEST_CASE("a right variant is run once for each seed") {
    Case c;
    const Correctness v = c.verify_answer();
    CHECK(v.right);
    CHECK(v.detail.empty());
    CHECK(v.error == 0.0);
    CHECK(c.prepared.runs == 3);
    CHECK(c.bench.oracles == 3);
}

TEST_CASE("an answer that is wrong for one seed only is wrong, and the seed is named") {
    for (const double seed : {1.0, 2.0, 3.0}) {
        for (const double spoilt : {kNan, kInfinity, -kInfinity, 0.0, -2.0 * seed, 4.0 * seed, 1e-3}) {
            Case c;
            c.prepared.spoilt_seed = seed;
            c.prepared.spoilt = spoilt;
            const Correctness v = c.verify_answer();
            CHECK_FALSE(v.right);
            CHECK(v.error > 1.0);
            CHECK(mentions(v, "element 1"));
            CHECK(mentions(v, "seed " + std::to_string(static_cast<int>(seed))));
            CHECK(c.prepared.runs == static_cast<int>(seed));  // nothing is run after a wrong answer
        }
    }
}

TEST_CASE("an output that a variant never writes is wrong") {
    Case c;
    c.prepared.lazy = true;
    CHECK_FALSE(c.verify_answer().right);
}

TEST_CASE("a guard zone that changed is wrong whatever the output says") {
    for (const bool in_place : {false, true}) {
        Case c;
        c.bench.in_place = in_place;
        c.prepared.guard_seed = 2.0;
        const Correctness v = c.verify_answer();
        CHECK_FALSE(v.right);
        CHECK(v.error == kInfinity);
        CHECK(mentions(v, "guard"));
        CHECK(mentions(v, "seed 2"));
    }
}

TEST_CASE("a bench that compares in place is believed, and nothing is copied") {
    Case c;
    c.bench.in_place = true;
    const Correctness v = c.verify_answer();
    CHECK(v.right);
    CHECK(v.error == 0.25);
    CHECK(c.bench.compared == 3);
    CHECK(c.prepared.copies == 0);
    CHECK(c.bench.oracles == 0);
}

TEST_CASE("what a bench finds wrong in place is wrong") {
    for (const double error : {kInfinity, 1.0000001, 1e9, kNan}) {
        Case c;
        c.bench.in_place = true;
        c.bench.bad_seed = 2;
        c.bench.found_error = error;
        const Correctness v = c.verify_answer();
        CHECK_FALSE(v.right);
        CHECK(mentions(v, "element 7"));
        CHECK(mentions(v, "seed 2"));
    }
    Case c;
    c.bench.in_place = true;
    c.bench.bad_seed = 2;
    c.bench.found_error = 1.0;  // the limit itself is allowed
    CHECK(c.verify_answer().right);
}

TEST_CASE("one tolerance stands for all elements") {
    const Oracle oracle{{1.0, 2.0, 3.0}, {1e-6}};
    const Correctness near = judge(std::vector<double>{1.0 + 5e-7, 2.0, 3.0 - 9e-7}, oracle);
    CHECK(near.right);
    CHECK(near.error == Approx(0.9).epsilon(0.01));
    CHECK_FALSE(judge(std::vector<double>{1.0, 2.0, 3.0 + 2e-6}, oracle).right);
    CHECK_FALSE(judge(std::vector<double>{1.0, kNan, 3.0}, oracle).right);
    CHECK_FALSE(judge(std::vector<double>{1.0, 2.0}, oracle).right);
    CHECK_FALSE(judge(std::vector<double>{1.0, 2.0, 3.0, 4.0}, oracle).right);
    // A single tolerance of nothing means exact.
    const Oracle exact{{1.0, 2.0, 3.0}, {0.0}};
    CHECK(judge(std::vector<double>{1.0, 2.0, 3.0}, exact).right);
    CHECK_FALSE(judge(std::vector<double>{1.0, 2.0, std::nextafter(3.0, 4.0)}, exact).right);
    // Neither one for all nor one for each.
    CHECK_FALSE(judge(std::vector<double>{1.0, 2.0, 3.0}, {{1.0, 2.0, 3.0}, {1e-6, 1e-6}}).right);
    CHECK_FALSE(judge(std::vector<double>{1.0, 2.0, 3.0}, {{1.0, 2.0, 3.0}, {}}).right);
}

TEST_CASE("the error of an element") {
    CHECK(error_of(1.0, 1.0, 0.0) == 0.0);
    CHECK(error_of(-0.0, 0.0, 0.0) == 0.0);
    CHECK(error_of(1.5, 1.0, 0.25) == 2.0);
    CHECK(error_of(kNan, 1.0, 1e300) == kInfinity);
    CHECK(error_of(1.0, kNan, 1e300) == kInfinity);
    CHECK(error_of(kNan, kNan, 1e300) == kInfinity);
    CHECK(error_of(kInfinity, 1.0, 1e300) == kInfinity);
    CHECK(error_of(kInfinity, kInfinity, 1e300) == kInfinity);
    CHECK(error_of(1e-300, 0.0, 0.0) == kInfinity);
    CHECK(error_of(1.0, 0.0, -1.0) == kInfinity);
    CHECK(error_of(1.0, 0.0, kNan) == kInfinity);
}

TEST_CASE("a variant too slow to be kept is verified on one seed") {
    Case slow;
    CHECK(rooftune::verify_answer(slow.prepared, slow.bench, slow.team, slow.seeds, 1e-12).right);
    CHECK(slow.prepared.runs == 1);
    Case quick;
    CHECK(rooftune::verify_answer(quick.prepared, quick.bench, quick.team, quick.seeds, 1e3).right);
    CHECK(quick.prepared.runs == 3);
    Case wrong;
    wrong.prepared.spoilt_seed = 1.0;
    wrong.prepared.spoilt = 7.0;
    CHECK_FALSE(rooftune::verify_answer(wrong.prepared, wrong.bench, wrong.team, wrong.seeds, 1e-12).right);
}
