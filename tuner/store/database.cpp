#include "tuner/store/database.h"

#include <sqlite3.h>

#include <cctype>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string_view>
#include <utility>

#include "tuner/store/checksum.h"

namespace rooftune {
namespace {

[[noreturn]] void refuse(sqlite3* connection, const std::string& file, int code) {
    const int kind = code & 0xff;  // the rest of an extended code says where in SQLite it arose
    const std::string reason = connection ? sqlite3_errmsg(connection) : sqlite3_errstr(code);
    std::string message = file + ": " + reason;
    // "disk I/O error": the system knows more. (Of a file that cannot be opened it knows what came of a
    // second try.)
    if (const int why = connection ? sqlite3_system_errno(connection) : 0; why != 0 && kind == SQLITE_IOERR)
        message += std::string(" (") + std::strerror(why) + ")";
    // Our statements fit the tables that we make, and the file's format is SQLite's: what does not is
    // damaged.
    const auto begins = [&](std::string_view words) { return std::string_view(reason).starts_with(words); };
    const bool is_other_than_made =
        kind == SQLITE_ERROR && (begins("no such table: ") || begins("no such column: ") ||
                                 begins("unsupported file format") || begins("malformed database schema"));
    switch (is_other_than_made ? SQLITE_CORRUPT : kind) {
        case SQLITE_CORRUPT:
        case SQLITE_NOTADB:
            throw DamagedStore(message + "; the store is damaged: start again, and what can be read is kept");
        case SQLITE_FULL:
            throw EnvironmentError(message + "; free some space, or name another folder with --results");
        case SQLITE_CANTOPEN:
            throw EnvironmentError(
                message +
                "; its folder is not there, cannot be written or is full: name another one "
                "with --results");
        case SQLITE_READONLY:
        case SQLITE_PERM:
        case SQLITE_AUTH:
            throw EnvironmentError(message + "; name a folder that exists and is writable with --results");
        case SQLITE_IOERR:
            throw EnvironmentError(message +
                                   "; the device failed or is full: check it, or name another folder "
                                   "with --results");
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
            throw BusyStore(message + "; another process holds the store: wait for it or end it");
        default:
            throw EnvironmentError(message + " (SQLite code " + std::to_string(code) + ")");
    }
}

/// A path as a URI spells it (RFC 3986).
std::string escaped(const std::string& path) {
    std::string text;
    for (const char c : path) {
        if (std::isalnum(static_cast<unsigned char>(c)) || std::strchr("/-._~", c)) {
            text += c;
            continue;
        }
        char code[4];
        std::snprintf(code, sizeof code, "%%%02X", static_cast<unsigned>(static_cast<unsigned char>(c)));
        text += code;
    }
    return text;
}

/// SQL function rooftune_checksum(value, …): a guard over a row's values, types included.
void checksum_function(sqlite3_context* context, int count, sqlite3_value** values) {
    Checksum sum;
    for (int i = 0; i < count; ++i) {
        const int type = sqlite3_value_type(values[i]);
        if (type == SQLITE_NULL) {
            sum.add("n");
        } else if (type == SQLITE_FLOAT) {
            const double v = sqlite3_value_double(values[i]) + 0.0;  // −0.0 is stored, and read back, as 0.0
            char bits[1 + sizeof v] = {'r'};
            std::memcpy(bits + 1, &v, sizeof v);
            sum.add({bits, sizeof bits});
        } else if (type == SQLITE_INTEGER) {
            sum.add("i").add(std::to_string(sqlite3_value_int64(values[i])));
        } else {
            const auto* data = static_cast<const char*>(sqlite3_value_blob(values[i]));
            sum.add("t").add({data ? data : "", static_cast<std::size_t>(sqlite3_value_bytes(values[i]))});
        }
    }
    sqlite3_result_int64(context, static_cast<sqlite3_int64>(sum.value()));
}

}  // namespace

Statement::Statement(sqlite3* connection, const std::string& file, std::string_view sql)
    : connection_(connection), file_(&file) {
    const int code =
        sqlite3_prepare_v2(connection, sql.data(), static_cast<int>(sql.size()), &statement_, nullptr);
    if (code != SQLITE_OK) refuse(connection_, *file_, code);
}

Statement::~Statement() {
    sqlite3_finalize(statement_);
}

Statement& Statement::bind(std::int64_t value) {
    const int code = sqlite3_bind_int64(statement_, ++bound_, value);
    if (code != SQLITE_OK) refuse(connection_, *file_, code);
    return *this;
}

Statement& Statement::bind(double value) {
    const int code = sqlite3_bind_double(statement_, ++bound_, value);
    if (code != SQLITE_OK) refuse(connection_, *file_, code);
    return *this;
}

Statement& Statement::bind(std::string_view value) {
    // A default string_view has a null pointer, which SQLite would take for a null value.
    const char* data = value.data() ? value.data() : "";
    const int code =
        sqlite3_bind_text64(statement_, ++bound_, data, value.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
    if (code != SQLITE_OK) refuse(connection_, *file_, code);
    return *this;
}

Statement& Statement::bind_null() {
    const int code = sqlite3_bind_null(statement_, ++bound_);
    if (code != SQLITE_OK) refuse(connection_, *file_, code);
    return *this;
}

Statement& Statement::bind_column(Statement& other, int column) {
    const int code = sqlite3_bind_value(statement_, ++bound_, sqlite3_column_value(other.statement_, column));
    if (code != SQLITE_OK) refuse(connection_, *file_, code);
    return *this;
}

bool Statement::step() {
    const int code = sqlite3_step(statement_);
    if (code == SQLITE_ROW) return true;
    if (code == SQLITE_DONE) return false;
    refuse(connection_, *file_, code);
}

void Statement::run() {
    while (step()) {
    }
    reset();
}

void Statement::reset() {
    sqlite3_reset(statement_);
    bound_ = 0;
}

std::int64_t Statement::integer(int column) const {
    return sqlite3_column_int64(statement_, column);
}

double Statement::real(int column) const {
    if (null(column)) return std::numeric_limits<double>::quiet_NaN();
    return sqlite3_column_double(statement_, column);
}

std::string Statement::text(int column) const {
    const auto* data = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
    if (!data) return {};
    return {data, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}

bool Statement::null(int column) const {
    return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}

Database::Database(std::string file, Access access) : file_(std::move(file)) {
    const int flags =
        access == Access::write ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
    const bool frozen = access == Access::frozen;
    const std::string name = frozen ? "file:" + escaped(file_) + "?immutable=1" : file_;
    const int code =
        sqlite3_open_v2(name.c_str(), &connection_, frozen ? flags | SQLITE_OPEN_URI : flags, nullptr);
    if (code != SQLITE_OK) {
        const std::string reason = sqlite3_errstr(code);
        sqlite3_close(std::exchange(connection_, nullptr));
        throw EnvironmentError(file_ + ": " + reason +
                               "; name a folder that exists and is writable with --results");
    }
    sqlite3_extended_result_codes(connection_, 1);
    sqlite3_create_function_v2(connection_, "rooftune_checksum", -1, SQLITE_UTF8 | SQLITE_DETERMINISTIC,
                               nullptr, checksum_function, nullptr, nullptr, nullptr);
}

Database::~Database() {
    sqlite3_close(connection_);
}

void Database::run(const std::string& sql) {
    const int code = sqlite3_exec(connection_, sql.c_str(), nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) refuse(connection_, file_, code);
}

std::int64_t Database::integer(std::string_view sql) {
    Statement statement = prepare(sql);
    return statement.step() ? statement.integer(0) : 0;
}

std::string Database::text(std::string_view sql) {
    Statement statement = prepare(sql);
    return statement.step() ? statement.text(0) : std::string();
}

std::int64_t Database::last_id() const {
    return sqlite3_last_insert_rowid(connection_);
}

std::int64_t Database::changes() const {
    return sqlite3_changes(connection_);
}

void Database::busy_timeout(int milliseconds) {
    sqlite3_busy_timeout(connection_, milliseconds);
}

Transaction::Transaction(Database& database) : database_(database) {
    database_.run("BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
    if (!open_) return;
    try {
        database_.run("ROLLBACK");
    } catch (const EnvironmentError&) {
        // SQLite has rolled back by itself after a full disk or an I/O error.
    }
}

void Transaction::commit() {
    database_.run("COMMIT");
    open_ = false;
}

}  // namespace rooftune
