// Machines that results ran on, as far as their files are at hand.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/machine.h"
#include "tuner/formats/result_files.h"

namespace rooftune {

/// Where a command looks for the machine of a result. A fingerprint tells kinds of machines apart, and not
/// each from its like: of two results folders with a machine of one name, only one has the ceilings that the
/// result was bounded by.
struct MachineSearch {
    std::string named{};  ///< results folder that the user named; empty: none
    std::string usual{};  ///< results folder where none is named
};

/// The results folder that a file lies in, FOLDER/tuned/FILE or FOLDER/FILE; empty where it lies in none.
std::string results_folder_of(const std::string& file);

/// Suggested commands (suggested.h) are then on the results folder that all these files lie in, where there
/// is one and commands do not take it anyway.
void suggest_folder_of(const std::vector<ResultFile>& results);

/// Whether a machine's file is of the store that the result came from: it has each ceiling that bound the
/// result, at least as high, since a stored maximum never falls. False for a result that does not tell them.
bool is_machine_of(const Machine& machine, const TuneResult& result);

/// The machine of one result: in the folder named, else in the folder that the result lies in, else in the
/// usual one if the machine there is the result's own. Throws InputError for a file that cannot be read.
std::optional<Machine> machine_of_result(const ResultFile& result, const MachineSearch& search);

/// Each machine once, in the order of the results; those without a file are left out. Throws like
/// machine_of_result().
std::vector<Machine> machines_of(const std::vector<ResultFile>& results, const MachineSearch& search);

/// The machine that all results ran on; none where they ran on several, or the file of one is not there or is
/// another one than the others': then the ceilings that the results kept are all that is known of them.
std::optional<Machine> machine_of_results(const std::vector<ResultFile>& results,
                                          const MachineSearch& search);

}  // namespace rooftune
