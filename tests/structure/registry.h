// Folders against the lines that name them.
#pragma once

#include "tests/structure/tree.h"

namespace rooftune::structure {

/// Every folder of kernels/ that holds family.h is entered once in kernels/registry.cpp, by an
/// include of that header and a call of make_FOLDER_family(), and the other way round. A family has
/// a README; a folder of kernels/ is runtime, probe or a family.
Complaints families_registered(const Tree& tree);

/// Every folder of models/, kernels/ and tuner/ that holds sources is a library of CMakeLists.txt
/// (a folder that is not would silently be left out of the build), and every folder that
/// CMakeLists.txt names is there.
Complaints folders_built(const Tree& tree);

/// Every folder of tests/ that holds sources, and every script there, is named in
/// tests/CMakeLists.txt.
Complaints tests_run(const Tree& tree);

}  // namespace rooftune::structure
