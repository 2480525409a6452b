// Which process wrote a journal entry, told apart from a later one that was given the same number.
#pragma once

#include <cstdint>
#include <string>

namespace rooftune {

struct ProcessIdentity {
    std::int64_t pid = 0;
    std::int64_t start = 0;  ///< clock ticks after boot, from /proc/PID/stat; 0 when unknown
    std::string boot;        ///< the kernel's boot id; empty when unknown
    bool operator==(const ProcessIdentity&) const = default;
};

ProcessIdentity this_process();

/// Whether that very process still runs. A zombie does not; neither does anything from before the
/// last boot. Where /proc cannot be read, a process of that number counts.
bool alive(const ProcessIdentity& process);

/// State letter and start time out of the text of /proc/PID/stat; false when it is not one. The
/// command name in it may hold blanks and parentheses.
bool parse_process_stat(const std::string& text, char& state, std::int64_t& start);

}  // namespace rooftune
