// SQLite with destructors and exceptions: a connection, a statement, a transaction. Errors are
// EnvironmentErrors that name the file, except damage, which has a type of its own because the store
// can repair it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "kernels/runtime/error.h"

struct sqlite3;
struct sqlite3_stmt;

namespace rooftune {

/// The file is not a database or is torn.
class DamagedStore : public EnvironmentError {
public:
    using EnvironmentError::EnvironmentError;
};

/// Another process holds a lock for longer than the timeout.
class BusyStore : public EnvironmentError {
public:
    using EnvironmentError::EnvironmentError;
};

/// One prepared statement. Parameters are numbered from 1 in the order of bind calls, columns from 0.
class Statement {
public:
    Statement(sqlite3* connection, const std::string& file, std::string_view sql);
    ~Statement();
    Statement(const Statement&) = delete;
    Statement& operator=(const Statement&) = delete;

    Statement& bind(std::int64_t value);
    Statement& bind(int value) { return bind(static_cast<std::int64_t>(value)); }
    Statement& bind(double value);  ///< NaN is stored as null
    Statement& bind(std::string_view value);
    Statement& bind_null();
    /// Copies a column of another statement's row, whatever its type.
    Statement& bind_column(Statement& other, int column);

    /// True when a row is there to be read.
    bool step();
    /// Runs to the end and makes ready for the next round of binds.
    void run();
    void reset();

    std::int64_t integer(int column) const;
    double real(int column) const;  ///< null is NaN
    std::string text(int column) const;
    bool null(int column) const;

private:
    sqlite3* connection_;
    const std::string* file_;
    sqlite3_stmt* statement_ = nullptr;
    int bound_ = 0;
};

/// A connection. Its SQL knows one function more: rooftune_checksum(value, …).
class Database {
public:
    /// frozen: to read a file that nobody writes meanwhile. Takes no locks and looks at no log, so that it
    /// works on media that cannot be written and leaves nothing beside the file.
    enum class Access { read, write, frozen };

    /// Access::write creates the file when it is missing.
    Database(std::string file, Access access);
    ~Database();
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    const std::string& file() const { return file_; }
    Statement prepare(std::string_view sql) { return {connection_, file_, sql}; }
    /// Runs one statement or several without results.
    void run(const std::string& sql);
    /// First column of the first row; 0 and "" when there is none.
    std::int64_t integer(std::string_view sql);
    std::string text(std::string_view sql);
    std::int64_t last_id() const;
    /// Rows that the last INSERT, UPDATE or DELETE changed.
    std::int64_t changes() const;
    /// Milliseconds to wait for other processes' locks.
    void busy_timeout(int milliseconds);

private:
    std::string file_;
    sqlite3* connection_ = nullptr;
};

/// Takes the write lock at once, so that two writers queue instead of one being refused half-way.
/// Rolled back unless committed.
class Transaction {
public:
    explicit Transaction(Database& database);
    ~Transaction();
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;
    void commit();

private:
    Database& database_;
    bool open_ = true;
};

}  // namespace rooftune
