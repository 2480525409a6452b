#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "tuner/base/hypervisor_name.h"
#include "tuner/base/si.h"
#include "tuner/ceilings/doubts.h"
#include "tuner/report/sections.h"

namespace rooftune::page {
namespace {

constexpr std::size_t kMostCeilings = 400;

std::string unit_text(const Ceiling& c) {
    const std::string unit(unit_of(c));
    return unit == "byte/s" ? "B/s" : unit;
}

TableCell rate_cell(double rate, const std::string& unit) {
    return rate > 0.0 ? TableCell(format_si(rate, unit), rate) : TableCell("–");
}

/// Those that exclude first, each kind from its highest.
std::vector<const Ceiling*> in_order(const Machine& machine) {
    std::vector<const Ceiling*> all;
    for (const Ceiling& c : machine.ceilings) all.push_back(&c);
    std::stable_sort(all.begin(), all.end(), [](const Ceiling* a, const Ceiling* b) {
        if (a->excludes != b->excludes) return a->excludes;
        if (a->resource != b->resource) return a->resource < b->resource;
        return a->max > b->max;
    });
    return all;
}

Table ceilings_of(const std::vector<const Ceiling*>& ceilings) {
    Table table({{"ceiling", Align::left},
                 {"highest", Align::right},
                 {"95th percentile", Align::right},
                 {"median", Align::right},
                 {"margin", Align::right},
                 {"windows", Align::right},
                 {"may exclude", Align::left},
                 {"seen", Align::left},
                 {"source", Align::left}});
    for (const Ceiling* c : ceilings) {
        const std::string unit = unit_text(*c);
        const bool probed = c->windows > 0;
        table.add({describe(*c), rate_cell(c->max, unit), rate_cell(c->p95, unit), rate_cell(c->median, unit),
                   probed ? TableCell(format_percent(c->margin()), c->margin()) : TableCell("–"),
                   probed ? TableCell(format_count(static_cast<std::uint64_t>(c->windows)), c->windows)
                          : TableCell("–"),
                   c->excludes ? "yes" : "no", c->seen, c->source});
    }
    return table;
}

std::string topology_of(const Topology& t) {
    std::string text = t.cpu;
    const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
    if (t.cores > 0) add(format_plural(t.cores, "core"));
    if (t.threads > 0) add(format_plural(t.threads, "thread"));
    if (t.numa_nodes > 1) add(format_plural(t.numa_nodes, "NUMA node"));
    if (t.memory.value > 0.0) add(format_capacity(t.memory.value) + " of memory");
    if (!t.hypervisor.empty()) add("virtual (" + hypervisor_name(t.hypervisor) + ")");
    std::string caches;
    for (const CacheLevel& level : t.caches) {
        const double size = level.probed.value > 0.0 ? level.probed.value : level.reported.value;
        if (size > 0.0)
            caches += fmt::format("{}L{} {}{}", caches.empty() ? "" : ", ", level.level,
                                  format_capacity(size), level.probed.value > 0.0 ? " probed" : "");
    }
    return text + (caches.empty() ? "" : "; caches: " + caches);
}

/// What the results kept of a machine whose file is not at hand.
Table kept_lines(const Input& input, const std::string& id) {
    Table table({{"ceiling", Align::left}, {"rate", Align::right}});
    std::set<std::string> seen;
    for (const ResultFile& file : input.files) {
        if (file.result.machine_id != id) continue;
        for (const PlotCeiling& c : file.result.ceilings) {
            const std::string rate = format_si(c.rate, c.bandwidth ? "B/s" : "flop/s");
            if (seen.insert(c.label + rate).second) table.add({c.label, {rate, c.rate}});
        }
    }
    return table;
}

void add_machine(Section& section, const Machine& machine) {
    section.blocks.push_back(
        Paragraph{fmt::format("{} ({}): {}.", machine.name, machine.id, topology_of(machine.topology))});
    // Without a date: each row of the table has that of its last probe.
    for (const std::string& doubt : model_doubts(machine_of(machine, ""), ""))
        section.blocks.push_back(Paragraph{doubt});
    std::vector<const Ceiling*> ceilings = in_order(machine);
    const std::size_t all = ceilings.size();
    if (all == 0) return;
    ceilings.resize(std::min(all, kMostCeilings));
    const std::string caption = "Ceilings of " + machine.name;
    section.blocks.push_back(DataTable{caption,
                                       ceilings_of(ceilings),
                                       {},
                                       fmt::format("{}: {}", caption, format_count(all)),
                                       kMarkdownRows});
    if (all > ceilings.size()) {
        section.blocks.push_back(Paragraph{fmt::format("{} more only rank; the machine's file has them.",
                                                       format_plural(all - ceilings.size(), "ceiling"))});
    }
}

}  // namespace

Section machine_section(const Input& input) {
    Section section{"machine", input.machines.size() > 1 ? "Machines" : "Machine", {}};
    section.blocks.push_back(Paragraph{
        "A ceiling is the highest rate that any of many short windows reached under these conditions: "
        "as a highest rate it bounds. Its 95th percentile and median tell how far the machine's own noise "
        "reaches below it; the margin, which a bound is lowered by, is how far its highest rates of "
        "different "
        "minutes and days are apart."});
    std::set<std::string> told;
    for (const ResultFile& file : input.files) {
        const TuneResult& r = file.result;
        if (!told.insert(r.machine_id).second) continue;
        const auto known = std::find_if(input.machines.begin(), input.machines.end(),
                                        [&](const Machine& m) { return m.id == r.machine_id; });
        if (known != input.machines.end()) {
            add_machine(section, *known);
            continue;
        }
        section.blocks.push_back(Paragraph{fmt::format(
            "{} ({}): its file is not at hand, so only the ceilings that the results kept are shown.",
            r.machine_name.empty() ? "The machine" : r.machine_name, r.machine_id)});
        const Table lines = kept_lines(input, r.machine_id);
        if (!lines.empty()) section.blocks.push_back(DataTable{"Ceilings that the results kept", lines});
    }
    if (input.lines && !told.contains(input.lines->id)) {
        section.blocks.push_back(Paragraph{"The roofs in the plot are those of another machine:"});
        add_machine(section, *input.lines);
    }
    return section;
}

}  // namespace rooftune::page
