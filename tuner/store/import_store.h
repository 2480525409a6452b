// What an import of one store into another did.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace rooftune {

/// Rows of one kind: taken over, and found to be there already.
struct ImportCount {
    std::int64_t added = 0, known = 0;
};

struct ImportReport {
    ImportCount jobs, runs, records, history;
    std::int64_t completed_runs = 0;  ///< were known as running, and have their end and result now
    std::int64_t superseded = 0;      ///< records that were known, and are superseded now as in the source
    std::map<std::string, std::int64_t> machines;  ///< fingerprint: jobs of it in the source
    std::vector<std::string> left_out;             ///< with --salvage: what is not whole
    bool interrupted = false;                      ///< nothing was changed then
    bool changed() const {
        return jobs.added + runs.added + records.added + history.added + completed_runs + superseded > 0;
    }
};

}  // namespace rooftune
