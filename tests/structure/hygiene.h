// What must not be left lying about.
#pragma once

#include "tests/structure/tree.h"

namespace rooftune::structure {

/// Sources are one concept each: more than this many lines is a question to answer by splitting.
inline constexpr int kMostLines = 500;

/// Sources of models, kernels, tuner and tests of more than kMostLines lines.
Complaints long_files(const Tree& tree);

/// Marks of unfinished work.
Complaints open_marks(const Tree& tree);

/// Absolute paths of somebody's machine, and hosts of package registries.
Complaints machine_paths(const Tree& tree);

/// Entries of the top level that are missing or not expected; scripts there that cannot be executed.
Complaints top_level_entries(const Tree& tree);

}  // namespace rooftune::structure
