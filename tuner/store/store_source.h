// Another store, opened to be read: one that `results export --store` wrote, or the rooftune.db of another
// folder.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/runtime/error.h"
#include "tuner/store/database.h"
#include "tuner/store/inspect.h"
#include "tuner/store/store_lock.h"

namespace rooftune {

/// A store opened to be read, in one snapshot, with what inspect() says of it. The file stays as it is.
struct OpenedStore {
    std::unique_ptr<StoreLock> lock;
    std::unique_ptr<Database> database;
    StoreState state;
};

/// A store that was made, and ended before it had its tables.
class EmptyStore : public InputError {
public:
    using InputError::InputError;
};

/// Throws InputError (EmptyStore among them) when the file is not there, no store or a newer one;
/// DamagedStore when it cannot be read at all. Whatever else is wrong with it is in `state`.
OpenedStore open_to_read(const std::string& path);

/// A store that cannot be written, nor its folder: on a medium for reading, or somebody else's. No snapshot
/// is held. Throws as open_to_read(), and EnvironmentError where it would have to be repaired or brought up
/// to this version first.
OpenedStore open_as_it_stands(const std::string& path);

/// For `results check`: all that is wrong, as an answer, whose version is 0 where nothing was stored yet.
/// Throws only for what is no store of ours.
StoreState check_store(const std::string& path);

/// Puts what is whole in place of a damaged store, which is kept aside; says what was kept and lost. Throws
/// EnvironmentError when another process has it open.
std::string repair_store(const std::string& path);

class StoreSource {
public:
    /// Opens and reads everything, in one snapshot that lasts as long as this object. The file stays as it
    /// is. Throws InputError, with the file and what to do, when it is not there, no store, a newer one, or
    /// damaged.
    ///
    /// `salvage_in`: a folder for copies. A damaged file is then no error: what is whole of it is the source,
    /// and left_out() says what is not.
    explicit StoreSource(const std::string& path, const std::optional<std::string>& salvage_in = {});
    ~StoreSource();
    StoreSource(const StoreSource&) = delete;
    StoreSource& operator=(const StoreSource&) = delete;

    const std::string& path() const { return path_; }
    Database& database() { return *opened_.database; }
    bool has_history() const;
    const std::vector<std::string>& left_out() const { return left_out_; }
    /// Rows that are as they were written, and still none that this program can read. Only after a salvage.
    const std::vector<RowFault>& unreadable() const { return unreadable_; }

private:
    void salvage_from(const std::string& file, const std::string& folder);

    std::string path_;
    std::string folder_;  ///< with the salvaged copy, to be removed; empty without one
    OpenedStore opened_;
    std::vector<std::string> left_out_;
    std::vector<RowFault> unreadable_;
};

}  // namespace rooftune
