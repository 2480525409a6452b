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
    /// Reads the bytes as their file would be read; answers with what the reader said beside what it threw (a
    /// store's notices). Anything thrown but an error that users are told (InputError, EnvironmentError) is a
    /// finding, as are a crash, a sanitizer's report and a hang.
    std::function<std::string(const std::string& bytes)> read;
    /// How many inputs of the others it takes the time of: where inputs are counted, it gets so many fewer.
    int cost = 1;
    /// Part of what is said at a place that lies deep in the reader: where a fault is planted, to see whether
    /// changed inputs come there.
    std::string deep{};
};

/// What a user is told of the bytes, or what the reader said. Throws what no user is told.
std::string told_of(const Target& target, const std::string& bytes);

/// All of them. `home` is the checkout, which most seeds are taken from, also those of tests/fuzz/corpus;
/// files that readers want by name are made in `folder`.
std::vector<Target> all_targets(const std::string& home, const std::string& folder);

}  // namespace rooftune::fuzz
