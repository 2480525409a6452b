#include "tests/cluster/simulated_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

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

double messages_seconds(const SimulatedRun& run) {
    double sum = 0.0;
    for (const auto& [of, messages] : run.messages) sum += messages.seconds;
    return sum;
}

// A message of which only the first ones were written costs what those cost, each time.
double whole_seconds(const SimulatedRun& run) {
    const auto tunes = static_cast<double>(run.outcome.winners + run.outcome.again);
    double sum = messages_seconds(run);
    for (const auto& [of, messages] : run.messages) {
        const bool is_cut = of.starts_with("a tune: its") || of.starts_with("a tune: config");
        if (is_cut) sum += messages.seconds * (tunes / static_cast<double>(messages.count) - 1.0);
    }
    return sum;
}

std::string row(const SimulatedRun& run) {
    const SimulatedOutcome& o = run.outcome;
    return fmt::format(
        "| {} | {} | {} | {} | {:.2f} | {:.2f} % | {:.0f} | {:.3f} % | {:.1f} ms | {} | {} + {} | {} | {} "
        "|\n",
        run.settings.nodes, run.settings.kinds, hours(o.makespan), hours(o.ideal), o.makespan / o.ideal,
        100.0 * o.idle_share, o.results, 100.0 * o.cpu_decisions / o.makespan, 1e3 * o.cpu_worst_step,
        format_capacity(run.memory), o.winners, o.untuned, o.wrong, o.deaths);
}

std::string messages_of(const SimulatedRun& run) {
    std::string text = fmt::format(
        "\n## What messages cost: {} nodes, {} kinds\n\n"
        "| what | times | CPU each | bytes each | of one core, at the rate of the run "
        "|\n|---|---:|---:|---:|---:|\n",
        run.settings.nodes, run.settings.kinds);
    for (const auto& [of, m] : run.messages) {
        const auto count = static_cast<double>(m.count);
        text +=
            fmt::format("| {} | {} | {} | {} | {:.2f} % |\n", of, m.count, format_duration(m.seconds / count),
                        format_capacity(m.bytes / count), 100.0 * m.seconds / run.outcome.makespan);
    }
    const double decisions = run.outcome.cpu_decisions;
    text += fmt::format(
        "\nDecisions and messages together: {:.1f} % of one core (asked: at most 30 %). What was done for "
        "the\n"
        "first tunes only counts for all of them here.\n",
        100.0 * (decisions + whole_seconds(run)) / run.outcome.makespan);
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
    std::string text =
        "| nodes | kinds | takes | ideal | over ideal | idle | results a second | decisions, of one core | "
        "longest step | memory | winners + without | not once | deaths |\n"
        "|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n";
    for (const SimulatedRun& run : runs) text += row(run);
    text +=
        "\n## What happened on the way\n\n"
        "| nodes | kinds | slow nodes | named | named though not slow | quarantined variants | given up | "
        "went on | comparisons | measured by helpers | class set up |\n"
        "|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n";
    for (const SimulatedRun& run : runs) {
        const SimulatedOutcome& o = run.outcome;
        text += fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {:.2f} s |\n",
                            run.settings.nodes, run.settings.kinds, o.slow, o.named, o.misnamed,
                            o.quarantined, o.given_up, o.again, o.compares, o.helped, o.cpu_setup);
    }
    for (const SimulatedRun& run : runs) {
        if (!run.messages.empty()) text += messages_of(run);
    }
    return text;
}

std::string simulated_chart(const std::vector<SimulatedRun>& runs) {
    std::vector<const SimulatedRun*> shown;
    for (const SimulatedRun& run : runs) {
        if (run.settings.kinds == 1) shown.push_back(&run);
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
