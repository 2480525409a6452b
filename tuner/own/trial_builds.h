// Whether a kernel compiles, tried before anything is measured.
#pragma once

#include <string>
#include <vector>

#include "kernels/contract/family.h"
#include "tuner/external/instance.h"

namespace rooftune {

struct TrialBuild {
    std::string what;     ///< "as the source stands", "the reference"
    std::string command;  ///< compiler and flags, or the device and its options
    std::string failure;  ///< the compiler's messages; empty: it compiles
};

/// The first variant of the space, and the reference where that one compiles. An OpenCL source is built for
/// `target`'s device; a program as its description says, if it says so. Throws EnvironmentError where there
/// is no compiler, and what a signal interrupts.
std::vector<TrialBuild> trial_builds(const external::Instance& instance, const Space& space,
                                     const Target& target);

}  // namespace rooftune
