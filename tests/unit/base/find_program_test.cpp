// Programs by name, as execvp finds them.
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/support/catch.h"
#include "tests/support/process.h"
#include "tuner/base/find_program.h"
#include "tuner/base/text_hash.h"

using namespace rooftune;

TEST_CASE("a program is found in the folders of PATH, in their order, and a path is its own") {
    const test::TemporaryFolder folder;
    namespace fs = std::filesystem;
    for (const char* place : {"first", "second", "third"}) fs::create_directory(folder / place);
    const auto write = [&](const std::string& name, bool executable) {
        std::ofstream(folder / name) << "#!/bin/sh\n";
        if (executable) fs::permissions(folder / name, fs::perms::owner_all);
    };
    write("first/mine", false);
    write("second/mine", true);
    write("third/mine", true);
    fs::create_directory(folder / "first/other");
    const std::string before = std::getenv("PATH");
    setenv("PATH", (folder / "first" + ":" + (folder / "second") + ":" + (folder / "third")).c_str(), 1);
    CHECK(find_program("mine") == folder / "second/mine");
    CHECK(find_program("other").empty());  // a folder
    CHECK(find_program("none").empty());
    CHECK(find_program("").empty());
    unsetenv("PATH");
    CHECK_FALSE(find_program("sh").empty());
    setenv("PATH", before.c_str(), 1);
    CHECK(find_program(folder / "third/mine") == folder / "third/mine");
    CHECK(find_program(folder / "first/mine").empty());
}

TEST_CASE("a hash of texts knows where one ends") {
    const auto of = [](std::initializer_list<const char*> texts) {
        TextHash hash;
        for (const char* text : texts) hash.add(text);
        return hash.text();
    };
    CHECK(of({"ab", "c"}) != of({"a", "bc"}));
    CHECK(of({}) == "cbf29ce484222325");  // FNV's own start
    CHECK(of({"a"}).size() == 16);
}
