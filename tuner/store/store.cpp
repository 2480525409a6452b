#include "tuner/store/store.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <random>
#include <thread>

#include "kernels/runtime/error.h"
#include "tuner/base/atomic_file.h"
#include "tuner/base/date.h"
#include "tuner/base/suggested.h"
#include "tuner/store/salvage.h"
#include "tuner/store/store_lock.h"
#include "tuner/store/store_mark.h"
#include "tuner/store/store_open.h"
#include "tuner/store/store_rows.h"
#include "tuner/store/store_schema.h"
#include "tuner/store/store_source.h"
#include "tuner/store/write_ahead_log.h"

namespace rooftune {
namespace {

constexpr int kCrashesToQuarantine = 2;

std::string random_owner() {
    std::random_device device;
    std::string text;
    for (int i = 0; i < 4; ++i) text += std::to_string(device()) + (i < 3 ? "-" : "");
    return text;
}

/// SQLite needs the folder as well, for its log.
bool writable(const std::string& path) {
    const std::string folder = std::filesystem::absolute(path).parent_path().string();
    return ::access(path.c_str(), W_OK) == 0 && ::access(folder.c_str(), W_OK | X_OK) == 0;
}

std::string run_checksum_again() {
    return std::string("UPDATE runs SET checksum = rooftune_checksum(") + kRunContents + ") WHERE id = ?";
}

}  // namespace

Store::Store(std::string path, StoreUse use)
    : path_(std::move(path)),
      owner_(random_owner()),
      self_(this_process()),
      mark_(std::make_unique<MarkFile>(path_ + ".mark")) {
    if (use == StoreUse::read && std::filesystem::exists(path_) && !writable(path_))
        open_to_read_only();
    else
        open_to_write();
}

void Store::open_to_read_only() {
    OpenedStore opened = open_as_it_stands(path_);
    for (const std::string& lost : opened.state.lost)
        notices_.push_back(path_ + ": " + lost + "; what is there is whole");
    lock_ = std::move(opened.lock);
    database_ = std::move(opened.database);
    read_only_ = true;
}

void Store::open_to_write() {
    const auto folder = std::filesystem::path(path_).parent_path();
    if (!folder.empty()) make_folder(folder.string());
    lock_ = std::make_unique<StoreLock>(path_ + ".lock");
    Start start;
    start.missing = !std::filesystem::exists(path_);
    start.empty = found_empty();
    lock_->share();
    // Before the store is read: what others commit meanwhile is in the store then, and cannot seem missing.
    known_ = mark_->read();
    // A mark would tell how much was lost; without one the log's own end is all the evidence.
    start.torn_log = !known_ && log_ends_within_commit(path_);
    try {
        database_ = open_checked(path_);
    } catch (const DamagedStore& damage) {
        repair(damage.what());
    }
    compare_with_mark(start);
    settle_journal();
}

bool Store::found_empty() {
    std::error_code none;
    const auto empty = [&] {
        const auto bytes = std::filesystem::file_size(path_, none);
        return !none && bytes == 0;
    };
    // A file without a byte is one that another process is just making, or all that is left of a store.
    return empty() && lock_->try_exclusive() && empty();
}

void Store::compare_with_mark(const Start& start) {
    const StoreMark there = extent_of(*database_);
    origin_ = there.origin;
    if (!repaired_) {
        const MissingRows missing = known_ ? missing_rows(*known_, there) : MissingRows{};
        if (missing.any() && start.missing)
            notices_.push_back(path_ + ": is a new store; the one that was here, with " + phrase(missing) +
                               ", is gone. If another copy exists, " + suggested("results import FILE") +
                               " adds what it has");
        else if (missing.any())
            notices_.push_back(path_ + ": " + phrase(missing) +
                               " that had been stored are gone: the file or its write-ahead log was cut, or "
                               "an older copy was put in its place; what is there is whole. If another copy "
                               "exists, " +
                               suggested("results import FILE") + " adds what it has");
        else if (start.torn_log)
            notices_.push_back(
                path_ +
                ": its write-ahead log ends within a commit: the last one was interrupted, or, if "
                "the log was cut, more are lost and how many cannot be told; what is there is whole");
        else if (start.empty)
            notices_.push_back(
                path_ +
                ": was a file without a byte, and is a new store now; if there was one before, "
                "nothing of it is left here");
        if (!missing.any() && known_ && (known_->origin == there.origin || known_->origin == 0))
            return mark_->raise(there);
    }
    mark_->set(there);
}

void Store::note(const StoreMark& committed) {
    StoreMark mark = committed;
    mark.origin = origin_;
    mark_->raise(mark);
}

Store::~Store() {
    if (read_only_) return;
    try {
        Statement forget = database_->prepare("DELETE FROM journal WHERE owner = ? AND crashed = 0");
        forget.bind(owner_).run();
    } catch (const EnvironmentError&) {
        // A full or failed disk was reported by whatever met it first; at worst a later run counts a
        // crash that was none.
    }
}

void Store::repair(const std::string& why) {
    lock_->release();
    // A repair by another process is waited for; one that merely has the damaged file open is not.
    constexpr int kRounds = 40;
    std::mt19937 random(std::random_device{}());
    std::uniform_int_distribution<int> pause(20, 80);  // drawn, or two that want to repair stay in step
    for (int open_elsewhere = 0; open_elsewhere < kRounds;) {
        const bool alone = lock_->try_exclusive();
        if (alone || lock_->try_share()) {
            try {
                // Perhaps another process has repaired it in the meantime.
                database_ = open_checked(path_);
            } catch (const DamagedStore&) {
                if (alone) {
                    notices_.push_back(salvage(path_, known_).sentence(path_));
                    repaired_ = true;
                    database_ = open_checked(path_);
                    mark_->set(extent_of(*database_));
                }
            }
            if (database_) {
                if (!repaired_) known_ = mark_->read();
                return lock_->share();
            }
            lock_->release();
            ++open_elsewhere;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(pause(random)));
    }
    throw EnvironmentError(why + "; another process has it open, so it cannot be repaired: end that one");
}

void Store::settle_journal() {
    std::vector<std::int64_t> dead;
    Statement open = database_->prepare("SELECT id, pid, process_start, boot FROM journal WHERE crashed = 0");
    while (open.step())
        if (!alive({open.integer(1), open.integer(2), open.text(3)})) dead.push_back(open.integer(0));
    open.reset();
    if (dead.empty()) return;
    Transaction transaction(*database_);
    Statement settle = database_->prepare("UPDATE journal SET crashed = 1 WHERE id = ?");
    for (const std::int64_t id : dead) settle.bind(id).run();
    transaction.commit();
}

JobId Store::job(const JobKey& key) {
    const std::string canonical = key.canonical();
    Transaction transaction(*database_);
    Statement find = database_->prepare("SELECT id FROM jobs WHERE key = ?");
    find.bind(canonical);
    if (find.step()) return find.integer(0);
    Statement insert = database_->prepare(insert_sql("jobs", kJobContents));
    insert.bind(canonical).bind(key.hash()).bind(key.family).bind(key.backend).bind(map_text(key.problem));
    insert.bind(key.digest)
        .bind(key.dtype)
        .bind(key.title)
        .bind(key.state)
        .bind(key.threads)
        .bind(key.machine_id);
    insert.bind(key.space_version).bind(key.build).bind(utc_now()).run();
    const JobId id = database_->last_id();
    transaction.commit();
    if (origin_ == 0) origin_ = extent_of(*database_).origin;
    note({.jobs = id});
    return id;
}

std::vector<StoredRecord> Store::records(JobId job) {
    std::vector<StoredRecord> all;
    // By date, since what was imported comes with ids that tell nothing about when it was measured.
    Statement rows = database_->prepare("SELECT id, run, " + intact_sql(kRecordContents) +
                                        ", variant, parameters, outcome, detail, slots, error, "
                                        "prepare_seconds, role, at FROM records WHERE job = ? AND "
                                        "superseded = 0 ORDER BY at, id");
    rows.bind(job);
    while (rows.step()) {
        const std::string where = path_ + ", record " + rows.text(0);
        StoredRecord stored;
        stored.id = rows.integer(0);
        if (!rows.null(1)) stored.run = rows.integer(1);
        stored.variant = rows.text(3);
        try {
            if (!rows.integer(2)) throw InputError(where + ": its checksum does not fit its contents");
            stored.record = record_from(rows, 3, where);
        } catch (const InputError& damage) {
            notices_.push_back(std::string(damage.what()) + "; it was left out");
            continue;
        }
        all.push_back(std::move(stored));
    }
    return all;
}

void Store::journal_start(JobId job, std::string_view variant) {
    Statement insert = database_->prepare(
        "INSERT INTO journal (job, variant, started, owner, pid, process_start, boot) VALUES (?, ?, ?, ?, ?, "
        "?, ?)");
    insert.bind(job)
        .bind(variant)
        .bind(utc_now())
        .bind(owner_)
        .bind(self_.pid)
        .bind(self_.start)
        .bind(self_.boot)
        .run();
}

void Store::journal_cancel(JobId job, std::string_view variant) {
    Statement remove =
        database_->prepare("DELETE FROM journal WHERE job = ? AND variant = ? AND owner = ? AND crashed = 0");
    remove.bind(job).bind(variant).bind(owner_).run();
}

void Store::add(JobId job, std::string_view variant, const Record& record, std::optional<RunId> run) {
    add_all({{job, std::string(variant), record, run}});
}

void Store::add_all(const std::vector<NewRecord>& records) {
    if (records.empty()) return;
    Transaction transaction(*database_);
    std::int64_t last = 0;
    for (const NewRecord& fresh : records) {
        const Record& record = fresh.record;
        Statement insert = database_->prepare(insert_sql("records", kRecordContents, "run"));
        insert.bind(fresh.job)
            .bind(fresh.variant)
            .bind(map_text(record.variant))
            .bind(to_text(record.outcome))
            .bind(record.detail);
        insert.bind(slots_text(record.slots))
            .bind(record.error)
            .bind(record.prepare_seconds)
            .bind(record.role);
        insert.bind(record.when.empty() ? utc_now() : record.when);
        if (fresh.run)
            insert.bind(*fresh.run);
        else
            insert.bind_null();
        insert.run();
        last = database_->last_id();
        // The run outlived the variant this time, so earlier deaths are forgiven as well.
        Statement forget = database_->prepare(
            "DELETE FROM journal WHERE job = ? AND variant = ? AND (owner = ? OR crashed = 1)");
        forget.bind(fresh.job).bind(fresh.variant).bind(owner_).run();
    }
    transaction.commit();
    note({.records = last});
}

std::vector<std::string> Store::quarantined(JobId job) {
    Statement rows = database_->prepare(
        "SELECT variant FROM journal WHERE job = ?1 AND crashed = 1 AND NOT EXISTS (SELECT 1 FROM records "
        "WHERE "
        "records.job = ?1 AND records.variant = journal.variant AND outcome IN ('measured', 'raced_out')) "
        "GROUP BY variant HAVING count(*) >= ?2 ORDER BY variant");
    rows.bind(job).bind(kCrashesToQuarantine);
    std::vector<std::string> all;
    while (rows.step()) all.push_back(rows.text(0));
    return all;
}

void Store::supersede(JobId job) {
    Transaction transaction(*database_);
    database_->prepare("UPDATE records SET superseded = 1 WHERE job = ? AND superseded = 0").bind(job).run();
    database_->prepare("DELETE FROM journal WHERE job = ? AND crashed = 1").bind(job).run();
    transaction.commit();
}

RunId Store::start_run(JobId job) {
    Statement insert = database_->prepare(insert_sql("runs", kRunContents));
    insert.bind(job).bind(utc_now()).bind_null().bind_null().run();
    const RunId id = database_->last_id();
    note({.runs = id});
    return id;
}

void Store::finish_run(RunId run, std::string_view result_json) {
    Transaction transaction(*database_);
    Statement update = database_->prepare("UPDATE runs SET ended = ?, result = ? WHERE id = ?");
    update.bind(utc_now());
    if (result_json.empty())
        update.bind_null();
    else
        update.bind(result_json);
    update.bind(run).run();
    database_->prepare(run_checksum_again()).bind(run).run();
    transaction.commit();
    note({.ended = run});
}

std::vector<JobSummary> Store::jobs() {
    Statement rows =
        database_->prepare(std::string("SELECT id, ") + kJobContents + ", " + intact_sql(kJobContents) +
                           ", (SELECT count(*) FROM records WHERE job = jobs.id AND superseded = 0), "
                           "(SELECT count(*) FROM runs WHERE job = jobs.id), "
                           "(SELECT count(*) FROM records WHERE job = jobs.id AND superseded <> 0), "
                           "(SELECT max(started) FROM runs WHERE job = jobs.id) FROM jobs ORDER BY id");
    std::vector<JobSummary> all;
    while (rows.step()) {
        const std::string where = path_ + ", job " + rows.text(0);
        JobSummary summary;
        summary.id = rows.integer(0);
        try {
            if (!rows.integer(15)) throw InputError(where + ": its checksum does not fit its contents");
            summary.key = job_key_from(rows, 1, where);
        } catch (const InputError& damage) {
            notices_.push_back(std::string(damage.what()) + "; it was left out, with its records");
            continue;
        }
        summary.created = rows.text(14);
        summary.records = rows.integer(16);
        summary.runs = rows.integer(17);
        summary.superseded = rows.integer(18);
        summary.last_run = rows.text(19);
        all.push_back(std::move(summary));
    }
    return all;
}

std::optional<RunSummary> Store::last_result(JobId job) {
    Statement rows = database_->prepare(
        std::string("SELECT id, job, started, ended, result FROM runs WHERE job = ? AND result <> '' AND ") +
        intact_sql(kRunContents) + " ORDER BY started DESC, id DESC LIMIT 1");
    rows.bind(job);
    if (!rows.step()) return std::nullopt;
    return RunSummary{rows.integer(0), rows.integer(1), rows.text(2), rows.text(3), rows.text(4)};
}

std::vector<std::string> Store::lately(const JobKey& like, std::string_view json_path, int limit) {
    const std::string contents = "runs.job, runs.started, runs.ended, runs.result";
    Statement rows = database_->prepare(
        "SELECT value FROM (SELECT started, runs.id AS id, CASE WHEN json_valid(result) THEN "
        "json_extract(result, ?1) END AS value FROM runs JOIN jobs ON jobs.id = runs.job WHERE family = ?2 "
        "AND backend = ?3 AND machine = ?4 AND result <> '' AND runs.checksum = rooftune_checksum(" +
        contents + ")) WHERE value IS NOT NULL ORDER BY started DESC, id DESC LIMIT ?5");
    rows.bind(json_path).bind(like.family).bind(like.backend).bind(like.machine_id).bind(std::int64_t{limit});
    std::vector<std::string> values;
    while (rows.step()) values.push_back(rows.text(0));
    return values;
}

std::vector<RunSummary> Store::runs(std::optional<JobId> job) {
    // By date, as records are.
    Statement rows =
        database_->prepare("SELECT id, job, started, ended, result, " + intact_sql(kRunContents) +
                           " FROM runs WHERE ?1 IS NULL OR job = ?1 ORDER BY started, id");
    if (job)
        rows.bind(*job);
    else
        rows.bind_null();
    std::vector<RunSummary> all;
    while (rows.step()) {
        if (!rows.integer(5)) {
            notices_.push_back(path_ + ", run " + rows.text(0) +
                               ": its checksum does not fit its contents; it was left out");
            continue;
        }
        all.push_back({rows.integer(0), rows.integer(1), rows.text(2), rows.text(3), rows.text(4)});
    }
    return all;
}

}  // namespace rooftune
