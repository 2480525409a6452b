// What there is now, as far as it is known without measuring.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace rooftune::verify {

struct Environment {
    std::string machine_id;   ///< fingerprint
    std::vector<int> widths;  ///< usable vector widths in bits, ascending
    int processors = 1;       ///< processing units that may be used
    std::string compiler, kernels_build;

    std::string no_family{};   ///< why there is none; empty: there is one
    std::string no_device{};   ///< why the backend's device is not there
    std::string no_problem{};  ///< why it cannot be loaded
    /// What follows is known only where it could be asked.
    std::optional<std::string> digest{};      ///< of the problem
    std::optional<int> space_version{};       ///< of the family's space
    std::optional<std::string> no_variant{};  ///< why the winner does not exist; empty: it does
};

}  // namespace rooftune::verify
