// The second tier: what is left at the rates that the machine held while the run went on. Never mixed with
// what is proven, and never below what a variant has shown.
#include "tests/unit/search/toy_problem.h"

using namespace rooftune;
using namespace rooftune::test;

namespace {

/// The toy's ceilings as probes of these minutes, at a share of their rates.
std::vector<Ceiling> held(const Machine& machine, double share) {
    std::vector<Ceiling> fresh = machine.ceilings;
    for (Ceiling& c : fresh) c.median = share * c.max;
    return fresh;
}

SearchOptions few() {
    SearchOptions options = unlimited();
    options.evaluations = 12;
    options.audit = 0;
    options.reprobe = false;  // the toy's probes would give its full rates again
    return options;
}

}  // namespace

TEST_CASE("the second tier is by the rates held meanwhile, and the winner's median") {
    const ToyProblem f;
    toy::Evaluator evaluator = f.evaluator();
    SearchInput input = f.input();
    const SearchResult stored = search(input, evaluator, few(), nullptr);
    CHECK_FALSE(stored.certificate.replacement.meanwhile);

    input.fresh = held(f.machine, 0.95);
    toy::Evaluator again = f.evaluator();
    const SearchResult r = search(input, again, few(), nullptr);
    REQUIRE(r.best);
    const ReplacementReport& tier = r.certificate.replacement;
    CHECK(tier.meanwhile);
    CHECK(tier.timed > 3);
    CHECK(tier.beaten == 0);
    CHECK(tier.gap < r.certificate.gap);
    CHECK(tier.gap <= (1.0 + stored.certificate.replacement.gap) * 0.95 - 1.0 + 1e-9);
    // The proof does not move.
    CHECK(r.certificate.gap == Approx(stored.certificate.gap));
    CHECK(r.certificate.excluded == stored.certificate.excluded);
}

TEST_CASE("a variant faster than the rates held is counted, and so much is allowed for") {
    const ToyProblem f;
    SearchInput input = f.input();
    input.fresh = held(f.machine, 0.5);  // the machine gave twice as much in between
    toy::Evaluator evaluator = f.evaluator();
    const SearchResult r = search(input, evaluator, few(), nullptr);
    REQUIRE(r.best);
    const ReplacementReport& tier = r.certificate.replacement;
    CHECK(tier.beaten > 0);
    CHECK(tier.largest > 1.2);
    double fastest = 1.0;
    for (const Observation& o : r.observations) {
        for (const Slot& slot : o.record.slots) fastest = std::min(fastest, slot.seconds / (2.0 * o.lower));
    }
    CHECK(tier.largest == Approx(1.0 / fastest));
}

TEST_CASE("times of earlier runs are not held against the rates of this one") {
    const ToyProblem f;
    toy::Evaluator first = f.evaluator();
    const SearchResult before = search(f.input(), first, few(), nullptr);
    SearchInput input = f.input();
    input.fresh = held(f.machine, 0.95);
    for (const Observation& o : before.observations) {
        input.known[o.variant] = o.record;
        input.known[o.variant].role = "search";
        // Taken when the machine was three times as fast.
        for (Slot& slot : input.known[o.variant].slots) slot.seconds /= 3.0;
    }
    SearchOptions options = few();
    options.evaluations = 30;
    toy::Evaluator second = f.evaluator();
    const SearchResult r = search(input, second, options, nullptr);
    CHECK(r.certificate.replacement.timed < static_cast<int>(r.observations.size()));
}
