// `machine --show`: each cell is the rate of the ceiling under its row's conditions.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

#include "models/roofs.h"
#include "tests/support/reader/known_claims.h"
#include "tuner/base/si.h"
#include "tuner/ceilings/regions.h"

namespace rooftune::test {
namespace {

std::string giga_words(double rate) {
    return fmt::format("{:.{}f}", rate / 1e9, rate < 1e9 ? 3 : rate < 10e9 ? 2 : 1);
}

std::string giga_or_dash(double rate) {
    return rate > 0.0 ? giga_words(rate) : std::string("–");
}

std::string nanoseconds_words(double rate) {
    const double ns = 1e9 / rate;
    return fmt::format("{:.{}f}", ns, ns < 10.0 ? 2 : ns < 100.0 ? 1 : 0);
}

// Rows in which nothing was probed are not shown.
bool has_rate(const std::vector<std::string>& row) {
    return std::any_of(row.begin() + 1, row.end(), [](const std::string& cell) { return cell != "–"; });
}

std::string binary_words(double bytes) {
    const double kibi = bytes / 1024.0;
    if (kibi < 1.0) return fmt::format("{:.4g} B", bytes);
    if (kibi < 1024.0) return fmt::format("{:.4g} KiB", kibi);
    if (kibi < 1024.0 * 1024.0) return fmt::format("{:.4g} MiB", kibi / 1024.0);
    return fmt::format("{:.4g} GiB", kibi / 1024.0 / 1024.0);
}

std::string threads_words(int n) {
    return n == 1 ? "1 thread" : std::to_string(n) + " threads";
}

template <typename Wanted>
double best_of(const Machine& machine, const Wanted& wanted) {
    double rate = 0.0;
    for (const Ceiling& c : machine.ceilings) {
        if (wanted(c)) rate = std::max(rate, c.max);
    }
    return rate;
}

// One thread and the most; those in between are in the file.
std::vector<int> shown_threads(const Machine& machine) {
    std::set<int> threads;
    for (const Ceiling& c : machine.ceilings) {
        const bool counts = c.resource == Resource::compute || c.resource == Resource::bandwidth;
        if (counts && c.when.threads > 0) threads.insert(c.when.threads);
    }
    if (threads.size() < 2) return {threads.begin(), threads.end()};
    return {*threads.begin(), *threads.rbegin()};
}

// "79.8"; where a bound counts on more than was seen, "159.6 (seen 82.1)".
std::string peak_words(const Machine& machine, const Roofs& roofs, DType dtype, int bits, int threads) {
    const auto seen_at = [&](const auto& fits) {
        return best_of(machine, [&](const Ceiling& c) {
            return c.resource == Resource::compute && c.when.dtype == dtype && c.when.threads == threads &&
                   fits(c);
        });
    };
    const double seen = seen_at([&](const Ceiling& c) { return c.when.width_bits == bits; });
    if (!(seen > 0.0)) return "–";
    const double proven =
        seen_at([&](const Ceiling& c) { return c.when.width_bits <= bits && c.excludes && !c.when.sparse; });
    const Roof roof = roofs.compute(dtype, bits, threads);
    const double rate = roof ? roof.rate : proven;
    if (rate <= proven * (1.0 + 1e-9)) return giga_words(std::max(seen, rate));
    return giga_words(std::max(seen, rate)) + " (seen " + giga_words(seen) + ")";
}

void claim_peaks(Reader& reader, const Machine& machine) {
    Reader::Truths rows;
    std::vector<std::string> columns{"vectors"};
    const std::vector<int> threads = shown_threads(machine);
    const Roofs roofs(machine);
    for (const int n : threads) {
        for (const char* type : {"f64, ", "f32, "}) columns.push_back(type + threads_words(n));
    }
    for (const int width : {0, 128, 256, 512}) {
        std::vector<std::string> row{width == 0 ? "scalar" : std::to_string(width) + " bit"};
        for (const int n : threads) {
            for (const DType dtype : {DType::f64, DType::f32}) {
                const int bits = width == 0 ? 8 * static_cast<int>(size_of(dtype)) : width;
                row.push_back(peak_words(machine, roofs, dtype, bits, n));
            }
        }
        if (has_rate(row)) rows.push_back(row);
    }
    reader.table("peaks", columns, rows);
    for (const int n : threads) {
        const auto& steps = roofs.bandwidth(n);
        const Roof peak = roofs.compute(DType::f64, kAnyWidth, n);
        if (steps.empty() || !peak) continue;
        reader.claim("ridge",
                     "Ridge point, f64, (" + threads_words(n) + ")" +
                         ": ([0-9.]+) flop/byte \\(([0-9.]+) Gflop/s over ([0-9.]+) GB/s at (.*)\\)",
                     Reader::Truths{{threads_words(n), fmt::format("{:.3g}", peak.rate / steps.back().both),
                                     giga_words(peak.rate), giga_words(steps.back().both),
                                     binary_words(steps.back().from)}});
        // Where roofs are above what was seen, the ridge is that of the roofs all the same.
        reader.claim("ridge in bounds",
                     "Ridge point, f64, (" + threads_words(n) +
                         "): ([0-9.]+) flop/byte in bounds(?: \\([0-9.]+ flop/byte of rates seen\\))?, by "
                         "(?:at most )?([0-9.]+) Gflop/s",
                     Reader::Truths{{threads_words(n), fmt::format("{:.3g}", peak.rate / steps.back().both),
                                     giga_words(peak.rate)}});
    }
}

bool is_last(const Region& region) {
    return !(region.to.value < 1e18);
}

void claim_bandwidth(Reader& reader, const Machine& machine, int threads) {
    const std::vector<Mix> mixes{Mix::load, Mix::update,   Mix::two_loads_store, Mix::store,
                                 Mix::copy, Mix::nt_store, Mix::nt_copy};
    std::vector<std::string> columns{threads > 1 ? "data of all threads" : "data"};
    for (const Mix mix : mixes) {
        columns.emplace_back(to_text(mix));
        std::replace(columns.back().begin(), columns.back().end(), '_', ' ');
    }
    Reader::Truths rows;
    for (const Region& region : regions_of(machine.topology, threads)) {
        std::vector<std::string> row{region.name + (is_last(region)
                                                        ? " beyond " + binary_words(region.from.value)
                                                        : " to " + binary_words(region.to.value))};
        for (const Mix mix : mixes) {
            row.push_back(giga_or_dash(best_of(machine, [&](const Ceiling& c) {
                return c.resource == Resource::bandwidth && c.when.mix == mix && c.when.threads == threads &&
                       !c.when.shared && region.holds(c.when.footprint);
            })));
        }
        if (has_rate(row)) rows.push_back(row);
    }
    reader.about("^Bandwidth, GB/s, " + threads_words(threads) + " ", [&] {
        reader.claim("threads of bandwidths", "^Bandwidth, GB/s, ([0-9]+) thread", std::to_string(threads));
        reader.table("bandwidth", columns, rows);
    });
}

/// A row of a table over regions: the rate of the wanted ceiling at the largest footprint inside of each.
struct RegionRow {
    std::string name;
    int threads;  ///< whose footprints are added up
    std::function<bool(const Ceiling&)> wanted;
};

double deepest(const Machine& machine, const Region& region, const RegionRow& row) {
    double footprint = 0.0, rate = 0.0;
    // The columns are those of one thread; a row's footprints may be those of several.
    const std::optional<Region> its = region_named(machine.topology, region.name, row.threads);
    for (const Ceiling& c : machine.ceilings) {
        if (!its || !row.wanted(c) || !its->holds(c.when.footprint, 1.3)) continue;
        const double at = c.when.footprint.value;
        if (at > footprint) rate = 0.0;
        if (at < footprint) continue;
        footprint = at;
        rate = std::max(rate, c.max);
    }
    return rate;
}

std::vector<std::string> region_columns(const Machine& machine) {
    std::vector<std::string> columns{"what"};
    for (const Region& region : regions_of(machine.topology))
        columns.push_back(region.name + (is_last(region) ? "" : " " + binary_words(region.to.value)));
    return columns;
}

void claim_accesses(Reader& reader, const Machine& machine, int threads) {
    std::vector<RegionRow> all;
    for (const bool huge : {true, false}) {
        all.push_back(
            {huge ? "latency ns, huge pages" : "latency ns, 4 KiB pages", 1, [huge](const Ceiling& c) {
                 return c.resource == Resource::latency && c.when.huge_pages == huge && !c.when.remote;
             }});
    }
    all.push_back({"latency ns, remote node", 1,
                   [](const Ceiling& c) { return c.resource == Resource::latency && c.when.remote; }});
    for (const DType dtype : {DType::f64, DType::f32}) {
        all.push_back({"gather " + std::string(to_text(dtype)), 1, [dtype, threads](const Ceiling& c) {
                           return c.resource == Resource::gather && c.when.dtype == dtype &&
                                  c.when.threads == threads;
                       }});
    }
    std::set<double> strides;
    for (const Ceiling& c : machine.ceilings) {
        if (c.resource == Resource::strided) strides.insert(c.when.stride.value);
    }
    for (const double stride : strides) {
        const std::string name = stride > 4096.0 ? "4 KiB + 64 B" : binary_words(stride);
        all.push_back({"f64 every " + name, threads, [stride, threads](const Ceiling& c) {
                           return c.resource == Resource::strided && c.when.stride.value == stride &&
                                  c.when.dtype == DType::f64 && c.when.threads == threads;
                       }});
    }
    Reader::Truths rows;
    for (const RegionRow& row : all) {
        std::vector<std::string> cells{row.name};
        for (const Region& region : regions_of(machine.topology)) {
            const double rate = deepest(machine, region, row);
            cells.push_back(rate > 0.0 && row.name.starts_with("latency") ? nanoseconds_words(rate)
                                                                          : giga_or_dash(rate));
        }
        if (has_rate(cells)) rows.push_back(cells);
    }
    reader.about("^Beside streams: ", [&] {
        reader.claim("threads of accesses",
                     "^Beside streams: .* \\((1) thread\\); (10)⁹ elements/s \\(([0-9]+) thread",
                     Reader::Truths{{"1", "10", std::to_string(threads)}});
        reader.table("accesses", region_columns(machine), rows);
    });
}

void claim_load_conditions(Reader& reader, const Machine& machine, int threads) {
    std::vector<RegionRow> all;
    const auto add = [&](const std::string& name, const std::function<bool(const Conditions&)>& condition) {
        all.push_back({name, threads, [condition, threads](const Ceiling& c) {
                           return c.resource == Resource::bandwidth && c.when.mix == Mix::load &&
                                  c.when.threads == threads && !c.when.shared && condition(c.when);
                       }});
    };
    const std::vector<int>& widths = machine.topology.width_bits;
    for (const int width : widths) {
        if (width != widths.back())
            add(std::to_string(width) + "-bit vectors, 1 stream",
                [width](const Conditions& w) { return w.width_bits == width; });
    }
    add("4 KiB pages", [](const Conditions& w) { return !w.huge_pages && w.streams > 0; });
    add("software prefetch off", [](const Conditions& w) { return w.prefetch == Prefetch::off; });
    add("software prefetch on", [](const Conditions& w) { return w.prefetch == Prefetch::on; });
    add("memory of another node", [](const Conditions& w) { return w.remote; });
    add("fastest where threads share no data", [](const Conditions&) { return true; });
    const RegionRow shared{"data that all share", 1, [threads](const Ceiling& c) {
                               return c.resource == Resource::bandwidth && c.when.shared &&
                                      c.when.threads == threads;
                           }};
    Reader::Truths rows;
    const auto add_row = [&](const std::string& name, const auto& rate_in) {
        std::vector<std::string> cells{name};
        for (const Region& region : regions_of(machine.topology))
            cells.push_back(giga_or_dash(rate_in(region)));
        if (has_rate(cells)) rows.push_back(cells);
    };
    for (const RegionRow& row : all) {
        add_row(row.name, [&](const Region& region) {
            double rate = deepest(machine, region, row);
            for (const RegionRow& other : all) {
                if (&row == &all.back()) rate = std::max(rate, deepest(machine, region, other));
            }
            return rate;
        });
    }
    if (threads > 1)
        add_row(shared.name, [&](const Region& region) { return deepest(machine, region, shared); });
    reader.about("^Loads under other conditions", [&] {
        reader.claim("threads of loads", "^Loads under other conditions, GB/s, ([0-9]+) thread",
                     std::to_string(threads));
        reader.table("loads under other conditions", region_columns(machine), rows);
    });
}

void claim_operations(Reader& reader, const Machine& machine, int threads) {
    const std::vector<std::pair<Mix, std::string>> kinds{
        {Mix::div, "divide"},   {Mix::sqrt, "square root"}, {Mix::add, "add"},
        {Mix::mul, "multiply"}, {Mix::fma, "multiply-add"}, {Mix::dot, "widening product"}};
    const auto is_of = [&](const Ceiling& c, Mix mix, DType dtype) {
        return c.resource == Resource::compute && c.when.mix == mix && c.when.dtype == dtype &&
               c.when.threads == threads && !c.when.sparse;
    };
    const auto rate_of = [&](Mix mix, DType dtype) {
        const bool usual = mix == Mix::add || mix == Mix::mul || mix == Mix::fma;
        if (usual && (dtype == DType::f64 || dtype == DType::f32)) return 0.0;
        return best_of(machine, [&](const Ceiling& c) { return is_of(c, mix, dtype); });
    };
    // A rate is a least one where a disturbed ceiling may be higher.
    const auto mark_of = [&](Mix mix, DType dtype) {
        const double rate = rate_of(mix, dtype);
        const bool is_low =
            std::any_of(machine.ceilings.begin(), machine.ceilings.end(), [&](const Ceiling& c) {
                if (!is_of(c, mix, dtype) || c.undisturbed < 0) return false;
                return c.undisturbed == 0 || (c.max == rate && !c.top.empty() && c.top.front() < 0.97 * rate);
            });
        return rate > 0.0 && is_low ? "≥ " : "";
    };
    std::vector<DType> types;
    std::vector<std::string> columns{"operation"};
    for (const DType dtype : {DType::f64, DType::f32, DType::f16, DType::bf16, DType::int64, DType::int32,
                              DType::int16, DType::int8}) {
        if (std::none_of(kinds.begin(), kinds.end(),
                         [&](const auto& kind) { return rate_of(kind.first, dtype) > 0.0; }))
            continue;
        types.push_back(dtype);
        columns.emplace_back(to_text(dtype));
    }
    Reader::Truths rows;
    for (const auto& [mix, name] : kinds) {
        std::vector<std::string> row{name};
        for (const DType dtype : types)
            row.push_back(mark_of(mix, dtype) + giga_or_dash(rate_of(mix, dtype)));
        if (has_rate(row)) rows.push_back(row);
    }
    reader.claim("threads of other operations", "^Other operations, (10)⁹/s, ([0-9]+) thread",
                 Reader::Truths{{"10", std::to_string(threads)}});
    reader.table("other operations", columns, rows);
}

void claim_core(Reader& reader, const Machine& machine) {
    const double clock = best_of(machine, [](const Ceiling& c) { return c.resource == Resource::clock; });
    const auto issue = [&](Mix mix) {
        return best_of(machine,
                       [&](const Ceiling& c) { return c.resource == Resource::issue && c.when.mix == mix; });
    };
    const auto a_cycle = [&](double rate) {
        return fmt::format("{:.1f}", rate / (clock > 0.0 ? clock : 1e9));
    };
    reader.claim("clock", "Clock: ([0-9.]+) GHz", fmt::format("{:.2f}", clock / 1e9));
    reader.claim(
        "issue", "Issue, .*: ([0-9.]+) instructions of any kind, ([0-9.]+) loads, ([0-9.]+) floating-point",
        Reader::Truths{{a_cycle(issue(Mix::mixed)), a_cycle(issue(Mix::loads)), a_cycle(issue(Mix::fmas))}});
    for (const int width : machine.topology.width_bits) {
        const auto of_width = [&](Mix mix) {
            return a_cycle(best_of(machine, [&](const Ceiling& c) {
                return c.resource == Resource::issue && c.when.mix == mix && c.when.width_bits == width;
            }));
        };
        reader.claim("vector loads", "([0-9.]+) of (" + std::to_string(width) + ") bits",
                     Reader::Truths{{of_width(Mix::loads), std::to_string(width)}});
        reader.claim("split loads", "of " + std::to_string(width) + " bits \\(([0-9.]+) across two lines",
                     of_width(Mix::split_loads));
    }
    reader.claim("gathers", "([0-9.]+) elements by gathers", a_cycle(issue(Mix::gathers)));
    reader.claim("reorder window", "Reorder window: at most ([0-9]+) instructions",
                 fmt::format("{:.0f}", best_of(machine, [](const Ceiling& c) {
                                 return c.resource == Resource::window;
                             })));
    reader.claim("ceilings", "(?:^|\\. )([0-9]+) ceilings", std::to_string(machine.ceilings.size()));
}

void claim_topology(Reader& reader, const Topology& t) {
    reader.claim(
        "cores",
        "(?:^|\\) )([0-9]+ cores?), ([0-9]+ processing units?), ([0-9]+ NUMA nodes?), ([0-9.]+ [KMG]iB)",
        Reader::Truths{{format_plural(t.cores, "core"), format_plural(t.threads, "processing unit"),
                        format_plural(t.numa_nodes, "NUMA node"), binary_words(t.memory.value)}});
    for (const CacheLevel& cache : t.caches) {
        const std::string level = "(?:^| )L" + std::to_string(cache.level) + ": ";
        reader.claim("reported size", level + "([0-9.]+ [KMG]?i?B) reported",
                     binary_words(cache.reported.value));
        reader.claim("probed size", level + "[^:]*, ([0-9.]+ [KMG]?i?B) probed",
                     binary_words(cache.probed.value));
        reader.claim("sharers", level + "[^:]*, shared by ([0-9]+)", std::to_string(cache.shared_by));
    }
}

}  // namespace

void claim_machine(Reader& reader, const Machine& whole) {
    const Machine machine = machine_of(whole, "");
    reader.words(machine.name + " (" + machine.id + ")");
    claim_topology(reader, machine.topology);
    claim_peaks(reader, machine);
    const std::vector<int> threads = shown_threads(machine);
    for (const int n : threads) claim_bandwidth(reader, machine, n);
    if (!threads.empty()) {
        claim_operations(reader, machine, threads.back());
        claim_accesses(reader, machine, threads.back());
        claim_load_conditions(reader, machine, threads.back());
    }
    claim_core(reader, machine);
    for (const Ceiling& c : machine.ceilings) reader.words(c.seen);
}

}  // namespace rooftune::test
