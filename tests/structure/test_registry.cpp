#include "tests/structure/planted_tree.h"
#include "tests/structure/registry.h"
#include "tests/support/catch.h"

namespace rooftune::structure {
namespace {

const std::string kRegistry =
    "#include \"kernels/spmv/family.h\"\n#include \"kernels/stencil/family.h\"\n"
    "registry.add(make_spmv_family());\nregistry.add(make_stencil_family());\n";

PlantedTree two_families() {
    return {
        {"kernels/registry.cpp", kRegistry},
        {"kernels/runtime/team.cpp", ""},
        {"kernels/probe/peak.cpp", ""},
        {"kernels/spmv/family.h", ""},
        {"kernels/spmv/README.md", "work\n"},
        {"kernels/spmv/cpu/csr.cpp", ""},
        {"kernels/stencil/family.h", ""},
        {"kernels/stencil/README.md", "work\n"},
        {"models/bound.cpp", ""},
        {"models/workloads/dot.cpp", ""},
        {"tuner/main.cpp", ""},
        {"tuner/search/best.cpp", ""},
        {"tests/unit/models/test_bound.cpp", ""},
        {"tests/support/toy.cpp", ""},
        {"tests/launcher/test_launcher.sh", ""},
        {"CMakeLists.txt",
         "rooftune_library(models models models/workloads)\nrooftune_library(runtime kernels/runtime LINK "
         "models)\n"
         "rooftune_library(probe kernels/probe)\nrooftune_library(kernels kernels)\n"
         "rooftune_library(spmv kernels/spmv/cpu)\nrooftune_library(search tuner/search LINK a b)\n"},
        {"tests/CMakeLists.txt",
         "add_library(toy STATIC support/toy.cpp)\nrooftune_test(unit_models unit/models LINK "
         "models)\n"
         "add_test(NAME launcher COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/launcher/test_launcher.sh)\n"},
    };
}

}  // namespace

TEST_CASE("families and folders that are named once pass") {
    const PlantedTree planted = two_families();
    CHECK(families_registered(planted.tree()).empty());
    CHECK(folders_built(planted.tree()).empty());
    CHECK(tests_run(planted.tree()).empty());
}

TEST_CASE("the words of a library's line that are no folders are not taken for folders") {
    const PlantedTree planted = two_families();
    const std::string lines(planted.tree().text("CMakeLists.txt"));
    planted.write("tuner/report/plot.cpp", "");
    planted.write("kernels/contract/family.h", "");
    planted.write("CMakeLists.txt", lines +
                                        "rooftune_library(contract kernels/contract HEADERS_ONLY LINK a)\n"
                                        "rooftune_library(report tuner/report COLD LINK b)\n");
    CHECK(folders_built(planted.tree()).empty());
}

TEST_CASE("a family that is not registered is named, for its include and for its line") {
    const PlantedTree planted = two_families();
    planted.write("kernels/lbmhd/family.h", "");
    planted.write("kernels/lbmhd/README.md", "work\n");
    const auto complaints = families_registered(planted.tree());
    REQUIRE(complaints.size() == 2);
    CHECK_THAT(complaints[0], Catch::Contains("kernels/lbmhd has 0 includes"));
    CHECK_THAT(complaints[1], Catch::Contains("kernels/lbmhd has 0 registry lines"));
}

TEST_CASE("a registry line without its folder is named") {
    const PlantedTree planted = two_families();
    planted.write("kernels/registry.cpp", kRegistry + "registry.add(make_matmul_family());\n");
    check_one(families_registered(planted.tree()), "registry lines of matmul, but kernels/matmul/family.h");
}

TEST_CASE("a family registered twice is named") {
    const PlantedTree planted = two_families();
    planted.write("kernels/registry.cpp", kRegistry + "registry.add(make_spmv_family());\n");
    check_one(families_registered(planted.tree()), "kernels/spmv has 2 registry lines");
}

TEST_CASE("a registry line in a comment does not count") {
    const PlantedTree planted = two_families();
    planted.write("kernels/registry.cpp", kRegistry + "// registry.add(make_matmul_family());\n");
    CHECK(families_registered(planted.tree()).empty());
}

TEST_CASE("a folder of kernels that is nothing known, and a family without its derivation, are named") {
    const PlantedTree planted = two_families();
    planted.write("kernels/misc/helpers.h", "");
    check_one(families_registered(planted.tree()), "kernels/misc: not runtime, probe, contract or sparse");
    planted.write("kernels/misc/family.h", "");
    planted.write("kernels/registry.cpp",
                  kRegistry + "#include \"kernels/misc/family.h\"\nregistry.add(make_misc_family());\n");
    check_one(families_registered(planted.tree()), "kernels/misc: no README.md");
}

TEST_CASE("sources that no library takes, and libraries without sources, are named") {
    const PlantedTree planted = two_families();
    SECTION("a new folder") {
        planted.write("tuner/report/plot.cpp", "");
        check_one(folders_built(planted.tree()), "tuner/report: holds sources");
    }
    SECTION("a folder in a folder: the glob does not descend") {
        planted.write("kernels/probe/avx/peak.cpp", "");
        check_one(folders_built(planted.tree()), "kernels/probe/avx: holds sources");
    }
    SECTION("a line in a comment") {
        const std::string lines(planted.tree().text("CMakeLists.txt"));
        planted.write("tuner/report/plot.cpp", "");
        planted.write("CMakeLists.txt", lines + "# rooftune_library(report tuner/report)\n");
        check_one(folders_built(planted.tree()), "tuner/report: holds sources");
    }
    SECTION("what a library links to is none of its folders") {
        const std::string lines(planted.tree().text("CMakeLists.txt"));
        planted.write("tuner/report/plot.cpp", "");
        planted.write("CMakeLists.txt", lines + "rooftune_library(machine kernels LINK tuner/report)\n");
        const Complaints complaints = folders_built(planted.tree());
        CHECK(complaints.size() == 2);
    }
    SECTION("a folder that went away") {
        const std::string lines(planted.tree().text("CMakeLists.txt"));
        planted.write("CMakeLists.txt", lines + "rooftune_library(report tuner/report)\n");
        check_one(folders_built(planted.tree()), "tuner/report is not there");
    }
}

TEST_CASE("tests that ctest does not know are named") {
    const PlantedTree planted = two_families();
    SECTION("a folder") {
        planted.write("tests/unit/runtime/test_team.cpp", "");
        check_one(tests_run(planted.tree()), "tests/unit/runtime");
    }
    SECTION("a script") {
        planted.write("tests/launcher/test_more.sh", "");
        check_one(tests_run(planted.tree()), "tests/launcher/test_more.sh");
    }
}

}  // namespace rooftune::structure
