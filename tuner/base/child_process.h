// Another program as a child of this process: how it is started, how its end is seen, and how it is ended
// with all that it started. What is said to it and read from it: child_output.h.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tuner/base/descriptor.h"

namespace rooftune {

struct ChildSetup {
    std::vector<std::string> words;  ///< its arguments, its name among them
    std::string program{};  ///< what is run; empty: words[0]; found as execvp finds it, from `folder`
    std::string folder{};   ///< to run in; empty: where this process is
    std::optional<std::vector<std::string>> environment{};  ///< NAME=VALUE; none: this process's
    /// Which of this process's descriptors the child finds under which number. It has none but these and
    /// its three standard ones: of those, what is left out is this process's.
    std::vector<std::pair<int, int>> descriptors{};
    /// A process group of its own: one signal reaches whatever it starts, and a terminal's Ctrl-C does not.
    /// False for the child of a child whose group is to be ended as a whole.
    bool own_group = true;
};

class ChildProcess {
public:
    /// How the child ended.
    struct End {
        bool by_itself = false;  ///< it had ended before it was killed
        int status = 0;          ///< as waitpid has it
        rusage usage{};          ///< its own and that of its children that it waited for
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
    int start(const ChildSetup& setup);

    /// Process id; −1 when there is none.
    pid_t pid() const { return pid_; }

    /// Whether the child has ended. It is not reaped, so that its number is nobody else's yet.
    bool has_ended() const;

    /// Ready to read when the child has ended, for poll(); −1 where the system has no such thing, and
    /// has_ended() has to be asked again and again.
    int end_descriptor() const { return end_.fd(); }

    /// Leaves the child `patience` seconds to end by itself, then kills it, kills whatever is left of its
    /// group in any case, and reaps it.
    End end(double patience);

private:
    pid_t pid_ = -1;
    bool own_group_ = true;
    Descriptor end_;
};

/// From now on SIGKILL ends this process when its parent ends. False when `parent` is not its parent (any
/// more): then nobody is there to die with. Safe between fork and exec.
bool die_with_parent(pid_t parent);

}  // namespace rooftune
