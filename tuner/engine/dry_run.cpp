#include "tuner/engine/dry_run.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tuner/base/si.h"
#include "tuner/base/suggested.h"
#include "tuner/base/table.h"
#include "tuner/base/text_width.h"
#include "tuner/chart/phrases.h"
#include "tuner/formats/json_values.h"

namespace rooftune {
namespace {

constexpr std::size_t kRows = 20;
constexpr std::size_t kMostOfGroup = 5;
constexpr std::size_t kFew = 5;  // rows, where not all are asked for

ToldBound told_of(const BoundSource& source, const Variant& variant) {
    const Bound b = source.explain(variant);
    ToldBound told{variant, b.seconds_lower.value, b.seconds_serial.value, ""};
    if (b.binding >= 0) told.term = to_text(b.terms[static_cast<std::size_t>(b.binding)].kind);
    return told;
}

// A machine of which little is known has few groups: each then shows some of its variants.
std::vector<DryGroup> groups_of(const BoundSource& source, std::vector<Node>& nodes) {
    std::vector<std::pair<std::size_t, std::size_t>> ranges;
    for (std::size_t from = 0; from < nodes.size() && ranges.size() < kRows;) {
        std::size_t to = from;
        while (to < nodes.size() && nodes[to].lower == nodes[from].lower) ++to;
        ranges.emplace_back(from, to);
        from = to;
    }
    const std::size_t each =
        std::clamp<std::size_t>(kRows / std::max<std::size_t>(1, ranges.size()), 1, kMostOfGroup);
    std::vector<DryGroup> groups;
    for (const auto& [from, to] : ranges) {
        const auto first_of = nodes.begin() + static_cast<std::ptrdiff_t>(from);
        const auto end_of = nodes.begin() + static_cast<std::ptrdiff_t>(to);
        std::for_each(first_of, end_of, [&](Node& node) { node.rank = source.rank(node.partial); });
        std::stable_sort(first_of, end_of, [](const Node& a, const Node& b) { return a.rank < b.rank; });
        DryGroup group{told_of(source, nodes[from].partial), to - from, {}};
        for (std::size_t i = from; i < std::min(to, from + each); ++i)
            group.promising.push_back(nodes[i].partial);
        groups.push_back(std::move(group));
    }
    return groups;
}

std::string time_text(double seconds) {
    return seconds > 0.0 ? format_seconds(seconds) : "not known";
}

std::vector<TableCell> cells_of(const ToldBound& told) {
    return {{time_text(told.lower), told.lower},
            {time_text(told.serial), told.serial},
            told.term.empty() ? "no ceiling" : term_phrase(told.term)};
}

const std::vector<Column> kTold = {
    {"at least", Align::right}, {"without overlap", Align::right, 1}, {"bound by", Align::left}};

// In words, or as --only takes it.
std::string named(const DryRun& dry, const Variant& variant, bool verbose) {
    const VariantMap values = dry.setting.space->to_map(variant);
    return verbose ? variant_assignment(values) : variant_phrase(dry.family, values);
}

std::string references(const DryRun& dry, bool verbose) {
    std::vector<Column> columns{{"", Align::left}};
    columns.insert(columns.end(), kTold.begin(), kTold.end());
    columns.push_back({"variant", Align::left});
    Table table(columns);
    // Two that differ only in what words leave out read alike: all of their parameters tell them apart.
    const bool in_full =
        verbose || named(dry, dry.fallback.variant, false) == named(dry, dry.naive.variant, false);
    const auto row = [&](const std::string& name, const ToldBound& told, bool full) {
        std::vector<TableCell> cells{name};
        for (TableCell& cell : cells_of(told)) cells.push_back(std::move(cell));
        cells.emplace_back(named(dry, told.variant, full));
        table.add(std::move(cells));
    };
    if (dry.naive.variant == dry.fallback.variant) {
        row(has_one_reference(dry.family) ? "first variant" : "default and naive", dry.fallback, verbose);
    } else {
        row("default", dry.fallback, in_full);
        row("naive", dry.naive, in_full);
    }
    return table.to_text();
}

Table least_bounds(const DryRun& dry, bool verbose) {
    std::vector<Column> columns = kTold;
    columns.push_back({"variants", Align::right, 2});
    columns.push_back({"the most promising of them", Align::left});
    Table table(columns);
    std::size_t rows = 0;
    for (const DryGroup& group : dry.groups) {
        bool first = true;
        for (const Variant& variant : group.promising) {
            if (!verbose && rows++ >= kFew) return table;
            std::vector<TableCell> cells =
                first ? cells_of(group.bound) : std::vector<TableCell>(kTold.size());
            cells.emplace_back(first ? format_count(group.variants) : std::string());
            cells.emplace_back(named(dry, variant, verbose));
            table.add(std::move(cells));
            first = false;
        }
    }
    return table;
}

Json to_json(const ToldBound& told) {
    return {{"seconds_lower", positive_or_null(told.lower)},
            {"seconds_serial", positive_or_null(told.serial)},
            {"binding", text_or_null(told.term)}};
}

}  // namespace

DryRun dry_run(const Job& job, const TuneOptions& options, const MachineModel& machine) {
    DryRun dry;
    dry.family = job.family->name();
    dry.setting = make_setting(job, options.common, options.only, machine.machine);
    const Setting& s = dry.setting;
    const Machine view = machine_of(machine.machine, s.target.device.id);
    dry.machine = s.target.backend == Backend::opencl ? "the device " + s.target.device.name : view.name;
    dry.measured = machine.measured;
    dry.known = !view.ceilings.empty();
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
    dry.variants = nodes.size();
    dry.bounded = !nodes.empty() && nodes.back().lower > 0.0;
    dry.naive = told_of(source, s.naive);
    dry.fallback = told_of(source, s.fallback);
    dry.groups = groups_of(source, nodes);
    return dry;
}

std::string dry_run_text(const DryRun& dry, bool verbose) {
    std::string text = dry.setting.problem->title() + ": " +
                       format_plural(static_cast<std::int64_t>(dry.variants), "variant") +
                       ", nothing measured.\n\n";
    if (!dry.bounded) {
        const bool device = dry.setting.target.backend == Backend::opencl;
        const std::string machine_command = suggested(device ? "machine --backend opencl" : "machine");
        text +=
            wrap("No ceiling of " + dry.machine + " bounds a variant" +
                 (!dry.measured ? ", so that none could be excluded."
                  : dry.known
                      ? ": no work is declared that it would bound, or what would bound it was never probed "
                        "undisturbed (" +
                            machine_command + " probes again)."
                      : " yet: a tune measures the quick model first, in about 10 s; " + machine_command +
                            " makes the full one.")) +
            "\n\n";
    }
    text += "A tune would measure first:\n\n" + references(dry, verbose) + "\n";
    if (dry.groups.empty()) return text;
    text +=
        wrap(dry.bounded
                 ? "Then, of those that this does not exclude, the most promising by its estimates, which "
                   "learn as it goes. The least bounds:"
                 : "Then the most promising by its estimates, which learn as it goes, beginning among:") +
        "\n\n" + least_bounds(dry, verbose).to_text();
    if (!verbose)
        text += "\n" + wrap("-v names more, where there are more, each with all of its parameters.") + "\n";
    return text;
}

Json to_json(const DryRun& dry) {
    const Space& space = *dry.setting.space;
    const auto reference = [&](const ToldBound& told) {
        Json json = to_json(told);
        json["variant"] = space.to_map(told.variant);
        return json;
    };
    Json groups = Json::array();
    for (const DryGroup& group : dry.groups) {
        Json json = to_json(group.bound);
        json["variants"] = group.variants;
        json["promising"] = Json::array();
        for (const Variant& variant : group.promising) json["promising"].push_back(space.to_map(variant));
        groups.push_back(std::move(json));
    }
    return {{"title", dry.setting.problem->title()},
            {"machine", dry.machine},
            {"variants", dry.variants},
            {"bounded", dry.bounded},
            {"default", reference(dry.fallback)},
            {"naive", reference(dry.naive)},
            {"least_bounds", std::move(groups)}};
}

}  // namespace rooftune
