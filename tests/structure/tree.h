// A checkout as the structure checks see it: its text files by path, and its top level.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace rooftune::structure {

/// What a check found wrong, one sentence each, beginning with the path. Empty: all is well.
using Complaints = std::vector<std::string>;

struct File {
    std::string path;  ///< from the root, with '/'
    std::string text;

    /// Folder of the path; empty for the top level.
    std::string folder() const;
    bool below(std::string_view top) const;
    bool ends_with(std::string_view ending) const { return std::string_view(path).ends_with(ending); }
    /// A C++ source or header.
    bool is_code() const { return ends_with(".h") || ends_with(".cpp"); }
};

/// One line with its number, counted from 1.
struct Line {
    int number = 0;
    std::string_view text;
};
std::vector<Line> lines_of(std::string_view text);

class Tree {
public:
    /// Reads the text files of the project's folders and of the top level; build folders, results and
    /// whatever else lies about are left out.
    explicit Tree(std::filesystem::path root);

    const std::filesystem::path& root() const { return root_; }
    const std::vector<File>& files() const { return files_; }
    /// nullptr when there is none.
    const File* find(std::string_view path) const;
    /// Text of a file; empty when there is none.
    std::string_view text(std::string_view path) const;
    /// Names of the folders in this folder, sorted.
    std::vector<std::string> folders_in(std::string_view folder) const;

    /// Names at the top level: those that git tracks; where git does not know the tree, all that
    /// .gitignore does not leave out.
    std::vector<std::string> top_level() const;

private:
    std::filesystem::path root_;
    std::vector<File> files_;  ///< sorted by path
};

}  // namespace rooftune::structure
