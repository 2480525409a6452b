// Texts that are looked for wherever they stand. There are thousands of them: they are found by how they
// begin.
#pragma once

#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

namespace rooftune::test {

class WordList {
public:
    void add(const std::string& text);

    /// Calls `found` with place and length of each text of the list that stands in `text`, as no part of a
    /// longer number or word.
    void find(const std::string& text, const std::function<void(std::size_t, std::size_t)>& found) const;

    /// Whether one of them begins so.
    bool any_begins(const std::string& beginning) const;

private:
    static constexpr std::size_t kKey = 3;

    std::unordered_map<std::string, std::vector<std::string>> longer_;  ///< by their first bytes
    std::vector<std::string> short_;
};

}  // namespace rooftune::test
