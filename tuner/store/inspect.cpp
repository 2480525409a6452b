#include "tuner/store/inspect.h"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string_view>

#include "kernels/runtime/error.h"
#include "tuner/formats/strict_json.h"
#include "tuner/store/store_rows.h"
#include "tuner/store/store_schema.h"

namespace rooftune {
namespace {

namespace fs = std::filesystem;

constexpr const char* kUnfit = "its checksum does not fit its contents";

std::string singular(const std::string& table) {
    if (table == "history") return "entry of history";
    return table.substr(0, table.size() - 1);
}

/// Bytes of a file; 0 when it is not there.
std::uintmax_t bytes_of(const std::string& path) {
    std::error_code none;
    const auto bytes = fs::file_size(path, none);
    return none ? 0 : bytes;
}

/// Bytes that an SQLite file says it has; 0 when it does not say.
std::uint64_t promised_bytes(const std::string& path) {
    std::array<unsigned char, 100> head{};
    std::ifstream file(path, std::ios::binary);
    file.read(reinterpret_cast<char*>(head.data()), head.size());
    if (!file) return 0;
    const auto number = [&](std::size_t at, int bytes) {
        std::uint64_t value = 0;
        for (int i = 0; i < bytes; ++i) value = value << 8 | head[at + static_cast<std::size_t>(i)];
        return value;
    };
    constexpr std::string_view kBegins("SQLite format 3\0", 16);
    if (std::string_view(reinterpret_cast<char*>(head.data()), kBegins.size()) != kBegins) return 0;
    // The count of pages holds if the change counter has not moved since it was written.
    if (number(24, 4) != number(92, 4)) return 0;
    const std::uint64_t page = number(16, 2) == 1 ? 65536 : number(16, 2);
    return page * number(28, 4);
}

template <typename Check>
void each_row(Database& database, const StoreTable& table, const std::string& more, const Check& check,
              const std::function<void(RowFault)>& found) {
    Statement rows = database.prepare("SELECT id, " + intact_sql(table.contents) + ", " + table.contents +
                                      more + " FROM " + table.name + " ORDER BY id");
    while (rows.step()) {
        RowFault fault{table.name, rows.integer(0), kUnfit};
        if (rows.integer(1)) {
            try {
                fault.what = check(rows);
            } catch (const InputError& error) {
                fault.what = error.what();
            }
        }
        if (!fault.what.empty()) found(std::move(fault));
    }
}

std::string json_fault_of(const std::string& text, const std::string& name) {
    return parse_json(text, name).is_object() ? "" : name + " is no JSON object";
}

}  // namespace

std::string RowFault::text() const {
    return singular(table) + " " + std::to_string(id) + ": " + what;
}

void check_length(const std::string& path) {
    for (int attempt = 0;; ++attempt) {
        // With a log it is the log that says what the file holds.
        const std::uintmax_t log = bytes_of(path + "-wal"), journal = bytes_of(path + "-journal");
        const std::uintmax_t there = bytes_of(path);
        if (there == 0 && log > 0)
            throw DamagedStore(path + ": has no bytes, and its write-ahead log has " + std::to_string(log));
        const std::uint64_t promised = promised_bytes(path);
        if (log > 0 || journal > 0 || there >= promised) return;
        // Another process may just have grown it and put its log away: twice in a row is no coincidence.
        if (attempt > 0)
            throw DamagedStore(path + ": has " + std::to_string(there) + " bytes of the " +
                               std::to_string(promised) + " that it says it has");
    }
}

void find_row_faults(Database& database, const std::function<void(RowFault)>& found) {
    const auto& tables = store_tables();
    each_row(
        database, tables[0], "",
        [](const Statement& row) { return key_fault(row, 2, job_key_from(row, 2, "what it is")); }, found);
    each_row(
        database, tables[1], ", (SELECT count(*) FROM jobs WHERE jobs.id = job)",
        [](const Statement& row) {
            if (row.integer(6) == 0) return "is of job " + row.text(2) + ", which is not there";
            return row.null(5) ? std::string() : json_fault_of(row.text(5), "its result");
        },
        found);
    each_row(
        database, tables[2],
        ", run, (SELECT count(*) FROM jobs WHERE jobs.id = job), "
        "(SELECT runs.job FROM runs WHERE runs.id = run)",
        [](const Statement& row) {
            if (row.integer(13) == 0) return "is of job " + row.text(2) + ", which is not there";
            if (!row.null(12) && (row.null(14) || row.integer(14) != row.integer(2)))
                return "is of run " + row.text(12) + ", which its job does not have";
            record_from(row, 3, "what it holds");
            return std::string();
        },
        found);
    if (has_history(database))
        each_row(
            database, tables[3], "",
            [](const Statement& row) { return json_fault_of(row.text(6), "what it holds"); }, found);
}

bool is_of_the_device(std::string_view said) {
    constexpr std::string_view kCode = "error code=";
    constexpr int kInputOutputError = 10;  // SQLITE_IOERR, the lower eight bits of what arose
    if (said.find("failed to get page ") != std::string_view::npos) return true;
    const std::size_t at = said.rfind(kCode);
    return at != std::string_view::npos &&
           (std::atoi(std::string(said.substr(at + kCode.size())).c_str()) & 0xff) == kInputOutputError;
}

StoreState inspect(Database& database) {
    StoreState state;
    try {
        state.version = database.integer("PRAGMA user_version");
        state.bytes = database.integer("PRAGMA page_count") * database.integer("PRAGMA page_size");
        check_definitions(database);
        Statement check = database.prepare("PRAGMA integrity_check(100)");
        while (check.step()) {
            const std::string said = check.text(0);
            if (is_of_the_device(said))
                throw EnvironmentError(database.file() + ": cannot be read (" + said +
                                       "); the device failed: check it");
            if (said != "ok") state.damage.push_back(said);
        }
        state.jobs = database.integer("SELECT count(*) FROM jobs");
        state.runs = database.integer("SELECT count(*) FROM runs");
        state.records = database.integer("SELECT count(*) FROM records");
        state.superseded = database.integer("SELECT count(*) FROM records WHERE superseded <> 0");
        if (has_history(database)) state.history = database.integer("SELECT count(*) FROM history");
        find_row_faults(database, [&](RowFault fault) {
            if (state.faults.size() < kMostFaults)
                state.faults.push_back(std::move(fault));
            else
                ++state.more_faults;
        });
    } catch (const DamagedStore& damage) {
        state.damage.emplace_back(damage.what());
    }
    return state;
}

}  // namespace rooftune
