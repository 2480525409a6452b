// Who used the processors between two moments: stolen time and other processes, from /proc/stat and
// /proc/PID/stat. The arithmetic is apart from the waiting, so that tests feed captured files.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tuner/ceilings/system_files.h"

namespace rooftune {

struct CpuTicks {
    double total = 0.0, busy = 0.0, stolen = 0.0;
};

struct ProcessTicks {
    std::string command;
    double ticks = 0.0;    ///< user and system, all threads
    int last_cpu = -1;     ///< where it ran last
    double started = 0.0;  ///< ticks since boot: a process id may be used again
};

/// Ticks since boot at one moment.
struct LoadSnapshot {
    std::map<int, CpuTicks> cpus;
    std::map<int, ProcessTicks> processes;
};
LoadSnapshot take_snapshot(const SystemFiles& files);

/// One line of /proc/PID/stat; false when it is none. The command may hold spaces and parentheses.
bool parse_process_stat(const std::string& line, int& pid, ProcessTicks& process);

struct BusyProcess {
    int pid = 0;
    std::string command;
    double cores = 0.0;  ///< processors that it used in full
    int cpu = -1;        ///< where it ran last
};

struct LoadReport {
    double stolen_share = 0.0;           ///< of our processors' time, by the hypervisor
    double busy_share = 0.0;             ///< of our processors' time, by anybody
    std::vector<BusyProcess> processes;  ///< above 10 % of a core, on our processors, the heaviest first
};

/// What happened between two snapshots on these processors. `own`: process ids that do not count.
/// The clock ticks a second are the system's; a tick is as good as its share of the interval.
LoadReport compare_snapshots(const LoadSnapshot& before, const LoadSnapshot& after,
                             const std::vector<int>& cpus, const std::vector<int>& own,
                             double least_cores = 0.10);

}  // namespace rooftune
