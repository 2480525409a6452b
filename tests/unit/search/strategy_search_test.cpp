// Searches that a strategy guides: what it proposes is its own, what is measured, excluded and certified is
// not.
#include <set>

#include "tests/support/catch.h"
#include "tests/unit/search/toy_problem.h"
#include "tuner/search/search.h"
#include "tuner/search/space_landscape.h"

using namespace rooftune;

namespace {

struct Fixture : test::ToyProblem {
    SearchResult search(toy::Evaluator& evaluator, const SearchOptions& options) const {
        return rooftune::search(input(), evaluator, options, nullptr);
    }
};

SearchOptions by(const StrategyKind& kind, bool bounds) {
    SearchOptions options;
    options.strategy = &kind;
    options.bounds = bounds;
    options.seconds = 0.0;
    options.patience = 1000;
    options.epsilon = 0.0;
    options.audit = 10;
    return options;
}

std::uint64_t sum_of_shares(const CertificateReport& c) {
    return c.excluded + c.set_aside + c.measured + c.raced_out + c.failed + c.unmeasured;
}

// Makes the same proposal for ever.
class Stuck final : public Strategy {
public:
    std::size_t propose() override { return 0; }
    void observe(std::size_t, std::optional<double>) override {}
};

// Proposes what is no point.
class Outside final : public Strategy {
public:
    std::size_t propose() override { return std::size_t{1} << 60; }
    void observe(std::size_t, std::optional<double>) override {}
};

template <typename S>
StrategyKind kind_of(const char* name) {
    return {name, "a fault", [](const Landscape&, std::uint64_t) { return std::make_unique<S>(); }};
}

}  // namespace

TEST_CASE("every strategy ends at the best variant of a small space, with and without bounds") {
    const Fixture f;
    for (const StrategyKind& kind : strategy_kinds()) {
        for (const bool bounds : {true, false}) {
            INFO(kind.name << (bounds ? " with" : " without") << " bounds");
            toy::Evaluator evaluator = f.evaluator();
            const SearchResult r = f.search(evaluator, by(kind, bounds));
            REQUIRE(r.best);
            CHECK(f.space.to_text(*r.best) == f.space.to_text(f.truly_best()));
            CHECK(sum_of_shares(r.certificate) == 96);
            // With bounds, what is left at the end may all be too slow to matter.
            if (!bounds) {
                CHECK(r.certificate.stopped_by == "exhausted");
                CHECK(r.certificate.measured + r.certificate.raced_out == 96);
                CHECK(r.certificate.audit.measured == 0);
            } else {
                CHECK(r.certificate.excluded > 0);
                CHECK(evaluator.measured.size() < 90);
            }
        }
    }
}

TEST_CASE("with bounds, no strategy spends an evaluation on what is proven no faster") {
    const Fixture f;
    for (const StrategyKind& kind : strategy_kinds()) {
        INFO(kind.name);
        toy::Evaluator evaluator = f.evaluator();
        SearchOptions options = by(kind, true);
        options.audit = 0;
        const SearchResult r = f.search(evaluator, options);
        // The default is measured first and is the loosest incumbent there is.
        const Variant fallback =
            toy::variant(f.space, {{"format", "narrow"}, {"threads", "2"}, {"unroll", "1"}});
        const Variant naive = toy::variant(f.space, {{"format", "wide"}, {"threads", "2"}, {"unroll", "0"}});
        const double loosest = f.honest(fallback) * 1.011;
        for (const auto& [variant, count] : evaluator.measured) {
            if (variant == naive) continue;
            CHECK((1.0 - r.certificate.margin) * f.lower(variant) < loosest);
        }
    }
}

TEST_CASE("a strategy obeys the budget in evaluations and its trace repeats") {
    const Fixture f;
    for (const StrategyKind& kind : strategy_kinds()) {
        INFO(kind.name);
        SearchOptions options = by(kind, false);
        options.evaluations = 20;
        std::vector<std::string> first;
        for (int turn = 0; turn < 2; ++turn) {
            toy::Evaluator evaluator = f.evaluator();
            const SearchResult r = f.search(evaluator, options);
            CHECK(evaluator.measured.size() <= 20);
            CHECK(evaluator.measured.size() >= 10);
            CHECK(r.certificate.stopped_by == "budget");
            if (turn == 0) first = r.trace;
            if (turn == 1) CHECK(first == r.trace);
        }
    }
}

TEST_CASE(
    "a strategy that repeats itself, or proposes what is no point, still ends with a true certificate") {
    const Fixture f;
    for (const StrategyKind& kind : {kind_of<Stuck>("stuck"), kind_of<Outside>("outside")}) {
        INFO(kind.name);
        toy::Evaluator evaluator = f.evaluator();
        const SearchResult r = f.search(evaluator, by(kind, false));
        REQUIRE(r.best);
        CHECK(f.space.to_text(*r.best) == f.space.to_text(f.truly_best()));
        CHECK(sum_of_shares(r.certificate) == 96);
        CHECK(r.certificate.measured + r.certificate.raced_out == 96);
        for (const auto& [variant, count] : evaluator.measured) CHECK(f.space.valid(variant));
    }
}

TEST_CASE("a landscape of a space holds each variant once") {
    const Space space = toy::space();
    const SpaceLandscape landscape(space);
    REQUIRE(landscape.size() == 96);
    std::set<std::vector<int>> seen;
    for (std::size_t i = 0; i < landscape.size(); ++i) {
        const std::vector<int> at = landscape.at(i);
        CHECK(seen.insert(at).second);
        REQUIRE(landscape.find(at) == i);
        CHECK(space.valid(landscape.variant(i)));
        CHECK(landscape.point(landscape.variant(i)) == i);
        for (const std::size_t n : landscape.neighbours(i)) {
            REQUIRE(n < landscape.size());
            CHECK(n != i);
        }
    }
    // Absent is −1: pad exists only for padded.
    CHECK(landscape.at(*landscape.point(
              toy::variant(space, {{"format", "narrow"}, {"threads", "1"}, {"unroll", "0"}}))) ==
          std::vector<int>{1, -1, 0, 0});
    CHECK_FALSE(landscape.find({0, 1, 0, 0}));   // wide has no pad
    CHECK_FALSE(landscape.find({0, -1, 0, 9}));  // and no unroll above 7
    CHECK_FALSE(landscape.find({0, -1, 0, 10}));
    CHECK_FALSE(landscape.find({0, -1}));
}
