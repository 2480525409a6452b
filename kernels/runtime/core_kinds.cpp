#include "kernels/runtime/core_kinds.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <memory>
#include <tuple>

#include "kernels/runtime/hwloc_topology.h"

namespace rooftune {
namespace {

double number_in(const std::string& path) {
    double number = 0.0;
    std::ifstream(path) >> number;
    return number;
}

}  // namespace

std::vector<CoreReading> read_cores(const std::vector<int>& cpus, const std::string& root) {
    const HwlocTopology topology = load_hwloc_topology();
    std::vector<CoreReading> cores(cpus.size());
    const std::unique_ptr<hwloc_bitmap_s, decltype(&hwloc_bitmap_free)> one(hwloc_bitmap_alloc(),
                                                                            &hwloc_bitmap_free);
    for (std::size_t i = 0; one && i < cpus.size(); ++i) {
        hwloc_bitmap_only(one.get(), static_cast<unsigned>(cpus[i]));
        // Negative where hwloc knows no kinds: all are one then.
        cores[i].kind = std::max(0, hwloc_cpukinds_get_by_cpuset(topology.get(), one.get(), 0));
        const std::string cpu = root + "/sys/devices/system/cpu/cpu" + std::to_string(cpus[i]);
        // hwloc takes cores whose clocks differ by less than a tenth for one kind: that tenth is what a
        // ceiling must not miss.
        cores[i].performance = number_in(cpu + "/acpi_cppc/highest_perf");
        cores[i].hertz = 1e3 * number_in(cpu + "/cpufreq/cpuinfo_max_freq");
    }
    return cores;
}

std::vector<int> fastest_of_kinds(const std::vector<CoreReading>& cores) {
    if (cores.empty()) return {};
    const auto rank = [&](int i) {
        const CoreReading& core = cores[static_cast<std::size_t>(i)];
        return std::tuple(core.performance, core.hertz);
    };
    std::map<int, int> fastest;
    for (int i = 0; i < static_cast<int>(cores.size()); ++i) {
        const auto [known, is_new] = fastest.emplace(cores[static_cast<std::size_t>(i)].kind, i);
        if (!is_new && rank(i) > rank(known->second)) known->second = i;
    }
    std::vector<int> positions{0};
    for (const auto& [kind, position] : fastest) {
        if (!(cores[static_cast<std::size_t>(position)] == cores.front())) positions.push_back(position);
    }
    return positions;
}

}  // namespace rooftune
