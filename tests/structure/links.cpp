#include "tests/structure/links.h"

#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "tests/structure/includes.h"

namespace rooftune::structure {
namespace {

struct Libraries {
    std::map<std::string, std::string> of_folder;
    std::map<std::string, std::set<std::string>> links;
};

std::string without_comments(std::string_view text) {
    std::string code;
    for (const Line& line : lines_of(text))
        code += std::string(line.text.substr(0, line.text.find('#'))) + "\n";
    return code;
}

std::vector<std::string> families_of(const Tree& tree) {
    std::vector<std::string> families;
    for (const std::string& folder : tree.folders_in("kernels")) {
        if (folder != "contract" && tree.find("kernels/" + folder + "/family.h") != nullptr)
            families.push_back(folder);
    }
    return families;
}

// One line's words: its name, its folders, and behind LINK what it links.
void add_library(Libraries& libraries, const std::string& arguments,
                 const std::vector<std::string>& families) {
    std::istringstream words(arguments);
    std::string name, word;
    words >> name;
    bool links = false;
    while (words >> word) {
        if (word == "COLD" || word == "HEADERS_ONLY") continue;
        if (word == "LINK") {
            links = true;
        } else if (!links) {
            libraries.of_folder[word] = name;
        } else if (word == "${families}") {
            libraries.links[name].insert(families.begin(), families.end());
        } else {
            libraries.links[name].insert(word);
        }
    }
}

Libraries libraries_of(const Tree& tree) {
    static const std::regex kLibrary(R"(rooftune_library\(([^)]*)\))");
    const std::string code = without_comments(tree.text("CMakeLists.txt"));
    const std::vector<std::string> families = families_of(tree);
    Libraries libraries;
    for (std::sregex_iterator at(code.begin(), code.end(), kLibrary), end; at != end; ++at) {
        const std::string arguments = (*at)[1].str();
        if (arguments.find("${family}") == std::string::npos) {
            add_library(libraries, arguments, families);
            continue;
        }
        for (const std::string& family : families) {
            std::string own = std::regex_replace(arguments, std::regex(R"(\$\{family\})"), family);
            own = std::regex_replace(own, std::regex(R"(\$\{folder\})"), "kernels/" + family);
            add_library(libraries, own, families);
        }
    }
    return libraries;
}

void reach(const Libraries& libraries, const std::string& from, std::set<std::string>& reached) {
    const auto at = libraries.links.find(from);
    if (at == libraries.links.end()) return;
    for (const std::string& next : at->second) {
        if (reached.insert(next).second) reach(libraries, next, reached);
    }
}

// The library of the nearest folder that one is named for; empty for files that belong to none.
std::string library_of(const Libraries& libraries, std::string folder) {
    while (true) {
        const auto at = libraries.of_folder.find(folder);
        if (at != libraries.of_folder.end()) return at->second;
        const std::size_t slash = folder.rfind('/');
        if (slash == std::string::npos) return {};
        folder.resize(slash);
    }
}

std::string folder_of(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string::npos ? std::string() : path.substr(0, slash);
}

bool belongs_in_a_library(const File& file) {
    return (file.below("models") || file.below("kernels") || file.below("tuner")) &&
           file.path != "tuner/main.cpp";
}

}  // namespace

std::vector<std::string> libraries_named(const Tree& tree) {
    std::set<std::string> names;
    for (const auto& [folder, name] : libraries_of(tree).of_folder) names.insert(name);
    return {names.begin(), names.end()};
}

Complaints link_arrows(const Tree& tree) {
    const Libraries libraries = libraries_of(tree);
    Complaints complaints;
    std::map<std::string, std::set<std::string>> reached;
    for (const auto& [folder, name] : libraries.of_folder) {
        reach(libraries, name, reached[name]);
        if (reached[name].contains(name))
            complaints.push_back("CMakeLists.txt: the library " + name + " links itself through others");
    }
    for (const File& file : tree.files()) {
        if (!file.is_code()) continue;
        const std::string from = library_of(libraries, file.folder());
        if (from.empty()) {
            if (belongs_in_a_library(file)) {
                complaints.push_back(file.path +
                                     ": belongs to no library; name its folder in a rooftune_library() of "
                                     "CMakeLists.txt, or put it into a folder that has one");
            }
            continue;
        }
        for (const Include& include : includes_of(file)) {
            if (!include.quoted) continue;
            // A file that no library has was named above, whoever includes it.
            const std::string to = library_of(libraries, folder_of(include.target));
            if (to.empty() || to == from || reached[from].contains(to)) continue;
            complaints.push_back(file.path + ":" + std::to_string(include.line) + ": \"" + include.target +
                                 "\": the library " + from + " does not link " + to);
        }
    }
    return complaints;
}

}  // namespace rooftune::structure
