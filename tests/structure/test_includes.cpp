#include "tests/structure/includes.h"
#include "tests/structure/planted_tree.h"
#include "tests/support/catch.h"

namespace rooftune::structure {
namespace {

// A tree that obeys, to which each case adds one file that does not.
PlantedTree obedient() {
    return {
        {"models/units.h", "#include <compare>\n"},
        {"models/bound.cpp", "#include \"models/units.h\"\n#include <cmath>\n"},
        {"kernels/contract/family.h", "#include \"kernels/runtime/team.h\"\n#include \"models/units.h\"\n"},
        {"kernels/registry.h", "#include \"kernels/contract/family.h\"\n"},
        {"kernels/registry.cpp", "#include \"kernels/registry.h\"\n#include \"kernels/spmv/family.h\"\n"},
        {"kernels/runtime/team.h", "#include \"models/units.h\"\n"},
        {"kernels/probe/peak.cpp", "#include \"kernels/runtime/team.h\"\n#include <hwy/highway.h>\n"},
        {"kernels/probe/peak.h", ""},
        {"kernels/spmv/family.h", "#include \"kernels/contract/family.h\"\n"},
        {"kernels/sparse/csr.h", "#include \"kernels/runtime/team.h\"\n"},
        {"kernels/spmv/csr.h", "#include \"kernels/runtime/team.h\"\n"},
        {"kernels/spmv/cpu/csr.cpp", "#include \"kernels/spmv/csr.h\"\n"},
        {"kernels/stencil/family.h", "#include \"kernels/contract/family.h\"\n"},
        {"kernels/stencil/grid.h", ""},
        {"tuner/main.cpp", "#include \"kernels/registry.h\"\n#include \"kernels/probe/peak.h\"\n"},
        {"tuner/search/best.h", "#include \"models/units.h\"\n"},
        {"tuner/formats/file.h", "#include \"kernels/runtime/team.h\"\n"},
        {"tuner/plans/plan.h", "#include \"kernels/spmv/csr.h\"\n#include \"tuner/formats/file.h\"\n"},
        {"tests/unit/spmv/test_csr.cpp",
         "#include \"kernels/spmv/csr.h\"\n#include \"tuner/search/best.h\"\n"},
        {"tests/support/golden.h", ""},
    };
}

struct Wrong {
    std::string path, text, complaint;
};

}  // namespace

TEST_CASE("includes along the arrows pass") {
    const auto complaints = include_arrows(obedient().tree());
    INFO((complaints.empty() ? "" : complaints.front()));
    CHECK(complaints.empty());
    CHECK(models_are_pure(obedient().tree()).empty());
}

TEST_CASE("an include against an arrow is named with its line") {
    const auto wrong = GENERATE(
        Wrong{"models/x.h", "#include \"kernels/contract/family.h\"\n", "models include only models"},
        Wrong{"models/x.h", "#include \"tuner/search/best.h\"\n", "models include only models"},
        Wrong{"kernels/x.h", "#include \"tuner/search/best.h\"\n", "kernels include only"},
        Wrong{"kernels/spmv/x.h", "#include \"kernels/stencil/grid.h\"\n",
              "families do not include each other"},
        Wrong{"kernels/spmv/cpu/x.h", "#include \"kernels/stencil/grid.h\"\n",
              "families do not include each other"},
        Wrong{"kernels/spmv/x.h", "#include \"kernels/probe/peak.h\"\n", "do not know each other"},
        Wrong{"kernels/spmv/x.h", "#include \"kernels/registry.h\"\n", "does not know the registry"},
        Wrong{"kernels/probe/x.h", "#include \"kernels/spmv/family.h\"\n", "kernels/probe includes only"},
        Wrong{"kernels/probe/x.h", "#include \"kernels/contract/family.h\"\n", "kernels/probe includes only"},
        Wrong{"kernels/runtime/x.h", "#include \"kernels/probe/peak.h\"\n", "kernels/runtime includes only"},
        Wrong{"kernels/runtime/x.h", "#include \"kernels/spmv/csr.h\"\n", "kernels/runtime includes only"},
        Wrong{"kernels/sparse/x.h", "#include \"kernels/spmv/csr.h\"\n", "kernels/sparse includes only"},
        Wrong{"kernels/probe/x.h", "#include \"kernels/sparse/csr.h\"\n", "no matrices"},
        Wrong{"kernels/x.cpp", "#include \"kernels/spmv/csr.h\"\n", "through its family.h"},
        Wrong{"tuner/x.cpp", "#include \"kernels/spmv/csr.h\"\n", "through kernels/registry.h only"},
        Wrong{"tuner/x.cpp", "#include \"tests/support/golden.h\"\n", "only tests include tests"},
        Wrong{"tuner/formats/x.cpp", "#include \"kernels/spmv/csr.h\"\n", "through kernels/registry.h only"},
        Wrong{"tuner/x.cpp", "#include \"tuner/plans/plan.h\"\n", "built on plans"},
        Wrong{"kernels/spmv/x.h", "#include \"tuner/plans/plan.h\"\n", "kernels include only"},
        Wrong{"tuner/plans/x.cpp", "#include \"tuner/search/best.h\"\n", "only base, formats and choose"},
        Wrong{"tuner/plans/x.cpp", "#include \"kernels/probe/peak.h\"\n", "plans measure nothing"},
        Wrong{"models/x.h", "#include \"tests/support/golden.h\"\n", "only tests include tests"},
        Wrong{"models/x.h", "#include \"units.h\"\n", "no such file"},
        Wrong{"models/x.h", "#include \"models/gone.h\"\n", "no such file"},
        Wrong{"kernels/spmv/x.h", "#include \"cpu/csr.cpp\"\n", "no such file"},
        Wrong{"kernels/spmv/x.h", "#include \"../family.h\"\n", "no such file"},
        Wrong{"kernels/spmv/x.cpp", "#  include   \"tuner/search/best.h\"  // why\n", "kernels include only"},
        Wrong{"kernels/spmv/x.cpp", "#define HWY_TARGET_INCLUDE \"kernels/stencil/grid.h\"\n", "each other"});
    const PlantedTree planted = obedient();
    planted.write(wrong.path, "// A comment.\n" + wrong.text);
    const auto complaints = include_arrows(planted.tree());
    INFO(wrong.path << ": " << wrong.text);
    REQUIRE(complaints.size() == 1);
    CHECK(complaints[0].starts_with(wrong.path + ":2: "));
    CHECK_THAT(complaints[0], Catch::Contains(wrong.complaint));
}

TEST_CASE("an include that is commented out is none") {
    const PlantedTree planted = obedient();
    planted.write("models/x.h", "// #include \"kernels/contract/family.h\"\n");
    CHECK(include_arrows(planted.tree()).empty());
}

TEST_CASE("models take no header of input, output, threads or SIMD") {
    const std::string header = GENERATE(
        "fstream", "iostream", "thread", "mutex", "filesystem", "atomic", "hwy/highway.h", "immintrin.h",
        "emmintrin.h", "oneapi/tbb/task_arena.h", "tbb/tbb.h", "sys/mman.h", "unistd.h", "nlohmann/json.hpp");
    const PlantedTree planted = obedient();
    planted.write("models/x.cpp", "#include <vector>\n#include <" + header + ">\n");
    planted.write("kernels/runtime/x.cpp", "#include <" + header + ">\n");
    const auto complaints = models_are_pure(planted.tree());
    REQUIRE(complaints.size() == 1);
    CHECK(complaints[0].starts_with("models/x.cpp:2: <" + header + ">"));
}

TEST_CASE("a library's header may stand in quotes") {
    const PlantedTree planted = obedient();
    planted.write("kernels/probe/x.cpp", "#include \"hwy/foreach_target.h\"\n");
    CHECK(include_arrows(planted.tree()).empty());
}

TEST_CASE("models may form text but neither print nor read") {
    const PlantedTree planted = obedient();
    planted.write("models/x.cpp", "#include <cstdio>\nstd::snprintf(a, 9, f);  // like printf(f)\n");
    CHECK(models_are_pure(planted.tree()).empty());
    const std::string call =
        GENERATE("std::printf(f)", "fprintf (stderr, f)", "std::fopen(a, b)", "std::getenv(a)");
    planted.write("models/x.cpp", "#include <cstdio>\n" + call + ";\n");
    const auto complaints = models_are_pure(planted.tree());
    REQUIRE(complaints.size() == 1);
    CHECK(complaints[0].starts_with("models/x.cpp:2: "));
}

}  // namespace rooftune::structure
