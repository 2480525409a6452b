// One measurement at a time on this machine, whoever starts it and whatever folder it writes to:
// two at once would each halve the other's bandwidth.
#pragma once

#include <functional>
#include <string>

namespace rooftune {

/// Held from construction to destruction. It is an flock on a file that all users share, so the
/// system itself releases it when the holder dies; nothing stale can remain.
class MachineLock {
public:
    /// Waits as long as it takes. `keep_waiting` is asked when the lock is first found taken and
    /// then five times a second; when it answers false (after Ctrl-C, say) the wait ends and held()
    /// is false. Throws EnvironmentError when the file cannot be made or opened.
    explicit MachineLock(const std::function<bool()>& keep_waiting = {},
                         const std::string& path = default_path());
    ~MachineLock();
    MachineLock(const MachineLock&) = delete;
    MachineLock& operator=(const MachineLock&) = delete;

    bool held() const { return held_; }
    /// Whether somebody else held it first.
    bool waited() const { return waited_; }

    /// $ROOFTUNE_LOCK, else a name in the system's folder for temporary files. Not under $TMPDIR,
    /// which differs between users.
    static std::string default_path();

private:
    int descriptor_ = -1;
    bool held_ = false;
    bool waited_ = false;
};

}  // namespace rooftune
