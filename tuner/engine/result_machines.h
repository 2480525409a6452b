// Machines that results ran on, as far as their files are still in the results folder.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/machine.h"
#include "tuner/formats/tune_result.h"

namespace rooftune {

/// Each machine once, in the order of the results; those without a file are left out. Throws InputError for a
/// file that cannot be read.
std::vector<Machine> machines_of(const std::vector<TuneResult>& results, const std::string& folder);

/// The machine that all results ran on; none where they ran on several, or its file is not there.
std::optional<Machine> machine_of_results(const std::vector<TuneResult>& results, const std::string& folder);

}  // namespace rooftune
