// The judge of strategies with planted faults: each must be found, and a strategy without faults has none.
#include <algorithm>
#include <optional>
#include <random>
#include <stdexcept>
#include <unordered_set>

#include "tests/support/catch.h"
#include "tests/support/strategy_judge.h"
#include "tuner/search/strategies/strategies.h"

using namespace rooftune;
using namespace rooftune::test;

namespace {

// Passes over what was seen, in order; each fault is a change to one of the two functions.
class Honest : public Strategy {
public:
    explicit Honest(const Landscape& landscape) : landscape_(landscape) {}
    std::size_t propose() override {
        std::size_t point = 0;
        while (point + 1 < landscape_.size() && seen_.contains(point)) ++point;
        return point;
    }
    void observe(std::size_t point, std::optional<double>) override { seen_.insert(point); }

protected:
    const Landscape& landscape_;
    std::unordered_set<std::size_t> seen_;
};

// A strategy by what it proposes after so many proposals.
class ByCount : public Honest {
public:
    ByCount(const Landscape& landscape, std::function<std::size_t(const Landscape&, int)> next)
        : Honest(landscape), next_(std::move(next)) {}
    std::size_t propose() override { return next_(landscape_, calls_++); }

private:
    std::function<std::size_t(const Landscape&, int)> next_;
    int calls_ = 0;
};

MakeStrategy by_count(std::function<std::size_t(const Landscape&, int)> next) {
    return [next](const Landscape& landscape, std::uint64_t) {
        return std::make_unique<ByCount>(landscape, next);
    };
}

// A strategy that thinks about each value that it is told.
class ByValue : public Honest {
public:
    using Think = std::function<std::size_t(const Landscape&, const std::vector<std::optional<double>>&)>;
    ByValue(const Landscape& landscape, Think think) : Honest(landscape), think_(std::move(think)) {}
    std::size_t propose() override {
        const std::size_t point = think_(landscape_, values_);
        return seen_.contains(point) ? Honest::propose() : point;
    }
    void observe(std::size_t point, std::optional<double> value) override {
        Honest::observe(point, value);
        values_.push_back(value);
    }

private:
    Think think_;
    std::vector<std::optional<double>> values_;
};

MakeStrategy by_value(ByValue::Think think) {
    return [think](const Landscape& landscape, std::uint64_t) {
        return std::make_unique<ByValue>(landscape, think);
    };
}

std::size_t wrapped(int calls, const Landscape& landscape) {
    return static_cast<std::size_t>(calls) % landscape.size();
}

void check_found(const MakeStrategy& make, const std::string& landscape, const std::string& what) {
    const std::vector<std::string> faults = strategy_faults(make);
    std::string all;
    for (const std::string& f : faults) all += f + "\n";
    INFO("expected: " << landscape << ": … " << what << "; found:\n" << all);
    CHECK(std::any_of(faults.begin(), faults.end(), [&](const std::string& f) {
        return f.rfind(landscape + ": ", 0) == 0 && f.find(what) != std::string::npos;
    }));
}

}  // namespace

TEST_CASE("the judge finds nothing wrong with what is right") {
    const MakeStrategy honest = [](const Landscape& l, std::uint64_t) { return std::make_unique<Honest>(l); };
    CHECK(strategy_faults(honest).empty());
    CHECK(replacement_faults(honest).empty());
}

TEST_CASE("the judge finds points outside, proposed or asked about") {
    check_found(by_count([](const Landscape& l, int) { return l.size(); }), "one point", "which is outside");
    check_found(by_count([](const Landscape& l, int i) {
                    return wrapped(i + static_cast<int>(l.neighbours(wrapped(i, l) + 1).size()), l);
                }),
                "a bowl", "asks about point 40, which is outside");
    check_found(
        by_count([](const Landscape& l, int i) { return l.at(static_cast<std::size_t>(i)).size() - 1; }),
        "one point", "asks about point 1");
    // Ordinals are not coordinates in another base: in a landscape with holes this one leaves it.
    check_found(by_count([](const Landscape& l, int i) {
                    std::size_t all = 1;
                    for (const int count : l.values()) all *= static_cast<std::size_t>(count);
                    return static_cast<std::size_t>(i) % all;
                }),
                "holes", "which is outside");
}

TEST_CASE("the judge finds repetition, and points that are left out") {
    check_found(by_count([](const Landscape&, int) { return std::size_t{0}; }), "a bowl",
                "repeats itself: 101 proposals in a row");
    check_found(by_count([](const Landscape& l, int i) { return wrapped(i % 2, l); }), "a bowl",
                "while 38 points are not");
    check_found(by_count([](const Landscape& l, int i) { return wrapped(2 * i, l); }), "a bowl",
                "while 20 points are not");
    check_found(by_count([](const Landscape& l, int i) {
                    return l.size() > 1 ? static_cast<std::size_t>(i) % (l.size() - 1) : 0;
                }),
                "one parameter", "while 1 points are not");
}

TEST_CASE("the judge finds another trace for the same seed") {
    static int runs = 0;
    check_found(
        [](const Landscape& l, std::uint64_t) {
            const int run = ++runs;
            return std::make_unique<ByCount>(
                l, [run](const Landscape& inside, int i) { return wrapped(run + i, inside); });
        },
        "a bowl", "not deterministic");
}

TEST_CASE("the judge finds what hangs on the unit of time") {
    check_found(by_value([](const Landscape& l, const auto& values) {
                    const bool slow = !values.empty() && values.back() && *values.back() > 100.0;
                    return slow ? l.size() - 1 : 0;
                }),
                "a bowl", "depends on the unit");
}

TEST_CASE("the judge finds what dies of failures, equal values, missing points and missing neighbours") {
    const auto dies_of_failure = by_value([](const Landscape&, const auto& values) -> std::size_t {
        return !values.empty() && values.back().value() < 0.0 ? 1 : 0;
    });
    check_found(dies_of_failure, "everything fails", "throws");
    check_found(dies_of_failure, "a third that fails", "throws");
    check_found(by_value([](const Landscape&, const auto& values) -> std::size_t {
                    if (values.size() < 2 || !values[0] || !values[1]) return 0;
                    if (*values[0] == *values[1]) throw std::domain_error("no slope");
                    return 0;
                }),
                "everything is equal", "no slope");
    check_found(by_count([](const Landscape& l, int i) {
                    std::vector<int> next = l.at(wrapped(i, l));
                    if (!next.empty()) next[0] = (next[0] + 1) % l.values()[0];
                    return l.find(next).value();
                }),
                "holes", "throws");
    const auto steps_blindly =
        by_count([](const Landscape& l, int i) { return l.neighbours(wrapped(i, l)).at(0); });
    check_found(steps_blindly, "one point", "throws");
    check_found(steps_blindly, "points without neighbours", "throws");
    check_found(by_count([](const Landscape& l, int i) {
                    const std::vector<int> at = l.at(wrapped(i, l));
                    for (std::size_t p = 0; p < at.size(); ++p)
                        std::vector<int>(static_cast<std::size_t>(l.values()[p]))
                            .at(static_cast<std::size_t>(at[p])) = 1;
                    return wrapped(i, l);
                }),
                "parameters that exist under others", "throws");
}

TEST_CASE("the judge finds memory for every point, and no end") {
    check_found(
        [](const Landscape& l, std::uint64_t) {
            return std::make_unique<ByCount>(
                l, [known = std::vector<double>(l.size())](const Landscape& at, int i) {
                    return wrapped(i, at) % known.size();
                });
        },
        "a huge landscape", "throws");
    check_found(by_count([](const Landscape& l, int i) {
                    std::size_t point = wrapped(i, l);
                    std::mt19937_64 random(1);
                    while (!l.at(point).empty() && l.at(point)[0] != 4) point = l.draw(random);
                    return point;
                }),
                "one point", "no end of questions");
}

TEST_CASE("the judge finds what dies of others' points") {
    check_found(
        [](const Landscape& l, std::uint64_t) {
            class Jealous : public Honest {
            public:
                using Honest::Honest;
                std::size_t propose() override { return asked_ = Honest::propose(); }
                void observe(std::size_t point, std::optional<double> value) override {
                    if (point != asked_) throw std::logic_error("not asked for");
                    Honest::observe(point, value);
                }

            private:
                std::size_t asked_ = 0;
            };
            return std::make_unique<Jealous>(l);
        },
        "a bowl", "told of others' points: throws: not asked for");
}

TEST_CASE("the judge finds sampling with replacement") {
    const MakeStrategy with = [](const Landscape& landscape, std::uint64_t seed) {
        class Dice : public Honest {
        public:
            Dice(const Landscape& l, std::uint64_t seed_) : Honest(l), random_(seed_) {}
            std::size_t propose() override {
                return calls_++ % 10 == 9 ? Honest::propose() : landscape_.draw(random_);
            }

        private:
            std::mt19937_64 random_;
            int calls_ = 0;
        };
        return std::make_unique<Dice>(landscape, seed);
    };
    CHECK(strategy_faults(with).empty());
    CHECK_FALSE(replacement_faults(with).empty());
}
