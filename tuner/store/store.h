// The results store: every measurement is committed to rooftune.db before the next begins, and the
// same job on the same machine resumes from it.
//
// SQLite in WAL mode, synchronous=FULL. With NORMAL the last commits could vanish in a power cut or
// a kernel panic; the journal exists to remember a variant that brings the whole machine down, so its
// entry has to be on the device before the variant starts. The price is two syncs a variant, beside
// tens of milliseconds of measuring, and none of it falls into a measurement.
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tuner/base/process_identity.h"
#include "tuner/formats/record.h"
#include "tuner/store/job_key.h"
#include "tuner/store/store_mark.h"

namespace rooftune {

class Database;
class Statement;
class StoreLock;
class StoreSource;
struct ImportReport;
struct PrunePlan;
struct PruneReport;
struct PruneWish;
struct StoreExport;

using JobId = std::int64_t;
using RunId = std::int64_t;

struct StoredRecord {
    std::int64_t id = 0;
    std::optional<RunId> run;
    std::string variant;  ///< as Space::to_text spells it
    Record record;
};

/// A record to be stored.
struct NewRecord {
    JobId job = 0;
    std::string variant;  ///< as Space::to_text spells it
    Record record;
    std::optional<RunId> run{};
};

struct JobSummary {
    JobId id = 0;
    JobKey key;
    std::string created;       ///< UTC, ISO 8601
    std::int64_t records = 0;  ///< not superseded
    std::int64_t runs = 0;
    std::int64_t superseded = 0;  ///< records from before a --fresh, not counted above
    std::string last_run;         ///< when the last run was started; empty without one
};

struct RunSummary {
    RunId id = 0;
    JobId job = 0;
    std::string started;
    std::string ended;   ///< empty: running, or killed
    std::string result;  ///< JSON of the tune result; empty without one
};

/// One measurement of one kernel on one machine at one revision of its code.
struct HistoryEntry {
    std::int64_t id = 0;
    std::string machine;   ///< fingerprint
    std::string kernel;    ///< whose history this is, in one line
    std::string revision;  ///< as the user's version control names it
    std::string at;        ///< UTC, ISO 8601
    std::string entry;     ///< JSON, rooftune/track-entry
};

/// What a store is opened for.
enum class StoreUse {
    write,
    read,  ///< where nothing can be written, it is then read as it stands
};

/// One object a process and file, used from one thread at a time; never across a fork. Every member
/// throws EnvironmentError, with the file and what to do, when the disk is full or fails.
class Store {
public:
    /// Opens the store, making folder and file when missing, and checks it. A damaged one is
    /// repaired (see notices). Throws InputError when the file is another program's or of a newer
    /// version, EnvironmentError when the folder cannot be written.
    ///
    /// With StoreUse::read, a store that cannot be written, or whose folder cannot be, is opened all the
    /// same: nothing is made, repaired or brought up to date, and members that write throw.
    explicit Store(std::string path, StoreUse use = StoreUse::write);
    /// Takes back this object's journal entries: whoever gets here did not crash.
    ~Store();
    Store(const Store&) = delete;
    Store& operator=(const Store&) = delete;

    const std::string& path() const { return path_; }
    /// What a person should know: repairs, and records left out because they are damaged.
    const std::vector<std::string>& notices() const { return notices_; }

    /// The job with this identity; made when it is new.
    JobId job(const JobKey& key);

    /// The job's records in the order measured, without superseded ones.
    std::vector<StoredRecord> records(JobId job);

    /// Commits that a variant is about to start.
    void journal_start(JobId job, std::string_view variant);
    /// Takes the entry back: the variant was not run after all, or was interrupted by Ctrl-C.
    void journal_cancel(JobId job, std::string_view variant);
    /// Commits a record and removes the variant's journal entries, in one transaction. A record
    /// without a date gets the present one.
    void add(JobId job, std::string_view variant, const Record& record, std::optional<RunId> run = {});

    /// The same of several, in one transaction: records of many nodes come faster than a device syncs.
    void add_all(const std::vector<NewRecord>& records);

    /// Variants during which the whole run died twice, and that never ran to an end; not to be
    /// started again. (One that was measured before owes its deaths to somebody else.)
    std::vector<std::string> quarantined(JobId job);

    /// For --fresh: the job's records are kept, but no longer resumed from; crashes are forgotten.
    void supersede(JobId job);

    RunId start_run(JobId job);
    /// `result_json` is empty when there is no result.
    void finish_run(RunId run, std::string_view result_json);

    std::vector<JobSummary> jobs();
    /// Oldest first; of one job or of all.
    std::vector<RunSummary> runs(std::optional<JobId> job = {});

    /// The last run of a job that has a result.
    std::optional<RunSummary> last_result(JobId job);

    /// What the results of the last `limit` runs of like jobs (same family, backend and machine) hold at an
    /// SQLite JSON path ("$.certificate.gap"), latest first: JSON texts. Results without it are passed over,
    /// and none of them is read whole.
    std::vector<std::string> lately(const JobKey& like, std::string_view json_path, int limit);

    /// Commits these, all or none, in one transaction. Their ids are ignored; one without a date gets the
    /// present one.
    void add_history(const std::vector<HistoryEntry>& entries);
    /// In the order stored. An entry whose checksum does not fit is left out, with a notice.
    std::vector<HistoryEntry> history();

    /// Adds what another store has and this one has not: all or, when anything fails, nothing. Jobs are the
    /// same by their keys, runs and records by their contents. `keep_going` is asked between rows; when it
    /// answers false, nothing is changed and the report says so.
    ImportReport import_from(StoreSource& source, const std::function<bool()>& keep_going = {});

    /// Writes the store, or one job of it without the history, as one file that needs nothing beside it: a
    /// snapshot, whoever writes meanwhile. Throws InputError when the file is there already.
    StoreExport export_store(const std::string& file, std::optional<JobId> job = {});

    /// What prune() would delete.
    PrunePlan prune_plan(const PruneWish& wish);
    /// Deletes in one transaction and makes the file smaller. Throws EnvironmentError, having deleted
    /// nothing, when any other process has the store open.
    PruneReport prune(const PruneWish& wish);

    /// Raw samples as CSV (RFC 4180), one line a slot with all that identifies it; a record without
    /// slots gets one line with those columns empty. Superseded records are included and marked.
    void export_csv(std::ostream& out, std::optional<JobId> job = {});

private:
    /// What the file looked like before it was opened.
    struct Start {
        bool missing = false, empty = false, torn_log = false;
    };
    void open_to_write();
    void open_to_read_only();
    bool found_empty();
    void repair(const std::string& why);
    void compare_with_mark(const Start& start);
    void settle_journal();
    /// Raises the mark, after a commit.
    void note(const StoreMark& committed);

    std::string path_;
    std::string owner_;  ///< tells this object's journal entries from all others
    ProcessIdentity self_;
    std::unique_ptr<MarkFile> mark_;
    std::optional<StoreMark> known_;  ///< the mark as it was when the store was opened
    std::int64_t origin_ = 0;
    bool repaired_ = false;
    bool read_only_ = false;
    std::unique_ptr<StoreLock> lock_;
    std::unique_ptr<Database> database_;
    std::vector<std::string> notices_;
};

}  // namespace rooftune
