// Opening the database file behind a store.
#pragma once

#include <memory>
#include <string>

#include "tuner/store/database.h"
#include "tuner/store/store_mark.h"

namespace rooftune {

/// How far the tables reach, for the mark.
StoreMark extent_of(Database& database);

/// Opens, checks and migrates. Throws DamagedStore when the file is no database or fails SQLite's
/// quick check, InputError when it is not ours or newer, EnvironmentError for the rest.
std::unique_ptr<Database> open_checked(const std::string& path);

}  // namespace rooftune
