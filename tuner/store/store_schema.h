// The store's tables and their versions.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tuner/formats/record.h"
#include "tuner/store/database.h"

namespace rooftune {

/// 1: jobs, runs, records, journal. 2: and history.
inline constexpr std::int64_t kStoreVersion = 2;
/// PRAGMA application_id: "roof".
inline constexpr std::int64_t kStoreApplication = 0x726f6f66;

/// Throws InputError, naming file and versions, when the file belongs to another program or was
/// written by a newer rooftune. Changes nothing.
void check_version(Database& database);

/// Brings the tables from whatever older version (0: an empty file) to kStoreVersion, step by step in one
/// transaction: a process that is killed meanwhile leaves the old version whole.
void migrate(Database& database);

/// What a store of that version is made of: the statements, by the name of what they make, as SQLite keeps
/// them in the file.
std::map<std::string, std::string> definitions_of(std::int64_t version);

/// Throws DamagedStore where the file's own definitions are not those of its version. They lie on its first
/// pages as text, and SQLite believes them: with one letter changed a column has another name, which no check
/// of SQLite's finds.
void check_definitions(Database& database);

/// Whether the table is there: from version 2 on.
bool has_history(Database& database);

/// The contents of each table: the columns that its `checksum` column covers, in this order. The
/// checksum finds bytes that changed under SQLite's own structure. Outside it are only `id`, and of
/// records also `run` and `superseded`, which change.
inline constexpr const char* kJobContents =
    "key, hash, family, backend, problem, digest, dtype, title, state, threads, machine, space_version, "
    "build, created";
inline constexpr const char* kRunContents = "job, started, ended, result";
inline constexpr const char* kRecordContents =
    "job, variant, parameters, outcome, detail, slots, error, prepare_seconds, role, at";
inline constexpr const char* kHistoryContents = "machine, kernel, revision, at, entry";

/// Slots as text: [[seconds, repetitions, disturbed], …] with every digit.
std::string slots_text(const std::vector<Slot>& slots);
/// Throws InputError when the text is not that.
std::vector<Slot> slots_from(const std::string& text, const std::string& file);

}  // namespace rooftune
