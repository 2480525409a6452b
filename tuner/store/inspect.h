// Is a store whole? Structure by SQLite's own check, contents by checksums and by reading every row.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tuner/store/database.h"

namespace rooftune {

/// A row that is not what was written.
struct RowFault {
    std::string table;
    std::int64_t id = 0;
    std::string what;
    /// "record 17: its checksum does not fit its contents"
    std::string text() const;
};

struct StoreState {
    std::int64_t version = 0, bytes = 0;
    std::int64_t jobs = 0, runs = 0, records = 0, superseded = 0, history = 0;
    std::vector<std::string> damage;  ///< of the structure: SQLite's own words
    std::vector<std::string> lost;    ///< what had been stored and is gone; what is there is whole
    std::vector<RowFault> faults;     ///< at most kMostFaults
    std::int64_t more_faults = 0;     ///< beyond those
    bool whole() const { return damage.empty() && lost.empty() && faults.empty(); }
};

inline constexpr std::size_t kMostFaults = 1000;

/// Whether a line of SQLite's own check tells of a device that failed: the check goes on where a page could
/// not be read, and says so as it tells of damage.
bool is_of_the_device(std::string_view said);

/// Reads everything and changes nothing. Damage is an answer, not an exception. The caller has checked the
/// version, and holds a snapshot (a transaction) where others may write.
StoreState inspect(Database& database);

/// Calls `found` for each row that is not as it was written, or refers to one that is not there. Throws
/// DamagedStore where SQLite cannot read on.
void find_row_faults(Database& database, const std::function<void(RowFault)>& found);

/// Throws DamagedStore when the file is shorter than it says it is, which SQLite overlooks within the last
/// page; also for one without a byte whose write-ahead log holds something, since SQLite would drop the log.
void check_length(const std::string& path);

}  // namespace rooftune
