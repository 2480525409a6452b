#include "kernels/runtime/control_group.h"

#include <algorithm>
#include <limits>
#include <sstream>

#include "kernels/runtime/file_text.h"

namespace rooftune {

std::optional<double> number_in(const std::optional<std::string>& text) {
    std::istringstream in(text.value_or(""));
    if (double value = 0.0; in >> value) return value;
    return std::nullopt;
}

std::optional<std::string> read_file(const std::string& path) {
    return file_text(path);
}

std::string group_of(const ReadFile& read, const std::string& controller) {
    std::istringstream groups(read("/proc/self/cgroup").value_or(""));
    for (std::string line; std::getline(groups, line);) {
        const std::size_t first = line.find(':');
        const std::size_t second = line.find(':', first + 1);
        if (first == std::string::npos || second == std::string::npos) continue;
        const std::string names = "," + line.substr(first + 1, second - first - 1) + ",";
        if (names.find("," + controller + ",") != std::string::npos) return line.substr(second + 1);
    }
    return "/";
}

std::vector<std::string> in_group(const std::string& hierarchy, const std::string& group,
                                  const std::string& name) {
    std::vector<std::string> paths;
    std::string inside = group.starts_with('/') && group != "/" ? group : "";
    for (; !inside.empty(); inside.resize(inside.rfind('/')))
        paths.push_back(hierarchy + inside + "/" + name);
    paths.push_back(hierarchy + "/" + name);
    return paths;
}

double memory_left(const ReadFile& read) {
    double left = std::numeric_limits<double>::infinity();
    const auto look = [&](const std::string& hierarchy, const std::string& controller, const char* limit_name,
                          const char* used_name, const std::string& cold_name) {
        const std::string group = group_of(read, controller);
        const auto limits = in_group(hierarchy, group, limit_name),
                   uses = in_group(hierarchy, group, used_name),
                   stats = in_group(hierarchy, group, "memory.stat");
        for (std::size_t i = 0; i < limits.size(); ++i) {
            const auto limit = number_in(read(limits[i])), used = number_in(read(uses[i]));
            if (!limit || !used) continue;
            std::istringstream lines(read(stats[i]).value_or(""));
            double cold = 0.0, value = 0.0;
            for (std::string name; lines >> name >> value;) {
                if (name == cold_name) cold = value;
            }
            left = std::min(left, std::max(0.0, *limit - std::max(0.0, *used - cold)));
        }
    };
    look("/sys/fs/cgroup", "", "memory.max", "memory.current", "inactive_file");
    look("/sys/fs/cgroup/memory", "memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
         "total_inactive_file");
    return left;
}

std::optional<double> processor_quota(const ReadFile& read) {
    std::optional<double> least;
    const auto keep = [&](double quota, double period) {
        if (!(quota > 0.0 && period > 0.0)) return;
        least = std::min(least.value_or(quota / period), quota / period);
    };
    for (const std::string& path : in_group("/sys/fs/cgroup", group_of(read, ""), "cpu.max")) {
        std::istringstream fields(read(path).value_or(""));
        double quota = 0.0;
        double period = 0.0;
        if (fields >> quota >> period) keep(quota, period);
    }
    const std::string group = group_of(read, "cpu");
    const auto quotas = in_group("/sys/fs/cgroup/cpu", group, "cpu.cfs_quota_us");
    const auto periods = in_group("/sys/fs/cgroup/cpu", group, "cpu.cfs_period_us");
    for (std::size_t i = 0; i < quotas.size(); ++i)
        keep(number_in(read(quotas[i])).value_or(0.0), number_in(read(periods[i])).value_or(0.0));
    return least;
}

std::optional<double> processor_quota() {
    return processor_quota(read_file);
}

}  // namespace rooftune
