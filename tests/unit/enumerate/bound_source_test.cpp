#include "tuner/search/enumerate/bound_source.h"

#include "kernels/registry.h"
#include "tests/support/catch.h"
#include "tests/support/family_targets.h"
#include "tuner/search/enumerate/sampling.h"

using namespace rooftune;
using namespace rooftune::test;

namespace {

// Sanitizers look at the code, which one target goes through as well.
std::vector<Target> some_targets(const Family& family, DType dtype) {
    std::vector<Target> targets = targets_of(family, dtype);
#if defined(__SANITIZE_ADDRESS__)
    targets.resize(1);
#endif
    return targets;
}

}  // namespace

TEST_CASE("bounds by class are the bounds, on every family") {
    const Registry registry = built_in_families();
    const Machine machine = full_machine({.name = "balanced"}, {1, 2, 3, 8, 132});
    const Roofs roofs(machine);
    const BoundModel bound(roofs);
    int with_classes = 0;
    for (const auto& family : registry.families()) {
        for (const ProblemSpec& spec : family->examples()) {
            const auto problem = family->problem(spec);
            for (const Target& target : some_targets(*family, problem->dtype())) {
                const Space space = family->space(*problem, target);
                const auto model = family->work_model(*problem, space, target, State::warm);
                const BoundSource source{&space, model.get(), &bound};
                BoundCache cache(source);
                std::mt19937_64 random(1);
                for (Variant v : sample_below(space, {PartialVariant{}}, 40, random)) {
                    with_classes += model->work_class(v) >= 0 ? 1 : 0;
                    for (int p = space.size() - 1; p >= 0; --p) {
                        // The second time it is known.
                        if (cache.lower(v) != source.lower(v) || cache.lower(v) != source.lower(v))
                            FAIL(family->name() << " " << text_of(spec) << ": " << space.to_text(v));
                        v.free(p);
                    }
                    if (cache.lower(v) != source.lower(v)) FAIL(family->name() << " at the root");
                }
            }
        }
    }
    CHECK(with_classes > 500);
}

TEST_CASE("an estimate is the longer part and a quarter of the shorter, whichever it is") {
    CHECK(BoundSource::estimate({.in_core = Seconds(4.0), .traffic = Seconds(2.0)}, 0.25) == 4.5);
    CHECK(BoundSource::estimate({.in_core = Seconds(2.0), .traffic = Seconds(4.0)}, 0.25) == 4.5);
    CHECK(BoundSource::estimate({.in_core = Seconds(3.0), .traffic = Seconds(0.0)}, 0.25) == 3.0);
    const Registry registry = built_in_families();
    const Machine machine = full_machine({.name = "balanced"}, {1, 2});
    const Roofs roofs(machine);
    const BoundModel bound(roofs);
    int with_both = 0;
    for (const auto& family : registry.families()) {
        for (const ProblemSpec& spec : family->examples()) {
            const auto problem = family->problem(spec);
            const Target target = some_targets(*family, problem->dtype()).front();
            const Space space = family->space(*problem, target);
            const auto model = family->work_model(*problem, space, target, State::warm);
            const BoundSource source{&space, model.get(), &bound};
            std::mt19937_64 random(1);
            for (const Variant& v : sample_below(space, {PartialVariant{}}, 40, random)) {
                const RankParts parts = source.parts(v);
                const auto [shorter, longer] = std::minmax(parts.in_core.value, parts.traffic.value);
                CHECK(source.rank(v) == Approx(longer + 0.25 * shorter));
                CHECK(source.rank(v) >= source.lower(v));
                with_both += shorter > 0.0 ? 1 : 0;
            }
        }
    }
    CHECK(with_both > 200);
}
