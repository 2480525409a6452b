// Merging two stores. A job is its key, which names the machine, so results of two machines lie side by side
// and never mix. Of each job's runs and records those are added that are not there yet, with the same
// contents; a store may hold equal records (a variant that crashes twice within a second), and then as many
// stay as the store with more of them has. So an import that is repeated changes nothing, and two stores that
// import each other hold the same.
#include "tuner/store/import_store.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "kernels/runtime/error.h"
#include "tuner/store/store.h"
#include "tuner/store/store_open.h"
#include "tuner/store/store_rows.h"
#include "tuner/store/store_schema.h"
#include "tuner/store/store_source.h"

namespace rooftune {
namespace {

/// Contents of a row but the job's number, which differs between stores.
constexpr const char* kRecordIdentity =
    "variant, parameters, outcome, detail, slots, error, prepare_seconds, role, at";
constexpr const char* kRunIdentity = "started, ended, result";

/// Rows that the target has, by a checksum of their identity; each answers for one equal row of the source.
class KnownRows {
public:
    KnownRows(Database& target, const std::string& table, const std::string& identity,
              const std::string& where)
        : same_(target.prepare(same_sql(table, identity))), width_(columns_of(identity)) {
        Statement rows = target.prepare("SELECT id, rooftune_checksum(" + identity + ") FROM " + table +
                                        where + " ORDER BY id");
        while (rows.step()) by_sum_.emplace(rows.integer(1), rows.integer(0));
    }

    /// The target's row that equals the source's, whose identity stands from `first` on and whose checksum
    /// over it is `sum`; 0 when there is none left.
    std::int64_t take(Statement& row, std::int64_t sum, int first) {
        const auto [begin, end] = by_sum_.equal_range(sum);
        for (auto at = begin; at != end; ++at) {
            same_.reset();
            same_.bind(at->second);
            for (int i = 0; i < width_; ++i) same_.bind_column(row, first + i);
            if (!same_.step()) continue;  // equal sums of rows that differ
            const std::int64_t id = at->second;
            same_.reset();
            by_sum_.erase(at);
            return id;
        }
        same_.reset();
        return 0;
    }

    void leave_out(std::int64_t id) {
        std::erase_if(by_sum_, [&](const auto& row) { return row.second == id; });
    }

private:
    static int columns_of(const std::string& list) {
        int count = 1;
        for (const char c : list) count += c == ',';
        return count;
    }
    static std::string same_sql(const std::string& table, const std::string& identity) {
        std::string sql = "SELECT 1 FROM " + table + " WHERE id = ?1";
        int number = 1;
        for (std::size_t at = 0; at < identity.size();) {
            const std::size_t end = std::min(identity.find(", ", at), identity.size());
            sql += " AND " + identity.substr(at, end - at) + " IS ?" + std::to_string(++number);
            at = end + 2;
        }
        return sql;
    }

    std::multimap<std::int64_t, std::int64_t> by_sum_;
    Statement same_;
    int width_;
};

void insert_from(Statement& insert, Statement& row, int first, int count) {
    for (int i = 0; i < count; ++i) insert.bind_column(row, first + i);
}

class Merge {
public:
    Merge(Database& target, StoreSource& source, const std::function<bool()>& keep_going)
        : target_(target), source_(source.database()), keep_going_(keep_going) {
        for (const RowFault& fault : source.unreadable()) unreadable_[fault.table].insert(fault.id);
        report_.left_out = source.left_out();
        jobs();
        if (source.has_history()) history();
    }
    ImportReport report() { return report_; }

private:
    bool interrupted() {
        report_.interrupted = report_.interrupted || (keep_going_ && !keep_going_());
        return report_.interrupted;
    }
    bool readable(const char* table, std::int64_t id) { return !unreadable_[table].contains(id); }

    void jobs() {
        Statement rows =
            source_.prepare(std::string("SELECT id, ") + kJobContents + " FROM jobs ORDER BY id");
        Statement find = target_.prepare("SELECT id FROM jobs WHERE key = ?");
        Statement insert = target_.prepare(insert_sql("jobs", kJobContents));
        while (rows.step() && !interrupted()) {
            if (!readable("jobs", rows.integer(0))) continue;
            ++report_.machines[rows.text(11)];
            find.bind(rows.text(1));
            const bool known = find.step();
            std::int64_t job = known ? find.integer(0) : 0;
            find.reset();
            if (!known) {
                insert_from(insert, rows, 1, 14);
                insert.run();
                job = target_.last_id();
            }
            ++(known ? report_.jobs.known : report_.jobs.added);
            runs(rows.integer(0), job);
            records(rows.integer(0), job);
            crashes(rows.integer(0), job);
        }
    }

    void runs(std::int64_t from, std::int64_t to) {
        const std::string of_job = " WHERE job = " + std::to_string(to);
        KnownRows known(target_, "runs", kRunIdentity, of_job);
        KnownRows unfinished(target_, "runs", "started", of_job + " AND ended IS NULL");
        KnownRows finished(target_, "runs", "started", of_job + " AND ended IS NOT NULL");
        Statement rows = source_.prepare(
            std::string("SELECT id, started, ended, result, rooftune_checksum(") + kRunIdentity +
            "), rooftune_checksum(started) FROM runs WHERE job = ? ORDER BY id");
        rows.bind(from);
        // The equal ones first: what remains may be the same run seen at another time.
        while (rows.step() && !interrupted()) {
            const std::int64_t same =
                readable("runs", rows.integer(0)) ? known.take(rows, rows.integer(4), 1) : 0;
            if (same == 0) continue;
            unfinished.leave_out(same);
            finished.leave_out(same);
            run_of_[rows.integer(0)] = same;
            ++report_.runs.known;
        }
        rows.reset();
        Statement insert = target_.prepare(insert_sql("runs", kRunContents));
        rows.bind(from);
        while (rows.step() && !interrupted()) {
            if (!readable("runs", rows.integer(0)) || run_of_.contains(rows.integer(0))) continue;
            const bool ended = !rows.null(2);
            std::int64_t run = (ended ? unfinished : finished).take(rows, rows.integer(5), 1);
            if (run != 0 && ended) {
                complete(run, rows);
            } else if (run != 0) {
                ++report_.runs.known;
            } else {
                insert.bind(to);
                insert_from(insert, rows, 1, 3);
                insert.run();
                run = target_.last_id();
                ++report_.runs.added;
            }
            run_of_[rows.integer(0)] = run;
        }
    }

    // It was imported while it ran, and ended since.
    void complete(std::int64_t run, Statement& row) {
        Statement update = target_.prepare("UPDATE runs SET ended = ?, result = ? WHERE id = ?");
        insert_from(update, row, 2, 2);
        update.bind(run).run();
        target_
            .prepare(std::string("UPDATE runs SET checksum = rooftune_checksum(") + kRunContents +
                     ") WHERE id = ?")
            .bind(run)
            .run();
        ++report_.completed_runs;
    }

    void records(std::int64_t from, std::int64_t to) {
        KnownRows known(target_, "records", kRecordIdentity, " WHERE job = " + std::to_string(to));
        Statement rows = source_.prepare(std::string("SELECT id, ") + kRecordIdentity +
                                         ", run, superseded, rooftune_checksum(" + kRecordIdentity +
                                         ") FROM records WHERE job = ? ORDER BY id");
        Statement insert = target_.prepare(insert_sql("records", kRecordContents, "run, superseded"));
        Statement supersede =
            target_.prepare("UPDATE records SET superseded = 1 WHERE id = ? AND superseded = 0");
        rows.bind(from);
        while (rows.step() && !interrupted()) {
            if (!readable("records", rows.integer(0))) continue;
            if (const std::int64_t there = known.take(rows, rows.integer(12), 1); there != 0) {
                ++report_.records.known;
                // Where it was thrown away (`tune --fresh`), a search here is not to resume from it either.
                if (rows.integer(11) != 0) {
                    supersede.bind(there).run();
                    report_.superseded += target_.changes();
                }
                continue;
            }
            insert.bind(to);
            insert_from(insert, rows, 1, 9);
            const auto run = rows.null(10) ? run_of_.end() : run_of_.find(rows.integer(10));
            if (run == run_of_.end())
                insert.bind_null();
            else
                insert.bind(run->second);
            insert.bind(rows.integer(11)).run();
            ++report_.records.added;
        }
    }

    // Variants that killed their run, so that they are not started again here.
    void crashes(std::int64_t from, std::int64_t to) {
        const std::string identity = "variant, started, owner, pid, process_start, boot, crashed";
        KnownRows known(target_, "journal", identity, " WHERE job = " + std::to_string(to));
        Statement rows = source_.prepare("SELECT id, " + identity + ", rooftune_checksum(" + identity +
                                         ") FROM journal WHERE job = ? AND crashed = 1 ORDER BY id");
        Statement insert =
            target_.prepare("INSERT INTO journal (job, " + identity + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
        rows.bind(from);
        while (rows.step()) {
            if (known.take(rows, rows.integer(8), 1) != 0) continue;
            insert.bind(to);
            insert_from(insert, rows, 1, 7);
            insert.run();
        }
    }

    void history() {
        KnownRows known(target_, "history", kHistoryContents, "");
        Statement rows =
            source_.prepare(std::string("SELECT id, ") + kHistoryContents + ", rooftune_checksum(" +
                            kHistoryContents + ") FROM history ORDER BY id");
        Statement insert = target_.prepare(insert_sql("history", kHistoryContents));
        while (rows.step() && !interrupted()) {
            if (!readable("history", rows.integer(0))) continue;
            if (known.take(rows, rows.integer(6), 1) != 0) {
                ++report_.history.known;
                continue;
            }
            insert_from(insert, rows, 1, 5);
            insert.run();
            ++report_.history.added;
        }
    }

    Database& target_;
    Database& source_;
    const std::function<bool()>& keep_going_;
    std::map<std::string, std::set<std::int64_t>> unreadable_;
    std::map<std::int64_t, std::int64_t> run_of_;  ///< the source's run: the target's
    ImportReport report_;
};

}  // namespace

ImportReport Store::import_from(StoreSource& source, const std::function<bool()>& keep_going) {
    Transaction transaction(*database_);
    const ImportReport report = Merge(*database_, source, keep_going).report();
    if (report.interrupted) return report;  // rolled back
    transaction.commit();
    const StoreMark there = extent_of(*database_);
    origin_ = there.origin;
    note(there);
    return report;
}

}  // namespace rooftune
