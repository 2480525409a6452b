// The commands below `rooftune results`: each adds itself and leaves what it does behind.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "tuner/cli/commands.h"
#include "tuner/cli/options.h"
#include "tuner/store/store.h"

namespace rooftune {

void add_results_list(CLI::App& results, Action& action);
void add_results_show(CLI::App& results, Action& action);
void add_results_prune(CLI::App& results, Action& action);
void add_results_export(CLI::App& results, Action& action);
void add_results_import(CLI::App& results, Action& action);
void add_results_check(CLI::App& results, Action& action);

/// Path of the store in the results folder. Throws InputError when there is none yet.
std::string store_path(const CommonOptions& common);

/// Repairs, and rows left out because they are damaged, on standard error.
void print_notices(const Store& store);

/// This machine's fingerprint for "this", else the text itself.
std::string machine_named(const std::string& text);

/// "Folder of the store", and where that is.
void add_results_folder(CLI::App& app, CommonOptions& common);

}  // namespace rooftune
