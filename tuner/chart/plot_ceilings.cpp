#include "tuner/chart/plot_ceilings.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "tuner/ceilings/regions.h"

namespace rooftune {
namespace {

constexpr double kApart = 1.15;    // closer lines cannot be told apart, and say the same
constexpr double kSame = 1.04;     // two names for one line
constexpr std::size_t kLower = 5;  // ceilings below a roof
constexpr int kWhole = 1 << 20;    // a rate without a thread count is the whole machine's

using Ceilings = std::vector<const Ceiling*>;

int threads_of(const Ceiling& c) {
    return c.when.threads > 0 ? c.when.threads : kWhole;
}

/// The highest ceiling that is wanted; nullptr when none is.
template <typename Wanted>
const Ceiling* highest(const Ceilings& among, Wanted&& wanted) {
    const Ceiling* best = nullptr;
    for (const Ceiling* c : among) {
        if (wanted(*c) && (!best || c->max > best->max)) best = c;
    }
    return best;
}

const Ceiling* highest(const Ceilings& among) {
    return highest(among, [](const Ceiling&) { return true; });
}

int most_threads(const Ceilings& among) {
    int most = 0;
    for (const Ceiling* c : among) most = std::max(most, threads_of(*c));
    return most;
}

/// How a line was measured, and when or by whom.
std::string detail_of(const Ceiling& c) {
    std::string text = describe(c);
    if (!c.seen.empty()) {
        text += ", seen " + c.seen.substr(0, 10);
    } else if (!c.source.empty()) {
        text += "; " + c.source;
    }
    if (!c.note.empty()) text += "; " + c.note;
    return text;
}

/// Ceilings of one group below its roof: a candidate joins when no line is near it, and lends its name
/// to a line that it equals.
class Group {
public:
    /// `prefix` stands before the name of each lower ceiling.
    Group(const Ceiling& roof, PlotLine line, std::string prefix = "") : prefix_(std::move(prefix)) {
        line.rate = roof.max;
        line.roof = true;
        line.detail = detail_of(roof);
        lines_.push_back(std::move(line));
    }

    void add(const std::string& label, const Ceiling* candidate) {
        if (!candidate || candidate->max >= lines_.front().rate) return;
        for (PlotLine& line : lines_) {
            const double ratio = std::max(line.rate / candidate->max, candidate->max / line.rate);
            if (ratio >= kApart) continue;
            const bool joined = line.label.find(" or ") != std::string::npos;
            if (ratio < kSame && !line.roof && !joined) line.label += " or " + label;
            return;
        }
        if (lines_.size() > kLower) return;
        PlotLine line = lines_.front();
        line.label = prefix_ + label;
        line.roof = line.basis = false;
        line.rate = candidate->max;
        line.detail = detail_of(*candidate);
        lines_.push_back(std::move(line));
    }

    const std::vector<PlotLine>& lines() const { return lines_; }

private:
    std::string prefix_;
    std::vector<PlotLine> lines_;
};

std::string width_name(const Ceiling& c) {
    const int scalar = 8 * static_cast<int>(size_of(c.when.dtype));
    if (!c.when.unit.empty()) return c.when.unit;
    if (c.when.width_bits == 0) return "";
    return c.when.width_bits <= scalar ? "no SIMD" : fmt::format("{}-bit SIMD", c.when.width_bits);
}

std::vector<PlotLine> compute_lines(const Machine& machine, DType dtype, bool lower) {
    Ceilings all;
    std::set<int> widths;
    std::set<std::string> units;
    for (const Ceiling& c : machine.ceilings) {
        if (c.resource != Resource::compute || c.when.dtype != dtype || c.when.sparse || !(c.max > 0.0))
            continue;
        all.push_back(&c);
        widths.insert(c.when.width_bits);
        units.insert(c.when.unit);
    }
    const Ceiling* roof = highest(all);
    if (!roof) return {};
    PlotLine line{.label = std::string(to_text(dtype)) + " peak", .group = std::string(to_text(dtype))};
    line.unit = unit_of(*roof);
    if (const std::string width = width_name(*roof); !width.empty()) line.label += ", " + width;
    Group group(*roof, line);
    if (!lower) return group.lines();

    const int most = most_threads(all);
    const int scalar = 8 * static_cast<int>(size_of(dtype));
    const auto at_all = [&](auto&& wanted) {
        return highest(all, [&](const Ceiling& c) { return threads_of(c) == most && wanted(c.when); });
    };
    group.add("no SIMD", at_all([&](const Conditions& w) { return w.width_bits == scalar; }));
    for (const std::string& unit : units) {
        if (unit != roof->when.unit)
            group.add(unit.empty() ? "other units" : unit + " unit",
                      at_all([&](const Conditions& w) { return w.unit == unit; }));
    }
    if (most > 1) group.add("one thread", highest(all, [](const Ceiling& c) { return c.when.threads == 1; }));
    group.add("additions only", at_all([](const Conditions& w) { return w.mix == Mix::add; }));
    group.add("one chain", at_all([](const Conditions& w) { return w.chains == 1; }));
    for (auto width = widths.rbegin(); width != widths.rend(); ++width) {
        if (*width <= scalar || *width >= roof->when.width_bits) continue;
        group.add(fmt::format("{}-bit SIMD", *width),
                  at_all([&](const Conditions& w) { return w.width_bits == *width; }));
    }
    return group.lines();
}

/// A level of the memory with the ceilings that were measured in it.
struct Level {
    std::string name;
    Ceilings ceilings;
};

/// The ceilings at the largest footprint of each thread count.
Ceilings largest_footprints(const Ceilings& all) {
    Ceilings largest;
    for (const Ceiling* c : all) {
        const bool larger = std::any_of(all.begin(), all.end(), [&](const Ceiling* other) {
            return other->when.threads == c->when.threads && other->when.footprint > c->when.footprint;
        });
        if (!larger) largest.push_back(c);
    }
    return largest;
}

// Footprints well inside each level, of as many threads as the ceiling had; a level that no footprint lies
// in has none. Of the outermost the largest footprints alone.
std::vector<Level> levels_of(const Machine& machine) {
    Ceilings all;
    for (const Ceiling& c : machine.ceilings) {
        if (c.resource == Resource::bandwidth && !c.when.shared && c.max > 0.0) all.push_back(&c);
    }
    std::vector<Level> levels;
    for (const Region& one : regions_of(machine.topology)) {
        Level level{one.name, {}};
        const bool outermost = one.name == "memory";
        for (const Ceiling* c : all) {
            const std::optional<Region> region =
                region_named(machine.topology, one.name, std::max(1, c->when.threads));
            const bool inside = region && region->holds(c->when.footprint);
            if (c->when.footprint.value > 0.0 ? inside : outermost) level.ceilings.push_back(c);
        }
        // A walk of little more than the last cache still gets part of its data from there.
        if (outermost) level.ceilings = largest_footprints(level.ceilings.empty() ? all : level.ceilings);
        if (!level.ceilings.empty()) levels.push_back(std::move(level));
    }
    const std::pair<Resource, const char*> others[] = {
        {Resource::local, "local"}, {Resource::link, "link"}, {Resource::transfer, "transfer"}};
    for (const auto& [resource, name] : others) {
        Level level{name, {}};
        for (const Ceiling& c : machine.ceilings) {
            if (c.resource == resource && c.max > 0.0) level.ceilings.push_back(&c);
        }
        if (!level.ceilings.empty()) levels.push_back(std::move(level));
    }
    return levels;
}

bool beside_memory(const std::string& name) {
    return name == "local" || name == "link" || name == "transfer";
}

std::vector<PlotLine> level_lines(const Level& level, bool basis) {
    const Ceilings& all = level.ceilings;
    const Ceiling* roof = highest(all);
    PlotLine line{.label = level.name, .bandwidth = true, .group = level.name, .basis = basis};
    Group group(*roof, line, level.name + ", ");
    if (!basis) return group.lines();
    const int most = most_threads(all);
    const auto at_all = [&](auto&& wanted) {
        return highest(all, [&](const Ceiling& c) { return threads_of(c) == most && wanted(c.when); });
    };
    if (most > 1) group.add("one thread", highest(all, [](const Ceiling& c) { return c.when.threads == 1; }));
    group.add("one stream", at_all([](const Conditions& w) { return w.streams == 1; }));
    if (roof->when.huge_pages)
        group.add("small pages", at_all([](const Conditions& w) { return !w.huge_pages; }));
    group.add("no software prefetch",
              at_all([](const Conditions& w) { return w.prefetch == Prefetch::off; }));
    group.add("another node's", at_all([](const Conditions& w) { return w.remote; }));
    group.add("reads only", at_all([](const Conditions& w) { return w.mix == Mix::load; }));
    group.add("writes only",
              at_all([](const Conditions& w) { return w.mix == Mix::store || w.mix == Mix::nt_store; }));
    return group.lines();
}

}  // namespace

std::vector<DType> compute_types(const Machine& machine) {
    std::vector<DType> types;
    for (int i = 0; i < kDTypes; ++i) {
        const auto type = static_cast<DType>(i);
        const bool any = std::any_of(machine.ceilings.begin(), machine.ceilings.end(), [&](const Ceiling& c) {
            return c.resource == Resource::compute && c.when.dtype == type && !c.when.sparse && c.max > 0.0;
        });
        if (any) types.push_back(type);
    }
    return types;
}

std::vector<std::string> level_names(const Machine& machine) {
    std::vector<std::string> names;
    for (const Level& level : levels_of(machine)) names.push_back(level.name);
    return names;
}

std::vector<PlotLine> machine_lines(const Machine& machine, const LineChoice& choice) {
    std::vector<DType> types = choice.dtypes;
    if (types.empty()) {
        types = compute_types(machine);
        // Address arithmetic is no one's metric unless it is asked for.
        std::erase_if(types, [](DType t) { return is_integer(t) && t != DType::int8; });
    }
    const auto drawn = [&](std::string_view name) {
        return std::any_of(types.begin(), types.end(), [&](DType t) { return to_text(t) == name; });
    };
    std::string main_type = choice.main_type;
    if (!drawn(main_type)) main_type = drawn("f64") || types.empty() ? "f64" : to_text(types.front());
    std::vector<PlotLine> lines;
    for (const DType type : types) {
        const bool main = to_text(type) == main_type;
        for (PlotLine line : compute_lines(machine, type, main)) {
            line.basis = main && line.roof;
            lines.push_back(std::move(line));
        }
    }
    // From the outermost level inwards: a cache is drawn where it is faster than what lies beyond.
    std::vector<Level> levels = levels_of(machine);
    std::erase_if(levels, [&](const Level& level) {
        return choice.level.empty() ? beside_memory(level.name) : level.name != choice.level;
    });
    double beyond = 0.0;
    for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
        const std::vector<PlotLine> own = level_lines(*level, level == levels.rbegin());
        if (own.front().rate < kApart * beyond) continue;
        beyond = own.front().rate;
        lines.insert(lines.end(), own.begin(), own.end());
    }
    std::stable_sort(lines.begin(), lines.end(),
                     [](const PlotLine& a, const PlotLine& b) { return a.rate > b.rate; });
    return lines;
}

}  // namespace rooftune
