#include "tests/structure/guarantees.h"

#include <algorithm>
#include <set>
#include <string>

#include "tests/structure/test_names.h"

namespace rooftune::structure {
namespace {

constexpr const char* kPage = "docs/guarantees.md";

// The last cell of a row, "| what | `test` `other test` |".
std::string last_cell(const std::string& line) {
    const std::size_t end = line.find_last_not_of("| ");
    const std::size_t begin = line.rfind('|', end);
    return end == std::string::npos || begin == std::string::npos ? "" : line.substr(begin + 1, end - begin);
}

bool is_rule(const std::string& line) {
    return line.find_first_not_of("|-: ") == std::string::npos;
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
            if (!in_table || !was_in_table || is_rule(line)) continue;  // the first row is the heading
            const std::string cell = last_cell(line);
            const std::string where = file.path + ":" + std::to_string(number) + ": ";
            const std::size_t first = cell.find('`');
            if (first == std::string::npos) complaints.push_back(where + "a promise without a test");
            for (std::size_t open = first; open != std::string::npos;) {
                const std::size_t close = cell.find('`', open + 1);
                if (close == std::string::npos) {
                    complaints.push_back(where + "a backquote that is not closed");
                    break;
                }
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
