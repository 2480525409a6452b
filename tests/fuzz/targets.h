// The readers of what comes from outside, each as something that takes any bytes.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tests/fuzz/mutate.h"

namespace rooftune::fuzz {

struct Target {
    std::string name;
    Material material;
    /// Reads the bytes as their file would be read. Anything thrown but an error that users are told
    /// (InputError, EnvironmentError) is a finding, as are a crash, a sanitizer's report and a hang.
    std::function<void(const std::string& bytes)> read;
};

/// All of them. `home` is the checkout, which most seeds are taken from; files that readers want by name are
/// made in `folder`.
std::vector<Target> all_targets(const std::string& home, const std::string& folder);

}  // namespace rooftune::fuzz
