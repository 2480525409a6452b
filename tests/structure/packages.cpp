#include "tests/structure/packages.h"

#include <regex>
#include <set>
#include <sstream>

namespace rooftune::structure {
namespace {

const std::set<std::string> kBuildTools{"g++", "cmake", "ninja-build", "pkg-config"};
// Come with the compiler and the tools above.
const std::set<std::string> kWithoutPackage{"Threads", "PkgConfig"};

std::vector<std::string> listed(const Tree& tree) {
    std::vector<std::string> names;
    for (const Line& line : lines_of(tree.text("cmake/packages.txt"))) {
        std::istringstream words{std::string(line.text)};
        if (std::string name; words >> name && !name.starts_with('#')) names.push_back(name);
    }
    return names;
}

}  // namespace

Complaints packages_agree(const Tree& tree) {
    Complaints complaints;
    std::set<std::string> needed = kBuildTools;
    static const std::regex kRequest(R"(^\s*(?:find_package|pkg_check_modules)\((\w+)[^#]*(?:#\s*(.*))?$)");
    for (const Line& line : lines_of(tree.text("cmake/dependencies.cmake"))) {
        const std::string text(line.text);
        std::smatch match;
        if (!std::regex_match(text, match, kRequest) || kWithoutPackage.contains(match[1])) continue;
        std::istringstream words(match[2].str());
        int found = 0;
        for (std::string name; words >> name; ++found) needed.insert(name);
        if (found == 0) {
            complaints.push_back("cmake/dependencies.cmake:" + std::to_string(line.number) + ": " +
                                 match[1].str() + " has no comment with its Debian package");
        }
    }
    std::set<std::string> seen;
    for (const std::string& name : listed(tree)) {
        if (!seen.insert(name).second)
            complaints.push_back("cmake/packages.txt: " + name + " stands there twice");
        if (!needed.contains(name)) {
            complaints.push_back("cmake/packages.txt: nothing in cmake/dependencies.cmake needs " + name);
        }
    }
    for (const std::string& name : needed) {
        if (!seen.contains(name))
            complaints.push_back("cmake/packages.txt: " + name + " is needed and missing");
    }
    return complaints;
}

Complaints packages_justified(const Tree& tree) {
    std::set<std::string> justified;
    static const std::regex kQuoted("`([^`]+)`");
    for (const Line& line : lines_of(tree.text("docs/architecture.md"))) {
        const std::string row(line.text);
        if (!row.starts_with('|')) continue;
        // The reason is the last cell: more than a word or two.
        static const std::regex kReason(R"(\|([^|]*)\|\s*$)");
        std::smatch reason;
        if (!std::regex_search(row, reason, kReason) || reason[1].length() < 12) continue;
        for (std::sregex_iterator at(row.begin(), row.end(), kQuoted), none; at != none; ++at) {
            justified.insert((*at)[1].str());
        }
    }
    Complaints complaints;
    for (const std::string& name : listed(tree)) {
        if (!justified.contains(name)) {
            complaints.push_back("docs/architecture.md: no table row gives a reason for the package " + name);
        }
    }
    return complaints;
}

}  // namespace rooftune::structure
