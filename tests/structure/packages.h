// The Debian packages, which three places name: cmake/packages.txt for the launcher,
// cmake/dependencies.cmake for the build, and docs/architecture.md for the reason.
#pragma once

#include "tests/structure/tree.h"

namespace rooftune::structure {

/// packages.txt is the tools that build (compiler, cmake, ninja, pkg-config) and the packages in the
/// comments of dependencies.cmake, each once; every library there has such a comment.
Complaints packages_agree(const Tree& tree);

/// Every line of packages.txt has a name for Debian, Fedora and Arch, none of which another line has, and the
/// README's commands for the latter two install all of theirs and nothing else.
Complaints packages_named_elsewhere(const Tree& tree);

/// Every package of packages.txt stands in a table row of docs/architecture.md, with a reason.
Complaints packages_justified(const Tree& tree);

/// Each peer, a folder of tests/peers with a main.cpp, has one line in tests/peers/packages.txt: its name,
/// then the packages that it alone needs. They have reasons in docs/architecture.md like all others.
Complaints peers_packaged(const Tree& tree);

/// Only tests/support/catch.h includes Catch2's own headers, which differ between its versions.
Complaints catch_by_one_header(const Tree& tree);

}  // namespace rooftune::structure
