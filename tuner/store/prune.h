// What of a store may go: decided from a list of its rows, without touching any.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rooftune {

/// What to delete. Each condition narrows; with none but `superseded` or `damaged` it is of all jobs.
struct PruneWish {
    bool superseded = false;  ///< only records from before a --fresh
    bool damaged = false;     ///< only rows that are not as they were written
    bool newest_too = false;  ///< also the newest run of each job, and its records
    std::optional<std::int64_t> job{};
    std::string family{};
    std::string machine{}, not_machine{};  ///< fingerprints
    std::string build{}, not_build{};      ///< of the kernels
    std::string before{};                  ///< date, ISO 8601: what is older
};

/// The rows of a store as the decision sees them.
struct PruneRow {
    std::int64_t id = 0;
    std::int64_t job = 0;
    std::optional<std::int64_t> run{};  ///< of a record
    std::string at{};                   ///< when it was measured, started or made
    std::int64_t bytes = 0;
    bool superseded = false, intact = true;
    bool result = false;  ///< of a run: it has one
};
struct PruneJob {
    std::int64_t id = 0;
    std::string hash{}, title{}, family{}, machine{}, build{}, created{}, backend{}, state{};
    bool intact = true;
};
struct PruneRows {
    std::vector<PruneJob> jobs;
    std::vector<PruneRow> runs, records, history;  ///< by id
};

/// What of one job would go.
struct PrunedJob {
    std::int64_t id = 0;
    std::string hash{}, title{}, backend{}, state{};
    std::int64_t records = 0, runs = 0, bytes = 0;
    std::int64_t records_left = 0, runs_left = 0;
    bool whole = false;  ///< the job itself
};

struct PrunePlan {
    std::vector<PrunedJob> jobs;  ///< those of which something goes
    std::vector<std::int64_t> job_ids, run_ids, record_ids, history_ids;
    std::int64_t bytes = 0;  ///< of the rows, about
    bool empty() const {
        return job_ids.empty() && run_ids.empty() && record_ids.empty() && history_ids.empty();
    }
};

/// The newest run of a job is the last one with a result, else the last one; it stays with the records that
/// were measured in it, unless the wish says otherwise. A run stays while one of its records does. A job goes
/// when nothing of it is left. Rows that are damaged go only when asked for, as that is their only evidence.
/// History stays, except damaged entries.
PrunePlan plan_prune(const PruneRows& rows, const PruneWish& wish);

/// Throws InputError unless it is a date as records carry it, or the beginning of one: "2024-05-31".
void check_prune_date(const std::string& text);

struct PruneReport {
    PrunePlan plan;
    bool done = false;
    std::int64_t bytes_before = 0, bytes_after = 0;  ///< of the file
    std::string not_shrunk{};                        ///< why the file could not be made smaller; else empty
};

}  // namespace rooftune
