#include "tuner/machine/summary.h"
#include "tuner/base/suggested.h"
#include "tuner/base/text_width.h"
#include "tuner/ceilings/regions.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "models/roofs.h"
#include "tuner/base/hypervisor_name.h"
#include "tuner/base/si.h"
#include "tuner/base/table.h"
#include "tuner/ceilings/ages.h"
#include "tuner/ceilings/best_rates.h"
#include "tuner/ceilings/doubts.h"
#include "tuner/machine/access_summary.h"
#include "tuner/machine/device_summary.h"
#include "tuner/machine/summary_cells.h"

namespace rooftune {
namespace {

std::vector<int> thread_counts(const Machine& machine) {
    std::set<int> counts;
    for (const Ceiling& c : machine.ceilings) {
        if (c.resource == Resource::compute || c.resource == Resource::bandwidth)
            if (c.when.threads > 0) counts.insert(c.when.threads);
    }
    return {counts.begin(), counts.end()};
}

std::string rate_text(const Ceiling& c) {
    const bool tera = c.max >= 1e12;
    const std::string_view unit = unit_of(c);
    const std::string_view prefix = tera ? "T" : "G";
    return fmt::format("{:.4g} {}{}", c.max / (tera ? 1e12 : 1e9), prefix, unit == "byte/s" ? "B/s" : unit);
}

// A preset's rates are few and of the whole machine: a line each, with a footnote for what was published
// where.
std::string stated_rates(const Machine& machine) {
    std::string out;
    std::vector<std::string> sources;
    for (const Ceiling& c : machine.ceilings) {
        if (c.when.threads > 0) continue;
        const std::string source = c.source.empty() ? "no source" : c.source;
        auto at = std::find(sources.begin(), sources.end(), source);
        if (at == sources.end()) at = sources.insert(sources.end(), source);
        out += fmt::format("  {} {} [{}]{}{}\n", left(describe(c), 38), right(rate_text(c), 15),
                           at - sources.begin() + 1, c.note.empty() ? "" : "  " + c.note,
                           c.excludes ? "" : "; only ranks");
    }
    if (out.empty()) return out;
    out = "\nRates of the whole machine, as published\n" + out;
    for (std::size_t i = 0; i < sources.size(); ++i) out += fmt::format("[{}] {}\n", i + 1, sources[i]);
    return out;
}

// One thread and all: those in between are in the file.
std::vector<int> shown_counts(const std::vector<int>& counts) {
    if (counts.size() < 3) return counts;
    return {counts.front(), counts.back()};
}

void peak_table(std::string& out, const Machine& machine, const Roofs& roofs,
                const std::vector<int>& counts) {
    out += "Peak, Gflop/s (highest of FMA, ADD, MUL, FMA+ADD and of all chain counts)\n";
    std::vector<Column> columns{{"vectors", Align::left}};
    for (const int n : counts) {
        for (const char* type : {"f64, ", "f32, "}) columns.push_back({type + threads_text(n), Align::right});
    }
    Table table(columns);
    bool proven = true, limited = true;
    for (const int width : {0, 128, 256, 512}) {
        std::vector<TableCell> row{width == 0 ? std::string("scalar") : fmt::format("{} bit", width)};
        bool any = false;
        for (const int n : counts) {
            for (const DType dtype : {DType::f64, DType::f32}) {
                const int bits = width == 0 ? 8 * static_cast<int>(size_of(dtype)) : width;
                const double seen = best(machine, [&](const Ceiling& c) {
                    return c.resource == Resource::compute && c.when.dtype == dtype &&
                           c.when.width_bits == bits && c.when.threads == n;
                });
                if (seen <= 0.0) {
                    row.emplace_back(giga(0.0));
                    continue;
                }
                any = true;
                const BestRate peak = peak_of(machine, roofs, dtype, bits, n);
                proven = proven && peak.proven;
                limited = limited && (peak.proven || peak.at_most > 0.0);
                row.emplace_back(best_rate_text(peak, giga));
            }
        }
        if (any) table.add(row);
    }
    out += table.to_text();
    if (!proven) {
        out +=
            "What is marked was not probed undisturbed often enough on so many threads. At most: it counts "
            "as "
            "so many times that of one thread, as in bounds and in the ridge point.\n";
    }
    if (!limited)
        out += "Where nothing but what was seen stands, one thread was not either: no bound uses it.\n";
}

// Whether the highest rate among the ceilings that are wanted was seen while nobody disturbed the probes, and
// each of the others was seen so at least once: of what somebody halved each time nobody knows that it is
// lower.
template <typename Wanted>
bool is_seen_undisturbed(const Machine& machine, const Wanted& wanted) {
    const Ceiling* highest = nullptr;
    for (const Ceiling& c : machine.ceilings) {
        if (!wanted(c)) continue;
        if (c.undisturbed == 0) return false;
        if (highest == nullptr || c.max > highest->max) highest = &c;
    }
    if (highest == nullptr || highest->undisturbed < 0) return true;
    return !highest->top.empty() && highest->top.front() >= (1.0 - kTopAgreement) * highest->max;
}

// Divisions, roots, integers and narrow products: a row a kind, the best of all widths and chains.
std::string other_operations(const Machine& machine, int threads) {
    const std::vector<DType> types{DType::f64,   DType::f32,   DType::f16,   DType::bf16,
                                   DType::int64, DType::int32, DType::int16, DType::int8};
    const auto of_kind = [&](Mix mix, DType dtype) {
        return [mix, dtype, threads](const Ceiling& c) {
            return c.resource == Resource::compute && c.when.mix == mix && c.when.dtype == dtype &&
                   c.when.threads == threads && !c.when.sparse;
        };
    };
    const auto rate_of = [&](Mix mix, DType dtype) { return best(machine, of_kind(mix, dtype)); };
    const auto other = [](Mix mix, DType dtype) {
        return mix == Mix::div || mix == Mix::sqrt || mix == Mix::dot ||
               (dtype != DType::f64 && dtype != DType::f32);
    };
    const std::vector<std::pair<Mix, std::string>> kinds{
        {Mix::div, "divide"},   {Mix::sqrt, "square root"}, {Mix::add, "add"},
        {Mix::mul, "multiply"}, {Mix::fma, "multiply-add"}, {Mix::dot, "widening product"}};
    std::vector<DType> columns;
    for (const DType dtype : types) {
        for (const auto& [mix, name] : kinds) {
            if (!other(mix, dtype) || rate_of(mix, dtype) <= 0.0) continue;
            columns.push_back(dtype);
            break;
        }
    }
    if (columns.empty()) return "";
    std::vector<Column> titles{{"operation", Align::left}};
    for (const DType dtype : columns) titles.push_back({std::string(to_text(dtype)), Align::right});
    Table table(titles);
    bool is_marked = false;
    for (const auto& [mix, name] : kinds) {
        std::vector<TableCell> row{name};
        bool any = false;
        for (const DType dtype : columns) {
            const double rate = other(mix, dtype) ? rate_of(mix, dtype) : 0.0;
            any = any || rate > 0.0;
            const bool is_low = rate > 0.0 && !is_seen_undisturbed(machine, of_kind(mix, dtype));
            is_marked = is_marked || is_low;
            row.emplace_back((is_low ? "≥ " : "") + giga(rate));
        }
        if (any) table.add(row);
    }
    return fmt::format("Other operations, 10⁹/s, {}{}\n", threads_text(threads),
                       is_marked ? " (≥: not seen while nobody disturbed the probes, so that the machine may "
                                   "do more)"
                                 : "") +
           table.to_text();
}

void bandwidth_table(std::string& out, const Machine& machine, const std::vector<int>& counts) {
    const std::vector<Mix> mixes{Mix::load, Mix::update,   Mix::two_loads_store, Mix::store,
                                 Mix::copy, Mix::nt_store, Mix::nt_copy};
    for (const int n : counts) {
        out += fmt::format("{}Bandwidth, GB/s, {} (highest over streams, at the middle of each region)\n",
                           n == counts.front() ? "" : "\n", threads_text(n));
        std::vector<Column> columns{{n > 1 ? "data of all threads" : "data", Align::left}};
        for (const Mix mix : mixes) {
            std::string name(to_text(mix));
            std::replace(name.begin(), name.end(), '_', ' ');
            columns.push_back({name, Align::right});
        }
        Table table(columns);
        for (const Region& region : regions_of(machine.topology, n)) {
            std::vector<TableCell> row{region.name + (region.to.value < 1e18
                                                          ? " to " + size_text(region.to)
                                                          : " beyond " + size_text(region.from))};
            bool any = false;
            for (const Mix mix : mixes) {
                const double rate = best(machine, [&](const Ceiling& c) {
                    return c.resource == Resource::bandwidth && c.when.mix == mix && c.when.threads == n &&
                           !c.when.shared && region.holds(c.when.footprint);
                });
                any = any || rate > 0.0;
                row.emplace_back(giga(rate));
            }
            if (any) table.add(row);
        }
        out += table.to_text();
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
    std::string widths;
    for (const int width : machine.topology.width_bits) {
        const auto rate = [&](Mix mix) {
            return best(machine,
                        [&](const Ceiling& c) {
                            return c.resource == Resource::issue && c.when.mix == mix &&
                                   c.when.width_bits == width;
                        }) /
                   (clock > 0.0 ? clock : 1e9);
        };
        if (rate(Mix::loads) <= 0.0) continue;
        widths += fmt::format("{}{:.1f} of {} bits", widths.empty() ? "" : ", ", rate(Mix::loads), width);
        if (rate(Mix::split_loads) > 0.0)
            widths += fmt::format(" ({:.1f} across two lines)", rate(Mix::split_loads));
    }
    const double gathers = issue(Mix::gathers) / (clock > 0.0 ? clock : 1e9);
    if (!widths.empty() && gathers > 0.0) widths += fmt::format("; {:.1f} elements by gathers", gathers);
    if (!widths.empty())
        out += fmt::format("Vector loads, {}: {}.\n", clock > 0.0 ? "a cycle" : "10⁹/s", widths);
    const double window = best(machine, [](const Ceiling& c) { return c.resource == Resource::window; });
    if (window > 0.0) out += fmt::format("Reorder window: at most {:.0f} instructions.\n", window);
}

// Which kinds bound and which only rank, in the order of their first ceilings.
std::string uses(const Machine& machine, bool excludes) {
    std::string list;
    for (const Ceiling& c : machine.ceilings) {
        if (c.excludes != excludes) continue;
        std::string name(to_text(c.resource));
        if (c.when.shared) name += " of shared data";
        if (c.when.sparse) name += " with sparsity";
        // One instruction of several that work side by side.
        if (!c.excludes && c.resource == Resource::compute && !c.when.sparse)
            name += is_integer(c.when.dtype) ? " on integers" : " of narrow products";
        const bool there = (", " + list + ",").find(", " + name + ",") != std::string::npos;
        if (!there) list += (list.empty() ? "" : ", ") + name;
    }
    return list;
}

void provenance_lines(std::string& out, const Machine& machine, const std::string& now) {
    const std::string bound = uses(machine, true);
    const std::string rank = uses(machine, false);
    if (!bound.empty()) out += "These ceilings may exclude variants: " + bound + ".\n";
    if (!rank.empty()) out += "These only rank them, since a kernel may evade them: " + rank + ".\n";
    const CeilingAges ages = ages_of(machine, now);
    out += fmt::format("{} ceilings", machine.ceilings.size());
    if (ages.dated > 0) {
        out += ages.oldest == ages.newest
                   ? fmt::format(", last seen {}", ages.newest)
                   : fmt::format(", last seen between {} and {}", ages.oldest, ages.newest);
    }
    out += ".\n";
    const std::vector<std::string> doubts = model_doubts(machine, now);
    if (!doubts.empty()) out += "\nBefore you rely on it\n";
    for (const std::string& doubt : doubts) out += "  " + doubt + "\n";
}

}  // namespace

std::string summary_text(const Machine& whole, const std::string& now) {
    const Machine machine = machine_of(whole, "");
    const Topology& t = machine.topology;
    std::string out = fmt::format("{} ({})\n", printable(machine.name), printable(machine.id));
    const std::string memory = t.memory.value > 0.0 ? size_text(t.memory) : "memory not stated";
    if (t.source.empty()) {
        out += fmt::format(
            "{}, {}, {}, {}{}.\n", format_plural(t.cores, "core"),
            format_plural(t.threads, "processing unit"), format_plural(t.numa_nodes, "NUMA node"), memory,
            t.hypervisor.empty() ? "" : ", virtual machine under " + hypervisor_name(t.hypervisor));
    } else {
        out += fmt::format("{}, {} ({}).\n", format_plural(t.cores, "core"), memory, t.source);
    }
    for (const CacheLevel& cache : t.caches) {
        out += fmt::format(
            "L{}: {} reported, {}{}.\n", cache.level, size_text(cache.reported),
            cache.probed.value > 0.0 ? size_text(cache.probed) + " probed" : "no edge seen by the probes",
            cache.shared_by > 1 ? fmt::format(", shared by {}", cache.shared_by) : "");
    }
    if (machine.ceilings.empty()) return out + "Nothing probed yet: run " + suggested("machine") + ".\n";
    out += stated_rates(machine);
    const std::vector<int> counts = thread_counts(machine);
    if (counts.empty()) return out;
    const int most = counts.empty() ? 1 : counts.back();
    const auto block = [&](const std::string& text) {
        if (!text.empty()) out += "\n" + text;
    };
    out += "\n";
    const Roofs roofs(machine);
    peak_table(out, machine, roofs, shown_counts(counts));
    block(other_operations(machine, most));
    out += "\n";
    bandwidth_table(out, machine, shown_counts(counts));
    block(access_table(machine, most));
    block(load_conditions_table(machine, most));
    out += "\n";
    for (const int n : shown_counts(counts)) {
        const auto& steps = roofs.bandwidth(n);
        const BestRate peak = peak_of(machine, roofs, DType::f64, kAnyWidth, n);
        const BestRate bandwidth = memory_bandwidth_of(machine, roofs, n);
        const BestRate ridge = ridge_of(peak, bandwidth);
        if (steps.empty() || ridge.seen <= 0.0) continue;
        const auto with_unit = [](std::string_view unit) {
            return [unit](double rate) { return fmt::format("{} {}", giga(rate), unit); };
        };
        const std::string of = best_rate_text(peak, with_unit("Gflop/s")) + " over " +
                               best_rate_text(bandwidth, with_unit("GB/s"));
        const std::string at = size_text(Bytes(steps.back().from));
        const std::string text =
            ridge_text(ridge, [](double rate) { return fmt::format("{:.3g} flop/byte", rate); });
        out += fmt::format(
            "Ridge point, f64, {}: {}{}", threads_text(n), text,
            ridge.proven ? fmt::format(" ({} at {}).\n", of, at) : fmt::format(", by {} at {}.\n", of, at));
    }
    core_lines(out, machine);
    provenance_lines(out, machine, now);
    for (const Device& device : whole.devices) out += "\n" + device_summary(whole, device);
    return out;
}

}  // namespace rooftune
