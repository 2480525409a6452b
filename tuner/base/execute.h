// One run of a program, timed from its start to its end.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace rooftune {

struct Execution {
    enum class End {
        exited,       ///< by itself, with `status`
        signalled,    ///< by a signal that was not ours
        hung,         ///< killed at the limit
        not_started,  ///< no such program, not executable, no process
        flooded,      ///< killed because it wrote more than it may
        interrupted,  ///< Ctrl-C in this process
        lost,         ///< somebody else in this process waited for it, and alone knows how it ended
    };
    End end = End::not_started;
    int status = 0;          ///< exit status
    int signal = 0;          ///< that ended it, where it was one that was not ours
    double seconds = 0.0;    ///< monotonic, from before the start until its end was seen
    bool disturbed = false;  ///< stolen time or preemptions fell into it
    std::string output;      ///< the end of its standard output, at most 64 KiB
    std::string detail;      ///< how it ended unless with status 0, and the end of its standard error
};

struct ExecuteOptions {
    std::string folder{};            ///< to run in; empty: where this process is
    bool stops_at_interrupt = true;  ///< false: for what has to be done after Ctrl-C
    std::string limit_flag{};        ///< what sets the limit, for messages; empty: nothing does
    /// Names and values that its environment has beside this process's; an empty value takes one away.
    std::vector<std::pair<std::string, std::string>> variables{};
    /// False: it stays in this process's group, to be ended with it, and what it leaves running is the
    /// caller's to end (adopted.h).
    bool own_group = true;
    /// False: `disturbed` stays false, for callers who watch themselves; to look takes a tenth of a
    /// millisecond, before and behind.
    bool watches = true;
    std::size_t most_output = std::size_t{16} << 20;  ///< bytes that it may write to either output
};

/// Starts the program of argv[0] (found as execvp finds it, from `folder`) in a process group of its own,
/// without input, and waits. After `limit` seconds, and at Ctrl-C, the whole group is killed; whatever it
/// left running is killed in any case, unless it has no group of its own. It dies with this process.
Execution execute(const std::vector<std::string>& argv, double limit, const ExecuteOptions& options = {});

}  // namespace rooftune
