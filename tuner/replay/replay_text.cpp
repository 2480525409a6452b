#include "tuner/replay/replay_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "tuner/base/si.h"
#include "tuner/base/table.h"
#include "tuner/base/text_width.h"
#include "tuner/formats/json_values.h"

namespace rooftune {
namespace {

std::string spread_text(const Spread& s) {
    return fmt::format("{:.0f} [{:.0f}, {:.0f}]", s.median, s.q25, s.q75);
}

std::string score_cell(double score) {
    return std::isfinite(score) ? fmt::format("{:.3f}", score) : "none";
}

std::string space_text(const Replay& r, const ReplayRules& rules) {
    std::string text = fmt::format("{}: {}, {} of them {}; best {}, median {}, worst {}.\n\n",
                                   printable(r.space), format_plural(r.configurations, "configuration"),
                                   format_count(r.valid), r.valid == 1 ? "works" : "work",
                                   format_seconds(r.best), format_seconds(r.median), format_seconds(r.worst));
    Table table({{"strategy"},
                 {"evaluations to within 5 %", Align::right},
                 {"within 1 %", Align::right},
                 {"to the best", Align::right},
                 {"score", Align::right}});
    for (const StrategyReplay& s : r.strategies) {
        table.add({s.name, spread_text(s.within_5pct), spread_text(s.within_1pct), spread_text(s.optimum),
                   score_cell(s.score)});
    }
    text +=
        table.to_text() + fmt::format("\nMedians and quartiles of {}.\n", format_plural(rules.runs, "run"));
    if (r.of_records)
        text +=
            wrap(
                "Best, median and worst are over the latest record of each variant alone; the time that a "
                "tune tells of its winner is another, of all its finals.") +
            "\n";
    if (!r.no_score.empty()) text += wrap("No score: " + r.no_score) + "\n";
    return text;
}

Json spread_json(const Spread& s) {
    return {{"median", s.median}, {"q25", s.q25}, {"q75", s.q75}};
}

Json run_json(const ReplayRun& run) {
    // JSON has no word for infinity, the best time before there is one.
    Json best = Json::array();
    for (const double b : run.best) best.push_back(std::isfinite(b) ? Json(b) : Json());
    return {{"configurations", run.points}, {"spent", run.spent}, {"best", best}};
}

Json space_json(const Replay& r) {
    Json strategies = Json::array();
    for (const StrategyReplay& s : r.strategies) {
        strategies.push_back({{"strategy", s.name},
                              {"evaluations",
                               {{"within_5pct", spread_json(s.within_5pct)},
                                {"within_1pct", spread_json(s.within_1pct)},
                                {"optimum", spread_json(s.optimum)}}},
                              {"score", finite_or_null(s.score)}});
        if (!s.runs.empty()) strategies.back()["arithmetic"] = finite_or_null(s.arithmetic);
        for (const ReplayRun& run : s.runs) strategies.back()["runs"].push_back(run_json(run));
    }
    Json json{{"file", r.file},
              {"space", {{"name", r.space}, {"configurations", r.configurations}, {"valid", r.valid}}},
              {"best", r.best},
              {"median", r.median},
              {"worst", r.worst},
              {"strategies", strategies}};
    if (!r.no_score.empty()) json["no_score"] = r.no_score;
    if (r.recorded.empty()) return json;
    for (const RecordedCost& c : r.recorded)
        json["recorded"].push_back({{"seconds", c.seconds ? Json(*c.seconds) : Json()}, {"cost", c.cost}});
    json["budget"] = r.budget;
    return json;
}

}  // namespace

std::vector<double> mean_scores(const std::vector<Replay>& replays) {
    std::vector<double> scores;
    if (replays.empty()) return scores;
    for (std::size_t s = 0; s < replays.front().strategies.size(); ++s) {
        std::vector<double> of_spaces;
        for (const Replay& r : replays) {
            if (std::isfinite(r.strategies[s].score)) of_spaces.push_back(r.strategies[s].score);
        }
        scores.push_back(mean(of_spaces));
    }
    return scores;
}

std::string replay_text(const std::vector<Replay>& replays, const ReplayRules& rules) {
    std::string text;
    for (const Replay& r : replays) text += (text.empty() ? "" : "\n") + space_text(r, rules);
    if (replays.size() > 1) {
        Table table({{"strategy"}, {"mean score", Align::right}});
        const std::vector<double> scores = mean_scores(replays);
        for (std::size_t s = 0; s < scores.size(); ++s)
            table.add({replays.front().strategies[s].name, score_cell(scores[s])});
        const auto scored = static_cast<std::size_t>(std::count_if(
            replays.begin(), replays.end(), [](const Replay& r) { return r.no_score.empty(); }));
        text += (scored == replays.size() ? fmt::format("\nOver the {} spaces together:\n\n", replays.size())
                                          : fmt::format("\nOver the {} of {} spaces that have a score:\n\n",
                                                        scored, replays.size())) +
                table.to_text();
    }
    if (std::all_of(replays.begin(), replays.end(), [](const Replay& r) { return !r.no_score.empty(); }))
        return text;
    return text +
           "\nScore: 0 is random sampling, 1 finds the best at once; over the time in which random "
           "sampling\ngoes 95 % of the way from the median to the best.\n";
}

Json replay_json(const std::vector<Replay>& replays, const ReplayRules& rules) {
    Json head{{"schema", "rooftune/replay/1"}, {"runs", rules.runs}, {"seed", rules.seed}};
    if (replays.size() == 1) {
        head.update(space_json(replays.front()));
        return head;
    }
    Json all = Json::array(), scores = Json::array();
    for (const Replay& r : replays) all.push_back(space_json(r));
    const std::vector<double> means = mean_scores(replays);
    for (std::size_t s = 0; s < means.size(); ++s)
        scores.push_back(
            {{"strategy", replays.front().strategies[s].name}, {"score", finite_or_null(means[s])}});
    head["replays"] = all;
    head["scores"] = scores;
    return head;
}

}  // namespace rooftune
