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

/// The lines of a list as words; # starts a comment.
std::vector<std::vector<std::string>> words_of(const Tree& tree, const std::string& path) {
    std::vector<std::vector<std::string>> lines;
    for (const Line& line : lines_of(tree.text(path))) {
        std::istringstream words{std::string(line.text)};
        std::vector<std::string> found;
        for (std::string word; words >> word;) found.push_back(word);
        if (!found.empty() && !found.front().starts_with('#')) lines.push_back(std::move(found));
    }
    return lines;
}

/// Debian's names, which stand first in their lines.
std::vector<std::string> listed(const Tree& tree) {
    std::vector<std::string> names;
    for (const auto& line : words_of(tree, "cmake/packages.txt")) names.push_back(line.front());
    return names;
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

/// What the README's command for a distribution installs: the line that begins with the distribution's name,
/// and those that a backslash joins to it, from behind the command's own words.
std::set<std::string> installed_by_hand(const Tree& tree, const std::string& distribution) {
    static const std::set<std::string> kCommand{"sudo", "dnf", "install", "pacman", "-S", "--needed", "\\"};
    std::set<std::string> names;
    bool within = false;
    for (const Line& line : lines_of(tree.text("README.md"))) {
        std::istringstream words{std::string(line.text)};
        std::string word;
        if (!within) {
            words >> word;
            if (word != distribution || !(words >> word) || word != "sudo") continue;
        }
        while (words >> word) {
            if (!kCommand.contains(word)) names.insert(word);
        }
        within = line.text.ends_with('\\');
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

Complaints packages_named_elsewhere(const Tree& tree) {
    static const std::vector<std::string> kDistributions{"Debian", "Fedora", "Arch"};
    Complaints complaints;
    std::vector<std::set<std::string>> seen(kDistributions.size());
    for (const auto& line : words_of(tree, "cmake/packages.txt")) {
        const std::string where = "cmake/packages.txt: the line of " + line.front();
        if (line.size() != kDistributions.size()) {
            complaints.push_back(where + " has " + std::to_string(line.size()) +
                                 " names; one each for Debian, Fedora and Arch is needed");
            continue;
        }
        for (std::size_t i = 1; i < line.size(); ++i) {
            if (!seen[i].insert(line[i]).second) {
                complaints.push_back(where + " names " + line[i] + ", which another line has for " +
                                     kDistributions[i]);
            }
        }
    }
    for (std::size_t i = 1; i < kDistributions.size(); ++i) {
        const std::set<std::string> told = installed_by_hand(tree, kDistributions[i]);
        const std::string where = "README.md: the command for " + kDistributions[i];
        for (const std::string& name : seen[i]) {
            if (!told.contains(name)) complaints.push_back(where + " leaves out " + name);
        }
        for (const std::string& name : told) {
            if (!seen[i].contains(name))
                complaints.push_back(where + " has " + name + ", which cmake/packages.txt does not");
        }
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
    for (const auto& line : words_of(tree, "tests/peers/packages.txt")) {
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

Complaints catch_by_one_header(const Tree& tree) {
    static const std::string kHeader = "tests/support/catch.h";
    static const std::regex kInclude(R"(^\s*#\s*include\s*[<"]catch2/.*)");
    Complaints complaints;
    for (const File& file : tree.files()) {
        if (!file.is_code() || file.path == kHeader) continue;
        for (const Line& line : lines_of(file.text)) {
            if (!std::regex_match(line.text.begin(), line.text.end(), kInclude)) continue;
            complaints.push_back(file.path + ":" + std::to_string(line.number) + ": include \"" + kHeader +
                                 "\", which serves versions 2 and 3 of Catch2");
        }
    }
    return complaints;
}

}  // namespace rooftune::structure
