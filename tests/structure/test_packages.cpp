#include "tests/structure/packages.h"
#include "tests/structure/planted_tree.h"
#include "tests/support/catch.h"

namespace rooftune::structure {
namespace {

const std::string kPackages = "g++\ncmake\nninja-build\npkg-config\nlibtbb-dev\nlibhwloc-dev\ncatch2\n";
const std::string kDependencies =
    "# The list.\nfind_package(Threads REQUIRED)\nfind_package(PkgConfig REQUIRED)\n"
    "find_package(TBB REQUIRED)  # libtbb-dev\npkg_check_modules(HWLOC REQUIRED hwloc) # libhwloc-dev\n"
    "if(ROOFTUNE_TESTS)\n  find_package(Catch2 2 REQUIRED)  # catch2\nendif()\n";
const std::string kReasons =
    "| for | package | why |\n|---|---|---|\n"
    "| build | `g++`, `cmake`, `ninja-build`, `pkg-config` | the compiler and the build |\n"
    "| threads | oneTBB (`libtbb-dev`) | one arena for probes and kernels |\n"
    "| topology | hwloc (`libhwloc-dev`) | synthetic machines in tests |\n"
    "| tests | `catch2` | small and everywhere to be had |\n";

PlantedTree agreeing() {
    return {{"cmake/packages.txt", kPackages},
            {"cmake/dependencies.cmake", kDependencies},
            {"docs/architecture.md", kReasons}};
}

}  // namespace

TEST_CASE("packages that agree and are justified pass") {
    CHECK(packages_agree(agreeing().tree()).empty());
    CHECK(packages_justified(agreeing().tree()).empty());
}

TEST_CASE("packages of the launcher and of the build that disagree are named") {
    const PlantedTree planted = agreeing();
    SECTION("the launcher does not install what the build needs") {
        planted.write("cmake/dependencies.cmake",
                      kDependencies + "find_package(fmt REQUIRED)  # libfmt-dev\n");
        check_one(packages_agree(planted.tree()), "libfmt-dev is needed and missing");
    }
    SECTION("the launcher installs what nobody needs") {
        planted.write("cmake/packages.txt", kPackages + "libfmt-dev\n");
        check_one(packages_agree(planted.tree()), "needs libfmt-dev");
    }
    SECTION("twice") {
        planted.write("cmake/packages.txt", kPackages + "catch2\n");
        check_one(packages_agree(planted.tree()), "catch2 stands there twice");
    }
    SECTION("a library without its package") {
        planted.write("cmake/dependencies.cmake", kDependencies + "find_package(fmt REQUIRED)\n");
        check_one(packages_agree(planted.tree()), "cmake/dependencies.cmake:9: fmt has no comment");
    }
    SECTION("a build tool is missing") {
        planted.write("cmake/packages.txt", kPackages.substr(kPackages.find('\n') + 1));
        check_one(packages_agree(planted.tree()), "g++ is needed and missing");
    }
    SECTION("a comment is not a package") {
        planted.write("cmake/packages.txt", "# libfmt-dev\n\n" + kPackages);
        CHECK(packages_agree(planted.tree()).empty());
    }
}

TEST_CASE("every dependency has a name at each distribution, and the README has them all") {
    const PlantedTree planted = agreeing();
    const std::string list = "# Debian Fedora Arch\ng++ gcc-c++ gcc\ncatch2  catch-devel  catch2\n";
    const std::string fedora = "Fedora and Arch:\nFedora  sudo dnf install gcc-c++ \\\n    catch-devel\n";
    const std::string readme = fedora + "Arch  sudo pacman -S --needed gcc catch2\nAnd gcc-libs later.\n";
    planted.write("cmake/packages.txt", list);
    planted.write("README.md", readme);
    CHECK(packages_named_elsewhere(planted.tree()).empty());
    SECTION("a name is missing") {
        planted.write("cmake/packages.txt", list + "libfmt-dev fmt-devel\n");
        check_one(packages_named_elsewhere(planted.tree()), "the line of libfmt-dev has 2 names");
    }
    SECTION("a name too many") {
        planted.write("cmake/packages.txt", list + "libfmt-dev fmt-devel fmt libfmt\n");
        check_one(packages_named_elsewhere(planted.tree()), "the line of libfmt-dev has 4 names");
    }
    SECTION("one name for two") {
        planted.write("cmake/packages.txt", list + "libfmt-dev catch-devel gcc\n");
        const Complaints complaints = packages_named_elsewhere(planted.tree());
        REQUIRE(complaints.size() == 2);
        CHECK_THAT(complaints[0], Catch::Contains("names catch-devel, which another line has for Fedora"));
        CHECK_THAT(complaints[1], Catch::Contains("names gcc, which another line has for Arch"));
    }
    SECTION("a name that is only in the other command, and elsewhere in the text") {
        planted.write("README.md", fedora + "gcc\nArch  sudo pacman -S --needed catch2\nAnd gcc later.\n");
        check_one(packages_named_elsewhere(planted.tree()), "README.md: the command for Arch leaves out gcc");
    }
    SECTION("a name in a line that continues") {
        planted.write("README.md",
                      "Fedora sudo dnf install gcc-c++ \\\n    fmt-devel\nArch sudo pacman -S gcc catch2\n");
        const Complaints complaints = packages_named_elsewhere(planted.tree());
        REQUIRE(complaints.size() == 2);
        CHECK_THAT(complaints[0], Catch::Contains("the command for Fedora leaves out catch-devel"));
        CHECK_THAT(complaints[1], Catch::Contains("the command for Fedora has fmt-devel, which"));
    }
    SECTION("a name that nothing needs") {
        planted.write("README.md", fedora + "Arch  sudo pacman -S --needed gcc catch2 cmake\n");
        check_one(packages_named_elsewhere(planted.tree()), "the command for Arch has cmake, which");
    }
    SECTION("no command at all") {
        planted.write("README.md", "Fedora and Arch have gcc-c++, gcc, catch-devel and catch2.\n");
        CHECK(packages_named_elsewhere(planted.tree()).size() == 4);
    }
}

TEST_CASE("a package without a reason is named") {
    const PlantedTree planted = agreeing();
    planted.write("cmake/packages.txt", kPackages + "libfmt-dev\n");
    SECTION("no row") {
        check_one(packages_justified(planted.tree()), "libfmt-dev");
    }
    SECTION("named outside a table") {
        planted.write("docs/architecture.md", kReasons + "We use `libfmt-dev` for text of all kinds.\n");
        check_one(packages_justified(planted.tree()), "libfmt-dev");
    }
    SECTION("a row with an empty reason") {
        planted.write("docs/architecture.md", kReasons + "| text for people | `libfmt-dev` |  |\n");
        check_one(packages_justified(planted.tree()), "libfmt-dev");
    }
}

TEST_CASE("each peer has one line with the packages that it alone needs") {
    const PlantedTree planted = agreeing();
    const std::string list = "# peers\nblas libblas-dev\nloop\n";
    planted.write("tests/peers/packages.txt", list);
    planted.write("tests/peers/blas/main.cpp", "int main() {}\n");
    planted.write("tests/peers/loop/main.cpp", "int main() {}\n");
    planted.write("tests/peers/shared/shared.cpp", "\n");
    planted.write("docs/architecture.md", kReasons + "| a peer | `libblas-dev` | what everybody has |\n");
    CHECK(peers_packaged(planted.tree()).empty());
    SECTION("a folder without a line") {
        planted.write("tests/peers/new/main.cpp", "int main() {}\n");
        check_one(peers_packaged(planted.tree()), "the peer new has no line");
    }
    SECTION("a line without a folder") {
        planted.write("tests/peers/packages.txt", list + "shared\n");
        check_one(peers_packaged(planted.tree()), "there is no peer shared");
    }
    SECTION("twice") {
        planted.write("tests/peers/packages.txt", list + "loop\n");
        check_one(peers_packaged(planted.tree()), "loop stands there twice");
    }
    SECTION("a package that everybody has") {
        planted.write("tests/peers/packages.txt", "blas libblas-dev catch2\nloop\n");
        check_one(peers_packaged(planted.tree()), "has catch2 already");
    }
    SECTION("a package without a reason") {
        planted.write("docs/architecture.md", kReasons);
        check_one(peers_packaged(planted.tree()), "libblas-dev");
    }
}

TEST_CASE("tests name no version of Catch2") {
    const PlantedTree planted{{"tests/support/catch.h", "#include <catch2/catch_all.hpp>\n"},
                              {"tests/unit/x.cpp", "#include \"tests/support/catch.h\"\n"}};
    CHECK(catch_by_one_header(planted.tree()).empty());
    const std::string header =
        GENERATE("<catch2/catch.hpp>", "<catch2/catch_all.hpp>", "\"catch2/catch.hpp\"");
    planted.write("tests/unit/x.cpp", "#include <vector>\n#include " + header + "\n");
    check_one(catch_by_one_header(planted.tree()), "tests/unit/x.cpp:2: include \"tests/support/catch.h\"");
}

}  // namespace rooftune::structure
