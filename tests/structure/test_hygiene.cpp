#include "tests/structure/hygiene.h"
#include "tests/structure/planted_tree.h"
#include "tests/support/catch.h"

namespace rooftune::structure {
namespace {

std::string lines(int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += "line\n";
    return text;
}

// Marks and paths are put together here so that this file does not contain them.
const std::string kMark = std::string("TO") + "DO";
const std::string kHome = std::string("/ho") + "me/somebody/data";

const std::initializer_list<std::pair<std::string, std::string>> kWholeTop{
    {".ci/run", ""},
    {".clang-format", ""},
    {".clang-tidy", ""},
    {".editorconfig", ""},
    {".gitignore", "build/\n.cache/\ncompile_commands.json\n"},
    {"CHANGELOG.md", ""},
    {"CMakeLists.txt", ""},
    {"CMakePresets.json", ""},
    {"LICENSE", ""},
    {"README.md", ""},
    {"SECURITY.md", ""},
    {"cmake/a", ""},
    {"configs/a", ""},
    {"docs/a", ""},
    {"kernels/a", ""},
    {"models/a", ""},
    {"results/a", ""},
    {"rooftune", ""},
    {"tests/a", ""},
    {"tuner/a", ""},
};

void make_scripts_executable(const PlantedTree& planted) {
    for (const auto script : {"rooftune", ".ci/run"}) {
        std::filesystem::permissions(planted.root() / script, std::filesystem::perms::owner_all);
    }
}

}  // namespace

TEST_CASE("a source of 500 lines passes and one of 501 does not") {
    const PlantedTree planted{{"models/a.cpp", lines(500)}, {"docs/long.md", lines(2000)}};
    CHECK(long_files(planted.tree()).empty());
    planted.write("models/a.cpp", lines(500) + "without a line end");
    check_one(long_files(planted.tree()), "models/a.cpp: 501 lines");
    planted.write("models/a.cpp", "");
    planted.write("tests/unit/x/test.cpp", lines(501));
    check_one(long_files(planted.tree()), "tests/unit/x/test.cpp");
}

TEST_CASE("a mark of unfinished work is named with its line, a word that contains one is not") {
    const PlantedTree planted{
        {"models/a.cpp", "int methodos;\nint " + kMark + "S;\nmkstemp(\"XXXX" + "XX\");\n"}};
    CHECK(open_marks(planted.tree()).empty());
    planted.write("docs/a.md", "fine\n" + kMark + ": later\n");
    check_one(open_marks(planted.tree()), "docs/a.md:2: " + kMark);
}

TEST_CASE("a path of one machine is named, the same letters elsewhere are not") {
    const PlantedTree planted{{"models/a.cpp", "#include \"models/work.h\"\n// see https://example.org" +
                                                   kHome +
                                                   "\n// ../wo"
                                                   "rk/x, a/wo"
                                                   "rk/b\n"}};
    CHECK(machine_paths(planted.tree()).empty());
    SECTION("in a string") {
        planted.write("tuner/a.cpp", "open(\"" + kHome + "\");\n");
        check_one(machine_paths(planted.tree()), "tuner/a.cpp:1:");
    }
    SECTION("at the beginning of a line of a script") {
        planted.write(".ci/run", "#!/bin/sh\n" + kHome + "/run\n");
        check_one(machine_paths(planted.tree()), ".ci/run:2:");
    }
    SECTION("a host") {
        planted.write("cmake/a.cmake", std::string("https://py") + "pi.org/simple\n");
        check_one(machine_paths(planted.tree()), "cmake/a.cmake:1:");
    }
}

TEST_CASE("the top level is what is expected") {
    const PlantedTree planted(kWholeTop);
    make_scripts_executable(planted);
    planted.write("build/rooftune", "");
    planted.write("compile_commands.json", "");
    CHECK(top_level_entries(planted.tree()).empty());
    SECTION("an entry too many") {
        planted.write("scratch/x", "");
        check_one(top_level_entries(planted.tree()), "scratch: not expected");
    }
    SECTION("an entry too few") {
        std::filesystem::remove(planted.root() / "LICENSE");
        check_one(top_level_entries(planted.tree()), "LICENSE: missing");
    }
    SECTION("a launcher that cannot be executed") {
        std::filesystem::permissions(planted.root() / "rooftune", std::filesystem::perms::owner_read);
        check_one(top_level_entries(planted.tree()), "rooftune: cannot be executed");
    }
}

TEST_CASE("lines are counted from one, with and without an end") {
    CHECK(lines_of("").empty());
    CHECK(lines_of("a").size() == 1);
    CHECK(lines_of("a\n").size() == 1);
    const auto two = lines_of("a\n\nb");
    REQUIRE(two.size() == 3);
    CHECK(two[1].text.empty());
    CHECK(two[2].number == 3);
    CHECK(two[2].text == "b");
}

TEST_CASE("a tree leaves out build folders and files that are not text") {
    const PlantedTree planted{{"build/a.cpp", "x"}, {"results/a.cpp", "x"}, {"models/a.cpp", "x"}};
    planted.write("models/b.bin", std::string("\0\1", 2));
    const Tree tree = planted.tree();
    REQUIRE(tree.files().size() == 1);
    CHECK(tree.files()[0].path == "models/a.cpp");
    CHECK(tree.files()[0].folder() == "models");
    CHECK(tree.find("models/b.bin") == nullptr);
}

}  // namespace rooftune::structure
