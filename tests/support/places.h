// Where the families of the registry are tried: the examples of each, on each of its backends.
#pragma once

#include <string>
#include <vector>

#include "kernels/registry.h"
#include "kernels/runtime/cpu.h"

namespace rooftune::test {

/// Two processing units for a team; the same one twice where there is no other.
inline std::vector<int> two_cpus() {
    std::vector<int> cpus = usable_cpus();
    if (cpus.size() == 1) cpus.push_back(cpus[0]);
    cpus.resize(2);
    return cpus;
}

/// At most two processing units, each once.
inline std::vector<int> at_most_two_cpus() {
    std::vector<int> cpus = usable_cpus();
    if (cpus.size() > 2) cpus.resize(2);
    return cpus;
}

/// Those of this machine's vector widths that are at most `bits`.
inline std::vector<int> widths_up_to(int bits) {
    std::vector<int> widths;
    for (const int w : usable_widths()) {
        if (w <= bits) widths.push_back(w);
    }
    return widths;
}

inline Target cpu_target(std::vector<int> width_bits, int threads, int numa_nodes = 1) {
    Target target;
    target.width_bits = std::move(width_bits);
    target.threads = threads;
    target.numa_nodes = numa_nodes;
    return target;
}

/// As the tuner sets it up: compute units count as threads.
inline Target device_target(const Device& device) {
    Target target;
    target.backend = Backend::opencl;
    target.width_bits = usable_widths();
    target.threads = device.compute_units;
    target.device = device;
    return target;
}

inline std::string text_of(const ProblemSpec& spec) {
    std::string text;
    for (const auto& [key, value] : spec) text += (text.empty() ? "" : ",") + key + "=" + value;
    return text;
}

inline std::string text_of(const Target& target) {
    std::string text(to_text(target.backend));
    if (target.backend == Backend::opencl) text += " " + target.device.name;
    text += ", widths up to " + std::to_string(target.width_bits.empty() ? 0 : target.width_bits.back());
    return text + ", threads " + std::to_string(target.threads);
}

}  // namespace rooftune::test
