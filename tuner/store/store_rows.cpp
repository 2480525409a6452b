#include "tuner/store/store_rows.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "kernels/runtime/error.h"
#include "tuner/formats/strict_json.h"
#include "tuner/store/store_schema.h"

namespace rooftune {

const StoreTable (&store_tables())[kStoreTables] {
    static constexpr StoreTable kTables[kStoreTables] = {{"jobs", kJobContents, ""},
                                                         {"runs", kRunContents, ""},
                                                         {"records", kRecordContents, "run, superseded"},
                                                         {"history", kHistoryContents, ""}};
    return kTables;
}

std::string intact_sql(const std::string& contents) {
    return "checksum = rooftune_checksum(" + contents + ")";
}

std::string insert_sql(const std::string& table, const std::string& contents, const std::string& others) {
    const auto count = [](const std::string& list) { return 1 + std::count(list.begin(), list.end(), ','); };
    std::string marks = "?1";
    for (int i = 2; i <= count(contents); ++i) marks += ", ?" + std::to_string(i);
    std::string more;
    if (!others.empty())
        for (int i = 1; i <= count(others); ++i) more += ", ?" + std::to_string(count(contents) + i);
    return "INSERT INTO " + table + " (" + contents + (others.empty() ? "" : ", " + others) +
           ", checksum) VALUES (" + marks + more + ", rooftune_checksum(" + marks + "))";
}

void close_gaps_of(Database& database, const std::string& table) {
    std::vector<std::int64_t> ids;
    Statement rows = database.prepare("SELECT id FROM " + table + " ORDER BY id");
    while (rows.step()) ids.push_back(rows.integer(0));
    rows.reset();
    Statement move = database.prepare("UPDATE " + table + " SET id = ? WHERE id = ?");
    // Ascending: each goes to a number that is free, or stays.
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (const auto number = static_cast<std::int64_t>(i) + 1; number != ids[i])
            move.bind(number).bind(ids[i]).run();
}

std::string map_text(const std::map<std::string, std::string>& map) {
    return Json(map).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::map<std::string, std::string> map_from(const std::string& text, const std::string& file) {
    const Json wrapped = {{"map", parse_json(text, file)}};
    return StrictObject(wrapped, file).text_map("map");
}

Record record_from(const Statement& row, int first, const std::string& where) {
    Record record;
    record.variant = map_from(row.text(first + 1), where);
    if (!outcome_from(row.text(first + 2), record.outcome))
        throw InputError(where + ": unknown outcome \"" + row.text(first + 2) + "\"");
    record.detail = row.text(first + 3);
    record.slots = slots_from(row.text(first + 4), where);
    record.error = row.real(first + 5);
    record.prepare_seconds = row.real(first + 6);
    record.role = row.text(first + 7);
    record.when = row.text(first + 8);
    return record;
}

JobKey job_key_from(const Statement& row, int first, const std::string& where) {
    JobKey key;
    key.family = row.text(first + 2);
    key.backend = row.text(first + 3);
    key.problem = map_from(row.text(first + 4), where);
    key.digest = row.text(first + 5);
    key.dtype = row.text(first + 6);
    key.title = row.text(first + 7);
    key.state = row.text(first + 8);
    key.threads = static_cast<int>(row.integer(first + 9));
    key.machine_id = row.text(first + 10);
    key.space_version = static_cast<int>(row.integer(first + 11));
    key.build = row.text(first + 12);
    return key;
}

std::string key_fault(const Statement& row, int first, const JobKey& key) {
    if (row.text(first) != key.canonical()) return "its key is not the one of its problem, machine and build";
    if (row.text(first + 1) != key.hash())
        return "its short name is " + row.text(first + 1) + ", its key's is " + key.hash();
    return {};
}

}  // namespace rooftune
