#include "tests/structure/packages.h"

#include <algorithm>
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

/// The lines of tests/peers/packages.txt: a peer and its packages.
std::vector<std::vector<std::string>> listed_peers(const Tree& tree) {
    std::vector<std::vector<std::string>> peers;
    for (const Line& line : lines_of(tree.text("tests/peers/packages.txt"))) {
        std::istringstream words{std::string(line.text)};
        std::vector<std::string> peer;
        for (std::string word; words >> word;) peer.push_back(word);
        if (!peer.empty() && !peer.front().starts_with('#')) peers.push_back(std::move(peer));
    }
    return peers;
}

/// Names of packages in the rows of the tables in docs/architecture.md that give a reason.
std::set<std::string> packages_with_reason(const Tree& tree) {
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
    return justified;
}

std::string without_reason(const std::string& name) {
    return "docs/architecture.md: no table row gives a reason for the package " + name;
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
    const std::set<std::string> justified = packages_with_reason(tree);
    Complaints complaints;
    for (const std::string& name : listed(tree)) {
        if (!justified.contains(name)) complaints.push_back(without_reason(name));
    }
    return complaints;
}

Complaints peers_packaged(const Tree& tree) {
    static const std::string kList = "tests/peers/packages.txt: ";
    std::set<std::string> peers;
    for (const std::string& folder : tree.folders_in("tests/peers")) {
        if (tree.find("tests/peers/" + folder + "/main.cpp") != nullptr) peers.insert(folder);
    }
    const std::vector<std::string> everybody = listed(tree);
    const std::set<std::string> justified = packages_with_reason(tree);
    Complaints complaints;
    std::set<std::string> seen;
    for (const std::vector<std::string>& line : listed_peers(tree)) {
        const std::string& peer = line.front();
        if (!peers.contains(peer)) complaints.push_back(kList + "there is no peer " + peer);
        if (!seen.insert(peer).second) complaints.push_back(kList + peer + " stands there twice");
        for (std::size_t i = 1; i < line.size(); ++i) {
            if (std::find(everybody.begin(), everybody.end(), line[i]) != everybody.end())
                complaints.push_back(kList + "cmake/packages.txt has " + line[i] + " already");
            if (!justified.contains(line[i])) complaints.push_back(without_reason(line[i]));
        }
    }
    for (const std::string& peer : peers) {
        if (!seen.contains(peer)) complaints.push_back(kList + "the peer " + peer + " has no line");
    }
    return complaints;
}

}  // namespace rooftune::structure
