#include "tuner/ceilings/load.h"

#include <algorithm>
#include <sstream>

namespace rooftune {

bool parse_process_stat(const std::string& line, int& pid, ProcessTicks& process) {
    // "PID (COMMAND) STATE …": the command ends at the last parenthesis.
    const std::size_t open = line.find('(');
    const std::size_t close = line.rfind(')');
    if (open == std::string::npos || close == std::string::npos || close < open) return false;
    std::istringstream number(line.substr(0, open));
    if (!(number >> pid)) return false;
    process.command = line.substr(open + 1, close - open - 1);
    std::istringstream rest(line.substr(close + 1));
    std::vector<std::string> fields;
    for (std::string field; rest >> field;) fields.push_back(field);
    // Counted from the state, which is field 3 of the manual: 14 user time, 15 system time, 22 start,
    // 39 processor.
    constexpr std::size_t kUser = 11, kSystem = 12, kStart = 19, kProcessor = 36;
    if (fields.size() <= kStart) return false;
    const auto value = [&](std::size_t at) {
        std::istringstream text(fields[at]);
        double v = 0.0;
        text >> v;
        return v;
    };
    process.ticks = value(kUser) + value(kSystem);
    process.started = value(kStart);
    process.last_cpu = fields.size() > kProcessor ? static_cast<int>(value(kProcessor)) : -1;
    return true;
}

LoadSnapshot take_snapshot(const SystemFiles& files) {
    LoadSnapshot snapshot;
    std::istringstream stat(files.read("/proc/stat").value_or(""));
    for (std::string line; std::getline(stat, line);) {
        if (line.rfind("cpu", 0) != 0 || line.size() < 4 || line[3] == ' ') continue;
        std::istringstream fields(line.substr(3));
        int cpu = 0;
        fields >> cpu;
        // user nice system idle iowait irq softirq steal
        double t[8] = {};
        for (double& v : t) fields >> v;
        CpuTicks& ticks = snapshot.cpus[cpu];
        for (const double v : t) ticks.total += v;
        ticks.stolen = t[7];
        ticks.busy = ticks.total - t[3] - t[4];
    }
    for (const std::string& name : files.list("/proc")) {
        if (name.find_first_not_of("0123456789") != std::string::npos) continue;
        const std::optional<std::string> line = files.read("/proc/" + name + "/stat");
        int pid = 0;
        ProcessTicks process;
        if (line && parse_process_stat(*line, pid, process)) snapshot.processes[pid] = process;
    }
    return snapshot;
}

LoadReport compare_snapshots(const LoadSnapshot& before, const LoadSnapshot& after,
                             const std::vector<int>& cpus, const std::vector<int>& own, double least_cores) {
    LoadReport report;
    double total = 0.0;
    double stolen = 0.0;
    double busy = 0.0;
    int counted = 0;
    for (const int cpu : cpus) {
        const auto b = before.cpus.find(cpu);
        const auto a = after.cpus.find(cpu);
        if (b == before.cpus.end() || a == after.cpus.end()) continue;
        total += a->second.total - b->second.total;
        stolen += a->second.stolen - b->second.stolen;
        busy += a->second.busy - b->second.busy;
        ++counted;
    }
    if (counted == 0 || total <= 0.0) return report;
    report.stolen_share = stolen / total;
    report.busy_share = busy / total;
    const double ticks_a_core = total / counted;
    for (const auto& [pid, now] : after.processes) {
        if (std::find(own.begin(), own.end(), pid) != own.end()) continue;
        if (now.last_cpu >= 0 && std::find(cpus.begin(), cpus.end(), now.last_cpu) == cpus.end()) continue;
        const auto then = before.processes.find(pid);
        const bool same = then != before.processes.end() && then->second.started == now.started;
        const double cores = (now.ticks - (same ? then->second.ticks : 0.0)) / ticks_a_core;
        if (cores > least_cores) report.processes.push_back({pid, now.command, cores, now.last_cpu});
    }
    std::sort(report.processes.begin(), report.processes.end(),
              [](const BusyProcess& a, const BusyProcess& b) { return a.cores > b.cores; });
    return report;
}

}  // namespace rooftune
