// What a folder has, and which names are one file.
#include "tuner/base/folder.h"

#include "kernels/runtime/error.h"
#include "tests/support/catch.h"
#include "tests/unit/formats/temporary_folder.h"

using namespace rooftune;
namespace fs = std::filesystem;

TEST_CASE("JSON files of a folder in order, under its name; none where there is no folder", "[folder]") {
    const test::TemporaryFolder folder;
    for (const char* name : {"b.json", "a.json", "notes.txt"}) folder.write(name, "");
    fs::create_directory(folder.file("c.json"));
    CHECK(json_files(folder.path() + "/.") == std::vector<std::string>{folder.path() + "/./a.json",
                                                                       folder.path() + "/./b.json",
                                                                       folder.path() + "/./c.json"});
    CHECK(json_files(folder.file("none")).empty());
    CHECK(json_files(folder.file("a.json")).empty());
}

TEST_CASE("a folder that cannot be listed is told from one that is not there", "[folder]") {
    const test::TemporaryFolder folder;
    // By root neither: a link that leads to itself.
    fs::create_symlink("loop", folder.file("loop"));
    CHECK_THROWS_AS(json_files(folder.file("loop")), EnvironmentError);
    CHECK_THROWS_WITH(json_files(folder.file("loop")), Catch::Contains("/loop: cannot be read: "));
    CHECK(file_identity(folder.file("x/../loop")) == folder.file("loop"));
}

TEST_CASE("what is not there yet will be made below the nearest folder that is", "[folder]") {
    const test::TemporaryFolder folder;
    folder.write("a.json", "");
    CHECK(nearest_there(folder.path()) == folder.path());
    CHECK(nearest_there(folder.file("new/and/deep")) == folder.path());
    CHECK(nearest_there(folder.file("new/../b")) == folder.path());
    CHECK(nearest_there(folder.file("a.json/below")) == folder.file("a.json"));
    CHECK(nearest_there("/no/such/folder") == "/");
}

TEST_CASE("a file has one identity, through links, from wherever and before it is written", "[folder]") {
    const test::TemporaryFolder folder;
    const std::string file = folder.file("a.json"), identity = file_identity(file);
    CHECK(file_identity(fs::relative(file).string()) == identity);
    folder.write("a.json", "");
    fs::create_symlink("a.json", folder.file("link.json"));
    fs::create_directory_symlink(".", folder.file("here"));
    CHECK(file_identity(file) == identity);
    CHECK(file_identity(folder.file("here/link.json")) == identity);
    CHECK(file_identity(folder.file("b.json")) != identity);
}
