// One measurement at a time on this machine, whoever starts it and whatever folder it writes to:
// two at once would each halve the other's bandwidth.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "tuner/base/descriptor.h"
#include "tuner/base/notice.h"

namespace rooftune {

/// Who holds a lock, as the system says.
struct LockHolder {
    int pid = 0;
    std::string
        command;  ///< its words, without control characters, cut where they are many; empty: not known
};

/// Held from construction to destruction. It is an flock on a file that all users share, so the
/// system itself releases it when the holder dies; nothing stale can remain. Who waits comes next: it holds a
/// second lock meanwhile, through which everybody goes, so that a tune, which takes the lock anew for every
/// variant, does not get it back before somebody who asked in between. One that was stopped there (Ctrl-Z) is
/// passed.
class MachineLock {
public:
    /// Waits as long as it takes. `keep_waiting` is asked when the lock is first found taken and
    /// then twenty times a second; when it answers false (after Ctrl-C, say) the wait ends and held()
    /// is false. Throws EnvironmentError when the file cannot be made or opened.
    explicit MachineLock(const std::function<bool()>& keep_waiting = {},
                         const std::string& path = default_path());
    ~MachineLock();
    MachineLock(const MachineLock&) = delete;
    MachineLock& operator=(const MachineLock&) = delete;

    bool held() const { return held_; }
    /// Whether somebody else held it first.
    bool waited() const { return waited_; }

    /// Programs that this process starts from now on measure in its turn, as long as this is held: a rooftune
    /// among them does not wait for whom it works for. Their environment tells them (ROOFTUNE_LOCK_HELD).
    void lend();

    /// Who holds the lock on that file now; nothing where nobody does, or where the system does not tell.
    static std::optional<LockHolder> holder(const std::string& path = default_path());

    /// Seconds that all locks of this process have waited so far.
    static double waited_seconds();

    /// Whom to tell, of all locks of this process, once a wait has lasted a second: who is waited for. Nobody
    /// until this is called.
    static void tell(Notice notice);

    /// $ROOFTUNE_LOCK, else a name in the system's folder for temporary files. Not under $TMPDIR,
    /// which differs between users.
    static std::string default_path();

private:
    void say_who_is_waited_for(const std::string& path) const;

    bool take(int descriptor, const std::string& path, const std::function<bool()>& keep_waiting,
              int instead = -1);

    Descriptor own_;
    std::string path_;
    bool held_ = false;
    bool waited_ = false;
    bool lent_ = false;
};

}  // namespace rooftune
