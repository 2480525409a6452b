// Repair of a damaged store: what can be read goes into a fresh file, the broken one is kept aside.
#pragma once

#include <cstdint>
#include <string>

namespace rooftune {

struct SalvageReport {
    std::string aside;                             ///< where the broken file is kept
    std::int64_t jobs = 0, runs = 0, records = 0;  ///< kept
    std::int64_t lost_records = 0;                 ///< known to have been there
    bool torn_end = false;  ///< the last records cannot be reached, so more may be lost
    std::int64_t history = 0, lost_history = 0;
    bool torn_history = false;  ///< the same of history

    /// The whole in one sentence, for people.
    std::string sentence(const std::string& path) const;
};

/// Copies the store (and its write-ahead log) to PATH.broken-DATE, reads every row of it that is
/// still whole by its checksum, and puts a fresh store with those in its place. The caller sees to
/// it that nobody else has the store open. Entries of the journal are not carried over. Throws
/// EnvironmentError when the disk does not hold the copies; the broken store is then as it was.
SalvageReport salvage(const std::string& path);

}  // namespace rooftune
