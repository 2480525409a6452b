// Our side of a comparison: a variant of a registered family, run as the tuner's workers run it.
#pragma once

#include <map>
#include <string>

#include "kernels/contract/family.h"
#include "tests/peers/harness/arm.h"

namespace rooftune::peers {

enum class Choice { naive, fallback, given };

/// An arm for the family's naive variant, its default, or the one given by parameters.
Arm family_arm(std::string name, std::string family, ProblemSpec spec, Choice choice,
               std::map<std::string, std::string> variant = {});

/// What the space may use on these processing units.
Target target_of(const std::vector<int>& cpus);

}  // namespace rooftune::peers
