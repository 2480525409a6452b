// Golden output: a text compared with a file under tests/golden. Programs run with the repository
// root as working directory; another folder can be compiled in as ROOFTUNE_GOLDEN_DIR.
// ROOFTUNE_REGENERATE_GOLDEN=1 rewrites the files instead: look at the difference before committing.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>
#include "tests/support/catch.h"

namespace rooftune::test {

inline std::filesystem::path golden_folder() {
#ifdef ROOFTUNE_GOLDEN_DIR
    return ROOFTUNE_GOLDEN_DIR;
#else
    return "tests/golden";
#endif
}

inline bool regenerating_golden() {
    const char* value = std::getenv("ROOFTUNE_REGENERATE_GOLDEN");
    return value != nullptr && std::string_view(value) == "1";
}

inline std::vector<std::string> golden_lines(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

/// The first line at which two texts differ, as a message; empty when they are equal.
inline std::string golden_difference(const std::string& expected, const std::string& actual) {
    if (expected == actual) return "";
    const std::vector<std::string> want = golden_lines(expected);
    const std::vector<std::string> have = golden_lines(actual);
    std::size_t line = 0;
    while (line < want.size() && line < have.size() && want[line] == have[line]) ++line;
    if (line == want.size() && line == have.size()) return "the texts differ in the newline at their end";
    const auto at = [line](const std::vector<std::string>& lines) {
        return line < lines.size() ? "\"" + lines[line] + "\"" : std::string("(end of text)");
    };
    return "line " + std::to_string(line + 1) + "\n  expected " + at(want) + "\n  got      " + at(have);
}

/// Compares with, or under ROOFTUNE_REGENERATE_GOLDEN=1 writes, `name` below the golden folder.
inline void check_golden(const std::string& name, const std::string& text) {
    const std::filesystem::path path = golden_folder() / name;
    INFO("golden file " << path.string());
    if (regenerating_golden()) {
        std::error_code ignored;
        std::filesystem::create_directories(path.parent_path(), ignored);
        std::ofstream out(path, std::ios::binary);
        out << text;
        out.close();
        REQUIRE(out.good());
        WARN("wrote " << path.string());
        return;
    }
    std::ifstream in(path, std::ios::binary);
    if (!in) {
        FAIL_CHECK(
            "cannot read the golden file: run the tests from the repository root, or create it with "
            "ROOFTUNE_REGENERATE_GOLDEN=1");
        return;
    }
    std::ostringstream expected;
    expected << in.rdbuf();
    const std::string difference = golden_difference(expected.str(), text);
    if (!difference.empty()) {
        FAIL_CHECK(
            difference << "\nIf the change is meant, rewrite the file with ROOFTUNE_REGENERATE_GOLDEN=1.");
    }
    SUCCEED();
}

}  // namespace rooftune::test
