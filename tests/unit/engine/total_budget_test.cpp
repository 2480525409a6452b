#include "tuner/engine/total_budget.h"

#include "tests/support/catch.h"

using namespace rooftune;

namespace {

TuneResult spent(double seconds, std::uint64_t measured, std::uint64_t raced_out, int resumed) {
    TuneResult r;
    r.elapsed_seconds = seconds;
    r.certificate.measured = measured;
    r.certificate.raced_out = raced_out;
    r.resumed = resumed;
    return r;
}

Job with(double seconds, int evaluations) {
    Job job;
    job.budget = {seconds, evaluations, false};
    job.budget_given = true;
    return job;
}

}  // namespace

TEST_CASE("without a total budget every problem has its own") {
    TotalBudget none(std::nullopt, 3);
    none.spend(spent(1e9, 1000, 0, 0));
    CHECK_FALSE(none.used_up());
    CHECK(none.share(Job{}).seconds == 60.0);
    CHECK(none.share(with(5.0, 7)).evaluations == 7);
}

TEST_CASE("loading and probing are of the budget, up to six tenths of it") {
    TuneResult r = spent(20.0, 1, 0, 0);
    r.setup_seconds = 10.0;
    CHECK(spent_of_budget(r) == 30.0);
    r.budget_seconds = 60.0;
    CHECK(spent_of_budget(r) == 30.0);
    r.setup_seconds = 100.0;
    CHECK(spent_of_budget(r) == 56.0);
    // What a set has as a whole was waited for as a whole.
    TotalBudget total(Budget{200.0, 0, false}, 2);
    total.spend(r);
    total.reserve({0.0, 0, false});
    CHECK(total.share(Job{}).seconds == Approx(80.0));
    TuneResult second = r;
    second.setup_seconds = 130.0;
    total.spend(second, &r);
    CHECK(total.share(Job{}).seconds == Approx(50.0));
}

TEST_CASE("a total budget is shared by those that are left; what one does not use the others have") {
    TotalBudget total(Budget{100.0, 0, false}, 4);
    CHECK(total.share(Job{}).seconds == Approx(25.0));
    CHECK(total.share(Job{}).evaluations == 0);
    total.spend(spent(10.0, 5, 5, 0));
    total.reserve({0.0, 0, false});
    CHECK(total.share(Job{}).seconds == Approx(30.0));
    CHECK(total.share(with(8.0, 50)).seconds == Approx(8.0));
    CHECK(total.share(with(8.0, 50)).evaluations == 50);
    CHECK(total.share(with(0.0, 50)).seconds == Approx(30.0));
    total.spend(90.0);
    CHECK(total.used_up());
    CHECK(total.share(Job{}).seconds > 0.0);
}

TEST_CASE("evaluations of earlier runs are not spent again") {
    TotalBudget total(Budget{0.0, 100, false}, 2);
    CHECK(total.share(Job{}).evaluations == 50);
    total.spend(spent(1.0, 30, 10, 20));
    total.reserve({0.0, 0, false});
    CHECK(total.share(Job{}).evaluations == 80);
    CHECK(total.share(Job{}).seconds == 0.0);
    total.spend(spent(1.0, 70, 10, 0));
    CHECK(total.used_up());
    CHECK(total.share(Job{}).evaluations == 1);
}

TEST_CASE("of a tune that went on only its second part is spent") {
    TotalBudget total(Budget{100.0, 200, false}, 2);
    const TuneResult first = spent(10.0, 30, 10, 20);
    total.spend(first);
    // Both parts together, which had measured 20 before.
    total.spend(spent(25.0, 50, 15, 20), &first);
    total.reserve({0.0, 0, false});
    CHECK(total.share(Job{}).seconds == Approx(75.0));
    CHECK(total.share(Job{}).evaluations == 155);  // 20 and then 25 of 200
}

TEST_CASE("a total budget of nothing measures nothing") {
    TotalBudget total(Budget{0.0, 0, true}, 2);
    CHECK(total.share(Job{}).bounds_only);
    CHECK_FALSE(total.used_up());
}
