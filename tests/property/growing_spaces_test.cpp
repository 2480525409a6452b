// Spaces that grow, of every family that has such: a problem that is large enough, from the first offer to
// everything. Indices stay, counts add up, references are always there, and bounds hold across growths.
#include "kernels/registry.h"
#include "models/space_count.h"
#include "models/space_offer.h"
#include "tests/support/catch.h"
#include "tests/support/descent.h"
#include "tests/support/toy.h"
#include "tuner/search/enumerate/bound_source.h"

using namespace rooftune;
using namespace rooftune::test;

namespace {

struct Grown {
    const char* family;
    ProblemSpec spec;
    std::vector<std::string> parameters;  ///< that grow
};

std::vector<Grown> large_problems() {
    return {{"spmv", {{"gen", "poisson27"}, {"nx", "48"}}, {"prefetch"}},
            {"stencil",
             {{"nx", "128"}, {"ny", "300"}, {"nz", "140"}},
             {"block_y", "block_z", "streams", "prefetch"}},
            {"matmul", {{"m", "1024"}, {"n", "1024"}, {"k", "1024"}}, {"mc", "ahead"}}};
}

Target two_threads() {
    Target target;
    target.threads = 2;
    target.width_bits = {128, 256, 512};
    return target;
}

/// The space of one growth more: of the first parameter that has one.
int next_growth(const Space& whole, const SpaceOffer& offer) {
    for (int p = 0; p < whole.size(); ++p) {
        if (offer.edge(whole, p) >= 0) return p;
    }
    return -1;
}

/// Variants and all that leads to them are bounded alike in every state, and no prefix more than its variant.
void check_bounds(const Space& offered, const BoundSource& source, std::mt19937& random) {
    for (int i = 0; i < 20; ++i) {
        std::vector<PartialVariant> path(1);
        if (!descend(offered, random, path)) continue;
        const double lower = source.lower(path.back());
        CHECK(source.space->valid(path.back()));
        for (const PartialVariant& prefix : path) CHECK(source.lower(prefix) <= lower * (1.0 + 1e-12));
    }
}

}  // namespace

TEST_CASE(
    "every family that grows: counts, indices, references and bounds from the first offer to everything") {
    const Registry registry = built_in_families();
    const Roofs roofs(toy::machine());
    const BoundModel bound(roofs);
    std::mt19937 random(7);
    for (const Grown& g : large_problems()) {
        INFO(g.family);
        const Family* family = registry.find(g.family);
        REQUIRE(family);
        const auto problem = family->problem(g.spec);
        const Target target = two_threads();
        const Space whole = family->space(*problem, target);
        const auto model = family->work_model(*problem, whole, target, State::warm);
        const BoundSource source{&whole, model.get(), &bound};
        std::vector<std::string> growing;
        for (const Parameter& p : whole.parameters()) {
            if (p.beyond > 0) growing.push_back(p.name);
        }
        CHECK(growing == g.parameters);

        SpaceOffer offer = SpaceOffer::first(whole);
        CHECK(offer.offers(whole, family->naive_variant(*problem, whole, target)));
        CHECK(offer.offers(whole, family->default_variant(*problem, whole, target)));
        std::uint64_t count = offer.of(whole).count(PartialVariant{});
        CHECK(count > 0);
        for (int p = next_growth(whole, offer); p >= 0; p = next_growth(whole, offer)) {
            const int value = offer.offered(whole, p);
            offer.extend(p);
            const Space offered = offer.of(whole);
            PartialVariant fresh;
            fresh.fix(p, value);
            const std::uint64_t more = offered.counts().count(PartialVariant{}, fresh);
            INFO(whole.parameters()[static_cast<std::size_t>(p)].name << " " << more);
            CHECK(more > 0);
            CHECK(offered.count(PartialVariant{}) == count + more);
            count += more;
            check_bounds(offered, source, random);
        }
        CHECK(offer.everything());
        CHECK(count == whole.count(PartialVariant{}));
    }
}
