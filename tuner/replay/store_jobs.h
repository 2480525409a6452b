// A results store as a recorded space: which file is one, and which of its jobs is meant.
#pragma once

#include <string>
#include <vector>

#include "tuner/replay/recorded_job.h"

namespace rooftune {

/// Whether a file begins as an SQLite database; false for one that cannot be read.
bool is_store_file(const std::string& path);

/// The job that `wanted` names: by its number, by the first digits (four or more) of its hash, or by a part
/// of its title, the whole title first. Empty: the only one that has records. Throws InputError, which lists
/// the store's jobs, when none or several fit. `without_records`: jobs that have none may be named as well.
JobSummary find_job(const std::vector<JobSummary>& jobs, const std::string& wanted, const std::string& path,
                    bool without_records = false);

/// The job that was tuned last: of the last run, else the one made last. Throws InputError for a store
/// without jobs.
JobSummary newest_job(Store& store);

/// The job's records as a space, with what its runs tell of how they were chosen.
RecordedJob job_of_store(Store& store, const JobSummary& job, const std::vector<StoredRecord>& records);

/// Opens the store and reads a job of it. `notices` (may be null) gets what the store says of its state.
RecordedJob read_store_job(const std::string& path, const std::string& wanted,
                           std::vector<std::string>* notices);

}  // namespace rooftune
