#include "tests/structure/test_names.h"

#include <regex>

namespace rooftune::structure {

std::vector<TestName> names_of_tests(const Tree& tree) {
    static const std::regex kNamed(R"re(\b(?:TEMPLATE_)?(?:TEST_CASE\w*|SECTION)\s*\()re");
    static const std::regex kPiece(R"re(\s*"((?:[^"\\]|\\.)*)")re");
    std::vector<TestName> names;
    for (const File& file : tree.files()) {
        if (!file.below("tests") || !file.is_code()) continue;
        for (std::sregex_iterator at(file.text.begin(), file.text.end(), kNamed), none; at != none; ++at) {
            // Neighbouring literals are one.
            std::string name;
            auto from = (*at)[0].second;
            for (std::smatch piece; std::regex_search(from, file.text.end(), piece, kPiece,
                                                      std::regex_constants::match_continuous);
                 from = piece[0].second)
                name += piece[1].str();
            names.push_back({file.path, name});
        }
    }
    return names;
}

Complaints names_without_end(const Tree& tree) {
    Complaints complaints;
    for (const auto& [path, name] : names_of_tests(tree)) {
        const std::size_t colon = name.find(": ");
        if (colon == std::string::npos || colon <= kMostColumnsBeforeColon) continue;
        complaints.push_back(path + ": the test \"" + name + "\" has " + std::to_string(colon) +
                             " columns before its colon (limit " + std::to_string(kMostColumnsBeforeColon) +
                             "): put the shorter part first");
    }
    return complaints;
}

}  // namespace rooftune::structure
