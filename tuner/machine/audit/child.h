// One question to one child process: started for it, killed with all that it started at the deadline, and
// gone afterwards, so that neither its threads nor its faults reach the next.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace rooftune::audit {

struct ChildAnswer {
    enum class End {
        answered,
        crashed,      ///< by a signal, or it ended without an answer
        hung,         ///< killed at the deadline
        not_started,  ///< no pipe, no process
        interrupted,  ///< Ctrl-C in this process
    };
    End end = End::not_started;
    std::string line;    ///< the answer
    std::string detail;  ///< unless answered, what happened, and the end of what it wrote to standard error
};

using Environment = std::vector<std::pair<std::string, std::string>>;

/// Starts `program` with the arguments, writes `question` and a newline to its standard input, and waits for
/// one line on its standard output. Variables of `environment` are set for it; an empty value removes one.
ChildAnswer ask_child(const std::string& program, const std::vector<std::string>& arguments,
                      const Environment& environment, const std::string& question, double deadline_seconds);

}  // namespace rooftune::audit
