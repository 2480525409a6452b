#include "tuner/store/store_open.h"

#include <chrono>
#include <thread>

#include "tuner/store/store_schema.h"

namespace rooftune {
namespace {

/// Longer than any transaction here takes, with a slow disk's worth of room.
constexpr int kBusyMilliseconds = 60'000;

/// The mode stays in the file, so this matters once; two processes that both make the file can
/// collide there without SQLite's busy timeout being asked. A file system without shared memory
/// keeps the old journal mode, which is as safe and only slower.
void use_write_ahead_log(Database& database) {
    using Clock = std::chrono::steady_clock;
    const auto deadline = Clock::now() + std::chrono::milliseconds(kBusyMilliseconds);
    while (true) {
        try {
            if (database.text("PRAGMA journal_mode") == "wal") return;
            database.text("PRAGMA journal_mode = WAL");
            return;
        } catch (const BusyStore&) {
            if (Clock::now() > deadline) throw;
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
    }
}

}  // namespace

std::unique_ptr<Database> open_checked(const std::string& path) {
    auto database = std::make_unique<Database>(path, Database::Access::write);
    database->busy_timeout(kBusyMilliseconds);
    check_version(*database);
    if (const std::string said = database->text("PRAGMA quick_check(1)"); said != "ok")
        throw DamagedStore(path + ": " + said);
    use_write_ahead_log(*database);
    database->run("PRAGMA synchronous = FULL");
    database->run("PRAGMA foreign_keys = ON");
    migrate(*database);
    return database;
}

}  // namespace rooftune
