#include "tuner/machine/topology_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>

#include "tuner/base/hypervisor_name.h"
#include "tuner/base/ranges_text.h"
#include "tuner/base/si.h"
#include "tuner/base/suggested.h"
#include "tuner/base/table.h"
#include "tuner/base/text_width.h"
#include "tuner/formats/json_values.h"

namespace rooftune {
namespace {

constexpr std::size_t kMostGroups = 8;  // of processing units in a cell

std::vector<int> numbers_of(const Layout& layout, const std::vector<std::size_t>& places) {
    std::vector<int> numbers;
    for (const std::size_t place : places) numbers.push_back(layout.units[place].number);
    return numbers;
}

/// Those that the condition holds for, by the system's numbers.
template <typename Condition>
std::vector<int> numbers_where(const Layout& layout, Condition holds) {
    std::vector<int> numbers;
    for (const LayoutUnit& unit : layout.units) {
        if (holds(unit)) numbers.push_back(unit.number);
    }
    return numbers;
}

std::string type_name(const LayoutPart& part) {
    switch (part.type) {
        case LayoutType::package:
            return "package";
        case LayoutType::node:
            return "NUMA node";
        case LayoutType::cache:
            return fmt::format("L{} cache", part.level);
        case LayoutType::core:
            return "core";
    }
    return "";
}

// "core of kind 1", where there are several.
std::string row_name(const Layout& layout, const LayoutPart& part) {
    const bool kinds = part.type == LayoutType::core && layout.kinds > 1;
    return type_name(part) + (kinds ? fmt::format(", kind {}", part.kind) : "");
}

/// Parts alike but for their place.
struct PartRow {
    const LayoutPart* first;
    std::vector<const LayoutPart*> all;
};

std::vector<PartRow> rows_of(const Layout& layout) {
    const auto look = [&](const LayoutPart& p) {
        return std::tuple(p.type, p.level, p.bytes, p.units.size(), p.kind);
    };
    std::vector<PartRow> rows;
    for (const LayoutPart& part : layout.parts) {
        const auto same = std::find_if(rows.begin(), rows.end(),
                                       [&](const PartRow& row) { return look(*row.first) == look(part); });
        if (same == rows.end()) {
            rows.push_back({&part, {&part}});
        } else {
            same->all.push_back(&part);
        }
    }
    return rows;
}

std::string units_text(const Layout& layout, const PartRow& row) {
    std::string text;
    for (std::size_t i = 0; i < row.all.size() && i < kMostGroups; ++i)
        text += (i > 0 ? "; " : "") + ranges_text(numbers_of(layout, row.all[i]->units));
    return text +
           (row.all.size() > kMostGroups ? fmt::format("; and {} more", row.all.size() - kMostGroups) : "");
}

std::string parts_table(const Layout& layout) {
    Table table({{"part", Align::left},
                 {"number", Align::right},
                 {"each has", Align::right},
                 {"units in each", Align::right},
                 {"processing units", Align::left}});
    for (const PartRow& row : rows_of(layout)) {
        const bool sized = row.first->type == LayoutType::node || row.first->type == LayoutType::cache;
        table.add({row_name(layout, *row.first), std::to_string(row.all.size()),
                   !sized                   ? ""
                   : row.first->bytes > 0.0 ? format_capacity(row.first->bytes)
                                            : "not told",
                   std::to_string(row.first->units.size()), units_text(layout, row)});
    }
    return table.empty() ? "" : table.to_text();
}

const LayoutPart* part_with(const Layout& layout, LayoutType type, std::size_t unit) {
    for (const LayoutPart& part : layout.parts) {
        if (part.type == type && std::find(part.units.begin(), part.units.end(), unit) != part.units.end())
            return &part;
    }
    return nullptr;
}

/// The places of the units that have a thread, by thread.
std::vector<std::size_t> by_thread(const Layout& layout) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < layout.units.size(); ++i) {
        if (layout.units[i].thread >= 0) places.push_back(i);
    }
    std::sort(places.begin(), places.end(),
              [&](std::size_t a, std::size_t b) { return layout.units[a].thread < layout.units[b].thread; });
    return places;
}

std::string number_of(const LayoutPart* part) {
    return part == nullptr ? "–" : std::to_string(part->number);
}

std::string threads_table(const Layout& layout) {
    Table table({{"thread", Align::right},
                 {"processing unit", Align::right},
                 {"core", Align::right},
                 {"NUMA node", Align::right},
                 {"package", Align::right},
                 {"shares its core with threads", Align::left}});
    for (const std::size_t place : by_thread(layout)) {
        const LayoutUnit& unit = layout.units[place];
        const LayoutPart* core = part_with(layout, LayoutType::core, place);
        std::vector<int> others;
        for (const std::size_t other : core == nullptr ? std::vector<std::size_t>{} : core->units) {
            if (other != place && layout.units[other].thread >= 0)
                others.push_back(layout.units[other].thread);
        }
        table.add({std::to_string(unit.thread), std::to_string(unit.number), number_of(core),
                   number_of(part_with(layout, LayoutType::node, place)),
                   number_of(part_with(layout, LayoutType::package, place)),
                   others.empty() ? "none" : ranges_text(others)});
    }
    return table.empty() ? "" : table.to_text();
}

std::string counts_text(const TopologyView& view) {
    const Layout& layout = view.layout;
    std::string text = view.cpu.empty() ? "" : printable(view.cpu) + ": ";
    const auto add = [&](LayoutType type, const char* noun) {
        const auto count = static_cast<std::int64_t>(parts_of(layout, type).size());
        if (count > 0) text += format_plural(count, noun) + ", ";
    };
    add(LayoutType::package, "package");
    add(LayoutType::node, "NUMA node");
    add(LayoutType::core, "core");
    text += format_plural(static_cast<std::int64_t>(layout.units.size()), "processing unit");
    const std::vector<int> usable = numbers_where(layout, [](const LayoutUnit& u) { return u.usable; });
    if (usable.size() == layout.units.size())
        return text + (usable.size() == 1 ? ", which this process may use."
                                          : ", all of which this process may use.");
    return text + fmt::format("; this process may use {} of them: {}.", usable.size(), ranges_text(usable));
}

Json units_json(const Layout& layout, const std::vector<std::size_t>& places) {
    return numbers_of(layout, places);
}

}  // namespace

std::string part_name(const LayoutPart& part) {
    return type_name(part) + " " + std::to_string(part.number);
}

std::vector<std::string> topology_remarks(const TopologyView& view) {
    const Layout& layout = view.layout;
    std::vector<std::string> remarks;
    if (!view.hypervisor.empty())
        remarks.push_back("A virtual machine under " + hypervisor_name(view.hypervisor) +
                          ": this is what the hypervisor shows. Which processing units share a core, a cache "
                          "or a memory on "
                          "the host may be otherwise, and sizes of caches may be the whole host's. " +
                          suggested("machine") + " probes what a cache holds, " + suggested("doctor") +
                          " whether two units share a core.");
    const std::vector<int> withheld = numbers_where(layout, [](const LayoutUnit& u) { return !u.usable; });
    if (!withheld.empty())
        remarks.push_back(
            "Not for this process: " + ranges_text(withheld) +
            ". A container, a batch system or `taskset` keeps them from it; no thread is put there.");
    if (layout.kinds > 1)
        remarks.push_back(fmt::format(
            "Cores of {} kinds, by the system's account{}. What one thread can do is probed on each kind.",
            layout.kinds,
            layout.ranked ? fmt::format("; kind {} is the fastest", layout.kinds - 1)
                          : std::string(", which does not say which is faster")));
    const bool caches = std::any_of(layout.parts.begin(), layout.parts.end(),
                                    [](const LayoutPart& p) { return p.type == LayoutType::cache; });
    if (!caches)
        remarks.push_back("No cache is told of; " + suggested("machine") + " finds their edges by probing.");
    return remarks;
}

std::string topology_text(const TopologyView& view) {
    std::string text = wrap(counts_text(view)) + "\n\n";
    for (const std::string& remark : topology_remarks(view)) text += list_item(remark);
    if (!topology_remarks(view).empty()) text += "\n";
    text += parts_table(view.layout);
    const std::size_t threads = by_thread(view.layout).size();
    if (threads == 0) return text;
    return text + "\n" +
           wrap(fmt::format("A team of {} is pinned so; a variant of fewer threads takes the first ones:",
                            format_plural(static_cast<std::int64_t>(threads), "thread"))) +
           "\n\n" + threads_table(view.layout);
}

Json topology_json(const TopologyView& view) {
    const Layout& layout = view.layout;
    Json units = Json::array(), parts = Json::array(), threads = Json::array();
    for (const LayoutUnit& unit : layout.units)
        units.push_back({{"number", unit.number}, {"usable", unit.usable}, {"kind", unit.kind}});
    for (const LayoutPart& part : layout.parts) {
        Json json{{"type", type_name(part)},
                  {"number", part.number},
                  {"processing_units", units_json(layout, part.units)}};
        if (part.type == LayoutType::node || part.type == LayoutType::cache)
            json["bytes"] = positive_or_null(part.bytes);
        parts.push_back(std::move(json));
    }
    for (const std::size_t place : by_thread(layout)) {
        const auto number = [&](LayoutType type) {
            const LayoutPart* part = part_with(layout, type, place);
            return part == nullptr ? Json(nullptr) : Json(part->number);
        };
        threads.push_back({{"thread", layout.units[place].thread},
                           {"processing_unit", layout.units[place].number},
                           {"core", number(LayoutType::core)},
                           {"numa_node", number(LayoutType::node)},
                           {"package", number(LayoutType::package)}});
    }
    return {{"schema", "rooftune/topology/1"},
            {"cpu", text_or_null(view.cpu)},
            {"hypervisor", text_or_null(hypervisor_name(view.hypervisor))},
            {"kinds", layout.kinds},
            {"processing_units", std::move(units)},
            {"parts", std::move(parts)},
            {"threads", std::move(threads)},
            {"remarks", topology_remarks(view)}};
}

}  // namespace rooftune
