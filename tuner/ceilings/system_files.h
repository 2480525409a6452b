// Reading what the system tells about itself: files below a root, so that tests feed captured ones.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace rooftune {

class SystemFiles {
public:
    /// `root` stands before every path; empty for the machine itself.
    explicit SystemFiles(std::string root = {}) : root_(std::move(root)) {}

    /// The whole file (at most 1 MiB); nullopt when there is none or it cannot be read.
    std::optional<std::string> read(const std::string& path) const;
    /// The first line without its end.
    std::optional<std::string> line(const std::string& path) const;
    /// The first number in the file.
    std::optional<double> number(const std::string& path) const;
    /// Names in a folder, sorted; empty when there is none.
    std::vector<std::string> list(const std::string& path) const;

    const std::string& root() const { return root_; }

private:
    std::string root_;
};

}  // namespace rooftune
