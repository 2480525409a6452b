#include "tuner/store/salvage.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>

#include "kernels/runtime/error.h"
#include "tuner/base/date.h"
#include "tuner/store/store_files.h"
#include "tuner/store/store_rows.h"
#include "tuner/store/store_schema.h"

namespace rooftune {
namespace {

namespace fs = std::filesystem;

/// How far past the last readable row single rows are tried when the end of a table is torn: where the mark
/// says how far it went, not much further.
constexpr std::int64_t kProbes = 20'000, kProbesBeyondMark = 100;

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

struct Extent {
    std::int64_t largest = 0;  ///< id
    bool torn_end = true;      ///< whether rows beyond it cannot be ruled out
};

/// Calls `use` for every row of a table that can be read at all: from the front until the tear, from
/// the back until the tear, and the rows between one by one. Throws DamagedStore when not even the
/// table's definition can be read.
Extent readable_rows(Database& broken, const std::string& table, const std::string& columns,
                     std::int64_t known, const std::function<void(Statement&)>& use) {
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
    std::int64_t last_torn = known > 0 ? known + kProbesBeyondMark : first_torn + kProbes;
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

/// The definitions of tables are on the first page, and may be torn as any other.
void demand_table(Database& broken, const std::string& table) {
    try {
        broken.prepare("SELECT id, checksum FROM " + table);
    } catch (const DamagedStore&) {
        throw;
    } catch (const EnvironmentError& error) {
        throw DamagedStore(error.what());
    }
}

/// Carries what is whole from a broken store to a fresh one.
class Carrier {
public:
    Carrier(Database& broken, Database& fresh, const StoreMark& known)
        : broken_(broken), fresh_(fresh), known_(known) {}

    SalvageReport run() {
        Transaction transaction(fresh_);
        report_.torn_end = report_.torn_history = true;  // until they were reached
        try {
            // A file shorter than its header says is refused altogether, except to those who repair it.
            broken_.run("PRAGMA writable_schema = ON");
            records();
            history();
        } catch (const DamagedStore&) {
            // Not even the first page can be read: nothing, or nothing more, to carry over.
        }
        // A record outlives the run that it was measured in.
        fresh_.run("UPDATE records SET run = NULL WHERE run NOT IN (SELECT id FROM runs)");
        // Rows that were lost leave gaps, which the next repair must not count again.
        for (const char* table : {"records", "history"}) close_gaps_of(fresh_, table);
        transaction.commit();
        return report_;
    }

private:
    using Ids = std::set<std::int64_t>;
    using Owned = std::function<bool(const Statement&)>;

    void records() {
        for (const char* table : {"jobs", "runs", "records"}) demand_table(broken_, table);
        const Ids jobs = carry("jobs", kJobContents, "", known_.jobs, any);
        report_.jobs = static_cast<std::int64_t>(jobs.size());
        const Owned of_kept_job = [&](const Statement& row) { return jobs.contains(row.integer(2)); };
        const Ids runs = carry("runs", kRunContents, "", known_.runs, of_kept_job);
        report_.runs = static_cast<std::int64_t>(runs.size());
        const Ids kept = carry("records", kRecordContents, ", run, superseded", known_.records, of_kept_job);
        report_.records = static_cast<std::int64_t>(kept.size());
        // Ids have no gaps of their own: see close_gaps_of().
        report_.lost_records = extent_.largest - report_.records;
        report_.torn_end = extent_.torn_end;
    }

    void history() {
        if (broken_.integer("PRAGMA user_version") < 2) {
            report_.torn_history = false;  // there was none
            return;
        }
        demand_table(broken_, "history");
        const Ids kept = carry("history", kHistoryContents, "", known_.history, any);
        report_.history = static_cast<std::int64_t>(kept.size());
        report_.lost_history = extent_.largest - report_.history;
        report_.torn_history = extent_.torn_end;
    }

    static bool any(const Statement&) { return true; }

    /// Copies the whole rows of one table; returns their ids, and leaves in extent_ how far the table
    /// reaches. `owned` tells whether what the row refers to was kept.
    Ids carry(const std::string& table, const std::string& contents, const std::string& others,
              std::int64_t known, const Owned& owned) {
        const std::string columns = "id, checksum, " + contents + others;
        const auto width = static_cast<int>(1 + std::count(columns.begin(), columns.end(), ','));
        std::string marks = "?";
        for (int i = 1; i < width; ++i) marks += ",?";
        Statement insert =
            fresh_.prepare("INSERT OR IGNORE INTO " + table + " (" + columns + ") VALUES (" + marks + ")");
        Ids kept;
        const std::string intact = ", " + intact_sql(contents);
        extent_ = readable_rows(broken_, table, columns + intact, known, [&](Statement& row) {
            if (!row.integer(width) || !owned(row) || !kept.insert(row.integer(0)).second) return;
            for (int i = 0; i < width; ++i) insert.bind_column(row, i);
            insert.run();
        });
        return kept;
    }

    Database& broken_;
    Database& fresh_;
    const StoreMark known_;
    SalvageReport report_;
    Extent extent_;
};

/// What the mark knows is more than what the damaged file shows.
void count_lost(SalvageReport& report, const StoreMark& known) {
    report.lost_records = std::max(report.lost_records, known.records - report.records);
    report.lost_history = std::max(report.lost_history, known.history - report.history);
    report.torn_end = report.torn_history = false;
}

/// Copies a store and its log. A store without its first page is made up to one page, or SQLite would not
/// look into the log, which may have it.
void copy_whole(const std::string& from, const std::string& to) {
    if (fs::exists(from))
        copy(from, to);
    else
        std::ofstream(to, std::ios::binary);
    if (fs::exists(from + "-wal") && !fs::is_empty(from + "-wal")) copy(from + "-wal", to + "-wal");
}

void pad_to_page(const std::string& path) {
    constexpr std::uintmax_t kPage = 4096;
    if (fs::file_size(path) == 0 && fs::exists(path + "-wal")) fs::resize_file(path, kPage);
}

/// Where a letter changed within the text that defines a table, its rows can still be read by the right text.
/// What cannot be changed stays as it is: then the table cannot be read, and that is found later.
void restore_definitions(const std::string& work) {
    try {
        Database database(work, Database::Access::write);
        // Without it SQLite refuses definitions that it cannot read, and to change any.
        database.run("PRAGMA writable_schema = ON");
        Statement restore =
            database.prepare("UPDATE sqlite_master SET sql = ?1 WHERE name = ?2 AND sql IS NOT ?1");
        for (const auto& [name, statement] : definitions_of(database.integer("PRAGMA user_version")))
            restore.bind(statement).bind(name).run();
    } catch (const DamagedStore&) {
    }
}

/// Fills a fresh file from a copy, which is made beside it and removed.
SalvageReport fill_from_copy(const std::string& path, const std::string& fresh_path, const StoreMark& known) {
    const std::string work = fresh_path + "-source";
    remove_with_log(fresh_path);
    remove_with_log(work);
    SalvageReport report;
    try {
        copy_whole(path, work);
        pad_to_page(work);
        restore_definitions(work);
        Database fresh(fresh_path, Database::Access::write);
        migrate(fresh);
        Database broken(work, Database::Access::read);
        report = Carrier(broken, fresh, known).run();
    } catch (...) {
        remove_with_log(work);
        remove_with_log(fresh_path);
        throw;
    }
    remove_with_log(work);
    return report;
}

// By the file's own header, which SQLite does not give where the rest is damaged: bytes 60 and 68 hold the
// user's version and the application, the higher bytes first. A version that nobody will have reached is
// damage as well.
void refuse_newer(const std::string& path) {
    constexpr std::int64_t kNobodyHas = 1000;
    std::array<char, 72> header{};
    std::ifstream(path, std::ios::binary).read(header.data(), header.size());
    const auto number_at = [&](std::size_t at) {
        std::int64_t number = 0;
        for (std::size_t i = at; i < at + 4; ++i)
            number = number * 256 + static_cast<unsigned char>(header[i]);
        return number;
    };
    const std::int64_t version = number_at(60);
    if (number_at(68) != kStoreApplication || version <= kStoreVersion || version > kNobodyHas) return;
    throw InputError(
        path + ": is damaged, and of version " + std::to_string(version) +
        ", which another rooftune wrote; repair it with that one, or name another folder with --results");
}

}  // namespace

std::string SalvageReport::kept_and_lost() const {
    const auto lost = [](std::int64_t known, bool torn) {
        if (known == 0) return std::string(torn ? "how many are lost cannot be told" : "none is lost");
        return (torn ? "at least " : "") + std::to_string(known) + " could not be read";
    };
    std::string text = std::to_string(records) + " records of " + std::to_string(jobs) +
                       (jobs == 1 ? " job" : " jobs") + " were kept, " + lost(lost_records, torn_end);
    if (history > 0 || lost_history > 0 || torn_history)
        text += "; " + std::to_string(history) + (history == 1 ? " entry" : " entries") +
                " of history were kept, " + lost(lost_history, torn_history);
    return text;
}

std::string SalvageReport::sentence(const std::string& path) const {
    return path + " was damaged: " + kept_and_lost() + "; the damaged file is kept as " + aside;
}

SalvageReport salvage(const std::string& path, const std::optional<StoreMark>& known) {
    refuse_newer(path);
    const std::string aside = aside_name(path);
    const std::string fresh_path = path + ".salvaged";
    copy_whole(path, aside);
    SalvageReport report = salvage_into(path, fresh_path, known);
    report.aside = aside;
    // The old log must be gone before the fresh file is there: SQLite would replay it into that.
    for (const char* suffix : {"-wal", "-shm", "-journal"}) fs::remove(path + suffix);
    if (std::rename(fresh_path.c_str(), path.c_str()) != 0)
        throw EnvironmentError(path + ": the repaired store cannot be put in place; it is " + fresh_path);
    return report;
}

SalvageReport salvage_into(const std::string& path, const std::string& fresh_path,
                           const std::optional<StoreMark>& known) {
    refuse_newer(path);
    SalvageReport report = fill_from_copy(path, fresh_path, known.value_or(StoreMark{}));
    if (known) count_lost(report, *known);
    return report;
}

}  // namespace rooftune
