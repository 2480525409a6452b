// What is read of the histories in a store, and what is said where nothing can be.
#include "tuner/track/read_history.h"

#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"
#include "tests/support/catch.h"
#include "tests/unit/formats/temporary_folder.h"
#include "tests/unit/track/track_examples.h"

using namespace rooftune;
using namespace rooftune::track;
using namespace rooftune::test;
using Catch::Contains;

namespace {

HistoryEntry row_of(const std::string& text, const std::string& revision) {
    return {0, "some-machine", "kernel", revision, "2026-01-01T00:00:00Z", text};
}

// What is thrown, or how many entries are read; notices are added to `told`.
std::string outcome_of(const std::string& path, std::string& told) {
    try {
        return std::to_string(
            read_history(path, [&](const std::string& text) { told += text + "\n"; }).size());
    } catch (const InputError& error) {
        return error.what();
    }
}

}  // namespace

TEST_CASE("no store, no history, and a history that cannot be read are three things") {
    const TemporaryFolder folder;
    const std::string path = folder.file("rooftune.db");
    std::string told;
    CHECK_THAT(outcome_of(path, told), Contains("there is no store yet"));
    const std::string file = folder.write("a.json", "{}");
    CHECK(outcome_of(file + "/rooftune.db", told) ==
          file + ": is a file; name the folder that rooftune.db lies in");
    Store store(path);
    CHECK_THAT(outcome_of(path, told), Contains("holds no history yet"));
    CHECK(readable_history(store, [](const std::string& text) { FAIL_CHECK(text); }).empty());
    CHECK(told.empty());

    store.add_history({row_of(R"({"schema": "rooftune/track-entry/99"})", "v1"), row_of("{", "v2")});
    CHECK_THAT(outcome_of(path, told), Contains(path) &&
                                           Contains("none of its 2 history entries can be read") &&
                                           !Contains("no history yet"));
    CHECK_THAT(told, Contains("history entry 1") && Contains("history entry 2") && Contains("left out"));
    std::string of_recording;
    CHECK(readable_history(store, [&](const std::string& text) { of_recording += text; }).empty());
    CHECK_THAT(of_recording, Contains("none of its 2 history entries can be read"));

    store.add_history({row_of(to_json(entry_of(0, 1.0)).dump(), "v3")});
    told.clear();
    CHECK(outcome_of(path, told) == "1");
    CHECK_THAT(told, Contains("history entry 2") && !Contains("none of its"));
}
