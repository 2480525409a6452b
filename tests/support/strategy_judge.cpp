#include "tests/support/strategy_judge.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <random>
#include <stdexcept>
#include <unordered_set>

#include "tuner/search/strategies/listed_landscape.h"

namespace rooftune::test {
namespace {

constexpr int kPatience = 100;
constexpr int kQuestions = 100'000;  // about a landscape for one proposal; the thoughtful ask a few thousand
constexpr std::size_t kHugeProposals = 24;

// More points than memory could list, all of which exist: 20 parameters of 8 values.
class HugeLandscape final : public Landscape {
public:
    std::size_t size() const override { return std::size_t{1} << (3 * kParameters); }
    const std::vector<int>& values() const override { return values_; }
    std::vector<int> at(std::size_t point) const override {
        std::vector<int> coordinates(kParameters);
        for (std::size_t p = 0; p < kParameters; ++p)
            coordinates[p] = static_cast<int>((point >> (3 * p)) & 7U);
        return coordinates;
    }
    std::optional<std::size_t> find(const std::vector<int>& coordinates) const override {
        std::size_t point = 0;
        for (std::size_t p = 0; p < kParameters; ++p) {
            if (coordinates[p] < 0 || coordinates[p] > 7) return std::nullopt;
            point |= static_cast<std::size_t>(coordinates[p]) << (3 * p);
        }
        return point;
    }
    std::vector<std::size_t> neighbours(std::size_t point) const override {
        std::vector<std::size_t> all;
        for (std::size_t p = 0; p < kParameters; ++p) {
            for (std::size_t change = 1; change < 8; ++change) all.push_back(point ^ (change << (3 * p)));
        }
        return all;
    }
    std::size_t draw(std::mt19937_64& random) const override { return random() & (size() - 1); }

private:
    static constexpr std::size_t kParameters = 20;
    std::vector<int> values_ = std::vector<int>(kParameters, 8);
};

// Passes questions on, refuses those about points outside, and ends a strategy that never stops asking.
class WatchedLandscape final : public Landscape {
public:
    explicit WatchedLandscape(const Landscape& inner) : inner_(inner) {}
    std::size_t size() const override { return inner_.size(); }
    const std::vector<int>& values() const override { return inner_.values(); }
    std::vector<int> at(std::size_t point) const override { return inner_.at(inside(point)); }
    std::optional<std::size_t> find(const std::vector<int>& coordinates) const override {
        count();
        return inner_.find(coordinates);
    }
    std::vector<std::size_t> neighbours(std::size_t point) const override {
        return inner_.neighbours(inside(point));
    }
    std::size_t draw(std::mt19937_64& random) const override {
        count();
        return inner_.draw(random);
    }
    void begin_proposal() { questions_ = 0; }

private:
    void count() const {
        if (++questions_ > kQuestions) throw std::runtime_error("no end of questions about the landscape");
    }
    std::size_t inside(std::size_t point) const {
        count();
        if (point >= size())
            throw std::runtime_error("asks about point " + std::to_string(point) + ", which is outside");
        return point;
    }

    const Landscape& inner_;
    mutable int questions_ = 0;
};

struct Situation {
    std::string name;
    std::shared_ptr<const Landscape> landscape;
    Takes takes;
    std::size_t proposals = SIZE_MAX;  // after which the judge has seen enough; few enough have all seen
};

// Points of a grid for which `exists` holds.
std::shared_ptr<const Landscape> grid(const std::vector<int>& values,
                                      const std::function<bool(const std::vector<int>&)>& exists) {
    std::vector<std::vector<int>> points{{}};
    for (const int count : values) {
        std::vector<std::vector<int>> longer;
        for (const std::vector<int>& point : points) {
            for (int v = -1; v < count; ++v) {
                longer.push_back(point);
                longer.back().push_back(v);
            }
        }
        points = std::move(longer);
    }
    std::erase_if(points, [&](const std::vector<int>& point) { return !exists(point); });
    return std::make_shared<ListedLandscape>(values, points);
}

bool all_present(const std::vector<int>& point) {
    return std::all_of(point.begin(), point.end(), [](int c) { return c >= 0; });
}

// Integers, so that a thousand times the value is exact too.
double bowl(const std::vector<int>& point) {
    double sum = 1.0;
    for (std::size_t p = 0; p < point.size(); ++p) {
        const double away = point[p] - 2;
        sum += static_cast<double>(p + 1) * away * away;
    }
    return sum;
}

std::vector<Situation> situations() {
    const auto plain = grid({5, 4, 2}, all_present);
    const auto conditional = grid({2, 3, 2, 3}, [](const std::vector<int>& c) {
        return c[0] >= 0 && c[3] >= 0 && (c[0] == 0 ? c[1] < 0 && c[2] < 0 : c[1] >= 0 && c[2] >= 0);
    });
    return {
        {"a bowl", plain, bowl},
        {"one point", grid({1}, all_present), bowl},
        {"a point without parameters",
         std::make_shared<ListedLandscape>(std::vector<int>{}, std::vector<std::vector<int>>{{}}), bowl},
        {"one parameter", grid({30}, all_present), bowl},
        {"holes",
         grid({6, 5, 4},
              [](const auto& c) { return all_present(c) && (c[0] + 2 * c[1] + 3 * c[2]) % 4 == 0; }),
         bowl},
        {"points without neighbours",
         grid({20, 20}, [](const auto& c) { return all_present(c) && c[0] == c[1]; }), bowl},
        {"parameters that exist under others", conditional, bowl},
        {"a third that fails", plain,
         [](const std::vector<int>& c) -> std::optional<double> {
             if ((c[0] + c[1] + c[2]) % 3 == 0) return std::nullopt;
             return bowl(c);
         }},
        {"everything fails", plain, [](const auto&) { return std::nullopt; }},
        {"everything is equal", plain, [](const auto&) { return 3.0; }},
        {"a huge landscape", std::make_shared<HugeLandscape>(), bowl, kHugeProposals},
        {"a huge landscape where everything fails", std::make_shared<HugeLandscape>(),
         [](const auto&) { return std::nullopt; }, kHugeProposals},
    };
}

struct Trace {
    std::vector<std::size_t> proposals;
    std::string fault;  ///< empty: none
};

// With company, somebody else's observations come in between: some before the first proposal, one after each.
Trace drive(const MakeStrategy& make, const Situation& situation, double unit, bool company) {
    Trace trace;
    const std::size_t size = situation.landscape->size();
    std::unordered_set<std::size_t> seen;
    std::mt19937_64 others(7);
    try {
        WatchedLandscape landscape(*situation.landscape);
        const std::unique_ptr<Strategy> strategy = make(landscape, 1);
        const auto observe = [&](std::size_t point) {
            std::optional<double> value = situation.takes(situation.landscape->at(point));
            if (value) *value *= unit;
            strategy->observe(point, value);
            seen.insert(point);
        };
        for (std::size_t i = 0; company && i < std::min<std::size_t>(size / 3, 5); ++i)
            observe(situation.landscape->draw(others));
        int repeated = 0;
        // A few proposals more when all are seen: a driver that goes on asking must not bring it down.
        for (std::size_t extra = 0; extra < 3;) {
            landscape.begin_proposal();
            const std::size_t point = strategy->propose();
            trace.proposals.push_back(point);
            if (point >= size) {
                trace.fault = "proposes point " + std::to_string(point) + " of " + std::to_string(size) +
                              ", which is outside";
                return trace;
            }
            repeated = seen.contains(point) ? repeated + 1 : 0;
            if (seen.size() >= size || trace.proposals.size() >= situation.proposals) {
                ++extra;
            } else if (repeated > kPatience) {
                trace.fault = "repeats itself: " + std::to_string(repeated) +
                              " proposals in a row were seen before, while " +
                              std::to_string(size - seen.size()) + " points are not";
                return trace;
            }
            observe(point);
            if (company) observe(situation.landscape->draw(others));
        }
    } catch (const std::exception& error) {
        trace.fault = std::string("throws: ") + error.what();
    }
    return trace;
}

void judge(const MakeStrategy& make, const Situation& situation, std::vector<std::string>& faults) {
    const auto fault = [&](const std::string& what) { faults.push_back(situation.name + ": " + what); };
    const Trace once = drive(make, situation, 1.0, false);
    if (!once.fault.empty()) fault(once.fault);
    if (drive(make, situation, 1.0, false).proposals != once.proposals)
        fault("not deterministic: another trace for the same seed and answers");
    if (drive(make, situation, 1000.0, false).proposals != once.proposals)
        fault("depends on the unit of time: another trace for a thousand times the values");
    const Trace company = drive(make, situation, 1.0, true);
    if (!company.fault.empty()) fault("told of others' points: " + company.fault);
}

}  // namespace

std::vector<std::string> strategy_faults(const MakeStrategy& make) {
    std::vector<std::string> faults;
    for (const Situation& situation : situations()) judge(make, situation, faults);
    return faults;
}

std::vector<std::string> strategy_faults_on(const MakeStrategy& make, const std::string& name,
                                            std::shared_ptr<const Landscape> landscape, const Takes& takes,
                                            std::size_t proposals) {
    std::vector<std::string> faults;
    judge(make, {name, std::move(landscape), takes, proposals}, faults);
    return faults;
}

std::vector<std::string> replacement_faults(const MakeStrategy& make) {
    std::vector<std::string> faults;
    for (const Situation& situation : situations()) {
        const Trace trace = drive(make, situation, 1.0, false);
        std::unordered_set<std::size_t> proposed;
        for (const std::size_t point : trace.proposals) {
            if (proposed.size() >= situation.landscape->size()) break;
            if (!proposed.insert(point).second) {
                faults.push_back(situation.name + ": proposes point " + std::to_string(point) +
                                 " a second time before all were proposed");
                break;
            }
        }
    }
    return faults;
}

}  // namespace rooftune::test
