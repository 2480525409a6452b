// Planted right and wrong answers for the comparison that stencils are judged by.
#include "kernels/stencil/furthest.h"

#include <limits>
#include <vector>
#include "tests/support/catch.h"

using namespace rooftune;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kTolerance = 1e-6;

Worst furthest_of(const std::vector<double>& answer, const std::vector<double>& expected) {
    stencil::Furthest furthest(kTolerance);
    for (std::size_t i = 0; i < answer.size(); ++i) furthest.look(answer[i], expected[i], i);
    return furthest.worst();
}

std::vector<double> some_numbers() {
    std::vector<double> numbers;
    for (int i = 0; i < 16; ++i) numbers.push_back(0.25 * i - 2.0);
    return numbers;
}

/// An answer within rounding everywhere, a little further at each element or a little nearer.
std::vector<double> nearly(const std::vector<double>& expected, bool growing) {
    std::vector<double> answer = expected;
    for (std::size_t i = 0; i < answer.size(); ++i) {
        const double part = static_cast<double>(i + 1) / static_cast<double>(answer.size() + 1);
        answer[i] += kTolerance * (growing ? part : 1.0 - part) * (i % 2 == 0 ? 1.0 : -1.0);
    }
    return answer;
}

}  // namespace

TEST_CASE("stencil: the furthest element of an answer within rounding") {
    const std::vector<double> expected = some_numbers();
    CHECK(furthest_of(expected, expected).error == 0.0);
    const Worst last = furthest_of(nearly(expected, true), expected);
    CHECK(last.element == 15);
    CHECK(last.error == Approx(16.0 / 17.0).epsilon(1e-6));
    CHECK(furthest_of(nearly(expected, false), expected).element == 0);
    CHECK(furthest_of({}, {}).error == 0.0);
}

TEST_CASE("stencil: one wrong element is found wherever it stands, and never forgotten") {
    const std::vector<double> expected = some_numbers();
    const bool growing = GENERATE(true, false);
    for (std::size_t i = 0; i < 6 * expected.size(); ++i) {
        const double wrong = std::vector{kNan, -kNan, kInfinity, -kInfinity, 1e300, 100.0}[i % 6];
        const std::size_t at = i / 6;
        CAPTURE(growing, wrong, at);
        std::vector<double> answer = nearly(expected, growing);
        answer[at] = wrong;
        const Worst worst = furthest_of(answer, expected);
        CHECK(worst.element == at);
        CHECK(worst.error > 1.0);
        CHECK((wrong == 1e300 || wrong == 100.0 || worst.error == kInfinity));
        // A second one, also of the other kind.
        for (std::size_t other = 0; other < expected.size(); ++other) {
            answer[other] = kNan;
            CHECK(furthest_of(answer, expected).error == kInfinity);
            answer[other] = other == at ? wrong : nearly(expected, growing)[other];
        }
    }
}
