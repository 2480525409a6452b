#include "tests/structure/registry.h"

#include <map>
#include <regex>
#include <set>
#include <sstream>

namespace rooftune::structure {
namespace {

// How often each first group of the pattern occurs, comments left out.
std::map<std::string, int> occurrences(std::string_view text, const std::regex& pattern,
                                       std::string_view comment) {
    std::map<std::string, int> counts;
    for (const Line& line : lines_of(text)) {
        const std::string code(line.text.substr(0, line.text.find(comment)));
        for (std::sregex_iterator at(code.begin(), code.end(), pattern), end; at != end; ++at)
            ++counts[(*at)[1].str()];
    }
    return counts;
}

void compare(const std::set<std::string>& folders, const std::map<std::string, int>& named,
             const std::string& what, Complaints& complaints) {
    const std::string where = "kernels/registry.cpp: ";
    for (const std::string& folder : folders) {
        const auto at = named.find(folder);
        const int times = at == named.end() ? 0 : at->second;
        if (times != 1) {
            complaints.push_back(where + "the family kernels/" + folder + " has " + std::to_string(times) +
                                 " " + what + " instead of one");
        }
    }
    for (const auto& [name, times] : named) {
        if (!folders.contains(name)) {
            complaints.push_back(where + what + " of " + name + ", but kernels/" + name +
                                 "/family.h is not there");
        }
    }
}

std::set<std::string> folders_with_sources(const Tree& tree, std::string_view top) {
    std::set<std::string> folders;
    for (const File& file : tree.files()) {
        if (file.below(top) && file.ends_with(".cpp")) folders.insert(file.folder());
    }
    return folders;
}

}  // namespace

Complaints families_registered(const Tree& tree) {
    Complaints complaints;
    std::set<std::string> families;
    for (const std::string& folder : tree.folders_in("kernels")) {
        if (folder == "runtime" || folder == "probe" || folder == "contract" || folder == "sparse") continue;
        const std::string path = "kernels/" + folder;
        if (tree.find(path + "/family.h") == nullptr) {
            complaints.push_back(
                path + ": not runtime, probe, contract or sparse, and no family.h makes it a family");
            continue;
        }
        families.insert(folder);
        if (tree.find(path + "/README.md") == nullptr) {
            complaints.push_back(path + ": no README.md that derives its work");
        }
    }
    const std::string_view registry = tree.text("kernels/registry.cpp");
    static const std::regex kHeader(R"re(#include "kernels/(\w+)/family\.h")re");
    static const std::regex kMaker(R"(\bmake_(\w+)_family\()");
    compare(families, occurrences(registry, kHeader, "//"), "includes", complaints);
    compare(families, occurrences(registry, kMaker, "//"), "registry lines", complaints);
    return complaints;
}

Complaints folders_built(const Tree& tree) {
    Complaints complaints;
    // A library may have several folders; what it links to follows behind LINK.
    static const std::regex kLibrary(
        R"(\brooftune_library\(\s*\w+\s+((?:(?!LINK\b|COLD\b|HEADERS_ONLY\b)[\w/]+\s*)+))");
    std::map<std::string, int> named;
    for (const auto& [folders, times] : occurrences(tree.text("CMakeLists.txt"), kLibrary, "#")) {
        std::istringstream words(folders);
        for (std::string folder; words >> folder;) named[folder] += times;
    }
    for (const auto top : {"models", "kernels", "tuner"}) {
        for (const std::string& folder : folders_with_sources(tree, top)) {
            // tuner/ itself holds the program's main only; families are found by their family.h.
            const bool family = tree.find(folder + "/family.h") != nullptr && folder != "kernels";
            if (folder != "tuner" && !family && !named.contains(folder)) {
                complaints.push_back(folder +
                                     ": holds sources, but no rooftune_library() of CMakeLists.txt names it");
            }
        }
    }
    for (const auto& [folder, times] : named) {
        if (!std::filesystem::is_directory(tree.root() / folder)) {
            complaints.push_back("CMakeLists.txt: the folder " + folder + " is not there");
        }
        if (times > 1) complaints.push_back("CMakeLists.txt: two libraries share the folder " + folder);
    }
    return complaints;
}

Complaints tests_run(const Tree& tree) {
    Complaints complaints;
    std::set<std::string> named;
    static const std::regex kWord(R"(([\w./-]+))");
    for (const auto& [word, times] : occurrences(tree.text("tests/CMakeLists.txt"), kWord, "#")) {
        named.insert(word);
        // A file names its folder too, and ${CMAKE_CURRENT_SOURCE_DIR}/x is x.
        std::string path = word.starts_with('/') ? word.substr(1) : word;
        named.insert(path);
        named.insert(path.substr(0, path.rfind('/')));
    }
    const auto require = [&](const std::string& path) {
        const std::string name = path.substr(std::string_view("tests/").size());
        if (!named.contains(name))
            complaints.push_back(path + ": tests/CMakeLists.txt does not name it, so it is never run");
    };
    for (const std::string& folder : folders_with_sources(tree, "tests")) {
        // tests/unit/FAMILY is found by the family's folder.
        const std::string family = folder.substr(folder.rfind('/') + 1);
        if (folder == "tests/unit/" + family && tree.find("kernels/" + family + "/family.h")) continue;
        if (folder != "tests") require(folder);
    }
    for (const File& file : tree.files()) {
        if (file.below("tests") && file.ends_with(".sh")) require(file.path);
    }
    return complaints;
}

}  // namespace rooftune::structure
