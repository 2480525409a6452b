#include "tests/structure/tree.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <set>
#include <sstream>

namespace rooftune::structure {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 8> kFolders{".ci",     "cmake",  "configs", "docs",
                                                   "kernels", "models", "tests",   "tuner"};
// Recorded data may be large, and none of the checks is about it.
constexpr std::uintmax_t kLargestText = 1 << 20;

std::string read(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

bool is_text(std::string_view content) {
    return content.find('\0') == std::string_view::npos;
}

// What `git ls-files` prints in that folder; empty when git is absent or does not know it.
std::string tracked_files(const fs::path& root) {
    if (!fs::exists(root / ".git")) return {};
    // Through the environment, so that no character of the path means anything to the shell.
    ::setenv("ROOFTUNE_STRUCTURE_ROOT", root.c_str(), 1);
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(
        ::popen("git -C \"$ROOFTUNE_STRUCTURE_ROOT\" ls-files 2>/dev/null", "r"), ::pclose);
    std::string out;
    std::array<char, 4096> block{};
    while (pipe != nullptr) {
        const std::size_t got = std::fread(block.data(), 1, block.size(), pipe.get());
        if (got == 0) break;
        out.append(block.data(), got);
    }
    return out;
}

}  // namespace

std::string File::folder() const {
    const auto slash = path.rfind('/');
    return slash == std::string::npos ? std::string() : path.substr(0, slash);
}

bool File::below(std::string_view top) const {
    return path.size() > top.size() && path.starts_with(top) && path[top.size()] == '/';
}

std::vector<Line> lines_of(std::string_view text) {
    std::vector<Line> lines;
    for (int number = 1; !text.empty(); ++number) {
        const std::size_t end = text.find('\n');
        lines.push_back({number, text.substr(0, end)});
        if (end == std::string_view::npos) break;
        text.remove_prefix(end + 1);
    }
    return lines;
}

Tree::Tree(fs::path root) : root_(std::move(root)) {
    const auto take = [this](const fs::directory_entry& entry) {
        if (!entry.is_regular_file() || entry.file_size() > kLargestText) return;
        File file{entry.path().lexically_relative(root_).generic_string(), read(entry.path())};
        if (is_text(file.text)) files_.push_back(std::move(file));
    };
    for (const auto& entry : fs::directory_iterator(root_)) take(entry);
    for (const auto folder : kFolders) {
        if (!fs::is_directory(root_ / folder)) continue;
        for (const auto& entry : fs::recursive_directory_iterator(root_ / folder)) take(entry);
    }
    std::sort(files_.begin(), files_.end(), [](const File& a, const File& b) { return a.path < b.path; });
}

const File* Tree::find(std::string_view path) const {
    const auto at = std::find_if(files_.begin(), files_.end(), [&](const File& f) { return f.path == path; });
    return at == files_.end() ? nullptr : &*at;
}

std::string_view Tree::text(std::string_view path) const {
    const File* file = find(path);
    return file == nullptr ? std::string_view() : std::string_view(file->text);
}

std::vector<std::string> Tree::folders_in(std::string_view folder) const {
    std::set<std::string> names;
    for (const File& file : files_) {
        if (!file.below(folder)) continue;
        const std::string rest = file.path.substr(folder.size() + 1);
        const auto slash = rest.find('/');
        if (slash != std::string::npos) names.insert(rest.substr(0, slash));
    }
    return {names.begin(), names.end()};
}

std::vector<std::string> Tree::top_level() const {
    std::set<std::string> names;
    const std::string tracked = tracked_files(root_);
    if (!tracked.empty()) {
        for (const Line& line : lines_of(tracked)) names.emplace(line.text.substr(0, line.text.find('/')));
        return {names.begin(), names.end()};
    }
    std::set<std::string> ignored{".git"};
    for (const Line& line : lines_of(text(".gitignore"))) {
        std::string_view name = line.text;
        if (name.ends_with('/')) name.remove_suffix(1);
        ignored.emplace(name);
    }
    for (const auto& entry : fs::directory_iterator(root_)) {
        std::string name = entry.path().filename().string();
        if (!ignored.contains(name)) names.insert(std::move(name));
    }
    return {names.begin(), names.end()};
}

}  // namespace rooftune::structure
