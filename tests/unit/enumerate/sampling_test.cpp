#include "tuner/search/enumerate/sampling.h"

#include <map>
#include <set>

#include "tests/support/catch.h"
#include "tests/support/random_space.h"
#include "tests/support/toy.h"
#include "tests/support/wide_space.h"

using namespace rooftune;

TEST_CASE("numbers below n stay below it and meet all of them") {
    std::mt19937_64 random(1);
    CHECK(below(random, 0) == 0);
    CHECK(below(random, 1) == 0);
    std::map<std::uint64_t, int> seen;
    for (int i = 0; i < 700; ++i) ++seen[below(random, 7)];
    CHECK(seen.size() == 7);
    CHECK(seen.rbegin()->first == 6);
    // Two thirds of the generator's range: a plain remainder would draw the first half twice as often.
    const std::uint64_t n = (~std::uint64_t{0} / 3) * 2;
    int low = 0;
    for (int i = 0; i < 3000; ++i) low += below(random, n) < n / 2 ? 1 : 0;
    CHECK(low > 1350);
    CHECK(low < 1650);
}

TEST_CASE("each variant is drawn as often as any other, whatever the shape of the tree") {
    const Space space = toy::space();  // a third of the variants have a parameter that others lack
    std::mt19937_64 random(2);
    std::map<Variant, int> drawn;
    constexpr int kDraws = 96 * 100;
    for (int i = 0; i < kDraws; ++i) ++drawn[sample_below(space, {PartialVariant{}}, 1, random).front()];
    CHECK(drawn.size() == 96);
    double chi2 = 0.0;
    for (const auto& [variant, n] : drawn) chi2 += (n - 100.0) * (n - 100.0) / 100.0;
    CHECK(chi2 < 150.0);  // 95 degrees of freedom: one in 4000 seeds
    CHECK(chi2 > 55.0);
}

TEST_CASE("a sample has no variant twice, and all of them where there are no more") {
    std::mt19937_64 random(3);
    for (int i = 0; i < 20; ++i) {
        const Space space = test::random_space(random, 5);
        std::vector<PartialVariant> prefixes;
        space.children(PartialVariant{}, prefixes);
        std::set<Variant> all;
        space.each(PartialVariant{}, [&](const Variant& v) {
            all.insert(v);
            return true;
        });
        for (const std::size_t count : {all.size() / 2, all.size(), all.size() + 5}) {
            const std::vector<Variant> sample = sample_below(space, prefixes, count, random);
            const std::set<Variant> different(sample.begin(), sample.end());
            CHECK(sample.size() == std::min(count, all.size()));
            CHECK(different.size() == sample.size());
            for (const Variant& v : sample) CHECK(all.contains(v));
        }
    }
    CHECK(sample_below(toy::space(), {}, 5, random).empty());
}

TEST_CASE("a sample is in random order") {
    std::mt19937_64 random(4);
    const Space space = toy::space();
    const std::vector<Variant> sample = sample_below(space, {PartialVariant{}}, 96, random);
    CHECK_FALSE(std::is_sorted(sample.begin(), sample.end()));
    std::mt19937_64 again(4);
    CHECK(sample_below(space, {PartialVariant{}}, 96, again) == sample);
}

TEST_CASE("the only variant among 1e15 assignments is found") {
    Space space("needle", 1);
    for (int p = 0; p < 15; ++p) {
        space.add(Parameter("p" + std::to_string(p), "", numbers({0, 1, 2, 3, 4, 5, 6, 7, 8, 9})));
        if (p == 0) continue;
        space.add(Constraint{
            "as before", p, [p](const PartialVariant& v) { return v[p] == v[p - 1]; }, {p - 1, p}});
    }
    space.add(Constraint{"3", 14, [](const PartialVariant& v) { return v[14] == 3; }, {14}});
    std::mt19937_64 random(5);
    const std::vector<Variant> sample = sample_below(space, {PartialVariant{}}, 10, random);
    REQUIRE(sample.size() == 1);
    CHECK(sample.front()[0] == 3);
}

TEST_CASE("a sample of 5e9 variants has them from everywhere") {
    const Space space = wide::space();
    std::mt19937_64 random(6);
    int fused = 0;
    for (const Variant& v : sample_below(space, {PartialVariant{}}, 1000, random)) {
        CHECK(space.valid(v));
        fused += v[wide::kMode] == wide::kFused ? 1 : 0;
    }
    // 8 of 10 variants are fused; a walk that chooses a mode first would find a third.
    CHECK(fused > 740);
    CHECK(fused < 860);
}
