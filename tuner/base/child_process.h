// Another program as a child of this process: how it is started, how its end is seen, and how it is ended
// with all that it started. What is said to it and read from it: child_output.h.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tuner/base/descriptor.h"

namespace rooftune {

struct ChildSetup {
    std::vector<std::string> words;  ///< its arguments, its name among them
    std::string program{};  ///< what is run; empty: words[0]; found as execvp finds it, from `folder`
    std::string folder{};   ///< to run in; empty: where this process is
    /// Names and values that its environment has beside this process's; an empty value takes one away.
    std::vector<std::pair<std::string, std::string>> variables{};
    /// Which of this process's descriptors the child finds under which number. It has none but these and
    /// its three standard ones: of those, what is left out is this process's.
    std::vector<std::pair<int, int>> descriptors{};
    /// A process group of its own: one signal reaches whatever it starts, and a terminal's Ctrl-C does not.
    /// False for the child of a child whose group is to be ended as a whole.
    bool own_group = true;
};

/// How a child ended of which nothing else is known, for messages.
inline constexpr std::string_view kReapedElsewhere =
    "how it ended is not known, because another part of this program waited for it (waitpid(-1))";

class ChildProcess {
public:
    /// How the child ended.
    struct End {
        bool by_itself = false;  ///< it had ended before it was killed
        /// Somebody else in this process waited for it (waitpid(-1)), and alone knows how it ended. What it
        /// left running is not killed then, because its number may be another process's by now.
        bool reaped_elsewhere = false;
        int status = 0;  ///< as waitpid has it; 0 where it was reaped elsewhere
        rusage usage{};  ///< its own and that of its children that it waited for
    };

    ChildProcess() = default;
    /// Kills and reaps.
    ~ChildProcess() { end(0.0); }
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    /// Starts the program and returns once it runs: 0, or the errno of what failed (no such program or
    /// folder, not executable, no process, no descriptor). The child has default handlers but for the
    /// signals that this process ignores, blocks no signal, and is killed when this process ends. There must
    /// be none yet. The thread that calls it has to live as long as the child.
    ///
    /// Where this process ignores SIGCHLD, it does not from the first such child's start to the last one's
    /// end: children would vanish with their status.
    int start(const ChildSetup& setup);

    /// Process id; −1 when there is none.
    pid_t pid() const { return pid_; }

    /// Whether the child has ended. It is not reaped by this, so that its number is nobody else's yet.
    bool has_ended() const { return state() != State::running; }

    /// Ready to read when the child has ended, for poll(); −1 where the system has no such thing, and
    /// has_ended() has to be asked again and again.
    int end_descriptor() const { return end_.fd(); }

    /// Leaves the child `patience` seconds to end by itself, then kills it with all that it has started, in
    /// whatever group (where it has one of its own), kills whatever is left of its group in any case, and
    /// reaps it.
    End end(double patience);

private:
    enum class State { running, ended, gone };
    State state() const;

    pid_t pid_ = -1;
    bool own_group_ = true;
    Descriptor end_;
};

/// From now on SIGKILL ends this process when its parent ends. False when `parent` is not its parent (any
/// more): then nobody is there to die with. Safe between fork and exec.
bool die_with_parent(pid_t parent);

}  // namespace rooftune
