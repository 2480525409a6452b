// Keeps the repair of a damaged store apart from its use: every open store holds the lock shared, a
// repair holds it alone. (SQLite's own locks are in the file that the repair replaces.)
#pragma once

#include <string>

namespace rooftune {

class StoreLock {
public:
    /// Makes the lock file beside the store; holds nothing yet. Throws EnvironmentError.
    explicit StoreLock(std::string path);
    ~StoreLock();
    StoreLock(const StoreLock&) = delete;
    StoreLock& operator=(const StoreLock&) = delete;

    /// Waits while a repair is going on. Also turns an exclusive hold into a shared one.
    void share();
    /// False when any other process holds it. The shared hold, if any, may be gone either way.
    bool try_exclusive();
    bool try_share();
    void release();

private:
    bool lock(int operation);
    std::string path_;
    int descriptor_ = -1;
};

}  // namespace rooftune
