#include "tests/structure/hygiene.h"

#include <algorithm>
#include <array>
#include <regex>
#include <set>

namespace rooftune::structure {
namespace {

const std::set<std::string> kTopLevel{
    ".ci",          ".clang-format",  ".clang-tidy",       ".editorconfig", ".gitignore",
    "CHANGELOG.md", "CMakeLists.txt", "CMakePresets.json", "LICENSE",       "README.md",
    "SECURITY.md",  "cmake",          "configs",           "docs",          "kernels",
    "models",       "results",        "rooftune",          "tests",         "tuner",
};

// One complaint a line that the pattern occurs in.
Complaints lines_with(const Tree& tree, const std::regex& pattern, const std::string& why) {
    Complaints complaints;
    for (const File& file : tree.files()) {
        for (const Line& line : lines_of(file.text)) {
            std::match_results<std::string_view::const_iterator> match;
            if (!std::regex_search(line.text.begin(), line.text.end(), match, pattern)) continue;
            complaints.push_back(file.path + ":" + std::to_string(line.number) + ": " + match[0].str() +
                                 ": " + why);
        }
    }
    return complaints;
}

}  // namespace

Complaints long_files(const Tree& tree) {
    Complaints complaints;
    for (const File& file : tree.files()) {
        const bool ours =
            file.below("models") || file.below("kernels") || file.below("tuner") || file.below("tests");
        if (!ours || !(file.is_code() || file.ends_with(".sh") || file.ends_with(".cl"))) continue;
        const auto lines = static_cast<int>(lines_of(file.text).size());
        if (lines > kMostLines) {
            complaints.push_back(file.path + ": " + std::to_string(lines) +
                                 " lines; split it by concept (limit " + std::to_string(kMostLines) + ")");
        }
    }
    return complaints;
}

// The words are put together here so that this file does not contain them.
Complaints open_marks(const Tree& tree) {
    static const std::regex kMarks(
        "\\b(TO"
        "DO|FIX"
        "ME|XX"
        "X|HA"
        "CK)\\b");
    return lines_with(tree, kMarks, "do it, or open an issue");
}

Complaints machine_paths(const Tree& tree) {
    // Not after a letter, as in the address of a page or in a path from the root.
    static const std::regex kPaths("(^|[^\\w./-])/(home|root|work|Users|mnt|media)/[\\w.]+");
    static const std::regex kHosts(
        "\\b(deb\\.deb"
        "ian\\.org|py"
        "pi\\.org|registry\\.np"
        "mjs\\.org)\\b");
    Complaints complaints = lines_with(tree, kPaths, "a path of one machine");
    for (auto& complaint : lines_with(tree, kHosts, "a registry that another machine may not use")) {
        complaints.push_back(std::move(complaint));
    }
    return complaints;
}

Complaints top_level_entries(const Tree& tree) {
    Complaints complaints;
    const auto names = tree.top_level();
    const std::set<std::string> present(names.begin(), names.end());
    for (const std::string& name : kTopLevel) {
        if (!present.contains(name)) complaints.push_back(name + ": missing at the top level");
    }
    for (const std::string& name : present) {
        if (!kTopLevel.contains(name)) {
            complaints.push_back(
                name +
                ": not expected at the top level; put it into a folder, or into kTopLevel of "
                "tests/structure/hygiene.cpp with the owner's consent");
        }
    }
    for (const auto script : {"rooftune", ".ci/run"}) {
        std::error_code failed;
        const auto status = std::filesystem::status(tree.root() / script, failed);
        const bool exists = std::filesystem::is_regular_file(status);
        if (!exists) {
            complaints.push_back(std::string(script) + ": not there");
        } else if ((status.permissions() & std::filesystem::perms::owner_exec) ==
                   std::filesystem::perms::none) {
            complaints.push_back(std::string(script) + ": cannot be executed");
        }
    }
    return complaints;
}

}  // namespace rooftune::structure
