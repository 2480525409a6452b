// The processors' time and the memory that a control group leaves, in either version's words.
#include "kernels/runtime/control_group.h"

#include <limits>
#include <map>

#include "tests/support/catch.h"

using namespace rooftune;

namespace {

std::optional<double> quota_in(const std::map<std::string, std::string>& files) {
    return processor_quota([&](const std::string& path) {
        const auto found = files.find(path);
        return found == files.end() ? std::nullopt : std::optional(found->second);
    });
}

}  // namespace

TEST_CASE("quotas of both versions, by the group's own path or at the root") {
    CHECK(quota_in({{"/sys/fs/cgroup/cpu.max", "150000 100000\n"}}) == 1.5);
    CHECK(quota_in({{"/proc/self/cgroup", "0::/box\n"}, {"/sys/fs/cgroup/box/cpu.max", "50000 100000\n"}}) ==
          0.5);
    CHECK(quota_in({{"/proc/self/cgroup", "3:cpu,cpuacct:/job\n"},
                    {"/sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "400000\n"},
                    {"/sys/fs/cgroup/cpu/job/cpu.cfs_period_us", "100000\n"}}) == 4.0);
}

TEST_CASE("of a group and those that it is in the least quota holds") {
    CHECK(quota_in({{"/proc/self/cgroup", "0::/a/b/c\n"},
                    {"/sys/fs/cgroup/a/b/c/cpu.max", "max 100000\n"},
                    {"/sys/fs/cgroup/a/b/cpu.max", "300000 100000\n"},
                    {"/sys/fs/cgroup/a/cpu.max", "150000 100000\n"},
                    {"/sys/fs/cgroup/cpu.max", "800000 100000\n"}}) == 1.5);
    CHECK(quota_in({{"/proc/self/cgroup", "3:cpu,cpuacct:/job/step\n"},
                    {"/sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "250000\n"},
                    {"/sys/fs/cgroup/cpu/job/cpu.cfs_period_us", "100000\n"},
                    {"/sys/fs/cgroup/cpu/job/step/cpu.cfs_quota_us", "-1\n"},
                    {"/sys/fs/cgroup/cpu/job/step/cpu.cfs_period_us", "100000\n"}}) == 2.5);
    CHECK(in_group("/h", "/", "f") == std::vector<std::string>{"/h/f"});
    CHECK(in_group("/h", "/a/b", "f") == std::vector<std::string>{"/h/a/b/f", "/h/a/f", "/h/f"});
    CHECK(in_group("/h", "odd", "f") == std::vector<std::string>{"/h/f"});
}

TEST_CASE("no quota where none is said, or what is said is none") {
    CHECK(quota_in({}) == std::nullopt);
    for (const char* text : {"max 100000\n", "", "x y\n", "100000\n", "100000 0\n"})
        CHECK(quota_in({{"/sys/fs/cgroup/cpu.max", text}}) == std::nullopt);
    CHECK(quota_in({{"/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n"},
                    {"/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n"}}) == std::nullopt);
}

TEST_CASE("memory: of a group and those that it is in the least is left, without files that nobody uses") {
    const auto left_in = [](const std::map<std::string, std::string>& files) {
        return memory_left([&](const std::string& path) {
            const auto found = files.find(path);
            return found == files.end() ? std::nullopt : std::optional(found->second);
        });
    };
    CHECK(left_in({}) == std::numeric_limits<double>::infinity());
    CHECK(left_in({{"/sys/fs/cgroup/memory.max", "max\n"}, {"/sys/fs/cgroup/memory.current", "5\n"}}) ==
          std::numeric_limits<double>::infinity());
    CHECK(left_in({{"/sys/fs/cgroup/memory.max", "1000\n"}, {"/sys/fs/cgroup/memory.current", "400\n"}}) ==
          600.0);
    CHECK(left_in({{"/proc/self/cgroup", "0::/job/step\n"},
                   {"/sys/fs/cgroup/job/step/memory.max", "max\n"},
                   {"/sys/fs/cgroup/job/step/memory.current", "800\n"},
                   {"/sys/fs/cgroup/job/memory.max", "1000\n"},
                   {"/sys/fs/cgroup/job/memory.current", "900\n"},
                   {"/sys/fs/cgroup/job/memory.stat", "anon 300\nfile 600\ninactive_file 500\n"}}) == 600.0);
    CHECK(left_in({{"/sys/fs/cgroup/memory.max", "1000\n"}, {"/sys/fs/cgroup/memory.current", "1400\n"}}) ==
          0.0);
    CHECK(left_in({{"/proc/self/cgroup", "4:memory:/job\n"},
                   {"/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "1000\n"},
                   {"/sys/fs/cgroup/memory/job/memory.usage_in_bytes", "700\n"},
                   {"/sys/fs/cgroup/memory/job/memory.stat", "cache 300\ntotal_inactive_file 200\n"}}) ==
          500.0);
}
