#include "tuner/track/git.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <set>
#include <sstream>

#include "kernels/runtime/error.h"
#include "tuner/base/date.h"
#include "tuner/base/execute.h"

namespace rooftune::track {
namespace {

namespace fs = std::filesystem;

constexpr double kQuestion = 60.0;    // seconds
constexpr double kCheckout = 1800.0;  // large repositories on slow disks
constexpr std::size_t kShortHash = 12;
constexpr const char* kFolderName = "rooftune-bisect-";
constexpr const char* kLock = "lock";
// Hashes of one question: what is kept of a program's output has to hold them.
constexpr int kHashesAtOnce = 1000;

Execution ask(const std::string& folder, std::vector<std::string> words, double limit = kQuestion,
              bool stops_at_interrupt = true) {
    // As an argument of the program, so that variables which point git to another repository (inside of a
    // hook, say) are left out.
    std::vector<std::string> argv = {"env",
                                     "-u",
                                     "GIT_DIR",
                                     "-u",
                                     "GIT_WORK_TREE",
                                     "-u",
                                     "GIT_INDEX_FILE",
                                     "git",
                                     "--no-optional-locks",
                                     "-c",
                                     "core.hooksPath=/dev/null"};
    argv.insert(argv.end(), words.begin(), words.end());
    return execute(argv, limit, {folder, stops_at_interrupt});
}

bool fine(const Execution& run) {
    return run.end == Execution::End::exited && run.status == 0;
}

std::string trimmed(std::string text) {
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
    return text;
}

// A step that has to work, or that Ctrl-C ended.
void must(const Execution& run, const std::string& what) {
    if (!fine(run) && run.end != Execution::End::interrupted)
        throw EnvironmentError("git cannot " + what + ": " + run.detail);
}

// A descriptor of the file with a lock on it, which is gone when the process is, however it ends; −1 where
// somebody holds it, or there is no file. A number of a process would be somebody else's by and by.
int locked(const std::string& path, int flags) {
    const int file = open(path.c_str(), O_RDWR | O_CLOEXEC | flags, 0600);
    if (file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0) return file;
    if (file >= 0) close(file);
    return -1;
}

}  // namespace

Git::Git(std::string folder) : folder_(std::move(folder)) {}

bool Git::there() const {
    return fine(ask(folder_, {"rev-parse", "--is-inside-work-tree"}));
}

std::optional<std::string> Git::resolve(const std::string& revision) const {
    // The end of options: a revision is the user's text, and may begin with a dash.
    const Execution run =
        ask(folder_, {"rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}"});
    if (!fine(run)) return std::nullopt;
    return trimmed(run.output);
}

Commit Git::commit(const std::string& hash) const {
    const Execution run = ask(folder_, {"show", "-s", "--format=%H%n%ct%n%an%n%s", "--end-of-options", hash});
    std::istringstream lines(run.output);
    Commit commit;
    std::string seconds;
    std::getline(lines, commit.hash);
    std::getline(lines, seconds);
    std::getline(lines, commit.author);
    std::getline(lines, commit.title);
    if (!fine(run) || seconds.empty()) throw InputError(hash + ": git knows no such commit: " + run.detail);
    commit.date = utc_text(static_cast<std::time_t>(std::atoll(seconds.c_str())));
    return commit;
}

bool Git::is_dirty() const {
    const Execution run = ask(folder_, {"status", "--porcelain", "--untracked-files=no"});
    return !fine(run) || !run.output.empty();
}

bool Git::is_ancestor(const std::string& ancestor, const std::string& hash) const {
    return fine(ask(folder_, {"merge-base", "--is-ancestor", ancestor, hash}));
}

std::vector<std::string> Git::between(const std::string& good, const std::string& bad) const {
    std::vector<std::string> hashes;
    for (int skip = 0;; skip += kHashesAtOnce) {
        const Execution run = ask(folder_, {"rev-list", "--first-parent", "--skip=" + std::to_string(skip),
                                            "--max-count=" + std::to_string(kHashesAtOnce), bad, "^" + good});
        must(run, "list the commits between the two");
        std::istringstream lines(run.output);
        int n = 0;
        for (std::string hash; std::getline(lines, hash); ++n) hashes.push_back(hash);
        if (n < kHashesAtOnce) break;
    }
    std::reverse(hashes.begin(), hashes.end());
    // What a merge brought in is left out of the line but not its effect: the oldest commit would be blamed
    // for all that differs between the branch and the line.
    if (!hashes.empty()) {
        const std::string parent = resolve(hashes.front() + "^1").value_or("");
        if (parent != good) {
            throw InputError("GOOD " + good.substr(0, kShortHash) +
                             " is not on the line of first parents of BAD " + bad.substr(0, kShortHash) +
                             ", but came into it by a merge, so that no single commit can be "
                             "blamed for what differs; give " +
                             (parent.empty() ? std::string("a commit of that line (git log --first-parent)")
                                             : parent + ", which is on that line,") +
                             " as GOOD");
        }
    }
    return hashes;
}

void Git::add_worktree(const std::string& folder, const std::string& hash) const {
    must(ask(folder_, {"worktree", "add", "--quiet", "--detach", "--force", folder, hash}, kCheckout),
         "make a working tree in " + folder);
}

void Git::check_out(const std::string& folder, const std::string& hash, bool clean) const {
    must(ask(folder, {"checkout", "--quiet", "--detach", "--force", hash}, kCheckout), "check out " + hash);
    if (clean)
        must(ask(folder, {"clean", "--quiet", "-ffdx"}, kCheckout), "clean the working tree " + folder);
}

void Git::remove_worktree(const std::string& folder) const {
    if (fine(ask(folder_, {"worktree", "remove", "--force", "--force", folder}, kCheckout, false))) return;
    std::error_code ignored;
    fs::remove_all(folder, ignored);
    ask(folder_, {"worktree", "prune"}, kQuestion, false);
}

std::vector<std::string> Git::worktrees() const {
    const Execution run = ask(folder_, {"worktree", "list", "--porcelain"});
    const std::string key = "worktree ";
    std::vector<std::string> folders;
    std::istringstream lines(run.output);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with(key)) folders.push_back(line.substr(key.size()));
    }
    return folders;
}

Worktrees::Worktrees(const Git& git) : git_(&git) {
    remove_abandoned();
    std::string pattern = (fs::temp_directory_path() / (std::string(kFolderName) + "XXXXXX")).string();
    if (!mkdtemp(pattern.data()))
        throw EnvironmentError("a folder for working trees cannot be made in " +
                               fs::temp_directory_path().string() + ": " + std::strerror(errno) +
                               "; set TMPDIR to another folder");
    folder_ = pattern;
    lock_ = locked((fs::path(folder_) / kLock).string(), O_CREAT);
}

Worktrees::~Worktrees() {
    for (const std::string& name : names_) git_->remove_worktree((fs::path(folder_) / name).string());
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
    if (lock_ >= 0) close(lock_);
}

void Worktrees::remove_abandoned() const {
    std::set<fs::path> folders;
    for (const fs::path tree : git_->worktrees()) {
        if (tree.parent_path().filename().string().starts_with(kFolderName))
            folders.insert(tree.parent_path());
    }
    for (const fs::path& folder : folders) {
        // Not one that is not there: it may be in another container, and a process at work in it.
        const int lock = locked((folder / kLock).string(), 0);
        if (lock < 0) continue;
        for (const fs::path tree : git_->worktrees()) {
            if (tree.parent_path() == folder) git_->remove_worktree(tree.string());
        }
        std::error_code ignored;
        fs::remove_all(folder, ignored);
        close(lock);
    }
}

std::string Worktrees::at(const std::string& name, const std::string& hash, bool clean) {
    const std::string folder = (fs::path(folder_) / name).string();
    if (std::find(names_.begin(), names_.end(), name) == names_.end()) {
        // Before it is made: one that was cut short halfway is removed as well.
        names_.push_back(name);
        git_->add_worktree(folder, hash);
    } else {
        git_->check_out(folder, hash, clean);
    }
    return folder;
}

}  // namespace rooftune::track
