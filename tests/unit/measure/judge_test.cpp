#include <cmath>
#include <limits>

#include "tests/support/catch.h"
#include "tuner/measure/judge.h"

using namespace rooftune;

namespace {

const Oracle kOracle{{1.0, -2.0, 0.0, 1e-300}, {1e-12, 1e-12, 0.0, 1e-310}};

}  // namespace

TEST_CASE("the judge passes the right answer and one within rounding") {
    CHECK(judge(std::vector<double>{1.0, -2.0, 0.0, 1e-300}, kOracle).right);
    const Correctness near = judge(std::vector<double>{1.0 + 5e-13, -2.0, 0.0, 1e-300}, kOracle);
    CHECK(near.right);
    CHECK(near.error == Approx(0.5).epsilon(0.01));
}

TEST_CASE("the judge refuses planted wrong answers") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double infinity = std::numeric_limits<double>::infinity();
    const std::vector<std::vector<double>> wrong = {
        {2.0, -4.0, 0.0, 2e-300},          // exactly twice
        {-1.0, 2.0, 0.0, -1e-300},         // negated
        {0.0, 0.0, 0.0, 0.0},              // never computed
        {nan, -2.0, 0.0, 1e-300},          // poison left behind
        {1.0, infinity, 0.0, 1e-300},      // overflow
        {1.0, -2.0, 1e-30, 1e-300},        // an empty row that is not zero
        {1.0 + 3e-12, -2.0, 0.0, 1e-300},  // just beyond rounding
        {-2.0, 1.0, 0.0, 1e-300},          // permuted
    };
    for (const auto& answer : wrong) {
        const Correctness v = judge(answer, kOracle);
        CHECK_FALSE(v.right);
        CHECK(v.error > 1.0);
        CHECK_FALSE(v.detail.empty());
    }
    CHECK_FALSE(judge(std::vector<double>{1.0, -2.0, 0.0}, kOracle).right);
    CHECK_FALSE(judge(std::vector<double>{}, kOracle).right);
}

TEST_CASE("the judge names the worst element") {
    const Correctness v = judge(std::vector<double>{1.1, -3.0, 0.0, 1e-300}, kOracle);
    CHECK(v.detail.find("element 1") != std::string::npos);
}

TEST_CASE("no elements are right") {
    CHECK(judge({}, Oracle{}).right);
}
