#include "tuner/store/store_schema.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>

#include "kernels/runtime/error.h"
#include "tuner/formats/strict_json.h"

namespace rooftune {
namespace {

// STRICT: a column holds its type and nothing else, so what is read back is what was written.
constexpr const char* kVersion1 = R"(
CREATE TABLE jobs (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,       -- canonical text of the identity
    hash TEXT NOT NULL,             -- its short name
    family TEXT NOT NULL,
    backend TEXT NOT NULL,
    problem TEXT NOT NULL,          -- JSON object
    digest TEXT NOT NULL,
    dtype TEXT NOT NULL,
    title TEXT NOT NULL,
    state TEXT NOT NULL,
    threads INTEGER NOT NULL,
    machine TEXT NOT NULL,          -- fingerprint
    space_version INTEGER NOT NULL,
    build TEXT NOT NULL,            -- of the kernels
    created TEXT NOT NULL,
    checksum INTEGER NOT NULL
) STRICT;
CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    job INTEGER NOT NULL REFERENCES jobs(id),
    started TEXT NOT NULL,
    ended TEXT,                     -- null: running, or killed
    result TEXT,                    -- JSON, rooftune/tune-result
    checksum INTEGER NOT NULL
) STRICT;
CREATE TABLE records (
    id INTEGER PRIMARY KEY,
    job INTEGER NOT NULL REFERENCES jobs(id),
    run INTEGER REFERENCES runs(id),
    superseded INTEGER NOT NULL DEFAULT 0,  -- 1: before a --fresh; kept, but not resumed from
    variant TEXT NOT NULL,          -- as Space::to_text spells it
    parameters TEXT NOT NULL,       -- JSON object
    outcome TEXT NOT NULL,
    detail TEXT NOT NULL,
    slots TEXT NOT NULL,            -- JSON: [[seconds, repetitions, disturbed], …]
    error REAL,                     -- over its tolerance; null: not a number
    prepare_seconds REAL,
    role TEXT NOT NULL,
    at TEXT NOT NULL,
    checksum INTEGER NOT NULL
) STRICT;
CREATE INDEX records_of_job ON records(job, superseded);
CREATE TABLE journal (
    id INTEGER PRIMARY KEY,
    job INTEGER NOT NULL REFERENCES jobs(id),
    variant TEXT NOT NULL,
    started TEXT NOT NULL,
    owner TEXT NOT NULL,            -- the Store object that wrote the entry
    pid INTEGER NOT NULL,           -- with the next two: the process
    process_start INTEGER NOT NULL,
    boot TEXT NOT NULL,
    crashed INTEGER NOT NULL DEFAULT 0  -- 1: its process died before the record was there
) STRICT;
CREATE INDEX journal_of_job ON journal(job, variant);
)";

// History stands on its own: a job's records may be pruned, and what a kernel took at a revision stays true.
constexpr const char* kVersion2 = R"(
CREATE TABLE history (
    id INTEGER PRIMARY KEY,
    machine TEXT NOT NULL,          -- fingerprint
    kernel TEXT NOT NULL,           -- whose history this is, in one line
    revision TEXT NOT NULL,         -- of the code that was measured
    at TEXT NOT NULL,
    entry TEXT NOT NULL,            -- JSON, rooftune/track-entry
    checksum INTEGER NOT NULL
) STRICT;
CREATE INDEX history_of_kernel ON history(machine, kernel);
)";

/// The step at index v leads from version v to v + 1. A step that was released is never edited.
constexpr const char* kSteps[] = {kVersion1, kVersion2};
static_assert(std::size(kSteps) == kStoreVersion);

}  // namespace

void check_version(Database& database) {
    // One snapshot: between two single reads another process could have made the tables.
    database.run("BEGIN");
    const std::int64_t application = database.integer("PRAGMA application_id");
    const std::int64_t version = database.integer("PRAGMA user_version");
    const bool empty = database.integer("SELECT count(*) FROM sqlite_master") == 0;
    database.run("COMMIT");
    if (application == kStoreApplication && version >= 1 && version <= kStoreVersion) return;
    if (application == kStoreApplication)
        throw InputError(
            database.file() + ": expected a store of version 1 to " + std::to_string(kStoreVersion) +
            ", found version " + std::to_string(version) +
            ", written by another rooftune; use that one, or name another folder with --results");
    if (application == 0 && version == 0 && empty) return;
    throw InputError(
        database.file() +
        ": expected a store of rooftune, found a database of another program; name another folder "
        "with --results");
}

void migrate(Database& database) {
    if (database.integer("PRAGMA user_version") == kStoreVersion) return;
    Transaction transaction(database);
    // Asked again: another process may have migrated while this one waited for the lock.
    for (auto v = database.integer("PRAGMA user_version"); v < kStoreVersion; ++v) database.run(kSteps[v]);
    database.run("PRAGMA application_id = " + std::to_string(kStoreApplication));
    database.run("PRAGMA user_version = " + std::to_string(kStoreVersion));
    transaction.commit();
}

std::map<std::string, std::string> definitions_of(std::int64_t version) {
    std::map<std::string, std::string> definitions;
    for (std::int64_t v = 0; v < std::min(version, kStoreVersion); ++v) {
        // No comment within a statement ends its line with a semicolon.
        std::string_view rest = kSteps[v];
        for (std::size_t end; (end = rest.find(";\n")) != std::string_view::npos;
             rest.remove_prefix(end + 2)) {
            const std::string_view statement = rest.substr(rest.find("CREATE"), end - rest.find("CREATE"));
            // "CREATE TABLE jobs (…", "CREATE INDEX records_of_job ON …"
            const std::size_t name = statement.find(' ', statement.find(' ') + 1) + 1;
            definitions.emplace(statement.substr(name, statement.find(' ', name) - name), statement);
        }
    }
    return definitions;
}

void check_definitions(Database& database) {
    const std::int64_t version = database.integer("PRAGMA user_version");
    Statement found = database.prepare("SELECT sql FROM sqlite_master WHERE name = ?");
    for (const auto& [name, statement] : definitions_of(version)) {
        if (!found.bind(name).step() || found.text(0) != statement)
            throw DamagedStore(database.file() + ": the definition of its table or index " + name +
                               " is damaged");
        found.reset();
    }
}

bool has_history(Database& database) {
    return database.integer("SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'history'") >
           0;
}

std::string slots_text(const std::vector<Slot>& slots) {
    std::string text = "[";
    for (const Slot& slot : slots) {
        char digits[32];
        const auto end = std::to_chars(digits, digits + sizeof digits, slot.seconds).ptr;
        text += (text.size() > 1 ? ",[" : "[") + std::string(digits, end) + "," +
                std::to_string(slot.repetitions) + (slot.disturbed ? ",true]" : ",false]");
    }
    return text + "]";
}

std::vector<Slot> slots_from(const std::string& text, const std::string& file) {
    const Json document = parse_json(text, file);
    if (!document.is_array()) json_mismatch(file, "", "an array of slots", describe_json(document));
    std::vector<Slot> slots;
    for (const Json& slot : document) {
        if (!slot.is_array() || slot.size() != 3 || !slot[0].is_number() || !slot[1].is_number_integer() ||
            !slot[2].is_boolean())
            json_mismatch(file, "/" + std::to_string(slots.size()), "[seconds, repetitions, disturbed]",
                          slot.dump());
        slots.push_back({slot[0].get<double>(), slot[1].get<int>(), slot[2].get<bool>()});
    }
    return slots;
}

}  // namespace rooftune
