// What lies at a path: configs, sets, other documents, and what could not be read.
#include "tuner/formats/config_catalogue.h"

#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"
#include "tests/support/catch.h"
#include "tests/unit/formats/example_result.h"
#include "tests/unit/formats/temporary_folder.h"
#include "tuner/formats/result_json.h"

using namespace rooftune;
using Catch::Contains;

namespace {

TunedConfig titled_config(const std::string& title, const std::string& created = "2026-01-01T00:00:00Z") {
    TunedConfig c{test::example_result(), created, "g++", "build"};
    c.result.title = title;
    c.result.digest = title;
    return c;
}

// Names the file in its folder and what it was taken for.
std::string listed(const ConfigCatalogue& catalogue, const std::string& folder) {
    std::string text;
    for (const CatalogueEntry& entry : catalogue.entries) {
        const char* const kinds[] = {"config", "set", "other", "unreadable"};
        text += entry.path.substr(folder.size() + 1) + " " + kinds[entry.what.index()] + ", ";
    }
    return text;
}

// A folder that exists and cannot be listed, by root neither: a link that leads to itself.
void close_tuned_in(const test::TemporaryFolder& folder) {
    std::filesystem::create_symlink("tuned", folder.file("tuned"));
}

}  // namespace

TEST_CASE("catalogue: a folder's files by kind, then those of its folder tuned") {
    const test::TemporaryFolder folder;
    std::filesystem::create_directories(folder.file("tuned/folder.json"));
    write_tuned_config(folder.file("z.json"), titled_config("z"));
    write_tuned_config(folder.file("tuned/a.json"), titled_config("a"));
    write_tuned_set(folder.file("tuned/set.json"), TunedSet{});
    folder.write("alien.json", "[1, 2]");
    folder.write("torn.json", "{");
    folder.write("old.json", R"({"schema": "rooftune/tuned-config/1"})");
    folder.write("result.json", json_text(to_json(test::example_result())));
    folder.write("notes.txt", "nothing");
    const ConfigCatalogue all = catalogue_at(folder.path());
    CHECK(listed(all, folder.path()) ==
          "alien.json other, old.json unreadable, result.json other, torn.json unreadable, z.json config, "
          "tuned/a.json config, tuned/folder.json unreadable, tuned/set.json set, ");
    CHECK(all.closed.empty());
    CHECK(std::get<OtherDocument>(all.entries[0].what).kind.empty());
    CHECK_THAT(std::get<OtherDocument>(all.entries[2].what).kind, Contains("rooftune/tune-result/"));
    CHECK_THAT(std::get<Unreadable>(all.entries[3].what).why, Contains("torn.json"));
}

TEST_CASE("catalogue: configs are in order of their paths, which are as the folder was named") {
    const test::TemporaryFolder folder;
    std::filesystem::create_directories(folder.file("tuned"));
    write_tuned_config(folder.file("x.json"), titled_config("x"));
    write_tuned_config(folder.file("tuned/x.json"), titled_config("x"));
    const std::string named = folder.path() + "/./";
    const std::vector<ConfigFile> files =
        configs_at(named, [](const std::string& text) { FAIL_CHECK(text); });
    REQUIRE(files.size() == 2);
    CHECK(files[0].path == named + "tuned/x.json");
    CHECK(files[1].path == named + "x.json");
}

TEST_CASE("catalogue: a file is itself, be it there or not") {
    const test::TemporaryFolder folder;
    write_tuned_config(folder.file("a.json"), titled_config("a"));
    CHECK(listed(catalogue_at(folder.file("a.json")), folder.path()) == "a.json config, ");
    CHECK(listed(catalogue_at(folder.file("b.json")), folder.path()) == "b.json unreadable, ");
}

TEST_CASE("catalogue: a folder that cannot be listed is told from one without configs") {
    const test::TemporaryFolder folder;
    close_tuned_in(folder);
    write_tuned_config(folder.file("a.json"), titled_config("a"));
    const ConfigCatalogue catalogue = catalogue_at(folder.path());
    CHECK(catalogue.entries.size() == 1);
    REQUIRE(catalogue.closed.size() == 1);
    CHECK_THAT(catalogue.closed[0], Contains("/tuned: cannot be read: "));
    CHECK_THROWS_AS(check_open(catalogue), EnvironmentError);
    const auto ignored = [](const std::string&) {};
    CHECK_THROWS_WITH(configs_at(folder.path(), ignored),
                      Contains("/tuned: cannot be read: ") && Contains("make it readable"));
    std::string told;
    CHECK(configs_in(catalogue, [&](const std::string& text) { told += text; }).size() == 1);
    CHECK_THAT(told, Contains("/tuned: cannot be read: ") && Contains("what is in it is left out"));
}

TEST_CASE("catalogue: configs alone, with a notice of each file that could not be read") {
    const test::TemporaryFolder folder;
    std::vector<std::string> told;
    const auto notice = [&](const std::string& text) { told.push_back(text); };
    CHECK_THROWS_AS(configs_at(folder.path(), notice), InputError);
    CHECK_THROWS_AS(configs_at(folder.file("none.json"), notice), InputError);
    folder.write("old.json", R"({"schema": "rooftune/tuned-config/1"})");
    folder.write("torn.json", "{");
    CHECK_THROWS_WITH(configs_at(folder.path(), notice), Contains("there is no tuned config in this folder"));
    told.clear();
    write_tuned_config(folder.file("good.json"), titled_config("good"));
    CHECK(configs_at(folder.path(), notice).size() == 1);
    REQUIRE(told.size() == 2);
    CHECK_THAT(told[0], Contains("old.json") && Contains("it is left out"));
    CHECK_THAT(told[1], Contains("torn.json") && Contains("it is left out"));
}

TEST_CASE("catalogue: the newest of each setting stays, of equally old ones the first") {
    const auto file = [](const std::string& name, const std::string& date, int threads) {
        ConfigFile f{name, titled_config("one problem", date)};
        f.config.result.threads = threads;
        return f;
    };
    std::vector<ConfigFile> files = {
        file("old", "2026-01-01T00:00:00Z", 2), file("other threads", "2025-01-01T00:00:00Z", 1),
        file("new", "2026-03-01T00:00:00Z", 2), file("as new", "2026-03-01T00:00:00Z", 2)};
    keep_newest(files, setting_of);
    REQUIRE(files.size() == 2);
    CHECK(files[0].path == "other threads");
    CHECK(files[1].path == "new");
    std::vector<ConfigFile> none;
    keep_newest(none, setting_of);
    CHECK(none.empty());
}
