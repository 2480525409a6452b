// Rows of the store as values, for everybody who reads them: read in one place, judged in one place.
#pragma once

#include <map>
#include <string>

#include "tuner/formats/record.h"
#include "tuner/store/database.h"
#include "tuner/store/job_key.h"

namespace rooftune {

/// The tables that hold what was found, in the order in which one refers to the other. (The journal holds
/// what is going on.)
struct StoreTable {
    const char* name;
    const char* contents;  ///< the columns under the checksum
    const char* others;    ///< columns outside it, but the id; "" for none
};
inline constexpr int kStoreTables = 4;
const StoreTable (&store_tables())[kStoreTables];

/// "checksum = rooftune_checksum(…)" of a table: 1 for a row that is as it was written.
std::string intact_sql(const std::string& contents);

/// "INSERT INTO table (contents…, others…, checksum) VALUES (?1, …, rooftune_checksum(?1, …))".
std::string insert_sql(const std::string& table, const std::string& contents, const std::string& others = {});

/// Columns of a record from `first` on: variant, parameters, outcome, detail, slots, error, prepare_seconds,
/// role, at. Throws InputError, which begins with `where`, for what is none.
Record record_from(const Statement& row, int first, const std::string& where);

/// Columns of a job from `first` on, as kJobContents lists them. Throws InputError for what is none.
JobKey job_key_from(const Statement& row, int first, const std::string& where);
/// What is wrong where the row's key or short name is not that of its other columns; else empty.
std::string key_fault(const Statement& row, int first, const JobKey& key);

/// Numbers the rows of a table anew from 1, in their order: after rows were taken out, ids without gaps tell
/// the next repair how many there were. For tables whose ids nothing refers to. Within a transaction.
void close_gaps_of(Database& database, const std::string& table);

/// A map as it is stored.
std::string map_text(const std::map<std::string, std::string>& map);
std::map<std::string, std::string> map_from(const std::string& text, const std::string& file);

}  // namespace rooftune
