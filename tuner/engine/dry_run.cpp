// What a tune would do, without doing it: `tune --dry-run`.
#include <algorithm>
#include <tuple>

#include "tuner/base/si.h"
#include "tuner/base/table.h"
#include "tuner/base/text_width.h"
#include "tuner/chart/phrases.h"
#include "tuner/engine/tune_job.h"

namespace rooftune {
namespace {

constexpr std::size_t kRows = 20;
constexpr std::size_t kMostOfGroup = 5;

std::string time_text(double seconds) {
    return seconds > 0.0 ? format_seconds(seconds) : "not known";
}

// What is told of one variant before it is measured.
std::vector<TableCell> cells_of(const BoundSource& source, const Variant& variant) {
    const Bound b = source.explain(variant);
    return {{time_text(b.seconds_lower.value), b.seconds_lower.value},
            {time_text(b.seconds_serial.value), b.seconds_serial.value},
            b.binding >= 0 ? term_phrase(to_text(b.terms[static_cast<std::size_t>(b.binding)].kind))
                           : "no ceiling"};
}

const std::vector<Column> kTold = {
    {"at least", Align::right}, {"without overlap", Align::right}, {"bound by", Align::left}};

std::string references(const Setting& s, const BoundSource& source) {
    std::vector<Column> columns{{"", Align::left}};
    columns.insert(columns.end(), kTold.begin(), kTold.end());
    columns.push_back({"variant", Align::left});
    Table table(columns);
    const auto row = [&](const std::string& name, const Variant& variant) {
        std::vector<TableCell> cells{name};
        for (TableCell& cell : cells_of(source, variant)) cells.push_back(std::move(cell));
        cells.emplace_back(s.space->to_text(variant));
        table.add(std::move(cells));
    };
    if (s.naive == s.fallback) {
        row("default and naive", s.fallback);
    } else {
        row("default", s.fallback);
        row("naive", s.naive);
    }
    return table.to_text();
}

// Variants that no bound tells apart are a group, with the first of them by the estimate that ranks. A
// machine of which little is known has few such groups: each then shows some of its variants.
Table least_bounds(const Space& space, const BoundSource& source, std::vector<Node>& nodes) {
    std::vector<std::pair<std::size_t, std::size_t>> groups;
    for (std::size_t from = 0; from < nodes.size() && groups.size() < kRows;) {
        std::size_t to = from;
        while (to < nodes.size() && nodes[to].lower == nodes[from].lower) ++to;
        groups.emplace_back(from, to);
        from = to;
    }
    std::vector<Column> columns = kTold;
    columns.push_back({"variants", Align::right});
    columns.push_back({"the most promising of them", Align::left});
    Table table(columns);
    const std::size_t each =
        std::clamp<std::size_t>(kRows / std::max<std::size_t>(1, groups.size()), 1, kMostOfGroup);
    for (const auto& [from, to] : groups) {
        const auto first_of = nodes.begin() + static_cast<std::ptrdiff_t>(from);
        const auto end_of = nodes.begin() + static_cast<std::ptrdiff_t>(to);
        std::for_each(first_of, end_of, [&](Node& node) { node.rank = source.rank(node.partial); });
        std::stable_sort(first_of, end_of, [](const Node& a, const Node& b) { return a.rank < b.rank; });
        for (std::size_t i = from; i < std::min(to, from + each); ++i) {
            const bool first = i == from;
            std::vector<TableCell> cells =
                first ? cells_of(source, nodes[i].partial) : std::vector<TableCell>(kTold.size());
            cells.emplace_back(first ? format_count(to - from) : std::string());
            cells.emplace_back(space.to_text(nodes[i].partial));
            table.add(std::move(cells));
        }
    }
    return table;
}

}  // namespace

std::string dry_run(const Job& job, const TuneOptions& options, const MachineModel& machine) {
    const Setting s = make_setting(job, options.common, options.only, machine.machine);
    const Machine view = machine_of(machine.machine, s.target.device.id);
    const Roofs roofs(view);
    const BoundModel bound(roofs);
    const BoundSource source{s.space.get(), s.model.get(), &bound};
    std::vector<Node> nodes;
    s.offer.of(*s.space).each(PartialVariant{}, [&](const Variant& v) {
        nodes.push_back({v, source.lower(v)});
        return true;
    });
    std::stable_sort(nodes.begin(), nodes.end(),
                     [](const Node& a, const Node& b) { return a.lower < b.lower; });
    std::string text = s.problem->title() + ": " +
                       format_plural(static_cast<std::int64_t>(nodes.size()), "variant") +
                       ", nothing measured.\n\n";
    const bool bounded = !nodes.empty() && nodes.back().lower > 0.0;
    if (!bounded) {
        const bool device = s.target.backend == Backend::opencl;
        text += wrap("No ceiling of " + (device ? "the device " + s.target.device.name : view.name) +
                     " bounds a variant yet" +
                     (machine.measured
                          ? ": a tune measures the quick model first, in about 10 s; `rooftune machine" +
                                std::string(device ? " --backend opencl" : "") + "` makes the full one."
                          : ", so that none could be excluded.")) +
                "\n\n";
    }
    text += "A tune would measure first:\n\n" + references(s, source) + "\n";
    if (nodes.empty()) return text;
    text +=
        wrap(bounded
                 ? "Then, of those that this does not exclude, the most promising by its estimates, which "
                   "learn as it goes. The least bounds:"
                 : "Then the most promising by its estimates, which learn as it goes, beginning among:") +
        "\n\n" + least_bounds(*s.space, source, nodes).to_text();
    return text;
}

}  // namespace rooftune
