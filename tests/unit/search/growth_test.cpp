// Spaces that grow: the best lies beyond the first offer, or does not; the user chose; time ran out. Whatever
// happens, the certificate is about the space that was on offer in the end.
#include "tests/unit/search/planted_model.h"
#include "tests/unit/search/toy_problem.h"
#include "tuner/search/strategies/strategies.h"

using namespace rooftune;
using namespace rooftune::test;

namespace {

constexpr const char* kNoMore = "the toy has no more";
constexpr int kUnroll = 3;  ///< the parameter that grows

/// The toy's space with unroll 0…11, of which 8…11 are held back.
Space growing_space() {
    const Space plain = toy::space(12);
    Space s("toy", 1);
    for (int p = 0; p < plain.size(); ++p) {
        Parameter parameter = plain.parameters()[static_cast<std::size_t>(p)];
        if (p == kUnroll) parameter.ordered(kNoMore).growing(4);
        s.add(parameter);
    }
    for (const Constraint& c : plain.constraints()) s.add(c);
    return s;
}

/// Narrow on two threads with one unroll is best.
struct GrowingToy : ToyProblem {
    explicit GrowingToy(int best_) : best(best_) { space = growing_space(); }
    SearchInput input() const {
        SearchInput input = ToyProblem::input();
        input.offer = SpaceOffer::first(space);
        return input;
    }
    double time(const Variant& v) const {
        return lower(v) * (1.1 + 0.05 * std::abs(static_cast<double>(space.number(v, kUnroll, 0)) - best));
    }
    toy::Evaluator evaluator() const {
        return toy::Evaluator(space, [this](const Variant& v) { return time(v); });
    }
    int best;
};

/// Counts the certificate again in the space that was on offer in the end.
void check_offered(const GrowingToy& f, const SearchResult& r) {
    GrowingToy offered(f.best);
    offered.space = r.offer.of(f.space);
    check_certificate(offered, r);
    for (const Observation& o : r.observations) CHECK(r.offer.offers(f.space, o.variant));
}

int largest_measured(const toy::Evaluator& evaluator) {
    int largest = -1;
    for (const auto& [variant, times] : evaluator.measured)
        largest = std::max<int>(largest, variant[kUnroll]);
    return largest;
}

int growths(const SearchResult& r) {
    return static_cast<int>(std::count_if(r.trace.begin(), r.trace.end(), [](const std::string& line) {
        return line.starts_with("notice the best has unroll=");
    }));
}

}  // namespace

TEST_CASE(
    "growth: the best two values beyond the first offer is found, and the counts are of the grown space") {
    const GrowingToy f(9);
    toy::Evaluator evaluator = f.evaluator();
    SearchOptions options = unlimited();
    SECTION("with patience for all") {}
    SECTION("with the patience of a newcomer") {
        options.patience = 0;
    }
    SECTION("with patience for five, which the new values do not wait for") {
        options.patience = 5;
    }
    const SearchResult r = search(f.input(), evaluator, options, nullptr);
    REQUIRE(r.best);
    CHECK(f.space.to_text(*r.best) == f.space.to_text(f.narrow(9)));
    // The best of all was the greatest on offer for a moment, and so one more was tried.
    REQUIRE(r.grown.size() == 1);
    CHECK(r.grown[0].parameter == "unroll");
    CHECK(r.grown[0].from == "7");
    CHECK(r.grown[0].to == "10");
    CHECK(growths(r) == 3);
    CHECK(r.edges.empty());
    CHECK(r.certificate.space == 16 + 4 * 2 * 11);
    CHECK(largest_measured(evaluator) == 10);
    for (const int unroll : {8, 9, 10}) CHECK(evaluator.measured.contains(f.narrow(unroll)));
    check_offered(f, r);
}

TEST_CASE("growth: where the best has the last value of all, that is said with its reason") {
    const GrowingToy f(30);
    toy::Evaluator evaluator = f.evaluator();
    const SearchResult r = search(f.input(), evaluator, unlimited(), nullptr);
    REQUIRE(r.best);
    CHECK(f.space.to_text(*r.best) == f.space.to_text(f.narrow(11)));
    REQUIRE(r.grown.size() == 1);
    CHECK(r.grown[0].to == "11");
    REQUIRE(r.edges.size() == 1);
    CHECK(r.edges[0].parameter == "unroll");
    CHECK(r.edges[0].value == "11");
    CHECK(r.edges[0].reason == kNoMore);
    CHECK(r.offer.everything());
    check_offered(f, r);
}

TEST_CASE("growth: a best inside the first offer leaves the space as it was") {
    const GrowingToy f(4);
    toy::Evaluator evaluator = f.evaluator();
    const SearchResult r = search(f.input(), evaluator, unlimited(), nullptr);
    REQUIRE(r.best);
    CHECK(f.space.to_text(*r.best) == f.space.to_text(f.narrow(4)));
    CHECK(r.grown.empty());
    CHECK(r.edges.empty());
    CHECK(growths(r) == 0);
    CHECK(r.offer == SpaceOffer::first(f.space));
    CHECK(r.certificate.space == 16 + 4 * 2 * 8);
    CHECK(largest_measured(evaluator) == 7);
    check_offered(f, r);
}

TEST_CASE("growth: an edge that gains nothing over the value before is none") {
    const GrowingToy f(30);
    // From six on all are alike, but for a hair that makes the greatest on offer the best.
    const auto time = [&](const Variant& v) {
        const double unroll = std::min(6.0, static_cast<double>(f.space.number(v, kUnroll, 0)));
        return f.lower(v) * (1.4 - 0.05 * unroll) * (f.space.number(v, kUnroll, 0) == 7 ? 0.995 : 1.0);
    };
    toy::Evaluator evaluator(f.space, time);
    evaluator.noise = 0.0;
    const SearchResult r = search(f.input(), evaluator, unlimited(), nullptr);
    REQUIRE(r.best);
    CHECK(f.space.to_text(*r.best) == f.space.to_text(f.narrow(7)));
    CHECK(r.grown.empty());
    CHECK(evaluator.measured.contains(f.narrow(6)));
    REQUIRE(r.edges.size() == 1);
    CHECK(r.edges[0].value == "7");
    CHECK(r.edges[0].reason == "6 is about as fast");
    check_offered(f, r);
}

TEST_CASE("growth: a neighbour that the store knows from a slower day does not make an edge pay") {
    const GrowingToy f(30);
    const bool pairs = GENERATE(false, true);
    // From six on all are alike, but for a hair.
    const auto time = [&](const Variant& v) {
        const double unroll = std::min(6.0, static_cast<double>(f.space.number(v, kUnroll, 0)));
        return f.lower(v) * (1.4 - 0.05 * unroll) * (f.space.number(v, kUnroll, 0) == 7 ? 0.995 : 1.0);
    };
    SearchInput input = f.input();
    Record of_another_day;
    of_another_day.outcome = Outcome::measured;
    of_another_day.role = "search";
    of_another_day.slots.assign(8, {1.1 * time(f.narrow(6)), 10, false});
    input.known[f.narrow(6)] = of_another_day;
    input.known[f.narrow(5)] = of_another_day;
    input.known[f.narrow(5)].slots.assign(8, {time(f.narrow(6)), 10, false});  // the best of that day
    toy::Evaluator evaluator(f.space, time);
    evaluator.noise = 0.0;
    evaluator.pairs = pairs;
    const SearchResult r = search(input, evaluator, unlimited(), nullptr);
    REQUIRE(r.best);
    CHECK(f.space.to_text(*r.best) == f.space.to_text(f.narrow(7)));
    CHECK(r.grown.empty());
    CHECK(std::find(evaluator.order.begin(), evaluator.order.end(), "edge " + f.space.to_text(f.narrow(6))) !=
          evaluator.order.end());
    check_offered(f, r);
}

TEST_CASE("growth: the least value is no edge") {
    const GrowingToy f(0);
    toy::Evaluator evaluator = f.evaluator();
    const SearchResult r = search(f.input(), evaluator, unlimited(), nullptr);
    REQUIRE(r.best);
    CHECK(f.space.to_text(*r.best) == f.space.to_text(f.narrow(0)));
    CHECK(r.edges.empty());
}

TEST_CASE("growth: a parameter that the user named is on offer as it stands") {
    GrowingToy f(9);
    SECTION("whole") {}
    SECTION("cut to values on both sides of the first offer") {
        f.space.add(Constraint{
            "--only unroll=0|1|6|9",
            kUnroll,
            [](const PartialVariant& v) { return v[kUnroll] <= 1 || v[kUnroll] == 6 || v[kUnroll] == 9; },
            {kUnroll}});
    }
    SearchInput input = f.input();
    input.offer = SpaceOffer::first(f.space, {kUnroll});
    toy::Evaluator evaluator = f.evaluator();
    const SearchResult r = search(input, evaluator, unlimited(), nullptr);
    REQUIRE(r.best);
    CHECK(f.space.to_text(*r.best) == f.space.to_text(f.narrow(9)));
    CHECK(r.grown.empty());
    CHECK(r.edges.empty());
    CHECK(r.certificate.space == f.space.count({}));
    check_offered(f, r);
}

TEST_CASE(
    "growth: neither a strategy nor an exhaustive search goes beyond the first offer, and that is said") {
    const GrowingToy f(9);
    SearchOptions options = unlimited();
    SECTION("exhaustive") {
        options.exhaustive = true;
    }
    SECTION("random") {
        options.strategy = find_strategy("random");
    }
    REQUIRE((options.exhaustive || options.strategy));
    toy::Evaluator evaluator = f.evaluator();
    const SearchResult r = search(f.input(), evaluator, options, nullptr);
    REQUIRE(r.best);
    CHECK(f.space.to_text(*r.best) == f.space.to_text(f.narrow(7)));
    CHECK(largest_measured(evaluator) == 7);
    CHECK(r.grown.empty());
    REQUIRE(r.edges.size() == 1);
    CHECK(r.edges[0].value == "7");
    CHECK(r.edges[0].reason == "only the search by bounds goes beyond the first offer");
    CHECK(r.certificate.space == 16 + 4 * 2 * 8);
    check_offered(f, r);
}

TEST_CASE("growth: a budget that ends before more was tried is the reason that is told") {
    const GrowingToy f(9);
    SearchInput input = f.input();
    input.fallback = f.narrow(7);
    SearchOptions options = unlimited();
    options.evaluations = 4;  // half for the finals, and the references take the rest
    toy::Evaluator evaluator = f.evaluator();
    const SearchResult r = search(input, evaluator, options, nullptr);
    REQUIRE(r.best);
    CHECK(f.space.to_text(*r.best) == f.space.to_text(f.narrow(7)));
    CHECK(r.grown.empty());
    REQUIRE(r.edges.size() == 1);
    CHECK(r.edges[0].reason == "the search ended before more was tried");
    check_offered(f, r);
}

TEST_CASE("growth: a value that does not go with the best's others is not offered for it") {
    const GrowingToy f(4);
    // Wide is best, and wide ends at 7 by a rule.
    toy::Evaluator evaluator(f.space, [&](const Variant& v) {
        const double steps = 12.0 - static_cast<double>(f.space.number(v, kUnroll, 0));
        return v[0] == 0 ? 0.62e-3 * (1.0 + 0.01 * steps) * (v[2] == 1 ? 1.0 : 2.0) : 3e-3 - 1e-4 * v[2];
    });
    const SearchResult r = search(f.input(), evaluator, unlimited(), nullptr);
    REQUIRE(r.best);
    CHECK(f.space.to_text(*r.best) == "format=wide,threads=2,unroll=7");
    CHECK(r.grown.empty());
    REQUIRE(r.edges.size() == 1);
    CHECK(r.edges[0].reason == "none beyond goes with its other values");
    check_offered(f, r);
}

TEST_CASE("growth: a value that is excluded by proof is offered, counted and not measured") {
    const GrowingToy f(9);
    const PlantedModel model(
        f.space, [](const PartialVariant& v) { return v.fixed(kUnroll) && v[kUnroll] > 7 ? 80e6 : 8e6; },
        [](const Variant&) { return 8e6; });
    SearchInput input = f.input();
    input.model = &model;
    toy::Evaluator evaluator(f.space, [&](const Variant& v) {
        return 0.5e-3 * (v[2] == 1 ? 1.0 : 2.0) * (2.0 - 0.05 * v[kUnroll]) + (v[kUnroll] > 7 ? 8e-3 : 0.0);
    });
    SearchOptions options = unlimited();
    options.audit = 0;  // it would measure them after all
    const SearchResult r = search(input, evaluator, options, nullptr);
    REQUIRE(r.best);
    CHECK((*r.best)[kUnroll] == 7);
    CHECK(largest_measured(evaluator) == 7);
    REQUIRE(r.grown.size() == 1);
    CHECK(r.grown[0].to == "8");
    CHECK(std::none_of(r.trace.begin(), r.trace.end(),
                       [](const std::string& line) { return line.starts_with("growth "); }));
    CHECK(r.certificate.space == 16 + 4 * 2 * 9);
    CHECK(sum(r.certificate) == r.certificate.space);
    CHECK(r.certificate.excluded >= 4 * 2);
    CHECK(r.edges.empty());
    CHECK(r.certificate.violations == 0);
}

TEST_CASE("growth: what earlier runs measured beyond the first offer is not lost") {
    const GrowingToy f(9);
    toy::Evaluator first = f.evaluator();
    const SearchResult earlier = search(f.input(), first, unlimited(), nullptr);
    SearchInput input = f.input();
    for (const Observation& o : earlier.observations) input.known[o.variant] = o.record;
    toy::Evaluator evaluator = f.evaluator();
    const SearchResult r = search(input, evaluator, unlimited(), nullptr);
    REQUIRE(r.best);
    CHECK(f.space.to_text(*r.best) == f.space.to_text(f.narrow(9)));
    CHECK(r.offer == earlier.offer);
    REQUIRE(r.grown.size() == 1);
    CHECK(r.grown[0].from == "7");
    CHECK(r.grown[0].to == "10");
    CHECK(growths(r) == 0);  // it began with it
    CHECK(r.certificate.space == earlier.certificate.space);
    check_offered(f, r);
    SECTION("and a strategy begins there too") {
        SearchOptions options = unlimited();
        options.strategy = find_strategy("random");
        toy::Evaluator again = f.evaluator();
        const SearchResult s = search(input, again, options, nullptr);
        REQUIRE(s.best);
        CHECK(f.space.to_text(*s.best) == f.space.to_text(f.narrow(9)));
        check_offered(f, s);
    }
}

TEST_CASE("growth: a neighbour's winner beyond the first offer is measured") {
    const GrowingToy f(9);
    SearchInput input = f.input();
    input.starts = {f.narrow(9)};
    toy::Evaluator evaluator = f.evaluator();
    const SearchResult r = search(input, evaluator, unlimited(), nullptr);
    REQUIRE(r.best);
    CHECK(f.space.to_text(*r.best) == f.space.to_text(f.narrow(9)));
    CHECK(r.grown[0].to == "10");
    check_offered(f, r);
}

TEST_CASE("growth: interrupted while the new value is raced, the counts are still true") {
    const GrowingToy f(9);
    toy::Evaluator evaluator = f.evaluator();
    evaluator.interrupt_in = "growth";
    const SearchResult r = search(f.input(), evaluator, unlimited(), nullptr);
    CHECK(r.certificate.stopped_by == "interrupted");
    REQUIRE(r.best);
    CHECK(sum(r.certificate) == r.certificate.space);
    CHECK(r.certificate.space == 16 + 4 * 2 * 9);
    check_offered(f, r);
}

TEST_CASE("growth: the same seed grows the same way") {
    const GrowingToy f(9);
    std::vector<std::string> traces[2];
    for (auto& trace : traces) {
        toy::Evaluator evaluator = f.evaluator();
        trace = search(f.input(), evaluator, unlimited(), nullptr).trace;
    }
    CHECK(traces[0] == traces[1]);
}
