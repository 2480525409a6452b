// Names of tests, and whether they can be shown.
#pragma once

#include <string>
#include <vector>

#include "tests/structure/tree.h"

namespace rooftune::structure {

struct TestName {
    std::string path;  ///< of its file
    std::string name;  ///< of a test or of a section, as the source spells it
};

std::vector<TestName> names_of_tests(const Tree& tree);

/// Columns of a test's or section's name before its first ": ", at most.
inline constexpr int kMostColumnsBeforeColon = 70;

/// Catch2 indents what follows the first ": " of a name by as much as stands before it. Where that leaves no
/// room on a line of 79, it writes empty lines without end as soon as a check of the test fails, and who
/// collects its output runs out of memory: that a check failed, and which, is never seen.
Complaints names_without_end(const Tree& tree);

}  // namespace rooftune::structure
