#include "tests/cluster/simulated_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/cluster/message_costs.h"
#include "tuner/base/si.h"
#include "tuner/chart/chart_panel.h"
#include "tuner/chart/curves.h"

namespace rooftune::test {
namespace {

using namespace plot_style;

constexpr double kWidth = 900.0, kHeight = 520.0;
constexpr Box kPanel{96.0, 76.0, 600.0, 380.0};
constexpr HeadingPlace kHeading{
    .left = kPanel.left, .room = kWidth - kPanel.left - 20.0, .title = 30.0, .under = 50.0};
constexpr NameColumn kNames{.leader = 14.0, .sample = 26.0, .gap = 6.0, .page_right = kWidth - 8.0};

// Each number of the run with its key.
template <class Run, class Take>
void each_number(Run& run, const Take& take) {
    auto& s = run.settings;
    take("nodes", s.nodes);
    take("problems", s.problems);
    take("groups", s.groups);
    take("kinds", s.kinds);
    take("death_hours", s.death_hours);
    take("killers", s.killers);
    take("seed", s.seed);
    auto& o = run.outcome;
    take("makespan", o.makespan);
    take("last_given", o.last_given);
    take("ideal", o.ideal);
    take("idle_share", o.idle_share);
    take("results", o.results);
    take("cpu_decisions", o.cpu_decisions);
    take("cpu_worst_step", o.cpu_worst_step);
    take("cpu_setup", o.cpu_setup);
    take("models", o.models);
    take("tunes", o.tunes);
    take("ceilings_told", o.ceilings_told);
    take("records", o.records);
    take("compares", o.compares);
    take("again", o.again);
    take("helped", o.helped);
    take("deaths", o.deaths);
    take("quarantined", o.quarantined);
    take("given_up", o.given_up);
    take("winners", o.winners);
    take("untuned", o.untuned);
    take("wrong", o.wrong);
    take("slow", o.slow);
    take("named", o.named);
    take("misnamed", o.misnamed);
    take("notices", o.notices);
    take("memory", run.memory);
}

std::string hours(double seconds) {
    return fmt::format("{:.2f} h", seconds / 3600.0);
}

using Messages = std::map<std::string, SimulatedRun::Messages>;

double each(const Messages& messages, const char* of) {
    const auto at = messages.find(of);
    return at == messages.end() ? 0.0 : at->second.seconds / static_cast<double>(at->second.count);
}

double of_tune(const Messages& m) {
    return each(m, MessageCosts::kTask) + each(m, MessageCosts::kEnd) + each(m, MessageCosts::kLine) +
           each(m, MessageCosts::kStored) + each(m, MessageCosts::kFiles);
}

double of_comparison(const Messages& m) {
    return each(m, MessageCosts::kCompare) + each(m, MessageCosts::kCompared) +
           each(m, MessageCosts::kComparedLine);
}

// CPU seconds of the messages of a run, at what each costs in another one.
double messages_of(const SimulatedRun& run, const Messages& m) {
    const SimulatedOutcome& o = run.outcome;
    const auto number = [](auto count) { return static_cast<double>(count); };
    return number(o.records) * each(m, MessageCosts::kRecord) + number(o.tunes) * of_tune(m) +
           number(o.compares) * of_comparison(m) +
           number(o.models) * (each(m, MessageCosts::kModel) + each(m, MessageCosts::kRoofs));
}

const Messages& costs_in(const std::vector<SimulatedRun>& runs) {
    static const Messages kNone;
    for (const SimulatedRun& run : runs) {
        if (!run.messages.empty()) return run.messages;
    }
    return kNone;
}

std::string row(const SimulatedRun& run, const Messages& messages) {
    const SimulatedOutcome& o = run.outcome;
    const double decisions = o.cpu_decisions / o.makespan;
    const double both = decisions + messages_of(run, messages) / o.makespan;
    return fmt::format(
        "| {} | {} | {} | {} | {} | {:.2f} | {:.2f} % | {:.0f} | {:.3f} % | {:.0f} % | {:.0f} ms | {} |\n",
        run.settings.nodes, run.settings.kinds, run.settings.problems, hours(o.makespan), hours(o.ideal),
        o.makespan / o.ideal, 100.0 * o.idle_share, o.results, 100.0 * decisions, 100.0 * both,
        1e3 * o.cpu_worst_step, format_capacity(run.memory));
}

std::string messages_table(const SimulatedRun& run) {
    std::string text = fmt::format(
        "\n## What the coordinator's side of messages costs\n\n"
        "From the run of {} nodes and {} problems. A tune costs {} of CPU, a comparison {}.\n\n"
        "| what | times | CPU each | bytes each |\n|---|---:|---:|---:|\n",
        run.settings.nodes, run.settings.problems, format_duration(of_tune(run.messages)),
        format_duration(of_comparison(run.messages)));
    for (const auto& [of, m] : run.messages) {
        const auto count = static_cast<double>(m.count);
        text += fmt::format("| {} | {} | {} | {} |\n", of, m.count, format_duration(m.seconds / count),
                            m.bytes > 0.0 ? format_capacity(m.bytes / count) : "–");
    }
    return text;
}

}  // namespace

Json to_json(const SimulatedRun& run) {
    Json json;
    each_number(run, [&](const char* key, const auto& value) { json[key] = value; });
    for (const auto& [of, m] : run.messages)
        json["messages"][of] = {{"count", m.count}, {"seconds", m.seconds}, {"bytes", m.bytes}};
    return json;
}

SimulatedRun simulated_run_from(const Json& json) {
    SimulatedRun run;
    each_number(run, [&](const char* key, auto& value) { json.at(key).get_to(value); });
    if (!json.contains("messages")) return run;
    for (const auto& [of, m] : json["messages"].items()) {
        run.messages[of] = {m.at("count").get<std::uint64_t>(), m.at("seconds").get<double>(),
                            m.at("bytes").get<double>()};
    }
    return run;
}

std::string simulated_table(const std::vector<SimulatedRun>& runs) {
    const Messages& messages = costs_in(runs);
    std::string text =
        "| nodes | kinds | problems | takes | ideal | over ideal | idle | results a second | decisions, of "
        "one "
        "core | with messages | longest step | memory |\n"
        "|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n";
    for (const SimulatedRun& run : runs) text += row(run, messages);
    text +=
        "\n## What happened on the way\n\n"
        "| nodes | kinds | problems | winners | without, for a reason | not exactly once | deaths | variants "
        "quarantined | slow nodes | named | named though not slow | searches that went on | comparisons | "
        "measured by helpers |\n"
        "|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n";
    for (const SimulatedRun& run : runs) {
        const SimulatedOutcome& o = run.outcome;
        text += fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |\n",
                            run.settings.nodes, run.settings.kinds, run.settings.problems, o.winners,
                            o.untuned, o.wrong, o.deaths, o.quarantined, o.slow, o.named, o.misnamed, o.again,
                            o.compares, o.helped);
    }
    for (const SimulatedRun& run : runs) {
        if (!run.messages.empty()) text += messages_table(run);
    }
    return text;
}

std::string simulated_chart(const std::vector<SimulatedRun>& runs) {
    std::vector<const SimulatedRun*> shown;
    for (const SimulatedRun& run : runs) {
        const bool is_alike = run.settings.kinds == 1 && run.messages.empty();
        if (is_alike) shown.push_back(&run);
    }
    std::sort(shown.begin(), shown.end(),
              [](const auto* a, const auto* b) { return a->settings.nodes < b->settings.nodes; });
    double most_nodes = 1.0, longest = 1.0, shortest = 1.0;
    for (const SimulatedRun* run : shown) {
        most_nodes = std::max(most_nodes, static_cast<double>(run->settings.nodes));
        longest = std::max(longest, run->outcome.makespan / 3600.0);
        shortest = std::min(shortest, run->outcome.ideal / 3600.0);
    }
    const LogAxis nodes(0.8, 1.25 * most_nodes, kPanel.left, kPanel.right());
    const LogAxis time(0.8 * shortest, 1.25 * longest, kPanel.bottom(), kPanel.top);
    SvgCanvas canvas;
    const std::string title = "A job over simulated nodes";
    const std::string what = shown.empty()
                                 ? std::string()
                                 : fmt::format(
                                       "{} problems, in hours of virtual time; nodes die, come back, and "
                                       "some are slow",
                                       shown.front()->settings.problems);
    draw_heading(canvas, kHeading, title, what);
    const ChartPanel panel(canvas, kPanel);
    panel.rows(time, "", 30.0);
    panel.columns(nodes, "", 40.0);
    panel.left_edge();
    panel.bottom_edge();
    panel.name_x("nodes", 40.0, 13.0);
    panel.name_y("hours", kPanel.left - 60.0, 13.0);
    std::vector<PixelPoint> measured, ideal;
    for (const SimulatedRun* run : shown) {
        const double x = nodes.at(static_cast<double>(run->settings.nodes));
        measured.push_back({x, time.at(run->outcome.makespan / 3600.0)});
        ideal.push_back({x, time.at(run->outcome.ideal / 3600.0)});
    }
    const std::string ideal_look = stroke(series_hue(1), 1.6, "6 4"), look = stroke(series_hue(0), 2.2);
    canvas.polyline(ideal, false, ideal_look + " fill=\"none\"", "if nobody ever waited");
    canvas.polyline(measured, false, look + " fill=\"none\"", "simulated");
    for (std::size_t i = 0; i < shown.size(); ++i) {
        canvas.circle(measured[i].x, measured[i].y, 4.0, filled(series_hue(0)),
                      fmt::format("{} nodes: {}, ideal {}", shown[i]->settings.nodes,
                                  hours(shown[i]->outcome.makespan), hours(shown[i]->outcome.ideal)));
    }
    if (!shown.empty()) {
        draw_curve_names(canvas, kPanel, kNames,
                         {{measured.back().y, "simulated", "ink", look},
                          {ideal.back().y, "if nobody ever waited", "ink", ideal_look}});
    }
    return canvas.finish(kWidth, kHeight, title, what, css());
}

}  // namespace rooftune::test
