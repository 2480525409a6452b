// Keys of the registry's families beside those that their workloads know.
#include <algorithm>

#include "kernels/registry.h"
#include "models/workload.h"
#include "tests/support/catch.h"

using namespace rooftune;

TEST_CASE("every family: `bound` knows each of its keys, or leaves it out and says so") {
    const Registry registry = built_in_families();
    const auto has = [](const auto& keys, const std::string& name) {
        return std::any_of(keys.begin(), keys.end(), [&](const auto& key) { return key.name == name; });
    };
    int families = 0;
    for (const auto& family : registry.families()) {
        REQUIRE_FALSE(family->examples().empty());
        const ProblemSpec example = family->examples().front();
        CHECK(family->problem(example) != nullptr);
        const WorkloadKind* const workload = find_workload(family->name());
        // A matrix becomes its numbers of rows and entries before it is bounded (`count_problem`).
        if (workload == nullptr || has(family->keys(), "matrix")) continue;
        ++families;
        const std::vector<IdleKey> idle = family->idle_keys();
        for (const IdleKey& key : idle) {
            INFO(family->name() << ", " << key.name);
            CHECK(has(family->keys(), key.name));
        }
        for (const ProblemKey& key : family->keys()) {
            INFO(family->name() << ", " << key.name);
            CHECK(has(workload->keys(), key.name) != has(idle, key.name));
        }
    }
    CHECK(families == 2);
}
