// A space of 5e9 variants, proven to its last variant: what bounds cut is counted, never listed.
#include "tests/support/wide_space.h"

#include "models/space_count.h"
#include "tests/support/catch.h"
#include "tuner/search/search.h"

using namespace rooftune;

namespace {

constexpr double kAbove = 1.002;  // times over bounds

struct Fixture {
    Space space = wide::space();
    wide::Model model;
    Machine machine = toy::machine();
    Roofs roofs{machine};
    BoundModel bound{roofs};
    BoundSource source{&space, &model, &bound};
    double time(const Variant& v) const { return kAbove * source.lower(v); }
};

}  // namespace

TEST_CASE("the wide space has as many variants as its rules say, and the known best is the best") {
    const Fixture f;
    CHECK(f.space.count(PartialVariant{}) == wide::kVariants);
    CHECK(f.space.counts().kept() < 2000);
    // Groups that no rule ties together can be looked through one by one.
    const Variant best = wide::best(f.space);
    const std::vector<std::vector<int>> groups{{wide::kMode, wide::kDepth},
                                               {wide::kA, wide::kB},
                                               {wide::kC, wide::kD},
                                               {5},
                                               {6},
                                               {7},
                                               {8},
                                               {9},
                                               {10}};
    for (const std::vector<int>& group : groups) {
        PartialVariant others = best;
        for (const int p : group) others.free(p);
        const std::uint64_t ways = f.space.counts().count(others);
        CHECK(ways > 1);
        for (std::uint64_t k = 0; k < ways; ++k)
            CHECK(f.source.lower(f.space.counts().nth(others, k)) >= f.source.lower(best));
    }
}

TEST_CASE("the tree excludes 5e9 variants but one by proof, and its counts add up") {
    const Fixture f;
    BoundTree tree(f.source, 0.03);
    const Variant best = wide::best(f.space);
    const double high = 1.01 * f.time(best);
    tree.expand(high, 1000);
    CHECK(tree.exhausted());
    REQUIRE(tree.pool(high).size() == 1);
    CHECK(tree.pool(high).front().partial == best);
    std::uint64_t excluded = 0;
    for (const Node& node : tree.cut()) excluded += node.variants;
    CHECK(excluded + 1 == wide::kVariants);
    CHECK(tree.counters().bounds_evaluated < 100'000);
}

TEST_CASE("the search finds the best of 5e9 variants from a bad start, and nothing is left") {
    const Fixture f;
    toy::Evaluator evaluator(f.space, [&](const Variant& v) { return f.time(v); });
    const Variant start = wide::first(f.space);
    Variant other = start;
    other.fix(wide::kD, 1);
    SearchInput input;
    input.space = &f.space;
    input.model = &f.model;
    input.machine = f.machine;
    input.naive = start;
    input.fallback = other;
    SearchOptions options;
    options.seconds = 0.0;
    options.audit = 20;
    const SearchResult r = search(input, evaluator, options, nullptr);
    REQUIRE(r.best);
    CHECK(f.space.to_text(*r.best) == f.space.to_text(wide::best(f.space)));
    const CertificateReport& c = r.certificate;
    CHECK(c.space == wide::kVariants);
    CHECK(c.gap == 0.0);
    CHECK(c.excluded + c.measured + c.raced_out == wide::kVariants);
    CHECK(c.unmeasured + c.set_aside + c.failed == 0);
    CHECK(c.audit.regrets == 0);
    CHECK(evaluator.measured.size() < 100);
}
