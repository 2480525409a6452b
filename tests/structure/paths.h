// The files and folders that documents and comments name.
#pragma once

#include "tests/structure/tree.h"

namespace rooftune::structure {

/// Every path from the root (models/…, tuner/…, docs/… and their like) that a Markdown file or the code names
/// is there; so is every source that a Markdown file names without its whole path, and what its links lead
/// to. In a table whose rows begin with a folder, the file that ends a row lies in that folder. Left out are
/// CHANGELOG.md and docs/decisions.md, which tell of what was; paths with a word in capitals, which stand for
/// many (kernels/NAME/family.h); results/local, which runs make; and the trees that tests/structure plants.
Complaints paths_exist(const Tree& tree);

}  // namespace rooftune::structure
