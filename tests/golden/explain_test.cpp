// Three real results, one bound by arithmetic, one by DRAM and one by a cache: recorded once
// (tests/golden/explain/record.sh), explained anew.
#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/support/golden.h"
#include "tests/support/schema_check.h"
#include "tests/support/session.h"

using namespace rooftune::test;

TEST_CASE("real results are explained as they were approved") {
    struct Case {
        const char* name;
        std::vector<std::string> resources;  ///< one of them binds
    };
    const std::vector<Case> cases{
        {"compute_bound", {"arithmetic", "the floating-point ports", "the load ports"}},
        {"dram_bound", {"DRAM reads", "DRAM writes", "DRAM reads and writes"}},
        {"cache_bound", {"L2 reads", "L2 reads and writes", "L3 reads", "L3 reads and writes"}},
    };
    for (const Case& c : cases) {
        INFO(c.name);
        const std::string file = (golden_folder() / "explain" / (std::string(c.name) + ".json")).string();
        const Finished f = run({program(), "explain", file});
        INFO(f.error);
        CHECK(f.status == 0);
        CHECK(golden_lines(f.out).size() <= 60);
        check_golden(std::string("explain/") + c.name + ".txt", f.out);
        const Finished j = run({program(), "explain", "--json", file});
        REQUIRE(j.status == 0);
        const auto document = nlohmann::json::parse(j.out);
        const auto faults = SchemaCheck("configs/schema").faults(document, "explanation.schema.json");
        CHECK((faults.empty() ? std::string() : faults.front()) == "");
        const std::string binding = document.at("binding");
        bool right = false;
        for (const auto& term : document.at("terms")) {
            for (const std::string& resource : c.resources) {
                right = right || (term.at("kind") == binding && term.at("resource") == resource);
            }
        }
        CHECK(right);
        double last = 1e300;
        for (const auto& opportunity : document.at("levers")) {
            if (opportunity.at("at_most").is_null()) continue;
            CHECK(opportunity.at("at_most").get<double>() <= last);
            last = opportunity.at("at_most");
        }
    }
}
