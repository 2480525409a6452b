#include "tuner/machine/node_health.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "tuner/base/si.h"
#include "tuner/base/table.h"
#include "tuner/base/text_width.h"
#include "tuner/ceilings/best_rates.h"
#include "tuner/chart/plot_style.h"
#include "tuner/chart/svg_canvas.h"
#include "tuner/formats/result_json.h"

namespace rooftune {
namespace {

constexpr double kPictureWidth = 860.0, kMargin = 24.0, kFirstRow = 64.0, kNameRoom = 360.0,
                 kCeilingRow = 34.0, kRightMargin = 40.0;
constexpr double kDotRadius = 4.5;

bool has_come(const NodeHealth& node) {
    return !node.machine.ceilings.empty();
}

std::string state_of(const NodeHealth& node) {
    if (!has_come(node)) return "did not come: " + (node.view.why.empty() ? "no answer" : node.view.why);
    if (!node.view.is_behind()) return "fine";
    if (node.view.behind.empty()) return taken_away_text(node.view.taken_away);
    return shortcoming_text(node.view.behind.front()) +
           (node.view.behind.size() > 1
                ? " (and " +
                      format_plural(static_cast<std::int64_t>(node.view.behind.size()) - 1, "other ceiling") +
                      ")"
                : "");
}

// By class: "A", "B".
std::string class_name(const NodeHealth& node) {
    if (!node.view.of_class) return "";
    return std::string(1, static_cast<char>('A' + static_cast<char>(*node.view.of_class % 26)));
}

// Each ceiling that tells, with the share that each node reaches of the best of its class.
struct Compared {
    std::string name;
    std::vector<std::pair<const NodeHealth*, double>> shares;
};

std::vector<Compared> compared(const std::vector<NodeHealth>& nodes) {
    std::map<std::size_t, Machine> best;
    for (const NodeHealth& node : nodes) {
        if (!has_come(node) || !node.view.of_class) continue;
        const auto [at, is_new] = best.emplace(*node.view.of_class, node.machine);
        if (!is_new) take_higher(at->second, node.machine);
    }
    std::vector<Compared> all;
    std::map<std::string, std::size_t> place;
    for (const NodeHealth& node : nodes) {
        if (!has_come(node) || !node.view.of_class) continue;
        for (const Shortcoming& s : class_shares(node.machine, best.at(*node.view.of_class))) {
            const std::string name = class_name(node) + ": " + describe(s.own);
            const auto [at, is_new] = place.emplace(name, all.size());
            if (is_new) all.push_back({name, {}});
            all[at->second].shares.emplace_back(&node, s.share());
        }
    }
    return all;
}

}  // namespace

bool all_healthy(const std::vector<NodeHealth>& nodes) {
    return std::all_of(nodes.begin(), nodes.end(),
                       [](const NodeHealth& n) { return has_come(n) && !n.view.is_behind(); });
}

std::string node_health_text(const std::vector<NodeHealth>& nodes, double most_behind) {
    Table table({{"node"},
                 {"kind", Align::left, 1},
                 {"peak f64", Align::right},
                 {"memory", Align::right},
                 {"against the best of its kind"}});
    std::map<std::string, std::string> kinds;
    for (const NodeHealth& node : nodes) {
        std::string peak = "-", memory = "-";
        if (has_come(node)) {
            const Roofs roofs(node.machine);
            const int threads = all_threads(node.machine);
            peak = format_si(peak_of(node.machine, roofs, DType::f64, kAnyWidth, threads).seen, "flop/s");
            memory = format_si(memory_bandwidth_of(node.machine, roofs, threads).seen, "byte/s");
            kinds[class_name(node)] = node.machine.name + ", " +
                                      format_plural(node.machine.topology.threads, "thread") + ", " +
                                      node.machine.id;
        }
        table.add({node.view.name, class_name(node), peak, memory, state_of(node)});
    }
    std::string text = "# Nodes\n\n" + table.to_text() + "\n";
    for (const auto& [name, kind] : kinds) text += wrap(name + ": " + kind) + "\n";
    const auto behind =
        std::count_if(nodes.begin(), nodes.end(), [](const NodeHealth& n) { return n.view.is_behind(); });
    const auto away =
        std::count_if(nodes.begin(), nodes.end(), [](const NodeHealth& n) { return !has_come(n); });
    std::string verdict = "\nAll nodes reach at least " + format_percent(1.0 - most_behind) +
                          " of the best of their kind in everything that was compared.";
    if (behind > 0 || away > 0) {
        verdict = "\n";
        if (behind > 0)
            verdict += format_plural(behind, "node") + (behind == 1 ? " stays" : " stay") +
                       " behind, asked twice: what else runs there (`rooftune doctor` on the node says), "
                       "its clock's governor, its memory's slots? A tune measures nothing on it that "
                       "decides. ";
        if (away > 0)
            verdict +=
                format_plural(away, "node") + " did not come: run the launcher by hand with that name.";
    }
    return text + wrap(verdict) + "\n";
}

std::string node_health_json(const std::vector<NodeHealth>& nodes) {
    Json list = Json::array();
    for (const NodeHealth& node : nodes) {
        Json behind = Json::array();
        for (const Shortcoming& s : node.view.behind)
            behind.push_back({{"ceiling", describe(s.own)}, {"rate", s.own.max}, {"best_of_kind", s.best}});
        Json one = {{"node", node.view.name}, {"came", has_come(node)}};
        if (has_come(node)) {
            const Roofs roofs(node.machine);
            const int threads = all_threads(node.machine);
            one["fingerprint"] = node.machine.id;
            one["kind"] = class_name(node);
            one["peak_f64"] = peak_of(node.machine, roofs, DType::f64, kAnyWidth, threads).seen;
            one["taken_away"] = node.view.taken_away;
            one["memory_bandwidth"] = memory_bandwidth_of(node.machine, roofs, threads).seen;
        } else {
            one["why"] = node.view.why;
        }
        one["behind"] = behind;
        list.push_back(one);
    }
    return json_text({{"schema", "rooftune/nodes/1"}, {"nodes", list}});
}

std::string node_health_svg(const std::vector<NodeHealth>& nodes, double most_behind) {
    using namespace plot_style;
    const std::vector<Compared> rows = compared(nodes);
    SvgCanvas canvas;
    const double left = kMargin + kNameRoom, right = kPictureWidth - kRightMargin;
    const double bottom =
        kFirstRow + kCeilingRow * static_cast<double>(std::max<std::size_t>(1, rows.size()));
    const auto x_of = [&](double share) { return left + (right - left) * std::clamp(share, 0.0, 1.0); };
    canvas.text(kMargin, 28.0, "Nodes against the best of their kind", Anchor::start, {16.0, "ink", true});
    for (int i = 0; i <= 5; ++i) {
        const double share = 0.2 * i;
        canvas.line(x_of(share), kFirstRow - 6.0, x_of(share), bottom, kGridLine);
        canvas.text(x_of(share), kFirstRow - 12.0, format_percent(share), Anchor::middle, {kSmall, "faint"});
    }
    canvas.line(x_of(1.0 - most_behind), kFirstRow - 6.0, x_of(1.0 - most_behind), bottom,
                stroke("series1", 1.4, "5 4"));
    double y = kFirstRow + kCeilingRow / 2.0;
    for (const Compared& row : rows) {
        canvas.text_within(kNameRoom - 16.0, kMargin, y + 4.0, row.name, Anchor::start, {kSmall, "ink"});
        canvas.line(left, y, right, y, kGridLine);
        double next_label = -1e9;
        for (const auto& [node, share] : row.shares) {
            const bool is_behind = share < 1.0 - most_behind;
            canvas.circle(x_of(share), y, kDotRadius, filled(is_behind ? "series1" : "series0"),
                          node->view.name + ": " + format_percent(share));
            if (!is_behind || x_of(share) < next_label) continue;
            canvas.text(x_of(share), y - 8.0, node->view.name, Anchor::middle, {kSmall, "ink halo"});
            next_label = x_of(share) + 9.0 * static_cast<double>(node->view.name.size());
        }
        y += kCeilingRow;
    }
    return canvas.finish(kPictureWidth, bottom + 24.0, "Health of nodes",
                         "A dot for each node and ceiling: its share of the best of its kind.", css());
}

}  // namespace rooftune
