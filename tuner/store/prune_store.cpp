#include <filesystem>

#include "kernels/runtime/error.h"
#include "tuner/store/prune.h"
#include "tuner/store/store.h"
#include "tuner/store/store_lock.h"
#include "tuner/store/store_open.h"
#include "tuner/store/store_rows.h"
#include "tuner/store/store_schema.h"

namespace rooftune {
namespace {

/// Bytes of a row's contents.
std::string bytes_sql(const std::string& contents) {
    std::string sum;
    for (std::size_t at = 0; at < contents.size();) {
        const std::size_t end = std::min(contents.find(", ", at), contents.size());
        sum += (sum.empty() ? "" : " + ") + ("coalesce(length(" + contents.substr(at, end - at) + "), 0)");
        at = end + 2;
    }
    return sum;
}

PruneRows rows_of(Database& database) {
    PruneRows rows;
    Statement jobs =
        database.prepare("SELECT id, hash, title, family, machine, build, created, backend, state, " +
                         intact_sql(kJobContents) + " FROM jobs ORDER BY id");
    while (jobs.step())
        rows.jobs.push_back({jobs.integer(0), jobs.text(1), jobs.text(2), jobs.text(3), jobs.text(4),
                             jobs.text(5), jobs.text(6), jobs.text(7), jobs.text(8), jobs.integer(9) != 0});
    Statement runs =
        database.prepare("SELECT id, job, started, result IS NOT NULL, " + intact_sql(kRunContents) + ", " +
                         bytes_sql(kRunContents) + " FROM runs ORDER BY id");
    while (runs.step())
        rows.runs.push_back({.id = runs.integer(0),
                             .job = runs.integer(1),
                             .at = runs.text(2),
                             .bytes = runs.integer(5),
                             .intact = runs.integer(4) != 0,
                             .result = runs.integer(3) != 0});
    Statement records =
        database.prepare("SELECT id, job, run, at, superseded, " + intact_sql(kRecordContents) + ", " +
                         bytes_sql(kRecordContents) + " FROM records ORDER BY id");
    while (records.step())
        rows.records.push_back({.id = records.integer(0),
                                .job = records.integer(1),
                                .run = records.null(2) ? std::nullopt : std::optional(records.integer(2)),
                                .at = records.text(3),
                                .bytes = records.integer(6),
                                .superseded = records.integer(4) != 0,
                                .intact = records.integer(5) != 0});
    Statement history = database.prepare("SELECT id, at, " + intact_sql(kHistoryContents) + ", " +
                                         bytes_sql(kHistoryContents) + " FROM history ORDER BY id");
    while (history.step())
        rows.history.push_back({.id = history.integer(0),
                                .at = history.text(1),
                                .bytes = history.integer(3),
                                .intact = history.integer(2) != 0});
    return rows;
}

void remove(Database& database, const std::string& sql, const std::vector<std::int64_t>& ids) {
    Statement statement = database.prepare(sql);
    for (const std::int64_t id : ids) statement.bind(id).run();
}

void carry_out(Database& database, const PrunePlan& plan) {
    remove(database, "DELETE FROM records WHERE id = ?", plan.record_ids);
    remove(database, "UPDATE records SET run = NULL WHERE run = ?", plan.run_ids);
    remove(database, "DELETE FROM runs WHERE id = ?", plan.run_ids);
    remove(database, "DELETE FROM journal WHERE job = ?", plan.job_ids);
    remove(database, "DELETE FROM jobs WHERE id = ?", plan.job_ids);
    remove(database, "DELETE FROM history WHERE id = ?", plan.history_ids);
    close_gaps_of(database, "records");
    close_gaps_of(database, "history");
}

std::int64_t file_bytes(const std::string& path) {
    std::error_code none;
    const auto bytes = std::filesystem::file_size(path, none);
    return none ? 0 : static_cast<std::int64_t>(bytes);
}

}  // namespace

PrunePlan Store::prune_plan(const PruneWish& wish) {
    return plan_prune(rows_of(*database_), wish);
}

PruneReport Store::prune(const PruneWish& wish) {
    if (read_only_) throw EnvironmentError(path_ + ": was opened to be read, so nothing was deleted");
    lock_->release();
    if (!lock_->try_exclusive()) {
        lock_->share();
        throw EnvironmentError(path_ +
                               ": another process uses the store, so nothing was deleted; wait for it or end "
                               "it, and prune again");
    }
    PruneReport report;
    report.bytes_before = file_bytes(path_);
    try {
        Transaction transaction(*database_);
        report.plan = plan_prune(rows_of(*database_), wish);
        carry_out(*database_, report.plan);
        // Before the commit: a mark that lags says too little, one that runs ahead would claim a loss.
        const StoreMark left = extent_of(*database_);
        mark_->set(left);
        transaction.commit();
        report.done = true;
        origin_ = left.origin;
    } catch (...) {
        mark_->set(extent_of(*database_));
        lock_->share();
        throw;
    }
    try {
        database_->run("VACUUM");
        database_->run("PRAGMA wal_checkpoint(TRUNCATE)");
    } catch (const EnvironmentError& error) {
        report.not_shrunk = error.what();
    }
    lock_->share();
    report.bytes_after = file_bytes(path_);
    return report;
}

}  // namespace rooftune
