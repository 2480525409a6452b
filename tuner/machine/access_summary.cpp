#include "tuner/machine/access_summary.h"
#include "tuner/ceilings/regions.h"

#include <algorithm>
#include <functional>
#include <vector>

#include "tuner/base/table.h"
#include "tuner/ceilings/doubts.h"
#include "tuner/ceilings/plan_memory.h"
#include "tuner/machine/summary.h"
#include "tuner/machine/summary_cells.h"

namespace rooftune {
namespace {

using Wanted = std::function<bool(const Ceiling&)>;

// The rate at the largest footprint within the level, of which so many threads have a share: the smallest of
// a level still lies in the one above for a good part, which a highest rate over the region would pick.
double deepest(const Machine& machine, const std::string& level, int share, const Wanted& wanted) {
    const std::optional<Region> region = region_named(machine.topology, level, share);
    if (!region) return 0.0;
    double footprint = 0.0;
    double rate = 0.0;
    for (const Ceiling& c : machine.ceilings) {
        if (!wanted(c) || !region->holds(c.when.footprint, 1.3) || c.when.footprint.value < footprint)
            continue;
        rate = c.when.footprint.value > footprint ? c.max : std::max(rate, c.max);
        footprint = c.when.footprint.value;
    }
    return rate;
}

struct Row {
    std::string name;
    int share = 1;
    Wanted wanted;
    std::function<std::string(double)> cell = giga;
    bool over_all = false;  ///< no less than any other row, whose largest footprints may be others
    bool apart = false;     ///< but for this one
};

std::string table(const std::string& title, const Machine& machine, const std::vector<Row>& rows) {
    const std::vector<Region> regions = regions_of(machine.topology);
    std::vector<Column> columns{{"what", Align::left}};
    for (const Region& region : regions)
        columns.push_back(
            {region.to.value < 1e18 ? region.name + " " + size_text(region.to) : region.name, Align::right});
    Table cells(columns);
    const auto rate_of = [&](const Row& row, const Region& region) {
        return deepest(machine, region.name, row.share, row.wanted);
    };
    bool any_empty = false;
    for (const Row& row : rows) {
        std::vector<TableCell> line{row.name};
        bool any = false, lacks = false;
        for (const Region& region : regions) {
            double rate = rate_of(row, region);
            for (const Row& other : rows) {
                if (row.over_all && !other.apart) rate = std::max(rate, rate_of(other, region));
            }
            any = any || rate > 0.0;
            lacks = lacks || rate <= 0.0;
            line.emplace_back(rate > 0.0 ? row.cell(rate) : "–");
        }
        if (any) cells.add(line);
        any_empty = any_empty || (any && lacks);
    }
    if (cells.empty()) return "";
    const std::string why = !any_empty ? ""
                            : is_quick(machine)
                                ? "; –: the quick model probes no data that lie in that level alone"
                                : "; –: no data that were probed lie in that level alone";
    return title + why + "\n" + cells.to_text();
}

std::string nanoseconds(double rate) {
    const double ns = 1e9 / rate;
    return fmt::format("{:.{}f}", ns, ns < 10.0 ? 2 : ns < 100.0 ? 1 : 0);
}

}  // namespace

std::string access_table(const Machine& machine, int threads) {
    std::vector<Row> rows;
    for (const bool huge : {true, false}) {
        rows.push_back({huge ? "latency ns, huge pages" : "latency ns, 4 KiB pages", 1,
                        [huge](const Ceiling& c) {
                            return c.resource == Resource::latency && c.when.huge_pages == huge &&
                                   !c.when.remote;
                        },
                        nanoseconds});
    }
    rows.push_back({"latency ns, remote node", 1,
                    [](const Ceiling& c) { return c.resource == Resource::latency && c.when.remote; },
                    nanoseconds});
    for (const DType dtype : {DType::f64, DType::f32}) {
        // All threads gather from the same elements, so that the footprint is that of each.
        rows.push_back({"gather " + std::string(to_text(dtype)), 1, [dtype, threads](const Ceiling& c) {
                            return c.resource == Resource::gather && c.when.dtype == dtype &&
                                   c.when.threads == threads;
                        }});
    }
    for (const double stride : probed_strides()) {
        const bool padded = stride > 4096.0;
        rows.push_back({padded ? "f64 every 4 KiB + 64 B" : "f64 every " + size_text(Bytes(stride)), threads,
                        [stride, threads](const Ceiling& c) {
                            return c.resource == Resource::strided && c.when.stride.value == stride &&
                                   c.when.dtype == DType::f64 && c.when.threads == threads;
                        }});
    }
    return table(fmt::format("Beside streams: ns a dependent load (1 thread); 10⁹ elements/s ({})",
                             threads_text(threads)),
                 machine, rows);
}

std::string load_conditions_table(const Machine& machine, int threads) {
    std::vector<Row> rows;
    const auto add = [&](const std::string& name, auto condition) {
        rows.push_back({name, threads, [condition, threads](const Ceiling& c) {
                            return c.resource == Resource::bandwidth && c.when.mix == Mix::load &&
                                   c.when.threads == threads && !c.when.shared && condition(c.when);
                        }});
    };
    for (const int width : machine.topology.width_bits) {
        if (width == machine.topology.width_bits.back()) continue;
        add(fmt::format("{}-bit vectors, 1 stream", width),
            [width](const Conditions& w) { return w.width_bits == width; });
    }
    add("4 KiB pages", [](const Conditions& w) { return !w.huge_pages && w.streams > 0; });
    add("software prefetch off", [](const Conditions& w) { return w.prefetch == Prefetch::off; });
    add("software prefetch on", [](const Conditions& w) { return w.prefetch == Prefetch::on; });
    add("memory of another node", [](const Conditions& w) { return w.remote; });
    std::vector<Row> shared{{"data that all share", 1, [threads](const Ceiling& c) {
                                 return c.resource == Resource::bandwidth && c.when.shared &&
                                        c.when.threads == threads;
                             }}};
    shared.front().apart = true;
    if (threads > 1) rows.insert(rows.end(), shared.begin(), shared.end());
    // Without any of these the fastest alone would be the bandwidth table again.
    const std::string others = table("", machine, rows);
    if (others.empty()) return "";
    rows.insert(rows.begin(), {"", threads, [threads](const Ceiling& c) {
                                   return c.resource == Resource::bandwidth && c.when.mix == Mix::load &&
                                          c.when.threads == threads && !c.when.shared;
                               }});
    rows.front().name = "fastest where threads share no data";
    rows.front().over_all = true;
    return table(fmt::format("Loads under other conditions, GB/s, {} (each at its largest footprint in the "
                             "region)",
                             threads_text(threads)),
                 machine, rows);
}

}  // namespace rooftune
