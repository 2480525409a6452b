#include "tuner/search/gaussian_process.h"

#include <cmath>
#include <numeric>
#include <random>

#include "tests/support/catch.h"
#include "tuner/search/enumerate/sampling.h"
#include "tuner/search/ranker.h"

using namespace rooftune;

namespace {

Space knobs() {
    Space s("knobs", 1);
    s.add(Parameter("shape", "a name", names({"a", "b", "c", "d"})));
    s.add(Parameter("unroll", "a number", numbers({1, 2, 4, 8, 16})));
    s.add(Parameter("dead", "does nothing", numbers({0, 1, 2, 3})));
    s.add(Parameter("depth", "exists for c alone", numbers({1, 2, 3}))
              .when("shape=c", [](const PartialVariant& v) { return v[0] == 2; }));
    return s;
}

std::vector<Variant> variants_of(const Space& s) {
    std::vector<Variant> all;
    s.each(PartialVariant{}, [&](const Variant& v) {
        all.push_back(v);
        return true;
    });
    return all;
}

// Which unroll pays depends on the shape: no sum of effects says that.
double interacting(const Variant& v) {
    const int best = v[0] % 2 == 0 ? 0 : 4;
    return 0.2 * std::abs(v[1] - best) + (v[0] == 2 ? 0.1 * v[3] : 0.0);
}

double rms(const GaussianProcess& process, const std::vector<Variant>& all) {
    double sum = 0.0;
    for (const Variant& v : all) sum += std::pow(process.mean(v) - interacting(v), 2.0);
    return std::sqrt(sum / static_cast<double>(all.size()));
}

}  // namespace

TEST_CASE("a process knows what it was told, and is unsure of the rest") {
    const Space space = knobs();
    const std::vector<Variant> all = variants_of(space);
    GaussianProcess process(space);
    const GaussianProcess::Guess before = process.guess(all[0]);
    CHECK(before.mean == 0.0);
    CHECK(before.deviation > 1.0);
    process.observe(all[0], 0.7);
    CHECK(process.guess(all[0]).mean == Approx(0.7).margin(0.01));
    CHECK(process.guess(all[0]).deviation < 0.06);
    // The level is learned from one observation, the difference to a far variant is not.
    CHECK(process.guess(all.back()).mean == Approx(0.7).margin(0.1));
    CHECK(process.guess(all.back()).deviation > 0.2);
    CHECK(process.guess(all.back()).deviation < before.deviation);
}

TEST_CASE("every observation makes every deviation smaller or leaves it") {
    const Space space = knobs();
    const std::vector<Variant> all = variants_of(space);
    GaussianProcess process(space);
    std::vector<double> deviation(all.size(), 1e9);
    for (std::size_t i = 0; i < all.size(); i += 7) {
        process.observe(all[i], interacting(all[i]));
        for (std::size_t j = 0; j < all.size(); ++j) {
            const double now = process.guess(all[j]).deviation;
            CHECK(now <= deviation[j] * (1.0 + 1e-9));
            deviation[j] = now;
        }
    }
}

TEST_CASE("variants asked about together are guessed as one by one") {
    const Space space = knobs();
    const std::vector<Variant> all = variants_of(space);
    GaussianProcess process(space);
    for (std::size_t observations : {0, 1, 13}) {
        while (process.size() < observations)
            process.observe(all[3 * process.size()], interacting(all[3 * process.size()]));
        // Fewer than go side by side, just as many, some over, all.
        for (const std::size_t n :
             {std::size_t{0}, std::size_t{1}, std::size_t{8}, std::size_t{11}, all.size()}) {
            std::vector<const Variant*> asked;
            for (std::size_t i = 0; i < n; ++i) asked.push_back(&all[all.size() - 1 - i]);
            std::vector<GaussianProcess::Guess> guesses(n);
            process.guess(asked, guesses);
            for (std::size_t i = 0; i < n; ++i) {
                INFO(observations << " observations, " << i << " of " << n);
                const GaussianProcess::Guess alone = process.guess(*asked[i]);
                CHECK(guesses[i].mean == alone.mean);
                CHECK(guesses[i].deviation == alone.deviation);
                CHECK(guesses[i].mean == process.mean(*asked[i]));
            }
        }
    }
}

TEST_CASE("a process learns that parameters interact, and which one does nothing") {
    const Space space = knobs();
    std::vector<Variant> all = variants_of(space);
    std::mt19937_64 random(3);
    for (std::size_t i = all.size(); i > 1; --i) std::swap(all[i - 1], all[below(random, i)]);
    GaussianProcess process(space);
    std::vector<std::size_t> chosen(40);
    std::iota(chosen.begin(), chosen.end(), std::size_t{0});
    for (const std::size_t i : chosen) process.observe(all[i], interacting(all[i]));
    const double before = rms(process, all);
    for (int i = 0; i < 4; ++i) process.learn(chosen);
    const double after = rms(process, all);
    CHECK(after < before);
    CHECK(after < 0.12);  // of values between 0 and 1
}

TEST_CASE("the order of observing does not matter, nor whether it was asked in between") {
    const Space space = knobs();
    const std::vector<Variant> all = variants_of(space);
    GaussianProcess forwards(space), backwards(space), replaced(space);
    for (std::size_t i = 0; i < 20; ++i) {
        forwards.observe(all[3 * i], interacting(all[3 * i]));
        forwards.mean(all[0]);
        backwards.observe(all[3 * (19 - i)], interacting(all[3 * (19 - i)]));
        replaced.observe(all[0], 5.0);
    }
    for (std::size_t i = 0; i < 20; ++i) replaced.replace(i, all[3 * i], interacting(all[3 * i]));
    for (const Variant& v : all) {
        CHECK(forwards.guess(v).mean == Approx(backwards.guess(v).mean).margin(1e-9));
        CHECK(forwards.guess(v).deviation == Approx(backwards.guess(v).deviation).margin(1e-9));
        CHECK(forwards.guess(v).mean == Approx(replaced.guess(v).mean).margin(1e-9));
    }
}

TEST_CASE("one variant timed a hundred times breaks nothing") {
    const Space space = knobs();
    const std::vector<Variant> all = variants_of(space);
    GaussianProcess process(space);
    for (int i = 0; i < 100; ++i) process.observe(all[5], 1.0 + 0.01 * (i % 3));
    const GaussianProcess::Guess g = process.guess(all[5]);
    CHECK(g.mean == Approx(1.01).margin(0.01));
    CHECK(g.deviation < 0.02);
}

TEST_CASE("the ranker prefers what it saw to be fast, and thousands of timings do not slow it down") {
    const Space space = knobs();
    const std::vector<Variant> all = variants_of(space);
    Ranker ranker(space, 1);
    for (int turn = 0; turn < 6; ++turn) {
        for (const Variant& v : all) ranker.observe(v, 0.0, interacting(v));
    }
    double best = 1e9, value_of_best = 1e9;
    for (const Variant& v : all) {
        if (ranker.optimistic(v) < best) {
            best = ranker.optimistic(v);
            value_of_best = interacting(v);
        }
    }
    CHECK(value_of_best <= 0.1);
}
