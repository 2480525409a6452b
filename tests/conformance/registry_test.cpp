// Every family of the registry on every backend: its space, its variants' answers and its problems keep the
// contract of kernels/contract/family.h. Spaces of up to 300 variants are tried whole, larger ones by
// descents that spread over the tree.
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "kernels/runtime/error.h"
#include "kernels/runtime/opencl.h"
#include "tests/support/catch.h"
#include "tests/support/descent.h"
#include "tests/support/places.h"
#include "tuner/measure/judge.h"

using namespace rooftune;
using namespace rooftune::test;

namespace {

// Variants of a place: all of a space that has no more than kAll; else so many on the widest mask with two
// threads, on the other masks and thread counts, and on a device, where each has to be compiled, for the
// first example and for the others.
#if defined(__SANITIZE_ADDRESS__)
constexpr std::size_t kAll = 40, kSome = 20, kFewer = 8, kOnDevice = 3, kFewerOnDevice = 1;
#else
constexpr std::size_t kAll = 300, kSome = 150, kFewer = 20, kOnDevice = 10, kFewerOnDevice = 3;
#endif
constexpr int kShown = 5;  // failures described for each place

/// One example of a family on one target.
struct Place {
    const Family* family;
    const Problem* problem;
    Target target;
    Space space;

    Place(const Family& f, const Problem& p, Target t)
        : family(&f), problem(&p), target(std::move(t)), space(f.space(p, target)) {}
    std::string text() const {
        return std::string(family->name()) + " " + text_of(problem->spec()) + " on " + text_of(target);
    }
};

/// Judges what `prepared` holds now, without running it.
Correctness judge_now(const Prepared& prepared, Bench& bench, Team& team, std::uint64_t seed) {
    Correctness verdict;
    if (const std::optional<Worst> worst = bench.compare(prepared, seed, team)) {
        verdict.error = worst->error;
        verdict.right = worst->error <= 1.0;
        return verdict;
    }
    return judge(prepared.output(), bench.oracle(seed));
}

struct Tried {
    int right = 0, wrong = 0;
    int refused = 0;  ///< failures of the variant's own: allowed on a device, which may lack resources
};

/// Prepares and runs each of the variants for two seeds, and once more as timing does, without a reset.
Tried try_variants(const Place& place, Bench& bench, Team& team, const std::vector<Variant>& variants) {
    Tried tried;
    const std::vector<std::uint64_t> seeds = {1, 2};
    for (const Variant& v : variants) {
        std::string what;
        try {
            const auto prepared = bench.prepare(v, team);
            const Correctness verdict = verify_answer(*prepared, bench, team, seeds);
            if (!verdict.right) what = verdict.detail;
            prepared->run();
            if (!prepared->guards_intact()) what = "a second run without a reset changed a guard zone";
        } catch (const VariantError& error) {
            ++tried.refused;
            if (place.target.backend == Backend::opencl) continue;
            what = error.what();
        }
        ++(what.empty() ? tried.right : tried.wrong);
        if (!what.empty() && tried.wrong <= kShown) {
            FAIL_CHECK(place.text() << ": " << place.space.to_text(v) << ": " << what);
        }
    }
    return tried;
}

void check_space(const Place& place, const std::vector<Variant>& variants) {
    const Space& space = place.space;
    REQUIRE_FALSE(variants.empty());
    CHECK(space.family() == place.family->name());
    CHECK(space.valid(place.family->naive_variant(*place.problem, space, place.target)));
    CHECK(space.valid(place.family->default_variant(*place.problem, space, place.target)));
    int astray = 0;
    for (const Variant& v : variants) {
        std::string why;
        const auto back = space.from_map(space.to_map(v), why);
        if (!space.valid(v) || back != v) ++astray;
        CHECK_NOTHROW(place.family->phrase(space.to_map(v)));
    }
    CHECK(astray == 0);
}

/// Poison that was not overwritten is wrong; returns whether the answer for another seed is wrong too (it
/// may be the same where a problem has nothing to add up).
bool refuses_wrong_answers(const Place& place, Bench& bench, Team& team) {
    const auto prepared =
        bench.prepare(place.family->naive_variant(*place.problem, place.space, place.target), team);
    prepared->reset(1);
    CHECK_FALSE(judge_now(*prepared, bench, team, 1).right);
    prepared->run();
    CHECK(judge_now(*prepared, bench, team, 1).right);
    const bool other = judge_now(*prepared, bench, team, 2).right;
    prepared->reset(2);
    CHECK_FALSE(judge_now(*prepared, bench, team, 2).right);
    prepared->run();
    CHECK(judge_now(*prepared, bench, team, 2).right);
    return !other;
}

/// The oracle's tolerance lets neither twice the answer nor none at all pass.
void check_oracle(Bench& bench) {
    const Oracle& oracle = bench.oracle(1);
    std::vector<double> twice = oracle.expected;
    for (double& x : twice) x *= 2.0;
    const bool zero = std::all_of(twice.begin(), twice.end(), [](double x) { return x == 0.0; });
    CHECK(judge(oracle.expected, oracle).right);
    if (zero) return;
    CHECK_FALSE(judge(twice, oracle).right);
    CHECK_FALSE(judge(std::vector<double>(twice.size(), 0.0), oracle).right);
}

/// Whole check of one example on one target. Returns the variants tried.
int check_place(const Place& place, Team& team, std::size_t all, std::size_t some, int& other_seed_refused) {
    INFO(place.text());
    const std::vector<Variant> variants = some_variants(place.space, all, some, 17);
    check_space(place, variants);
    const auto bench = place.family->bench(*place.problem, place.space, place.target);
    const Tried tried = try_variants(place, *bench, team, variants);
    CHECK(tried.wrong == 0);
    CHECK(tried.right > 0);
    check_oracle(*bench);
    other_seed_refused += refuses_wrong_answers(place, *bench, team) ? 1 : 0;
    return tried.right + tried.wrong;
}

}  // namespace

TEST_CASE(
    "every family: sampled variants are right on the CPU, under every mask of widths, on 1 and 2 threads") {
    const Registry registry = built_in_families();
    Team one({two_cpus()[0]});
    Team two(two_cpus());
    for (const auto& family : registry.families()) {
        int variants = 0;
        int refused = 0;
        for (const ProblemSpec& spec : family->examples()) {
            const auto problem = family->problem(spec);
            for (const int bits : {128, 256, 512}) {
                // Where this machine lacks the width there is no such mask to try.
                if (widths_up_to(bits).empty() || widths_up_to(bits).back() != bits) continue;
                for (Team* team : {&one, &two}) {
                    const Place place(*family, *problem, cpu_target(widths_up_to(bits), team->size()));
                    const bool widest = place.target.width_bits == usable_widths() && team == &two;
                    variants +=
                        check_place(place, *team, widest ? kAll : kFewer, widest ? kSome : kFewer, refused);
                }
            }
        }
        INFO(family->name() << ": " << variants << " variants");
        CHECK(variants > 0);
        CHECK(refused > 0);
    }
}

TEST_CASE("every family: the narrowest machine, scalar code on one thread, still has a space") {
    const Registry registry = built_in_families();
    for (const auto& family : registry.families()) {
        for (const ProblemSpec& spec : family->examples()) {
            const auto problem = family->problem(spec);
            Place place(*family, *problem, cpu_target({}, 1));
            INFO(place.text());
            check_space(place, some_variants(place.space, 10, 10, 3));
        }
    }
}

TEST_CASE("every family: sampled variants are right on OpenCL devices") {
    const Registry registry = built_in_families();
    const std::vector<Device> devices = opencl_devices(two_cpus());
    Team team({two_cpus()[0]});
    for (const auto& family : registry.families()) {
        const std::vector<Backend> backends = family->backends();
        CHECK(backends.front() == Backend::cpu);
        if (std::find(backends.begin(), backends.end(), Backend::opencl) == backends.end()) continue;
        if (devices.empty()) {
            WARN("skipped: " << family->name() << " on OpenCL, no device");
            continue;
        }
        for (const Device& device : devices) {
            int refused = 0;
            for (const ProblemSpec& spec : family->examples()) {
                const auto problem = family->problem(spec);
                if (problem->dtype() == DType::f64 && !device.f64) {
                    WARN("skipped: " << problem->title() << " on " << device.name << ", which has no f64");
                    continue;
                }
                const Place place(*family, *problem, device_target(device));
                const std::size_t some = spec == family->examples().front() ? kOnDevice : kFewerOnDevice;
                check_place(place, team, some, some, refused);
            }
            CHECK(refused > 0);
        }
    }
}

TEST_CASE("every family: a problem's spec gives the same problem, here and through shared memory") {
    const Registry registry = built_in_families();
    Team team({two_cpus()[0]});
    for (const auto& family : registry.families()) {
        REQUIRE_FALSE(family->examples().empty());
        std::vector<std::string> digests;
        for (const ProblemSpec& spec : family->examples()) {
            INFO(family->name() << ' ' << text_of(spec));
            const auto problem = family->problem(spec);
            const auto again = family->problem(problem->spec());
            CHECK(again->digest() == problem->digest());
            CHECK(again->spec() == problem->spec());
            CHECK(again->title() == problem->title());
            CHECK(again->dtype() == problem->dtype());
            CHECK(again->flops_nominal() == problem->flops_nominal());
            CHECK(problem->flops_nominal() >= 0.0);
            for (const auto& [name, value] : problem->facts()) CHECK(std::isfinite(value));
            digests.push_back(problem->digest() + std::string(to_text(problem->dtype())));

            const int descriptor = family->share(*problem);
            if (descriptor < 0) continue;
            const auto attached = family->attach(descriptor);
            CHECK(attached->digest() == problem->digest());
            CHECK(attached->dtype() == problem->dtype());
            const Place place(*family, *attached, cpu_target(widths_up_to(512), 1));
            const auto bench = family->bench(*attached, place.space, place.target);
            CHECK(try_variants(place, *bench, team, some_variants(place.space, 3, 3, 5)).wrong == 0);
            close(descriptor);
        }
        std::sort(digests.begin(), digests.end());
        CHECK(std::adjacent_find(digests.begin(), digests.end()) == digests.end());
    }
}

TEST_CASE("every family: a key that does not exist is refused") {
    const Registry registry = built_in_families();
    for (const auto& family : registry.families()) {
        ProblemSpec spec = family->examples().front();
        spec["no_such_key"] = "1";
        CHECK_THROWS_AS(family->problem(spec), InputError);
        spec.erase("no_such_key");
        spec["dtype"] = "f63";
        CHECK_THROWS_AS(family->problem(spec), InputError);
    }
}
