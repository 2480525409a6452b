// The search for the first bad commit, over oracles that know the answer.
#include "tuner/track/bisection.h"

#include <cmath>
#include <functional>
#include <random>
#include <stdexcept>

#include "tests/support/catch.h"
#include "tuner/track/bisect_report.h"

using namespace rooftune::track;

namespace {

struct Search {
    std::vector<int> candidates;
    int questions = 0;
    bool found = false;
};

Search search(int n, const std::function<Answer(int)>& oracle) {
    Bisection bisection(n);
    Search s;
    while (const auto next = bisection.next()) {
        REQUIRE(++s.questions <= n);
        bisection.tell(*next, oracle(*next));
    }
    s.candidates = bisection.candidates();
    s.found = bisection.found();
    return s;
}

Answer truth(int commit, int culprit) {
    return commit >= culprit ? Answer::bad : Answer::good;
}

}  // namespace

TEST_CASE("every culprit among 1, 2, 3 and 100 commits is found, in as few questions as it takes") {
    for (const int n : {1, 2, 3, 100}) {
        for (int culprit = 0; culprit < n; ++culprit) {
            INFO(culprit << " of " << n);
            const Search s = search(n, [&](int commit) { return truth(commit, culprit); });
            CHECK(s.found);
            CHECK(s.candidates == std::vector{culprit});
            CHECK(s.questions <= static_cast<int>(std::ceil(std::log2(n))));
        }
    }
}

TEST_CASE("with skips, the range is the smallest that the answers allow") {
    constexpr int kCommits = 40;
    for (unsigned seed = 0; seed < 300; ++seed) {
        std::mt19937 random(seed);
        std::vector<bool> broken(kCommits);
        for (int i = 0; i + 1 < kCommits; ++i) broken[static_cast<std::size_t>(i)] = random() % 3 != 0;
        const int culprit = static_cast<int>(random() % kCommits);
        const Search s = search(kCommits, [&](int commit) {
            return broken[static_cast<std::size_t>(commit)] ? Answer::skip : truth(commit, culprit);
        });
        // From behind the last good one that can be told, to the first bad one that can.
        int from = culprit;
        while (from > 0 && broken[static_cast<std::size_t>(from - 1)]) --from;
        int to = culprit;
        while (broken[static_cast<std::size_t>(to)]) ++to;
        INFO("seed " << seed << ", culprit " << culprit);
        REQUIRE_FALSE(s.candidates.empty());
        CHECK(s.candidates.front() == from);
        CHECK(s.candidates.back() == to);
        CHECK(s.found == (from == to));
    }
}

TEST_CASE("where all are skipped the whole row remains, and each is asked about once") {
    for (const int n : {1, 2, 7, 100}) {
        std::vector<int> asked(static_cast<std::size_t>(n), 0);
        const Search s = search(n, [&](int commit) {
            ++asked[static_cast<std::size_t>(commit)];
            return Answer::skip;
        });
        CHECK(s.candidates.size() == static_cast<std::size_t>(n));
        CHECK(s.questions == n - 1);
        for (int i = 0; i + 1 < n; ++i) CHECK(asked[static_cast<std::size_t>(i)] == 1);
    }
}

TEST_CASE("a row of commits that cannot be built is jumped over, not walked through") {
    // 30 broken ones around the middle of 100, the culprit far from them.
    for (const int culprit : {5, 20, 80, 95}) {
        const Search s = search(100, [&](int commit) {
            return commit >= 35 && commit < 65 ? Answer::skip : truth(commit, culprit);
        });
        INFO(culprit);
        CHECK(s.found);
        CHECK(s.candidates == std::vector{culprit});
        CHECK(s.questions <= 12);
    }
}

TEST_CASE("an oracle that errs is believed: the answer is still one of the commits, in bounded time") {
    for (unsigned seed = 0; seed < 200; ++seed) {
        std::mt19937 random(seed);
        const Search s = search(100, [&](int commit) {
            const Answer right = truth(commit, 42);
            if (random() % 5 == 0) return right == Answer::bad ? Answer::good : Answer::bad;
            return random() % 10 == 0 ? Answer::skip : right;
        });
        REQUIRE_FALSE(s.candidates.empty());
        CHECK(s.candidates.front() >= 0);
        CHECK(s.candidates.back() < 100);
    }
}

TEST_CASE("what is left, and how many steps") {
    Bisection bisection(8);
    CHECK(bisection.left() == 8);
    CHECK(bisection.steps_left() == 3);
    CHECK(Bisection(1).steps_left() == 0);
    CHECK(Bisection(1).found());
    CHECK_FALSE(Bisection(1).next());
    CHECK(Bisection(100).steps_left() == 7);
    const int asked = bisection.next().value();
    bisection.tell(asked, Answer::bad);
    CHECK(bisection.left() == asked + 1);
    CHECK(bisection.bad() == asked);
    CHECK(bisection.good() == -1);
}

TEST_CASE("a search over nothing, and answers to what was not asked, are refused") {
    CHECK_THROWS_AS(Bisection(0), std::invalid_argument);
    CHECK_THROWS_AS(Bisection(-3), std::invalid_argument);
    Bisection bisection(10);
    CHECK_THROWS_AS(bisection.tell(9, Answer::good), std::invalid_argument);
    CHECK_THROWS_AS(bisection.tell(-1, Answer::good), std::invalid_argument);
    bisection.tell(4, Answer::good);
    CHECK_THROWS_AS(bisection.tell(4, Answer::good), std::invalid_argument);
}

TEST_CASE("what a verdict means for a search") {
    CHECK(answer_of(Verdict::regressed) == Answer::bad);
    CHECK(answer_of(Verdict::unchanged) == Answer::good);
    CHECK(answer_of(Verdict::improved) == Answer::good);
    CHECK(answer_of(Verdict::inconclusive) == Answer::skip);
    CHECK(answer_of(Verdict::invalid) == Answer::skip);
}
