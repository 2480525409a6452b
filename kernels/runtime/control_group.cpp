#include "kernels/runtime/control_group.h"

#include <fstream>
#include <iterator>
#include <sstream>

namespace rooftune {
namespace {

std::optional<double> first_number(const ReadFile& read, const std::vector<std::string>& paths) {
    for (const std::string& path : paths) {
        std::istringstream text(read(path).value_or(""));
        if (double value = 0.0; text >> value) return value;
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::string> read_file(const std::string& path) {
    std::ifstream file(path);
    if (!file) return std::nullopt;
    return std::string(std::istreambuf_iterator<char>(file), {});
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
    const std::string inside = group == "/" ? "" : group;
    return {hierarchy + inside + "/" + name, hierarchy + "/" + name};
}

std::optional<double> processor_quota(const ReadFile& read) {
    for (const std::string& path : in_group("/sys/fs/cgroup", group_of(read, ""), "cpu.max")) {
        const std::optional<std::string> text = read(path);
        if (!text || text->rfind("max", 0) == 0) continue;
        std::istringstream fields(*text);
        double quota = 0.0;
        double period = 0.0;
        if (fields >> quota >> period && quota > 0.0 && period > 0.0) return quota / period;
        break;
    }
    const std::string group = group_of(read, "cpu");
    const auto quota = first_number(read, in_group("/sys/fs/cgroup/cpu", group, "cpu.cfs_quota_us"));
    const auto period = first_number(read, in_group("/sys/fs/cgroup/cpu", group, "cpu.cfs_period_us"));
    if (quota && period && *quota > 0.0 && *period > 0.0) return *quota / *period;
    return std::nullopt;
}

std::optional<double> processor_quota() {
    return processor_quota(read_file);
}

}  // namespace rooftune
