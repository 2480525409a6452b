#include "tuner/inspect/inspect_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tuner/base/page_width.h"
#include "tuner/base/si.h"
#include "tuner/base/suggested.h"
#include "tuner/base/table.h"
#include "tuner/base/text_width.h"
#include "tuner/chart/phrases.h"

namespace rooftune {
namespace {

constexpr std::size_t kFew = 6;  ///< ways, where not all are asked for
constexpr int kLines = 24;       ///< of the picture, about as wide as high on a terminal
constexpr int kColumns = 48;

// From a part in ten thousand of a cell's places on, by decades.
constexpr std::array<const char*, 6> kShades{" ", "·", "░", "▒", "▓", "█"};

const char* shade_of(double share) {
    if (!(share > 0.0)) return kShades[0];
    const auto decades = static_cast<int>(std::floor(std::log10(share)));
    return kShades[static_cast<std::size_t>(std::clamp(decades + 5, 1, 5))];
}

std::string way_text(const Inspected& found, const StorageWay& way) {
    return found.setting.space->to_text(way.choice);
}

// An estimate is told against the default variant's: both leave out the same, which is most of what it is
// wrong by.
std::string estimate_text(const Inspected& found, const StorageWay& way) {
    if (!(way.estimate > 0.0) || !(found.default_estimate > 0.0)) return "not known";
    return format_percent(way.estimate / found.default_estimate);
}

std::string ways_table(const Inspected& found, std::size_t rows) {
    const bool known = !found.machine.empty();
    std::vector<Column> columns{{"stored as", Align::left}, {"moves", Align::right}};
    if (known) {
        columns.push_back({"at least", Align::right});
        columns.push_back({"bound by", Align::left, 1});
        columns.push_back({"time of default's", Align::right});
    }
    columns.push_back({"variants", Align::right, 2});
    Table table(columns);
    for (std::size_t i = 0; i < std::min(rows, found.ways.size()); ++i) {
        const StorageWay& way = found.ways[i];
        std::vector<TableCell> cells{way_text(found, way), {format_si(way.bytes, "B"), way.bytes}};
        if (known) {
            cells.emplace_back(way.lower > 0.0 ? format_seconds(way.lower) : "not known", way.lower);
            cells.emplace_back(way.binding.empty() ? "no ceiling" : term_phrase(way.binding));
            cells.emplace_back(estimate_text(found, way), way.estimate);
        }
        cells.emplace_back(format_count(way.variants), static_cast<double>(way.variants));
        table.add(std::move(cells));
    }
    return table.to_text();
}

// " against 9.37 MB of the default variant's format=csr,index=32"; empty where it stores the same.
std::string against(const Inspected& found, const StorageWay& best) {
    const Setting& s = found.setting;
    const auto is_default = [&](const StorageWay& way) {
        for (const std::string& name : found.inspection.storage) {
            const int parameter = s.space->find(name);
            if (parameter >= 0 && way.choice[parameter] != s.fallback[parameter]) return false;
        }
        return true;
    };
    const auto plain = std::find_if(found.ways.begin(), found.ways.end(), is_default);
    if (plain == found.ways.end() || plain->choice == best.choice) return "";
    return fmt::format(" against {} of the default variant's {}", format_si(plain->bytes, "B"),
                       way_text(found, *plain));
}

std::string promise(const Inspected& found) {
    const StorageWay& best = found.ways.front();
    const std::string moves = fmt::format("{}{}", format_si(best.bytes, "B"), against(found, best));
    if (!best.promising) {
        return fmt::format(
            "The fewest bytes: {}, {}. What that means for time is known once {} has measured the machine.",
            way_text(found, best), moves, suggested("machine --quick"));
    }
    const std::string phrase = variant_phrase(found.family, found.setting.space->to_map(*best.promising));
    const std::string why =
        best.binding.empty() ? "" : fmt::format(", bound by {}", term_phrase(best.binding));
    return fmt::format(
        "Probably the fastest: {}. It moves {}{}. An estimate ranks and proves nothing: {} measures.", phrase,
        moves, why, suggested("tune"));
}

}  // namespace

std::string fact_text(const InspectedFact& fact) {
    switch (fact.kind) {
        case FactKind::share:
            return format_percent(fact.value);
        case FactKind::number:
            if (fact.value < 1000.0) return fmt::format("{:.3g}", fact.value);
            break;
        case FactKind::count:
            break;
    }
    return format_count(static_cast<std::uint64_t>(std::max(0.0, std::round(fact.value)))) +
           (fact.at_least ? " or more" : "");
}

std::string density_text(const Density& density, int columns, int lines) {
    if (density.height == 0 || density.width == 0) return "";
    const int width = std::min(columns, density.width), height = std::min(lines, density.height);
    std::string edge;
    for (int x = 0; x < width; ++x) edge += "─";
    std::string text = "┌" + edge + "┐\n";
    for (int y = 0; y < height; ++y) {
        text += "│";
        for (int x = 0; x < width; ++x) {
            double entries = 0.0, places = 0.0;
            for (int v = y * density.height / height; v < (y + 1) * density.height / height; ++v) {
                for (int u = x * density.width / width; u < (x + 1) * density.width / width; ++u) {
                    entries += static_cast<double>(density.at(v, u));
                    places += density.places(v, u);
                }
            }
            text += shade_of(places > 0.0 ? entries / places : 0.0);
        }
        text += "│\n";
    }
    return text + "└" + edge + "┘\n";
}

std::string inspect_text(const Inspected& found, bool verbose) {
    const Inspection& inspection = found.inspection;
    std::string text = "# " + found.setting.problem->title() + "\n\n";
    Table facts({{"", Align::left}, {"", Align::right}});
    for (const InspectedFact& fact : inspection.facts)
        facts.add({TableCell(fact.name), TableCell(fact_text(fact), fact.value)});
    text += facts.to_text();
    if (inspection.density) {
        // A character is about twice as high as it is wide.
        const Density& d = *inspection.density;
        const int columns = std::max(1, std::min(kColumns, page_width() - 2));
        const int lines = d.width > 0 ? std::max(1, std::min(kLines, columns * d.height / d.width / 2)) : 0;
        if (const std::string picture = density_text(d, columns, lines); !picture.empty()) {
            text += "\nWhere the entries lie, darker by decades of the places that are taken:\n\n" + picture;
        }
    }
    if (found.ways.empty()) return text;
    const std::size_t rows = verbose ? found.ways.size() : kFew;
    text += "\n" +
            wrap(fmt::format(
                "Ways to store it, {} of {}{}:", std::min(rows, found.ways.size()), found.ways.size(),
                found.machine.empty()
                    ? ", the fewest bytes first"
                    : ", by the estimated part of the default variant's time, on " + found.machine)) +
            "\n\n" + ways_table(found, rows);
    text += "\n" + wrap(promise(found)) + "\n";
    if (!verbose && found.ways.size() > rows) text += "\n" + wrap("-v names all of them.") + "\n";
    return text;
}

}  // namespace rooftune
