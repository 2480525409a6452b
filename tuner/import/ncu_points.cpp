// The arithmetic of roofline.md section 3: F = 2·fma + add + mul, Q = 32 · sectors, I = F/Q.
#include <algorithm>

#include "kernels/runtime/error.h"
#include "tuner/import/ncu.h"

namespace rooftune::imports {
namespace {

const Metric* find(const Launch& launch, const std::string& name) {
    const auto found = launch.metrics.find(name);
    return found == launch.metrics.end() ? nullptr : &found->second;
}

double value_of(const Launch& launch, const std::string& name) {
    const Metric* metric = find(launch, name);
    return metric != nullptr ? metric->value : 0.0;
}

/// Cycles of the launch, on whichever unit counted them.
double cycles_of(const Launch& launch) {
    for (const char* unit : {"sm", "smsp", "gpc"}) {
        for (const char* statistic : {"max", "avg"}) {
            const double cycles = value_of(launch, std::string(unit) + "__cycles_elapsed." + statistic);
            if (cycles > 0.0) return cycles;
        }
    }
    return 0.0;
}

/// Thread instructions of one kind, "ffma" say, as counted or a cycle times the cycles.
double instructions(const Launch& launch, const std::string& kind) {
    for (const char* unit : {"smsp", "sm"}) {
        const std::string name =
            std::string(unit) + "__sass_thread_inst_executed_op_" + kind + "_pred_on.sum";
        if (const Metric* sum = find(launch, name)) return sum->value;
        if (const Metric* rate = find(launch, name + ".per_cycle_elapsed"))
            return rate->value * cycles_of(launch);
    }
    return 0.0;
}

void add(std::vector<std::pair<std::string, double>>& flops, const std::string& type, double count) {
    if (count <= 0.0) return;
    for (auto& [known, sum] : flops) {
        if (known == type) {
            sum += count;
            return;
        }
    }
    flops.emplace_back(type, count);
}

/// "sm__ops_path_tensor_src_bf16_dst_fp32.sum" → "bf16"; our names for Nvidia's.
std::string tensor_type(const std::string& name) {
    static const std::string prefix = "sm__ops_path_tensor_src_";
    std::string type = name.substr(prefix.size());
    type = type.substr(0, type.find_first_of("_."));
    if (type.starts_with("fp")) type = "f" + type.substr(2);
    if (type == "s8" || type == "u8") type = "int8";
    return type;
}

}  // namespace

double seconds_of(const Launch& launch) {
    for (const char* name : {"gpu__time_duration.sum", "gpu__time_duration.avg", "gpu__time_duration.max",
                             "gpu__time_duration", "Duration"}) {
        if (const double seconds = value_of(launch, name); seconds > 0.0) return seconds;
    }
    for (const char* unit : {"sm", "smsp", "gpc"}) {
        const std::string cycles = std::string(unit) + "__cycles_elapsed.avg";
        const double count = value_of(launch, cycles), rate = value_of(launch, cycles + ".per_second");
        if (count > 0.0 && rate > 0.0) return count / rate;
    }
    return 0.0;
}

std::vector<std::pair<std::string, double>> flops_of(const Launch& launch) {
    std::vector<std::pair<std::string, double>> flops;
    for (const auto& [letter, type] : {std::pair("h", "f16"), std::pair("f", "f32"), std::pair("d", "f64")}) {
        const std::string kind(letter);
        add(flops, type,
            2.0 * instructions(launch, kind + "fma") + instructions(launch, kind + "add") +
                instructions(launch, kind + "mul"));
    }
    // A source type may be counted in all and again by the type of its result: the sum without `dst` counts.
    for (const auto& [name, metric] : launch.metrics) {
        if (!name.starts_with("sm__ops_path_tensor_src_") || !name.ends_with(".sum")) continue;
        const std::size_t result = name.find("_dst_");
        if (result != std::string::npos && find(launch, name.substr(0, result) + ".sum") != nullptr) continue;
        add(flops, tensor_type(name), metric.value);
    }
    return flops;
}

double bytes_of(const Launch& launch) {
    if (const double both = value_of(launch, "dram__bytes.sum"); both > 0.0) return both;
    const double apart = value_of(launch, "dram__bytes_read.sum") + value_of(launch, "dram__bytes_write.sum");
    if (apart > 0.0) return apart;
    constexpr double kSector = 32.0;
    return kSector *
           (value_of(launch, "dram__sectors_read.sum") + value_of(launch, "dram__sectors_write.sum"));
}

MeasuredPoints points_of(const std::vector<Launch>& launches, const std::string& file, const Times& times) {
    MeasuredPoints all{"ncu", file, {}};
    std::vector<Position> where;
    std::vector<bool> timed;
    for (const Launch& launch : launches) {
        const auto known = std::find_if(all.points.begin(), all.points.end(),
                                        [&](const MeasuredPoint& p) { return p.name == launch.kernel; });
        const auto index = static_cast<std::size_t>(known - all.points.begin());
        if (known == all.points.end()) {
            MeasuredPoint fresh;
            fresh.name = launch.kernel;
            fresh.launches = 0;
            all.points.push_back(std::move(fresh));
            where.push_back(launch.at);
            timed.push_back(true);
        }
        MeasuredPoint& point = all.points[index];
        const double seconds = seconds_of(launch);
        timed[index] = timed[index] && seconds > 0.0;
        point.seconds += seconds;
        for (const auto& [type, count] : flops_of(launch)) {
            add(point.flops_by_type, type, count);
            point.flops += count;
        }
        point.bytes += bytes_of(launch);
        ++point.launches;
    }
    for (std::size_t i = 0; i < all.points.size(); ++i) {
        MeasuredPoint& point = all.points[i];
        for (const Time& time : times) {
            if (time.kernel.empty() && all.points.size() > 1) {
                throw InputError(file + ": one time for " + std::to_string(all.points.size()) +
                                 " kernels: name the kernel, --time '" + point.name + "=SECONDS'");
            }
            // Either tool may leave the parameters off a name.
            if (point.name.find(time.kernel) == std::string::npos &&
                time.kernel.find(point.name) == std::string::npos) {
                continue;
            }
            point.seconds =
                time.instances > 0.0 ? time.seconds / time.instances * point.launches : time.seconds;
            timed[i] = true;
            point.note = "time measured apart from the counters";
            break;
        }
        if (!timed[i]) {
            fail(file, where[i],
                 "no time for '" + point.name +
                     "': collect gpu__time_duration.sum as well, or give --time SECONDS or --nsys FILE");
        }
    }
    sort_by_time(all);
    return all;
}

}  // namespace rooftune::imports
