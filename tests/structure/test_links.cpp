#include "tests/structure/links.h"
#include "tests/structure/planted_tree.h"
#include "tests/support/catch.h"

namespace rooftune::structure {
namespace {

PlantedTree linked() {
    return {
        {"CMakeLists.txt",
         "rooftune_library(models models models/workloads)\n"
         "rooftune_library(runtime kernels/runtime LINK models)\n"
         "rooftune_library(contract kernels/contract HEADERS_ONLY LINK runtime)\n"
         "rooftune_library(${family} ${folder} LINK contract ZLIB::ZLIB)\n"
         "rooftune_library(kernels kernels LINK ${families})\n"
         "rooftune_library(base tuner/base COLD LINK runtime  # and no more\n"
         "                 fmt::fmt)\n"
         "rooftune_library(search tuner/search tuner/search/strategies LINK base kernels)\n"},
        {"models/units.h", ""},
        {"kernels/runtime/team.h", "#include \"models/units.h\"\n"},
        {"kernels/contract/family.h", "#include \"kernels/runtime/team.h\"\n"},
        {"kernels/spmv/family.h", "#include \"kernels/contract/family.h\"\n"},
        {"kernels/registry.h", "#include \"kernels/contract/family.h\"\n"},
        {"kernels/registry.cpp", "#include \"kernels/spmv/family.h\"\n"},
        {"tuner/base/text.h", "#include \"models/units.h\"\n#include <string>\n"},
        {"tuner/search/search.h", "#include \"tuner/base/text.h\"\n#include \"kernels/registry.h\"\n"},
        {"tuner/search/strategies/swarm.cpp", "#include \"tuner/search/search.h\"\n"},
        {"tuner/main.cpp", "#include \"tuner/search/search.h\"\n"},
        {"tests/unit/base/text_test.cpp", "#include \"tuner/search/search.h\"\n"},
    };
}

}  // namespace

TEST_CASE("includes along the LINK lines pass") {
    const Complaints complaints = link_arrows(linked().tree());
    INFO((complaints.empty() ? "" : complaints.front()));
    CHECK(complaints.empty());
}

TEST_CASE("an include of a library that is not linked is named with its line") {
    auto planted = linked();
    planted.write("tuner/base/text.cpp",
                  "#include \"tuner/base/text.h\"\n#include \"tuner/search/search.h\"\n");
    check_one(link_arrows(planted.tree()),
              "tuner/base/text.cpp:2: \"tuner/search/search.h\": the library base");
}

TEST_CASE("a folder below a library's is that library's") {
    auto planted = linked();
    planted.write("models/deep/er.h", "#include \"tuner/base/text.h\"\n");
    check_one(link_arrows(planted.tree()), "the library models does not link base");
}

TEST_CASE("a family links what the line of families says") {
    auto planted = linked();
    planted.write("kernels/spmv/csr.h", "#include \"tuner/base/text.h\"\n");
    check_one(link_arrows(planted.tree()), "the library spmv does not link base");
}

TEST_CASE("what Highway includes once a target is an include") {
    auto planted = linked();
    planted.write("kernels/runtime/wide.cpp", "#define HWY_TARGET_INCLUDE \"kernels/spmv/wide.h\"\n");
    check_one(link_arrows(planted.tree()),
              "kernels/runtime/wide.cpp:1: \"kernels/spmv/wide.h\": the library runtime");
}

TEST_CASE("code that belongs to no library is named") {
    auto planted = linked();
    SECTION("a folder of headers only") {
        planted.write("tuner/guess/guess.h", "#include \"tuner/search/search.h\"\n");
        planted.write("tuner/base/text.h", "#include \"tuner/guess/guess.h\"\n");
        check_one(link_arrows(planted.tree()), "tuner/guess/guess.h: belongs to no library");
    }
    SECTION("a header in tuner/ itself") {
        planted.write("tuner/shared.h", "");
        check_one(link_arrows(planted.tree()), "tuner/shared.h: belongs to no library");
    }
    SECTION("where no library was found, all of it") {
        planted.write("CMakeLists.txt", "add_library(models models/units.cpp)\n");
        CHECK(link_arrows(planted.tree()).size() == 9);
        CHECK(libraries_named(planted.tree()).empty());
    }
}

TEST_CASE("libraries are those of the lines, with one a family") {
    CHECK(libraries_named(linked().tree()) ==
          std::vector<std::string>{"base", "contract", "kernels", "models", "runtime", "search", "spmv"});
}

TEST_CASE("a circle of libraries is found") {
    auto planted = linked();
    planted.write("CMakeLists.txt",
                  "rooftune_library(base tuner/base LINK formats)\n"
                  "rooftune_library(formats tuner/formats LINK base)\n");
    planted.write("tuner/search/search.h", "");
    const Complaints complaints = link_arrows(planted.tree());
    REQUIRE(complaints.size() > 2);
    CHECK_THAT(complaints[0], Catch::Contains("links itself through others"));
    CHECK_THAT(complaints[1], Catch::Contains("links itself through others"));
}

}  // namespace rooftune::structure
