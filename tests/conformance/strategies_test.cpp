// Every strategy of the registry before the judge.
#include <catch2/catch.hpp>
#include <set>

#include "tests/support/strategy_judge.h"

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
