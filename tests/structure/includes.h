// The arrows tuner -> kernels -> models, read off the include lines.
#pragma once

#include "tests/structure/tree.h"

namespace rooftune::structure {

struct Include {
    int line = 0;
    bool quoted = false;
    std::string target;
};

/// The include lines of a file, and what it gives Highway to include once a target (HWY_TARGET_INCLUDE).
std::vector<Include> includes_of(const File& file);

/// Every include of the project's own files: that it exists and is written from the root, and that
/// it follows the arrows.
///   models  -> models
///   kernels -> models, and inside kernels: runtime -> runtime; probe -> probe, runtime; a family ->
///              itself, runtime and kernels/contract/family.h; the registry -> the families' family.h
///   tuner   -> tuner, models, kernels without the insides of families
///              tuner/plans -> itself, tuner/base, tuner/formats, tuner/choose, and the insides of families;
///              nothing but tests includes tuner/plans
///   tests   -> all; nothing else includes tests
Complaints include_arrows(const Tree& tree);

/// Headers of input and output, threads or SIMD in models/, which is arithmetic only, and calls that
/// read or print.
Complaints models_are_pure(const Tree& tree);

}  // namespace rooftune::structure
