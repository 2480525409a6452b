// The audit's sample where more was ruled out than can be listed.
#include <map>
#include <numeric>
#include <set>

#include "tests/support/catch.h"
#include "tests/unit/search/toy_problem.h"

using namespace rooftune;

TEST_CASE("of more than half a million ruled out variants the audit draws from every part", "[statistics]") {
    test::ToyProblem toy;
    std::vector<std::int64_t> many(120);
    std::iota(many.begin(), many.end(), 0);
    toy.space.add(Parameter("first", "no effect", numbers(many)));
    toy.space.add(Parameter("second", "no effect", numbers(many)));
    const auto variant = [&](std::map<std::string, std::string> values) {
        values.insert({{"threads", "2"}, {"unroll", "0"}, {"first", "0"}, {"second", "0"}});
        return toy::variant(toy.space, values);
    };
    SearchInput input;
    input.space = &toy.space;
    input.model = &toy.model;
    input.machine = toy.machine;
    input.naive = variant({{"format", "wide"}});
    input.fallback = variant({{"format", "narrow"}});
    toy::Evaluator evaluator = toy.evaluator();
    SearchOptions options = test::unlimited();
    options.evaluations = 460;
    options.audit = 200;  // of which the sampled limit takes half
    const SearchResult r = search(input, evaluator, options, nullptr);
    REQUIRE(r.best);
    REQUIRE(r.certificate.excluded > 1'000'000);
    CHECK(r.certificate.audit.measured == 100);
    CHECK(r.certificate.audit.regrets == 0);
    std::map<double, int> by_bound;
    std::set<Variant> audited;
    for (const Observation& o : r.observations) {
        if (o.record.role != "audit") continue;
        CHECK(audited.insert(o.variant).second);
        CHECK((1.0 - r.certificate.margin) * o.lower >= r.seconds.high);
        ++by_bound[o.lower];
    }
    CHECK(audited.size() == 100);
    // The least padding on two threads lies nearest, a sixth of a subtree that no list reaches: of two
    // hundred drawn from it these come first into the near half.
    REQUIRE_FALSE(by_bound.empty());
    CHECK(by_bound.begin()->first == Approx(toy.lower(variant({{"format", "padded"}, {"pad", "1"}}))));
    CHECK(by_bound.begin()->second >= 20);
    // Of the other half each kind has a tenth or so, the farthest too.
    CHECK(by_bound.size() >= 6);
    CHECK(by_bound.rbegin()->first ==
          Approx(toy.lower(variant({{"format", "padded"}, {"pad", "3"}, {"threads", "1"}}))));
}
