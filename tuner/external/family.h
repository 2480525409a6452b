// The family of kernels that users bring: a source with annotations (docs/own-kernels.md).
//
// It lies in the tuner and not in kernels/, because it has no kernel of its own: what it is made of are the
// tuner's expressions, files and child processes, and programs that link plans need none of it.
#pragma once

#include <memory>
#include <string>

#include "kernels/contract/family.h"
#include "kernels/registry.h"

namespace rooftune {

std::unique_ptr<Family> make_external_family();

/// The families that are built in, and this one.
Registry all_families();

}  // namespace rooftune
