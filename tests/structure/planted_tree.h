// A small file tree in a temporary folder, planted by a test and gone with it; and what tests ask of a check.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <utility>

#include "tests/structure/tree.h"
#include "tests/support/catch.h"

namespace rooftune::structure {

class PlantedTree {
public:
    PlantedTree(std::initializer_list<std::pair<std::string, std::string>> files) {
        std::string name = (std::filesystem::temp_directory_path() / "rooftune-tree-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr)
            throw std::runtime_error("cannot make a temporary folder like " + name);
        root_ = name;
        for (const auto& [path, text] : files) write(path, text);
    }
    ~PlantedTree() {
        std::error_code ignored;
        std::filesystem::remove_all(root_, ignored);
    }
    PlantedTree(const PlantedTree&) = delete;
    PlantedTree& operator=(const PlantedTree&) = delete;

    void write(const std::string& path, const std::string& text) const {
        const auto at = root_ / path;
        std::filesystem::create_directories(at.parent_path());
        std::ofstream(at) << text;
    }
    const std::filesystem::path& root() const { return root_; }
    Tree tree() const { return Tree(root_); }

private:
    std::filesystem::path root_;
};

/// There is exactly one complaint, and it says this.
inline void check_one(const Complaints& complaints, const std::string& part) {
    INFO("expected: " << part << "; first: " << (complaints.empty() ? "none" : complaints.front()));
    REQUIRE(complaints.size() == 1);
    CHECK_THAT(complaints[0], Catch::Contains(part));
}

}  // namespace rooftune::structure
