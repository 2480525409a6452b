#include "kernels/runtime/user_cache.h"

#include <chrono>
#include <filesystem>
#include <fstream>

#include "tests/support/catch.h"
#include "tests/unit/formats/temporary_folder.h"

using namespace rooftune;
namespace fs = std::filesystem;

TEST_CASE("a cache loses what was used longest ago, what goes with it, and nothing else") {
    const test::TemporaryFolder folder;
    const auto now = fs::file_time_type::clock::now();
    const auto named = [](const std::string& name) {
        return (name[0] == 'o'   ? std::string(32, 'a')
                : name[0] == 'm' ? std::string(32, '1')
                                 : std::string(32, 'e')) +
               name.substr(name.rfind('.'));
    };
    const auto put = [&](std::string name, int bytes, int minutes_ago) {
        if (name.rfind("theirs", 0) != 0) name = named(name);
        std::ofstream(folder.file(name)) << std::string(static_cast<std::size_t>(bytes), 'x');
        fs::last_write_time(folder.file(name), now - std::chrono::minutes(minutes_ago));
    };
    put("old.so", 100, 30);
    put("old.d", 10, 30);
    put("middle.so", 100, 20);
    put("new.so", 100, 10);
    put("theirs.so", 1000, 40);
    const auto there = [&](const std::string& name) {
        return fs::exists(folder.file(name.rfind("theirs", 0) == 0 ? name : named(name)));
    };
    shrink_cache(folder.path(), ".so", 300, ".d");
    CHECK((there("old.so") && there("old.d")));
    shrink_cache(folder.path(), ".so", 299, ".d");
    CHECK_FALSE((there("old.so") || there("old.d")));
    CHECK((there("middle.so") && there("new.so")));
    shrink_cache(folder.path(), ".so", 0);
    CHECK_FALSE((there("middle.so") || there("new.so")));
    CHECK(there("theirs.so"));
    shrink_cache(folder.file("none"), ".so", 0);
}
