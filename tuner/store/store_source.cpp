#include "tuner/store/store_source.h"

#include <cstdlib>
#include <filesystem>

#include "kernels/runtime/error.h"
#include "tuner/store/salvage.h"
#include "tuner/store/store_open.h"
#include "tuner/store/store_schema.h"
#include "tuner/store/write_ahead_log.h"

namespace rooftune {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostNamed = 10;

bool empty_or_missing(const std::string& path) {
    std::error_code none;
    const auto bytes = fs::file_size(path, none);
    return none || bytes == 0;
}

void check_file(const std::string& path) {
    std::error_code none;
    if (!fs::exists(path, none))
        throw InputError(path + ": there is no such file; name what `rooftune results export --store` wrote");
    if (fs::is_directory(path, none))
        throw InputError(path +
                         ": is a folder; name the store in it: " + (fs::path(path) / "rooftune.db").string());
    if (!fs::is_regular_file(path, none)) throw InputError(path + ": is no file; name a store");
}

std::string list_of(const StoreState& state) {
    std::string text;
    std::size_t count = 0;
    const auto line = [&](const std::string& what) {
        if (++count <= kMostNamed) text += "\n  " + what;
    };
    for (const std::string& damage : state.damage) line(damage);
    for (const std::string& lost : state.lost) line(lost);
    for (const RowFault& fault : state.faults) line(fault.text());
    const std::size_t more = count + static_cast<std::size_t>(state.more_faults);
    if (more > kMostNamed) text += "\n  and " + std::to_string(more - kMostNamed) + " more";
    return text;
}

// Without a log, and with nobody who could begin one, the file alone is the store.
bool nobody_writes(const std::string& file, std::unique_ptr<StoreLock>& lock) {
    const bool log = !empty_or_missing(file + "-wal") || !empty_or_missing(file + "-journal");
    if (!fs::exists(file + ".lock")) return !log;
    try {
        lock = std::make_unique<StoreLock>(file + ".lock");
    } catch (const EnvironmentError&) {
        return !log;  // who may not even lock may not write: a medium or a folder for reading
    }
    if (!log && lock->try_exclusive()) return true;
    lock->share();
    return false;
}

std::string without_hint(std::string message) {
    if (const auto hint = message.find("; the store is damaged"); hint != std::string::npos)
        message.resize(hint);
    return message;
}

// Until it has its tables a store has SQLite's older journal. Who was killed then has left it, and what reads
// only would be refused: what was begun is undone, as whoever opens the store next would do. Another
// program's database has no lock of ours beside it, and is left alone.
void roll_back_unfinished(const std::string& path) {
    if (empty_or_missing(path + "-journal") || !fs::exists(path + ".lock")) return;
    try {
        Database database(path, Database::Access::write);
        database.busy_timeout(60'000);
        database.integer("SELECT count(*) FROM sqlite_master");
    } catch (const EnvironmentError&) {
        // Where it cannot be written, reading says what is wrong.
    }
}

}  // namespace

OpenedStore open_to_read(const std::string& path) {
    check_file(path);
    check_length(path);
    OpenedStore opened;
    const std::optional<StoreMark> mark = MarkFile(path + ".mark").read();
    if (empty_or_missing(path)) {
        // Where a store is used its lock is there, and what was committed has left a mark. A copy may have
        // lost both.
        if (fs::exists(path + ".lock") && (!mark || *mark == StoreMark{}))
            throw EmptyStore(path + ": has no bytes; name a store of rooftune");
        throw DamagedStore(path + ": has no bytes");
    }
    const bool torn = !mark && log_ends_within_commit(path);
    const bool frozen = nobody_writes(path, opened.lock);
    roll_back_unfinished(path);
    opened.database =
        std::make_unique<Database>(path, frozen ? Database::Access::frozen : Database::Access::read);
    opened.database->busy_timeout(60'000);
    check_version(*opened.database);
    if (opened.database->integer("PRAGMA user_version") == 0)
        throw EmptyStore(path + ": is a database without a table; name a store of rooftune");
    opened.database->run("BEGIN");
    opened.state = inspect(*opened.database);
    if (torn)
        opened.state.lost.push_back(
            "its write-ahead log ends within a commit: the last one was interrupted, or, if the log was cut, "
            "more are lost");
    if (mark && opened.state.damage.empty()) {
        if (const MissingRows missing = missing_rows(*mark, extent_of(*opened.database)); missing.any())
            opened.state.lost.push_back(phrase(missing) +
                                        " that had been stored are gone: the file or its write-ahead log was "
                                        "cut, or an older copy was put in its place");
    }
    return opened;
}

OpenedStore open_as_it_stands(const std::string& path) {
    const std::string instead =
        "; as nothing can be written beside it, copy it, with the files whose names begin like its own, to a "
        "folder that can be written, and name that one with --results";
    OpenedStore opened;
    try {
        opened = open_to_read(path);
    } catch (const EnvironmentError& error) {
        const std::string said = error.what();
        throw EnvironmentError(said.substr(0, said.find("; ")) + instead);
    }
    if (!opened.state.damage.empty())
        throw EnvironmentError(path + ": is damaged: " + opened.state.damage.front() + instead);
    if (opened.state.version < kStoreVersion)
        throw EnvironmentError(path + ": is of version " + std::to_string(opened.state.version) +
                               ", which is brought up to version " + std::to_string(kStoreVersion) +
                               " when it is opened" + instead);
    opened.database->run("COMMIT");  // a copy of it (VACUUM INTO) cannot be made within a transaction
    return opened;
}

StoreState check_store(const std::string& path) {
    try {
        return open_to_read(path).state;
    } catch (const EmptyStore&) {
        return {};
    } catch (const DamagedStore& found) {
        StoreState state;
        state.damage.push_back(without_hint(found.what()));
        return state;
    }
}

std::string repair_store(const std::string& path) {
    check_file(path);
    StoreLock lock(path + ".lock");
    if (!lock.try_exclusive())
        throw EnvironmentError(path +
                               ": another process has it open, so it cannot be repaired: end that one");
    const MarkFile mark(path + ".mark");
    const SalvageReport report = salvage(path, mark.read());
    mark.set(extent_of(*open_checked(path)));
    return report.sentence(path);
}

StoreSource::StoreSource(const std::string& path, const std::optional<std::string>& salvage_in)
    : path_(path) {
    std::string damage;
    try {
        opened_ = open_to_read(path);
        if (!opened_.state.whole()) damage = path + ": is damaged:" + list_of(opened_.state);
    } catch (const DamagedStore& found) {
        damage = without_hint(found.what());
    }
    if (damage.empty()) return;
    if (!salvage_in)
        throw InputError(
            damage + "\nNothing was read from it; get a whole copy, or take what is whole with --salvage");
    opened_.database.reset();
    salvage_from(path, *salvage_in);
}

StoreSource::~StoreSource() {
    opened_.database.reset();
    std::error_code ignored;
    if (!folder_.empty()) fs::remove_all(folder_, ignored);
}

bool StoreSource::has_history() const {
    return opened_.state.version >= 2;
}

void StoreSource::salvage_from(const std::string& file, const std::string& folder) {
    std::string pattern = folder + "/rooftune-import-XXXXXX";
    if (!::mkdtemp(pattern.data()))
        throw EnvironmentError(folder +
                               ": no folder can be made there for what is salvaged; free some space");
    folder_ = pattern;
    try {
        const std::string fresh = folder_ + "/salvaged.db";
        const SalvageReport report = salvage_into(file, fresh, MarkFile(file + ".mark").read());
        left_out_.push_back(file + " is damaged: " + report.kept_and_lost());
        opened_ = open_to_read(fresh);
    } catch (...) {
        std::error_code ignored;
        fs::remove_all(folder_, ignored);  // no destructor runs for an object that was not made
        throw;
    }
    if (opened_.state.more_faults > 0)
        throw InputError(file + ": more than " + std::to_string(kMostFaults) +
                         " rows cannot be read by this program; import with the one that wrote them");
    unreadable_ = opened_.state.faults;
    for (const RowFault& fault : unreadable_) left_out_.push_back(file + ", " + fault.text());
}

}  // namespace rooftune
