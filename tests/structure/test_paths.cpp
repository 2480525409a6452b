#include "tests/structure/paths.h"
#include "tests/structure/planted_tree.h"
#include "tests/support/catch.h"

namespace rooftune::structure {
namespace {

PlantedTree documented() {
    return {
        {"README.md",
         "[How](docs/how.md), [why](docs/how.md#why), [else](https://example.org/x) and "
         "`results/local/x.db`.\n"
         "Programs include `rooftune/tune.h`; `kernels/NAME/family.h` is a family's.\n"},
        {"docs/how.md",
         "See `models/bound.h`, `bound.h` and models/. Or [the top](../README.md).\n"
         "| `tuner/engine/` | tunes | `tune.h` |\n| threads | `libtbb-dev` | arenas |\n"},
        {"CHANGELOG.md", "`models/gone.h` went.\n"},
        {"docs/decisions.md", "`models/gone.h` went because nobody used it.\n"},
        {"models/bound.h", "// What models/bound.h says; tuner/anything is no file.\n"},
        {"tuner/engine/tune.h", "#include \"models/bound.h\"\n"},
    };
}

}  // namespace

TEST_CASE("documents and comments that name what is there pass") {
    const PlantedTree planted = documented();
    const Complaints complaints = paths_exist(planted.tree());
    INFO((complaints.empty() ? "" : complaints.front()));
    CHECK(complaints.empty());
}

TEST_CASE("what a document or a comment names and is not there is named with its line") {
    const PlantedTree planted = documented();
    SECTION("a path") {
        planted.write("docs/more.md", "One.\nAs in models/levers.h.\n");
        check_one(paths_exist(planted.tree()), "docs/more.md:2: models/levers.h: not there");
    }
    SECTION("a folder") {
        planted.write("docs/more.md", "All of `tuner/cli/`, they say.\n");
        check_one(paths_exist(planted.tree()), "docs/more.md:1: tuner/cli/: not there");
    }
    SECTION("a file without its folder") {
        planted.write("models/README.md", "Read `levers.h` last.\n");
        check_one(paths_exist(planted.tree()), "models/README.md:1: levers.h: no file has this name");
    }
    SECTION("the end of a file's name is not its name") {
        planted.write("models/README.md", "Read `und.h` last.\n");
        check_one(paths_exist(planted.tree()), "models/README.md:1: und.h");
    }
    SECTION("a link") {
        planted.write("docs/more.md", "[This](how.md) and [that](README.md).\n");
        check_one(paths_exist(planted.tree()), "docs/more.md:1: README.md: the link leads nowhere");
    }
    SECTION("a table's row") {
        planted.write("docs/more.md", "| `tuner/engine/` | tunes | `bound.h` |\n");
        check_one(paths_exist(planted.tree()), "docs/more.md:1: bound.h: not in the folder of this row");
    }
    SECTION("a comment") {
        planted.write("models/more.h", "// As in tests/unit/gone_test.cpp.\n");
        check_one(paths_exist(planted.tree()), "models/more.h:1: tests/unit/gone_test.cpp: not there");
    }
}

}  // namespace rooftune::structure
