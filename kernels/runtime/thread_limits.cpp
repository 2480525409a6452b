#include "kernels/runtime/thread_limits.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace rooftune {
namespace {

// What a control group may have, and has.
struct Tasks {
    double most = 0.0;
    std::optional<double> now;
    std::string whose;
    bool reached() const { return now && *now >= most; }
};

// Of this process's group and those that it is in, in version 2 of control groups and in version 1: one that
// is full, else the one with the lowest limit.
std::optional<Tasks> tasks_of_groups(const ReadFile& read) {
    std::optional<Tasks> tightest;
    for (const auto& [hierarchy, controller] :
         {std::pair<std::string, std::string>{"/sys/fs/cgroup", ""}, {"/sys/fs/cgroup/pids", "pids"}}) {
        const std::string group = group_of(read, controller);
        const auto limits = in_group(hierarchy, group, "pids.max");
        const auto counts = in_group(hierarchy, group, "pids.current");
        for (std::size_t i = 0; i < limits.size(); ++i) {
            const auto most = number_in(read(limits[i]));
            if (!most) continue;
            const Tasks tasks{*most, number_in(read(counts[i])),
                              i == 0 ? "this control group" : "a control group that this one is in"};
            if (tasks.reached()) return tasks;
            if (!tightest || tasks.most < tightest->most) tightest = tasks;
        }
    }
    return tightest;
}

// Of "0.20 0.18 0.12 2/80 11206": 80 tasks, of which 2 run.
std::optional<double> tasks_of_system(const ReadFile& read) {
    const std::string text = read("/proc/loadavg").value_or("");
    const std::size_t slash = text.find('/');
    return slash == std::string::npos ? std::nullopt : number_in(text.substr(slash + 1));
}

std::string whole(double number) {
    return std::to_string(std::llround(number));
}

std::optional<double> limit_of(int resource) {
    rlimit limit{};
    if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
    return static_cast<double>(limit.rlim_cur);
}

}  // namespace

ResourceLimits resource_limits() {
    ResourceLimits limits;
    if (geteuid() != 0) limits.processes = limit_of(RLIMIT_NPROC);
    limits.address_space = limit_of(RLIMIT_AS);
    return limits;
}

std::string thread_limit_text(const ReadFile& read, const ResourceLimits& limits) {
    const std::optional<Tasks> group = tasks_of_groups(read);
    if (group && group->reached())
        return group->whose + " has " + whole(*group->now) + " of the " + whole(group->most) +
               " tasks that it may have (pids.max)";
    const std::optional<double> tasks = tasks_of_system(read);
    for (const char* name : {"threads-max", "pid_max"}) {
        const auto all = number_in(read(std::string("/proc/sys/kernel/") + name));
        if (all && tasks && *tasks >= *all)
            return "the system has " + whole(*tasks) + " of the " + whole(*all) +
                   " tasks that it may have (kernel." + name + ")";
    }
    std::string set;
    const auto add = [&](const std::string& limit) { set += (set.empty() ? "" : ", ") + limit; };
    if (limits.processes) add("the tasks of this user (ulimit -u: " + whole(*limits.processes) + ")");
    if (group)
        add("those of " + group->whose + " (pids.max: " + whole(group->most) +
            (group->now ? ", now " + whole(*group->now) : "") + ")");
    if (limits.address_space)
        add("the addresses of this process (ulimit -v: " + whole(*limits.address_space / 1e6) + " MB)");
    add("the memory that is left for stacks (ulimit -s)");
    return "one of these limits is reached: " + set;
}

std::string thread_limit_text() {
    return thread_limit_text(read_file, resource_limits());
}

}  // namespace rooftune
