// The commands below `rooftune results`: each adds itself and leaves what it does behind.
#pragma once

#include <string>

#include "tuner/engine/options.h"
#include "tuner/results/commands.h"
#include "tuner/store/store.h"

namespace rooftune {

void add_results_list(Command& results);
void add_results_show(Command& results);
void add_results_prune(Command& results);
void add_results_export(Command& results);
void add_results_import(Command& results);
void add_results_check(Command& results);

/// Path of the store in the results folder. Throws InputError when there is none yet.
std::string store_path(const CommonOptions& common);

/// Repairs, and rows left out because they are damaged, on standard error.
void print_notices(const Store& store);

/// This machine's fingerprint for "this", else the text itself.
std::string machine_named(const std::string& text);

/// "Folder of the store", and where that is.
void add_results_folder(Command& app, CommonOptions& common);

}  // namespace rooftune
