#include "tuner/store/salvage.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <set>

#include "kernels/runtime/error.h"
#include "tuner/config/date.h"
#include "tuner/store/store_schema.h"

namespace rooftune {
namespace {

namespace fs = std::filesystem;

/// How far past the last readable row single rows are tried when the end of a table is torn.
constexpr std::int64_t kProbes = 20'000;

std::string aside_name(const std::string& path) {
    std::string date = utc_now();
    std::erase_if(date, [](char c) { return c == '-' || c == ':'; });
    const std::string name = path + ".broken-" + date;
    std::string unique = name;
    for (int i = 2; fs::exists(unique); ++i) unique = name + "-" + std::to_string(i);
    return unique;
}

void copy(const std::string& from, const std::string& to) {
    std::error_code code;
    fs::copy_file(from, to, code);
    if (!code) return;
    fs::remove(to);
    throw EnvironmentError(to + ": the damaged store cannot be copied there: " + code.message() +
                           "; free some space, or name another folder with --results");
}

void remove_with_log(const std::string& path) {
    for (const char* suffix : {"", "-wal", "-shm", "-journal"}) fs::remove(path + suffix);
}

struct Extent {
    std::int64_t largest = 0;  ///< id
    bool torn_end = true;      ///< whether rows beyond it cannot be ruled out
};

/// Calls `use` for every row of a table that can be read at all: from the front until the tear, from
/// the back until the tear, and the rows between one by one. Throws DamagedStore when not even the
/// table's definition can be read.
Extent readable_rows(Database& broken, const std::string& table, const std::string& columns,
                     const std::function<void(Statement&)>& use) {
    const std::string select = "SELECT " + columns + " FROM " + table;
    Statement forward = broken.prepare(select + " ORDER BY id");
    Statement backward = broken.prepare(select + " ORDER BY id DESC");
    Statement single = broken.prepare(select + " WHERE id = ?");
    std::int64_t first_torn = 1;
    try {
        while (forward.step()) {
            use(forward);
            first_torn = forward.integer(0) + 1;
        }
        return {first_torn - 1, false};
    } catch (const DamagedStore&) {
    }
    Extent seen{first_torn - 1, true};
    std::int64_t last_torn = first_torn + kProbes;
    try {
        while (backward.step()) {
            seen.torn_end = false;
            if (backward.integer(0) < first_torn) break;
            use(backward);
            seen.largest = std::max(seen.largest, backward.integer(0));
            last_torn = backward.integer(0) - 1;
        }
    } catch (const DamagedStore&) {
    }
    for (std::int64_t id = first_torn; id <= last_torn; ++id) {
        try {
            if (single.bind(id).step()) {
                use(single);
                seen.largest = std::max(seen.largest, id);
            }
        } catch (const DamagedStore&) {
        }
        single.reset();
    }
    return seen;
}

/// Copies the whole rows of one table; returns their ids and how far the table reaches.
/// `owned` tells whether what the row refers to was kept.
std::set<std::int64_t> carry_over(Database& broken, Database& fresh, const std::string& table,
                                  const std::string& contents, const std::string& others, Extent& extent,
                                  const std::function<bool(const Statement&)>& owned) {
    const std::string columns = "id, checksum, " + contents + others;
    const auto width = static_cast<int>(1 + std::count(columns.begin(), columns.end(), ','));
    std::string marks = "?";
    for (int i = 1; i < width; ++i) marks += ",?";
    Statement insert =
        fresh.prepare("INSERT OR IGNORE INTO " + table + " (" + columns + ") VALUES (" + marks + ")");
    std::set<std::int64_t> kept;
    const std::string intact = ", checksum = rooftune_checksum(" + contents + ")";
    extent = readable_rows(broken, table, columns + intact, [&](Statement& row) {
        if (!row.integer(width) || !owned(row) || !kept.insert(row.integer(0)).second) return;
        for (int i = 0; i < width; ++i) insert.bind_column(row, i);
        insert.run();
    });
    return kept;
}

void carry_history(Database& broken, Database& fresh, SalvageReport& report) {
    if (broken.integer("SELECT count(*) FROM sqlite_master WHERE name = 'history'") == 0)
        return;  // version 1
    Extent extent;
    const auto any = [](const Statement&) { return true; };
    const auto kept = carry_over(broken, fresh, "history", kHistoryContents, "", extent, any);
    report.history = static_cast<std::int64_t>(kept.size());
    report.lost_history = extent.largest - report.history;
    report.torn_history = extent.torn_end;
}

SalvageReport fill(const std::string& broken_path, Database& fresh) {
    SalvageReport report;
    Database broken(broken_path, Database::Access::read);
    Extent extent;
    Transaction transaction(fresh);
    try {
        // A file shorter than its header says is refused altogether, except to those who repair it.
        broken.run("PRAGMA writable_schema = ON");
        const auto any = [](const Statement&) { return true; };
        const auto jobs = carry_over(broken, fresh, "jobs", kJobContents, "", extent, any);
        const auto of_kept_job = [&](const Statement& row) { return jobs.contains(row.integer(2)); };
        const auto runs = carry_over(broken, fresh, "runs", kRunContents, "", extent, of_kept_job);
        const auto records =
            carry_over(broken, fresh, "records", kRecordContents, ", run, superseded", extent, of_kept_job);
        report.jobs = static_cast<std::int64_t>(jobs.size());
        report.runs = static_cast<std::int64_t>(runs.size());
        report.records = static_cast<std::int64_t>(records.size());
        // Records are never deleted, so their ids have no gaps of their own.
        report.lost_records = extent.largest - report.records;
        report.torn_end = extent.torn_end;
        carry_history(broken, fresh, report);
    } catch (const DamagedStore&) {
        // Not even the first page can be read: nothing to carry over.
        report.torn_end = true;
    }
    // A record outlives the run that it was measured in.
    fresh.run("UPDATE records SET run = NULL WHERE run NOT IN (SELECT id FROM runs)");
    transaction.commit();
    return report;
}

}  // namespace

std::string SalvageReport::sentence(const std::string& path) const {
    const auto lost = [](std::int64_t known, bool torn) {
        if (known == 0) return std::string(torn ? "how many are lost cannot be told" : "none is lost");
        return (torn ? "at least " : "") + std::to_string(known) + " could not be read";
    };
    std::string text = path + " was damaged: " + std::to_string(records) + " records of " +
                       std::to_string(jobs) + (jobs == 1 ? " job" : " jobs") + " were kept, " +
                       lost(lost_records, torn_end);
    if (history > 0 || lost_history > 0 || torn_history)
        text += "; " + std::to_string(history) + (history == 1 ? " entry" : " entries") +
                " of history were kept, " + lost(lost_history, torn_history);
    return text + "; the damaged file is kept as " + aside;
}

SalvageReport salvage(const std::string& path) {
    const std::string aside = aside_name(path);
    const std::string fresh_path = path + ".salvaged";
    copy(path, aside);
    if (fs::exists(path + "-wal")) copy(path + "-wal", aside + "-wal");
    remove_with_log(fresh_path);
    SalvageReport report;
    {
        Database fresh(fresh_path, Database::Access::write);
        migrate(fresh);
        report = fill(aside, fresh);
    }
    report.aside = aside;
    // Reading made an index of the log, and an empty log where there was none; a log that was copied
    // is evidence and stays.
    fs::remove(aside + "-shm");
    if (fs::exists(aside + "-wal") && fs::is_empty(aside + "-wal")) fs::remove(aside + "-wal");
    // The old log must be gone before the fresh file is there: SQLite would replay it into that.
    for (const char* suffix : {"-wal", "-shm", "-journal"}) fs::remove(path + suffix);
    if (std::rename(fresh_path.c_str(), path.c_str()) != 0)
        throw EnvironmentError(path + ": the repaired store cannot be put in place; it is " + fresh_path);
    return report;
}

}  // namespace rooftune
