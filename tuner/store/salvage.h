// Repair of a damaged store: what can be read goes into a fresh file, the broken one is kept aside.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tuner/store/store_mark.h"

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
    /// Of that the part between: "… records of … were kept, … could not be read".
    std::string kept_and_lost() const;
};

/// Copies the store (and its write-ahead log) to PATH.broken-DATE, reads every row of it that is
/// still whole by its checksum, and puts a fresh store with those in its place. The caller sees to
/// it that nobody else has the store open. Entries of the journal are not carried over. Throws
/// EnvironmentError when the disk does not hold the copies; the broken store is then as it was.
/// `known` is the store's mark, where there is one: it says how many there were.
SalvageReport salvage(const std::string& path, const std::optional<StoreMark>& known = {});

/// The same without putting anything in its place: what is whole of the store at `path`, which stays as it
/// is, goes into a fresh store at `fresh_path`; nothing is kept aside, and the report names nothing. Used for
/// stores of others. Copies are made beside `fresh_path`.
SalvageReport salvage_into(const std::string& path, const std::string& fresh_path,
                           const std::optional<StoreMark>& known = {});

}  // namespace rooftune
