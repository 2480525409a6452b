// Opening the database file behind a store.
#pragma once

#include <memory>
#include <string>

#include "tuner/store/database.h"

namespace rooftune {

/// Opens, checks and migrates. Throws DamagedStore when the file is no database or fails SQLite's
/// quick check, InputError when it is not ours or newer, EnvironmentError for the rest.
std::unique_ptr<Database> open_checked(const std::string& path);

}  // namespace rooftune
