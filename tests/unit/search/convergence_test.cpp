// The convergence of a search: where it stood after so many evaluations.
#include "tests/unit/search/toy_problem.h"

using namespace rooftune;
using namespace rooftune::test;

namespace {

constexpr double kJitter = 0.01;  // more than the toy's slots differ by

/// Counts that never fall, shares within the space, times above zero.
void check_convergence(const SearchResult& r) {
    REQUIRE_FALSE(r.convergence.empty());
    int last = 0;
    for (const ConvergencePoint& p : r.convergence) {
        CHECK(p.evaluations >= last);
        last = p.evaluations;
        CHECK(p.best_seconds > 0.0);
        CHECK(p.excluded >= 0.0);
        CHECK(p.excluded <= 1.0);
    }
    CHECK(r.convergence.back().best_seconds == r.seconds.median);
}

}  // namespace

TEST_CASE("the convergence begins with the references and ends at the winner") {
    const ToyProblem f;
    auto evaluator = f.evaluator();
    const SearchResult r = search(f.input(), evaluator, unlimited(), nullptr);
    check_convergence(r);
    CHECK(r.convergence.front().evaluations == 1);
    CHECK(r.convergence.front().best_seconds == Approx(f.honest(f.input().fallback)).epsilon(kJitter));
    for (std::size_t i = 1; i < r.convergence.size(); ++i) {
        // The finals may find the same variant a little slower, as the toy's slots do.
        CHECK(r.convergence[i].best_seconds <= (1.0 + kJitter) * r.convergence[i - 1].best_seconds);
        CHECK(r.convergence[i].evaluations > r.convergence[i - 1].evaluations);
    }
    // The toy's space is cut once the best is known, and what is evaluated is not counted as excluded.
    const double excluded =
        static_cast<double>(r.certificate.excluded) / static_cast<double>(r.certificate.space);
    CHECK(r.convergence.back().excluded == Approx(excluded));
    CHECK(r.convergence.back().excluded > 0.0);
}

TEST_CASE("what a tune tells while it runs counts variants as the certificate does") {
    struct Last : TuneObserver {
        TuneProgress told;
        void progress(const TuneProgress& p) override {
            told = p;
            // Each variant is of one class alone.
            CHECK(p.excluded + p.measured + p.raced_out + p.failed <= p.space);
        }
    };
    const ToyProblem f;
    auto evaluator = f.evaluator();
    Last last;
    const SearchResult r = search(f.input(), evaluator, unlimited(), &last);
    CHECK(last.told.measured == r.certificate.measured);
    CHECK(last.told.raced_out == r.certificate.raced_out);
    CHECK(last.told.failed == r.certificate.failed);
    CHECK(last.told.excluded == r.certificate.excluded);
    CHECK(last.told.space == r.certificate.space);
    // Finals measure again what the search had measured.
    CHECK(last.told.evaluated > last.told.measured + last.told.raced_out + last.told.failed);
}

TEST_CASE("without bounds nothing is excluded, and the convergence says so") {
    const ToyProblem f;
    auto evaluator = f.evaluator();
    SearchOptions options = unlimited();
    options.bounds = false;
    const SearchResult r = search(f.input(), evaluator, options, nullptr);
    check_convergence(r);
    // At the end the tree is judged against the winner all the same.
    for (std::size_t i = 0; i + 1 < r.convergence.size(); ++i) CHECK(r.convergence[i].excluded == 0.0);
}

TEST_CASE("a search without a winner has no convergence") {
    const ToyProblem f;
    auto evaluator = f.evaluator();
    SearchOptions options = unlimited();
    options.bounds_only = true;
    CHECK(search(f.input(), evaluator, options, nullptr).convergence.empty());
}

TEST_CASE("what the audit tries is not part of the convergence") {
    const ToyProblem f;
    auto evaluator = f.evaluator();
    const SearchResult r = search(f.input(), evaluator, unlimited(), nullptr);
    REQUIRE(r.certificate.audit.measured > 0);
    // Only the end lies behind the audit: everything before came from references, search and finals.
    REQUIRE(r.convergence.size() >= 2);
    CHECK(r.convergence[r.convergence.size() - 2].evaluations <=
          r.convergence.back().evaluations - r.certificate.audit.measured);
}
