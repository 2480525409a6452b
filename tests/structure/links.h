// The arrows between libraries, read off CMake's LINK lines.
#pragma once

#include "tests/structure/tree.h"

namespace rooftune::structure {

/// The libraries that the top CMakeLists.txt makes by rooftune_library(), a family's for each family.
std::vector<std::string> libraries_named(const Tree& tree);

/// Every include from one library's folder into another's: that rooftune_library() of the top CMakeLists.txt
/// lets the first link the second, itself or through others; and that no library links itself through others.
/// A family's library is that of its folder and links what the line with ${family} says. All code of models/,
/// kernels/ and tuner/ belongs to a library, headers too, but for the program's tuner/main.cpp.
Complaints link_arrows(const Tree& tree);

}  // namespace rooftune::structure
