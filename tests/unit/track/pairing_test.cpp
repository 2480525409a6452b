// Which configs of two sides belong together.
#include "tuner/track/pairing.h"

#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"
#include "tests/support/catch.h"
#include "tests/unit/formats/example_result.h"
#include "tests/unit/formats/temporary_folder.h"

using namespace rooftune;
using namespace rooftune::track;

namespace {

TunedConfig config(const std::string& title, const std::string& digest,
                   const std::string& created = "2026-01-01T00:00:00Z") {
    TunedConfig c{test::example_result(), created, "g++", "build"};
    c.result.title = title;
    c.result.digest = digest;
    return c;
}

std::vector<ConfigFile> configs_of(const std::string& path) {
    return side_at(path, [](const std::string& text) { FAIL_CHECK(text); });
}

std::vector<std::string> titles(const std::vector<ConfigFile>& files) {
    std::vector<std::string> all;
    for (const ConfigFile& file : files) all.push_back(file.config.result.title);
    return all;
}

}  // namespace

TEST_CASE("a file is itself; a folder gives its configs, those of tuned/ included, by title") {
    const test::TemporaryFolder folder;
    std::filesystem::create_directories(folder.file("tuned"));
    write_tuned_config(folder.file("tuned/b.json"), config("b", "2"));
    write_tuned_config(folder.file("z.json"), config("a", "1"));
    folder.write("set.json", R"({"schema": "rooftune/tuned-set/1"})");
    folder.write("notes.txt", "nothing");
    CHECK(titles(configs_of(folder.path())) == std::vector<std::string>{"a", "b"});
    CHECK(titles(configs_of(folder.file("tuned/b.json"))) == std::vector<std::string>{"b"});
}

TEST_CASE("of several configs of one problem the newest counts") {
    const test::TemporaryFolder folder;
    write_tuned_config(folder.file("1.json"), config("old", "1", "2026-01-01T00:00:00Z"));
    write_tuned_config(folder.file("2.json"), config("new", "1", "2026-03-01T00:00:00Z"));
    write_tuned_config(folder.file("3.json"), config("middle", "1", "2026-02-01T00:00:00Z"));
    CHECK(titles(configs_of(folder.path())) == std::vector<std::string>{"new"});
}

TEST_CASE("of one title the order is that of what they are, and of one date the first path counts") {
    const test::TemporaryFolder folder;
    std::filesystem::create_directories(folder.file("tuned"));
    const auto write = [&](const std::string& name, const std::string& state) {
        TunedConfig c = config("one title", "1");
        c.result.state = state;
        write_tuned_config(folder.file(name), c);
    };
    write("a.json", "warm");
    write("z.json", "cold");
    write("tuned/z.json", "cold");
    const std::vector<ConfigFile> files = configs_of(folder.path() + "/.");
    REQUIRE(files.size() == 2);
    CHECK(files[0].path == folder.path() + "/./tuned/z.json");
    CHECK(files[1].path == folder.path() + "/./a.json");
}

TEST_CASE("a folder with the name of a config is told, and left out") {
    const test::TemporaryFolder folder;
    std::filesystem::create_directories(folder.file("odd.json"));
    write_tuned_config(folder.file("a.json"), config("a", "1"));
    std::string told;
    CHECK(titles(side_at(folder.path(), [&](const std::string& text) { told += text; })) ==
          std::vector<std::string>{"a"});
    CHECK_THAT(told, Catch::Contains("odd.json") && Catch::Contains("a directory") &&
                         Catch::Contains("it is left out"));
}

TEST_CASE("pairs share family, content, backend and state; the rest is told") {
    const auto file = [](TunedConfig c) { return ConfigFile{c.result.title + ".json", c}; };
    TunedConfig warm = config("warm", "1");
    warm.result.state = "warm";
    TunedConfig other = config("matmul", "1");
    other.result.family = "matmul";
    // The title may differ: content decides.
    const Pairing p = pair_up({file(config("here", "1")), file(config("gone", "2")), file(warm)},
                              {file(config("there", "1")), file(config("fresh", "3")), file(other)}, {});
    REQUIRE(p.pairs.size() == 1);
    CHECK(p.pairs[0].base.config.result.title == "here");
    CHECK(p.pairs[0].candidate.config.result.title == "there");
    const auto names = [](const std::vector<KernelName>& kernels) {
        std::vector<std::string> all;
        for (const KernelName& kernel : kernels) all.push_back(kernel.title + "|" + kernel.setting);
        return all;
    };
    CHECK(names(p.only_base) == std::vector<std::string>{"gone| on OpenCL, cold caches", "warm| on OpenCL"});
    CHECK(names(p.only_candidate) ==
          std::vector<std::string>{"fresh| on OpenCL, cold caches", "matmul| on OpenCL, cold caches"});
}

TEST_CASE("--kernels keeps what it names, by title or family, on both sides") {
    const auto file = [](TunedConfig c) { return ConfigFile{c.result.title + ".json", c}; };
    const std::vector<ConfigFile> side = {file(config("spmv ship", "1")), file(config("spmv poisson", "2"))};
    CHECK(pair_up(side, side, {}).pairs.size() == 2);
    CHECK(pair_up(side, side, {"ship"}).pairs.size() == 1);
    CHECK(pair_up(side, side, {"spmv"}).pairs.size() == 2);
    CHECK(pair_up(side, side, {"ship", "poisson"}).pairs.size() == 2);
    const Pairing none = pair_up(side, side, {"stencil"});
    CHECK(none.pairs.empty());
    CHECK(none.only_base.empty());
    CHECK(none.only_candidate.empty());
}

TEST_CASE("a config is its own pair") {
    const std::vector<ConfigFile> side = {{"a.json", config("a", "1")}};
    const Pairing p = pair_up(side, side, {});
    REQUIRE(p.pairs.size() == 1);
    CHECK(p.pairs[0].base.path == p.pairs[0].candidate.path);
}
