// The three recorded results that tests/golden/explain has, as one report in Markdown: results of an older
// version, without points, ceilings and the course of their search.
#include "tests/support/catch.h"
#include "tests/support/golden.h"
#include "tests/support/session.h"

using namespace rooftune::test;

TEST_CASE("a report of recorded results reads as it was approved") {
    const TemporaryFolder folder;
    std::vector<std::string> command{program(), "report", "--results", folder.path()};
    for (const char* name : {"compute_bound", "dram_bound", "cache_bound"})
        command.push_back(std::string("tests/golden/explain/") + name + ".json");
    const Finished f = run(command);
    INFO(f.error);
    CHECK(f.status == 0);
    check_golden("report/recorded.md", f.out);
}
