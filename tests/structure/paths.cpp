#include "tests/structure/paths.h"

#include <algorithm>
#include <array>
#include <filesystem>

namespace rooftune::structure {
namespace {

constexpr std::string_view kOfPaths = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./";
constexpr std::array<std::string_view, 9> kTops{".ci/",    "cmake/",   "configs/", "docs/", "kernels/",
                                                "models/", "results/", "tests/",   "tuner/"};
constexpr std::array<std::string_view, 7> kSources{".h", ".cpp", ".sh", ".cmake", ".cl", ".css", ".js"};

/// The longest pieces of the text that could be paths; a full stop or a dash behind one is not part of it.
std::vector<std::string> words_like_paths(std::string_view text) {
    std::vector<std::string> words;
    for (std::size_t at = 0; (at = text.find_first_of(kOfPaths, at)) != std::string_view::npos;) {
        const std::size_t end = std::min(text.find_first_not_of(kOfPaths, at), text.size());
        std::string word(text.substr(at, end - at));
        while (word.ends_with('.') || word.ends_with('-')) word.pop_back();
        words.push_back(std::move(word));
        at = end;
    }
    return words;
}

bool is_source(std::string_view word) {
    return std::any_of(kSources.begin(), kSources.end(), [&](std::string_view ending) {
        return word.size() > ending.size() && word.ends_with(ending);
    });
}

/// NAME in kernels/NAME/family.h: three capitals in a row, but for the names of files that are written so.
bool stands_for_many(std::string word) {
    for (const std::string_view name : {"README", "CMakeLists"}) {
        const std::size_t at = word.find(name);
        if (at != std::string::npos) word.erase(at, name.size());
    }
    int capitals = 0;
    for (const char c : word) {
        capitals = c >= 'A' && c <= 'Z' ? capitals + 1 : 0;
        if (capitals == 3) return true;
    }
    return false;
}

bool from_the_root(std::string_view word) {
    return std::any_of(kTops.begin(), kTops.end(),
                       [&](std::string_view top) { return word.starts_with(top); });
}

bool exists(const Tree& tree, const std::string& path) {
    return std::filesystem::exists(tree.root() / path);
}

/// A source by the end of its path: "family.h", or "runtime/team.h".
bool some_file_ends_with(const Tree& tree, std::string_view end) {
    const std::string below = "/" + std::string(end);
    return std::any_of(tree.files().begin(), tree.files().end(),
                       [&](const File& f) { return f.path == end || f.ends_with(below); });
}

/// What stands between backquotes in the line.
std::vector<std::string> quoted(std::string_view line) {
    std::vector<std::string> found;
    while (true) {
        const std::size_t begin = line.find('`');
        const std::size_t end = begin == std::string_view::npos ? begin : line.find('`', begin + 1);
        if (end == std::string_view::npos) return found;
        found.emplace_back(line.substr(begin + 1, end - begin - 1));
        line.remove_prefix(end + 1);
    }
}

/// Where the links of a line of Markdown lead, within the checkout.
std::vector<std::string> links_of(std::string_view line) {
    std::vector<std::string> found;
    while (true) {
        const std::size_t begin = line.find("](");
        const std::size_t end = begin == std::string_view::npos ? begin : line.find(')', begin);
        if (end == std::string_view::npos) return found;
        std::string link(line.substr(begin + 2, end - begin - 2));
        link.resize(std::min(link.find_first_of("# "), link.size()));
        if (!link.empty() && link.find("://") == std::string::npos) found.push_back(std::move(link));
        line.remove_prefix(end + 1);
    }
}

class Check {
public:
    explicit Check(const Tree& tree) : tree_(tree) {}

    void markdown(const File& file) {
        const std::string folder = file.folder().empty() ? "" : file.folder() + "/";
        for (const Line& line : lines_of(file.text)) {
            whole_paths(file, line);
            for (const std::string& link : links_of(line.text)) {
                if (!exists(tree_, folder + link)) complain(file, line, link, "the link leads nowhere");
            }
            const std::vector<std::string> names = quoted(line.text);
            for (const std::string& name : names) {
                if (is_part_of_path(name) && !some_file_ends_with(tree_, without_installed_folder(name)))
                    complain(file, line, name, "no file has this name");
            }
            const bool row = line.text.starts_with("| `") && names.size() > 1 && names.front().ends_with('/');
            if (row && exists(tree_, names.front()) && !exists(tree_, names.front() + names.back()))
                complain(file, line, names.back(), "not in the folder of this row, " + names.front());
        }
    }

    void code(const File& file) {
        for (const Line& line : lines_of(file.text)) whole_paths(file, line);
    }

    Complaints complaints;

private:
    void whole_paths(const File& file, const Line& line) {
        for (const std::string& word : words_like_paths(line.text)) {
            if (!from_the_root(word) || stands_for_many(word) || word.starts_with("results/local")) continue;
            // In code "models/bound" may be anything; with an ending it is a file.
            if (file.is_code() && !is_source(word)) continue;
            if (!exists(tree_, word)) complain(file, line, word, "not there");
        }
    }

    static bool is_part_of_path(const std::string& name) {
        return name.find_first_not_of(kOfPaths) == std::string::npos && is_source(name) &&
               !from_the_root(name) && !stands_for_many(name);
    }
    // Programs name installed headers as rooftune/….
    static std::string without_installed_folder(const std::string& name) {
        return name.starts_with("rooftune/") ? name.substr(name.find('/') + 1) : name;
    }
    void complain(const File& file, const Line& line, const std::string& what, const std::string& why) {
        complaints.push_back(file.path + ":" + std::to_string(line.number) + ": " + what + ": " + why);
    }

    const Tree& tree_;
};

}  // namespace

Complaints paths_exist(const Tree& tree) {
    Check check(tree);
    for (const File& file : tree.files()) {
        if (file.path == "CHANGELOG.md" || file.path == "docs/decisions.md") continue;
        if (file.ends_with(".md")) check.markdown(file);
        if (file.is_code() && !file.below("tests/structure")) check.code(file);
    }
    return check.complaints;
}

}  // namespace rooftune::structure
