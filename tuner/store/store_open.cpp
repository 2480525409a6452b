#include "tuner/store/store_open.h"

#include <chrono>
#include <filesystem>
#include <thread>

#include "tuner/base/clock.h"
#include "tuner/store/inspect.h"
#include "tuner/store/store_schema.h"

namespace rooftune {
namespace {

/// Longer than any transaction here takes, with a slow disk's worth of room.
constexpr int kBusyMilliseconds = 60'000;

/// The mode stays in the file, so this matters once; two processes that both make the file can
/// collide there without SQLite's busy timeout being asked. A file system without shared memory
/// keeps the old journal mode, which is as safe and only slower.
void use_write_ahead_log(Database& database) {
    const double deadline = monotonic_seconds() + 1e-3 * kBusyMilliseconds;
    while (true) {
        try {
            if (database.text("PRAGMA journal_mode") == "wal") return;
            database.text("PRAGMA journal_mode = WAL");
            return;
        } catch (const BusyStore&) {
            if (monotonic_seconds() > deadline) throw;
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
    }
}

/// A page that lost its end is filled up with zeros by SQLite, which can pass for a sound page of an index.
/// It is normal only where the log has the page whole.
bool within_a_page(Database& database) {
    std::error_code none;
    const auto bytes = std::filesystem::file_size(database.file(), none);
    const auto page = static_cast<std::uintmax_t>(database.integer("PRAGMA page_size"));
    return !none && page > 0 && bytes % page != 0;
}

}  // namespace

StoreMark extent_of(Database& database) {
    StoreMark mark;
    mark.origin = database.integer("SELECT checksum FROM jobs ORDER BY id LIMIT 1");
    mark.jobs = database.integer("SELECT max(id) FROM jobs");
    mark.runs = database.integer("SELECT max(id) FROM runs");
    mark.records = database.integer("SELECT max(id) FROM records");
    if (has_history(database)) mark.history = database.integer("SELECT max(id) FROM history");
    mark.ended = database.integer("SELECT max(id) FROM runs WHERE ended IS NOT NULL");
    return mark;
}

std::unique_ptr<Database> open_checked(const std::string& path) {
    check_length(path);
    auto database = std::make_unique<Database>(path, Database::Access::write);
    database->busy_timeout(kBusyMilliseconds);
    check_version(*database);
    const char* check = within_a_page(*database) ? "PRAGMA integrity_check(1)" : "PRAGMA quick_check(1)";
    if (const std::string said = database->text(check); is_of_the_device(said))
        throw EnvironmentError(path + ": cannot be read (" + said + "); the device failed: check it");
    else if (said != "ok")
        throw DamagedStore(path + ": " + said);
    check_definitions(*database);
    use_write_ahead_log(*database);
    database->run("PRAGMA synchronous = FULL");
    database->run("PRAGMA foreign_keys = ON");
    migrate(*database);
    return database;
}

}  // namespace rooftune
