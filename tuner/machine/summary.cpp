#include "tuner/machine/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "models/roofs.h"
#include "tuner/machine/device_summary.h"

namespace rooftune {
namespace {

std::string size_text(Bytes b) {
    if (b.value >= 1024.0 * 1024.0 * 1024.0)
        return fmt::format("{:.4g} GiB", b.value / (1024.0 * 1024.0 * 1024.0));
    if (b.value >= 1024.0 * 1024.0) return fmt::format("{:.4g} MiB", b.value / (1024.0 * 1024.0));
    return fmt::format("{:.4g} KiB", b.value / 1024.0);
}

std::string giga(double rate) {
    return rate > 0.0 ? fmt::format("{:.1f}", rate / 1e9) : "–";
}

double best(const Machine& machine, const auto& wanted) {
    double rate = 0.0;
    for (const Ceiling& c : machine.ceilings) {
        if (wanted(c)) rate = std::max(rate, c.max);
    }
    return rate;
}

std::vector<int> thread_counts(const Machine& machine) {
    std::set<int> counts;
    for (const Ceiling& c : machine.ceilings) {
        if (c.resource == Resource::compute || c.resource == Resource::bandwidth)
            counts.insert(c.when.threads);
    }
    return {counts.begin(), counts.end()};
}

std::string threads_text(int n) {
    return n == 1 ? "1 thread" : fmt::format("{} threads", n);
}

// {:>N} counts bytes beyond ASCII: pad by hand around the dash.
std::string right(const std::string& text, std::size_t width) {
    const std::size_t shown = text == "–" ? 1 : text.size();
    return std::string(shown < width ? width - shown : 0, ' ') + text;
}

void peak_table(std::string& out, const Machine& machine, const std::vector<int>& counts) {
    out += "Peak, Gflop/s (highest of FMA, ADD, MUL, FMA+ADD and of all chain counts)\n";
    out += fmt::format("  {:<12}", "");
    for (const int n : counts)
        out += right("f64 " + threads_text(n), 16) + right("f32 " + threads_text(n), 16);
    out += "\n";
    for (const int width : {0, 128, 256, 512}) {
        std::string row =
            fmt::format("  {:<12}", width == 0 ? std::string("scalar") : fmt::format("{} bit", width));
        bool any = false;
        for (const int n : counts) {
            for (const DType dtype : {DType::f64, DType::f32}) {
                const int bits = width == 0 ? 8 * static_cast<int>(size_of(dtype)) : width;
                const double rate = best(machine, [&](const Ceiling& c) {
                    return c.resource == Resource::compute && c.when.dtype == dtype &&
                           c.when.width_bits == bits && c.when.threads == n;
                });
                any = any || rate > 0.0;
                row += right(giga(rate), 16);
            }
        }
        if (any) out += row + "\n";
    }
}

void bandwidth_table(std::string& out, const Machine& machine, const std::vector<int>& counts) {
    const std::vector<Mix> mixes{Mix::load,  Mix::update,   Mix::two_loads_store,
                                 Mix::store, Mix::nt_store, Mix::nt_copy};
    for (const int n : counts) {
        out += fmt::format("Bandwidth, GB/s, {} (highest over streams, at the middle of each region)\n",
                           threads_text(n));
        out += fmt::format("  {:<22}", "");
        for (const Mix mix : mixes) out += right(std::string(to_text(mix)), 16);
        out += "\n";
        for (const Region& region : regions_of(machine.topology)) {
            std::string row = fmt::format(
                "  {:<22}", region.name + (region.to.value < 1e18 ? " to " + size_text(region.to * n)
                                                                  : " beyond " + size_text(region.from * n)));
            bool any = false;
            for (const Mix mix : mixes) {
                // Half of the level and twice the level below are safely inside it.
                const double rate = best(machine, [&](const Ceiling& c) {
                    return c.resource == Resource::bandwidth && c.when.mix == mix && c.when.threads == n &&
                           c.when.footprint.value > 1.9 * region.from.value * n &&
                           c.when.footprint.value <= 0.76 * region.to.value * n;
                });
                any = any || rate > 0.0;
                row += right(giga(rate), 16);
            }
            if (any) out += row + "\n";
        }
    }
}

void core_lines(std::string& out, const Machine& machine) {
    const double clock = best(machine, [](const Ceiling& c) { return c.resource == Resource::clock; });
    if (clock > 0.0) out += fmt::format("Clock: {:.2f} GHz under light load.\n", clock / 1e9);
    const auto issue = [&](Mix mix) {
        return best(machine,
                    [&](const Ceiling& c) { return c.resource == Resource::issue && c.when.mix == mix; });
    };
    if (issue(Mix::mixed) > 0.0) {
        const double per = clock > 0.0 ? clock : 1e9;
        out +=
            fmt::format("Issue, {}: {:.1f} instructions of any kind, {:.1f} loads, {:.1f} floating-point.\n",
                        clock > 0.0 ? "a cycle" : "10⁹/s", issue(Mix::mixed) / per, issue(Mix::loads) / per,
                        issue(Mix::fmas) / per);
    }
    const double window = best(machine, [](const Ceiling& c) { return c.resource == Resource::window; });
    if (window > 0.0) out += fmt::format("Reorder window: at most {:.0f} instructions.\n", window);
    std::set<std::pair<double, int>> sizes;
    for (const Ceiling& c : machine.ceilings) {
        if (c.resource == Resource::gather) sizes.insert({c.when.footprint.value, c.when.threads});
    }
    for (const auto& [size, n] : sizes) {
        const auto rate = [&, bytes = size, count = n](DType dtype) {
            return best(machine, [&](const Ceiling& c) {
                return c.resource == Resource::gather && c.when.dtype == dtype && c.when.threads == count &&
                       c.when.footprint.value == bytes;
            });
        };
        out += fmt::format("Gather from {}, {}: {:.2f} (f64) and {:.2f} (f32) ·10⁹ elements/s.\n",
                           size_text(Bytes(size)), threads_text(n), rate(DType::f64) / 1e9,
                           rate(DType::f32) / 1e9);
    }
}

}  // namespace

std::vector<Region> regions_of(const Topology& topology) {
    std::vector<Region> regions;
    Bytes from{0.0};
    for (const CacheLevel& cache : topology.caches) {
        // A knee is the last footprint of a coarse grid before the fall: a reported size within the next
        // step agrees with it and is the finer figure.
        const bool agree = cache.reported >= cache.probed && cache.reported <= cache.probed * 2.1;
        const Bytes to = cache.probed.value > 0.0 && !agree ? cache.probed : cache.reported;
        if (to <= from) continue;
        regions.push_back({fmt::format("L{}", cache.level), from, to});
        from = to;
    }
    regions.push_back({"memory", from, Bytes(std::numeric_limits<double>::infinity())});
    return regions;
}

std::string summary_text(const Machine& whole) {
    const Machine machine = machine_of(whole, "");
    const Topology& t = machine.topology;
    std::string out = fmt::format("{} ({})\n", machine.name, machine.id);
    out += fmt::format("{} cores, {} processing units, {} NUMA node{}, {}{}.\n", t.cores, t.threads,
                       t.numa_nodes, t.numa_nodes == 1 ? "" : "s", size_text(t.memory),
                       t.hypervisor.empty() ? "" : ", virtual machine under " + t.hypervisor);
    for (const CacheLevel& cache : t.caches) {
        out += fmt::format(
            "L{}: {} reported, {}{}.\n", cache.level, size_text(cache.reported),
            cache.probed.value > 0.0 ? size_text(cache.probed) + " probed" : "no edge seen by the probes",
            cache.shared_by > 1 ? fmt::format(", shared by {}", cache.shared_by) : "");
    }
    if (machine.ceilings.empty()) return out + "Nothing probed yet: run `rooftune machine`.\n";
    const std::vector<int> counts = thread_counts(machine);
    out += "\n";
    peak_table(out, machine, counts);
    out += "\n";
    bandwidth_table(out, machine, counts);
    out += "\n";
    const Roofs roofs(machine);
    for (const int n : counts) {
        const auto& steps = roofs.bandwidth(n);
        const Roof peak = roofs.compute(DType::f64, 512, n);
        if (steps.empty() || !peak || steps.back().both <= 0.0) continue;
        out += fmt::format("Ridge point, f64, {}: {:.3g} flop/byte ({} Gflop/s over {} GB/s at {}).\n",
                           threads_text(n), peak.rate / steps.back().both, giga(peak.rate),
                           giga(steps.back().both), size_text(Bytes(steps.back().from)));
    }
    core_lines(out, machine);
    for (const Device& device : whole.devices) out += "\n" + device_summary(whole, device);
    return out;
}

}  // namespace rooftune
