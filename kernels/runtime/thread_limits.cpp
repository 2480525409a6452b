#include "kernels/runtime/thread_limits.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <vector>

namespace rooftune {
namespace {

std::optional<double> number_of(const std::optional<std::string>& text) {
    std::istringstream in(text.value_or(""));
    if (double value = 0.0; in >> value) return value;
    return std::nullopt;
}

// A control group's number, in version 2 of control groups or in version 1.
std::optional<double> of_group(const ReadFile& read, const std::string& name) {
    std::vector<std::string> paths = in_group("/sys/fs/cgroup", group_of(read, ""), name);
    const std::vector<std::string> first = in_group("/sys/fs/cgroup/pids", group_of(read, "pids"), name);
    paths.insert(paths.end(), first.begin(), first.end());
    for (const std::string& path : paths) {
        if (const std::optional<std::string> text = read(path)) return number_of(text);
    }
    return std::nullopt;
}

// Of "0.20 0.18 0.12 2/80 11206": 80 tasks, of which 2 run.
std::optional<double> tasks_of_system(const ReadFile& read) {
    const std::string text = read("/proc/loadavg").value_or("");
    const std::size_t slash = text.find('/');
    return slash == std::string::npos ? std::nullopt : number_of(text.substr(slash + 1));
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
    const std::optional<double> most = of_group(read, "pids.max"), now = of_group(read, "pids.current");
    if (most && now && *now >= *most)
        return "this control group has " + whole(*now) + " of the " + whole(*most) +
               " tasks that it may have (pids.max)";
    const std::optional<double> tasks = tasks_of_system(read);
    for (const char* name : {"threads-max", "pid_max"}) {
        const auto all = number_of(read(std::string("/proc/sys/kernel/") + name));
        if (all && tasks && *tasks >= *all)
            return "the system has " + whole(*tasks) + " of the " + whole(*all) +
                   " tasks that it may have (kernel." + name + ")";
    }
    std::string set;
    const auto add = [&](const std::string& limit) { set += (set.empty() ? "" : ", ") + limit; };
    if (limits.processes) add("the tasks of this user (ulimit -u: " + whole(*limits.processes) + ")");
    if (most)
        add("those of this control group (pids.max: " + whole(*most) + (now ? ", now " + whole(*now) : "") +
            ")");
    if (limits.address_space)
        add("the addresses of this process (ulimit -v: " + whole(*limits.address_space / 1e6) + " MB)");
    add("the memory that is left for stacks (ulimit -s)");
    return "one of these limits is reached: " + set;
}

std::string thread_limit_text() {
    return thread_limit_text(read_file, resource_limits());
}

}  // namespace rooftune
