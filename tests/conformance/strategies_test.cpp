// Every strategy of the registry before the judge.
#include <set>

#include "tests/support/catch.h"
#include "tests/support/places.h"
#include "tests/support/strategy_judge.h"
#include "tuner/search/space_landscape.h"

using namespace rooftune;
using namespace rooftune::test;

namespace {

std::string lines(const std::vector<std::string>& faults) {
    std::string text;
    for (const std::string& fault : faults) text += fault + "\n";
    return text;
}

}  // namespace

TEST_CASE("every strategy stays inside, ends, repeats nothing for ever and gives the same answers again") {
    for (const StrategyKind& kind : strategy_kinds()) {
        INFO(kind.name);
        CHECK(lines(strategy_faults(kind.make)) == "");
    }
}

// Numbered by counting, with parameters that exist under others only.
TEST_CASE("every strategy does so in the spaces of the families") {
    const Target target = cpu_target(widths_up_to(256), 2);
    const Registry registry = built_in_families();
    for (const auto& family : registry.families()) {
        const auto problem = family->problem(family->examples().front());
        const Space space = family->space(*problem, target);
        const auto landscape = std::make_shared<SpaceLandscape>(space);
        const auto takes = [](const std::vector<int>& coordinates) -> std::optional<double> {
            double sum = 1.0;
            for (const int c : coordinates) sum += (c - 1) * (c - 1);
            if (static_cast<int>(sum) % 7 == 0) return std::nullopt;
            return sum;
        };
        for (const StrategyKind& kind : strategy_kinds()) {
            INFO(family->name() << ", " << kind.name);
            CHECK(lines(strategy_faults_on(kind.make, "its space", landscape, takes, 26)) == "");
        }
    }
}

TEST_CASE("exhaustive and random search propose nothing twice") {
    for (const char* name : {"exhaustive", "random"}) {
        INFO(name);
        CHECK(lines(replacement_faults(find_strategy(name)->make)) == "");
    }
}

TEST_CASE("strategies have names of their own and say what they do") {
    std::set<std::string_view> names;
    for (const StrategyKind& kind : strategy_kinds()) {
        CHECK(names.insert(kind.name).second);
        CHECK_FALSE(kind.summary.empty());
        CHECK(find_strategy(kind.name) == &kind);
    }
    CHECK(find_strategy("none of these") == nullptr);
}
