// What is asked of git: which commit a checkout is at, the commits between two, and working trees of its own.
// Through argument vectors, without a shell, without the repository's hooks, and without touching its
// checkout.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace rooftune::track {

struct Commit {
    std::string hash, author, title;
    std::string date;  ///< of the commit, UTC, ISO 8601
};

class Git {
public:
    /// `folder` is one inside of a checkout; empty: where this process is.
    explicit Git(std::string folder = {});

    /// Whether the folder is inside of a checkout, and git is there to ask.
    bool there() const;

    /// The hash of the commit that a revision (branch, tag, hash, "HEAD~3") means; nothing where it means
    /// none.
    std::optional<std::string> resolve(const std::string& revision) const;

    /// Throws InputError for what is no commit.
    Commit commit(const std::string& hash) const;

    /// Whether tracked files differ from the commit.
    bool is_dirty() const;

    bool is_ancestor(const std::string& ancestor, const std::string& hash) const;

    /// The commits that follow `good` up to `bad`, along first parents, oldest first; `good` is the parent of
    /// the first one. Throws EnvironmentError, and InputError where `good` is not on that line.
    std::vector<std::string> between(const std::string& good, const std::string& bad) const;

    /// A working tree at this commit in a folder that does not exist yet. Throws EnvironmentError.
    void add_worktree(const std::string& folder, const std::string& hash) const;

    /// Brings the working tree to another commit; `clean` also removes all that is not tracked, else what was
    /// built stays, so that the next build is short. Throws EnvironmentError.
    void check_out(const std::string& folder, const std::string& hash, bool clean) const;

    /// The folders of the repository's working trees, its checkout's first; none where git does not say.
    std::vector<std::string> worktrees() const;

    /// Removes a working tree, also after Ctrl-C. What cannot be removed stays.
    void remove_worktree(const std::string& folder) const;

private:
    std::string folder_;
};

/// Working trees in a private temporary folder, which are gone, with all that was built in them, when this
/// is. What a process that was killed has left of the same repository goes when the next one begins.
class Worktrees {
public:
    /// Throws EnvironmentError.
    explicit Worktrees(const Git& git);
    ~Worktrees();
    Worktrees(const Worktrees&) = delete;
    Worktrees& operator=(const Worktrees&) = delete;

    /// The tree of this name at a commit: made at first, brought there later. Throws EnvironmentError.
    std::string at(const std::string& name, const std::string& hash, bool clean);

private:
    void remove_abandoned() const;

    const Git* git_;
    std::string folder_;
    int lock_ = -1;  ///< on a file in the folder, held while the process lives
    std::vector<std::string> names_;
};

}  // namespace rooftune::track
