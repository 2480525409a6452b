#include "tests/structure/guarantees.h"

#include <algorithm>
#include <set>
#include <string>

#include "tests/structure/test_names.h"

namespace rooftune::structure {
namespace {

constexpr const char* kPage = "docs/guarantees.md";

// The last cell of a row, "| what | `test` `other test` |"; empty for a line that is no row of promises.
std::string last_cell(const std::string& line) {
    if (!line.starts_with("| ") || line.find("---") != std::string::npos) return "";
    const std::size_t end = line.rfind('|');
    const std::size_t begin = line.rfind('|', end - 1);
    return begin == std::string::npos || begin == end ? "" : line.substr(begin + 1, end - begin - 1);
}

}  // namespace

Complaints guarantees_tested(const Tree& tree) {
    std::set<std::string> known;
    for (const TestName& test : names_of_tests(tree)) known.insert(test.name);
    Complaints complaints;
    int named = 0;
    for (const File& file : tree.files()) {
        if (file.path != kPage) continue;
        std::size_t number = 0;
        bool in_table = false;
        for (std::size_t at = 0; at < file.text.size();) {
            const std::size_t end = std::min(file.text.find('\n', at), file.text.size());
            const std::string line = file.text.substr(at, end - at);
            at = end + 1;
            ++number;
            const bool was_in_table = in_table;
            in_table = line.starts_with("|");
            const std::string cell = last_cell(line);
            if (cell.empty() || !was_in_table) continue;  // a heading
            const std::string where = file.path + ":" + std::to_string(number) + ": ";
            const std::size_t first = cell.find('`');
            if (first == std::string::npos) complaints.push_back(where + "a promise without a test");
            for (std::size_t open = first; open != std::string::npos;) {
                const std::size_t close = cell.find('`', open + 1);
                if (close == std::string::npos) break;
                const std::string name = cell.substr(open + 1, close - open - 1);
                ++named;
                if (!known.contains(name)) complaints.push_back(where + "no test is called \"" + name + "\"");
                open = cell.find('`', close + 1);
            }
        }
    }
    if (named == 0) complaints.push_back(std::string(kPage) + ": missing, or names no test");
    return complaints;
}

}  // namespace rooftune::structure
