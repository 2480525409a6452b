// The arrows between libraries, read off CMake's LINK lines.
#pragma once

#include "tests/structure/tree.h"

namespace rooftune::structure {

/// Every include from one library's folder into another's: that rooftune_library() of the top CMakeLists.txt
/// lets the first link the second, itself or through others; and that no library links itself through others.
/// A family's library is that of its folder and links what the line with ${family} says.
Complaints link_arrows(const Tree& tree);

}  // namespace rooftune::structure
