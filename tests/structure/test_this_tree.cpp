// The checks on the checkout that this program was built from.
#include "tests/structure/fortran.h"
#include "tests/structure/guarantees.h"
#include "tests/structure/hygiene.h"
#include "tests/structure/includes.h"
#include "tests/structure/links.h"
#include "tests/structure/packages.h"
#include "tests/structure/paths.h"
#include "tests/structure/registry.h"
#include "tests/structure/test_names.h"
#include "tests/support/catch.h"

namespace rooftune::structure {
namespace {

const Tree& this_tree() {
    static const Tree kTree(ROOFTUNE_SOURCE_DIR);
    return kTree;
}

void check_none(const Complaints& complaints) {
    std::string all;
    for (const auto& complaint : complaints) all += complaint + "\n";
    INFO(all);
    CHECK(complaints.empty());
}

}  // namespace

TEST_CASE("the checks see this checkout") {
    CHECK(this_tree().files().size() > 50);
}
TEST_CASE("here: includes follow the arrows") {
    check_none(include_arrows(this_tree()));
}
TEST_CASE("here: the lines of the libraries are understood") {
    CHECK(libraries_named(this_tree()).size() >= 25);
}
TEST_CASE("here: includes follow what libraries link") {
    check_none(link_arrows(this_tree()));
}
TEST_CASE("here: models are arithmetic only") {
    check_none(models_are_pure(this_tree()));
}
TEST_CASE("here: registry and folders agree") {
    check_none(families_registered(this_tree()));
}
TEST_CASE("here: every folder is built") {
    check_none(folders_built(this_tree()));
}
TEST_CASE("here: every test is run") {
    check_none(tests_run(this_tree()));
}
TEST_CASE("here: paths in documents and comments are there") {
    check_none(paths_exist(this_tree()));
}
TEST_CASE("here: promises have tests") {
    check_none(guarantees_tested(this_tree()));
}
TEST_CASE("here: packages agree") {
    check_none(packages_agree(this_tree()));
}
TEST_CASE("here: packages have names at other distributions") {
    check_none(packages_named_elsewhere(this_tree()));
}
TEST_CASE("here: tests name no version of Catch2") {
    check_none(catch_by_one_header(this_tree()));
}
TEST_CASE("here: packages are justified") {
    check_none(packages_justified(this_tree()));
}
TEST_CASE("here: peers say what they need") {
    check_none(peers_packaged(this_tree()));
}
TEST_CASE("here: the Fortran module says what the C header says") {
    check_none(fortran_agrees(this_tree()));
}
TEST_CASE("here: no file is too long") {
    check_none(long_files(this_tree()));
}
TEST_CASE("here: no work is left open") {
    check_none(open_marks(this_tree()));
}
TEST_CASE("here: no path of one machine") {
    check_none(machine_paths(this_tree()));
}
TEST_CASE("here: the top level is what is expected") {
    check_none(top_level_entries(this_tree()));
}
TEST_CASE("here: names of tests can be shown") {
    check_none(names_without_end(this_tree()));
}

}  // namespace rooftune::structure
