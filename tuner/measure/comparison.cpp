#include "tuner/measure/comparison.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "tuner/formats/json_values.h"

namespace rooftune::track {
namespace {

// What the user calls a time may be in any unit: then it is no number of seconds.
Json arm(const Comparison& c, const std::string& from, const std::string& variant, double value) {
    Json json = {{"from", from},
                 {"variant", variant},
                 {"seconds", c.printed ? Json(nullptr) : positive_or_null(value)}};
    if (c.printed) json["printed"] = positive_or_null(value);
    return json;
}

Json to_json(const EnvironmentDifference& difference) {
    Json json = {{"changes", Json::array()},
                 {"compared", difference.compared},
                 {"not_recorded", difference.not_recorded}};
    for (const EnvironmentChange& c : difference.changes)
        json["changes"].push_back({{"arms", c.arms}, {"what", c.what}, {"then", c.then}, {"now", c.now}});
    return json;
}

Json to_json(const Comparison& c) {
    const Judgement& j = c.judgement;
    Json json = {{"kernel", c.kernel},
                 {"verdict", to_text(j.verdict, c.swept)},
                 {"ratio", finite_or_null(j.ratio)},
                 {"low", finite_or_null(j.low)},
                 {"high", finite_or_null(j.high)},
                 {"detectable", finite_or_null(j.detectable)},
                 {"head_room_lost", c.room ? finite_or_null(c.room->lost) : Json(nullptr)},
                 {"moved", to_text(moved_by(j.verdict, c.room))},
                 {"reason", j.reason},
                 {"delta", finite_or_null(j.delta)},
                 {"rounds", j.rounds},
                 {"dropped_rounds", c.dropped},
                 {"paired", j.paired},
                 {"autocorrelation", finite_or_null(j.autocorrelation)},
                 {"a_vs_a", finite_or_null(j.again)},
                 {"control", text_or_null(c.control)},
                 {"control_drift", finite_or_null(j.control_drift)}};
    json["base"] = arm(c, c.base, c.base_variant, c.base_seconds);
    json["new"] = arm(c, c.candidate, c.candidate_variant, c.candidate_seconds);
    for (const auto& [key, fraction] : {std::pair{"base", c.room ? c.room->base : kNotKnown},
                                        std::pair{"new", c.room ? c.room->candidate : kNotKnown}}) {
        json[key]["fraction_of_attainable"] = finite_or_null(fraction);
    }
    json["roof_change"] = c.room ? finite_or_null(c.room->roof_change) : Json(nullptr);
    if (j.stopped) json["stopped"] = true;
    if (!c.arm.empty()) json["arm"] = c.arm;
    if (c.environment) json["environment"] = to_json(*c.environment);
    return json;
}

Json to_json(const TimesOver& over) {
    if (!std::isfinite(over.ratio)) return nullptr;
    return {{"ratio", over.ratio}, {"low", finite_or_null(over.low)}, {"high", finite_or_null(over.high)}};
}

Json to_json(const Ranking& ranking) {
    Json json = {{"title", ranking.title}, {"arms", Json::array()}};
    for (const Ranking::Arm& arm : ranking.arms) {
        Json one = {{"arm", arm.letter},
                    {"what", arm.from},
                    {"seconds", ranking.printed ? Json(nullptr) : positive_or_null(arm.place.value)},
                    {"verdict", arm.verdict ? Json(to_text(*arm.verdict, ranking.swept)) : Json(nullptr)},
                    {"over_base", to_json(arm.place.base)},
                    {"over_fastest", to_json(arm.place.fastest)},
                    {"separated_from_fastest", arm.place.ranked ? Json(arm.place.separated) : Json(nullptr)}};
        if (ranking.printed) one["printed"] = positive_or_null(arm.place.value);
        json["arms"].push_back(std::move(one));
    }
    return json;
}

}  // namespace

int exit_status(const CompareReport& report, bool strict) {
    const auto any = [&](Verdict verdict) {
        return std::any_of(report.comparisons.begin(), report.comparisons.end(),
                           [&](const Comparison& c) { return c.judgement.verdict == verdict; });
    };
    if (std::any_of(report.comparisons.begin(), report.comparisons.end(), [](const Comparison& c) {
            return !c.swept && c.judgement.verdict == Verdict::regressed;
        }))
        return 1;
    return any(Verdict::invalid) || (strict && any(Verdict::inconclusive)) ? 3 : 0;
}

Json to_json(const CompareReport& report) {
    Json json = {{"schema", kCompareSchema}, {"machine", report.machine}, {"verdicts", Json::array()}};
    for (const Comparison& c : report.comparisons) json["verdicts"].push_back(to_json(c));
    if (!report.rankings.empty()) {
        json["rankings"] = Json::array();
        for (const Ranking& ranking : report.rankings) json["rankings"].push_back(to_json(ranking));
        json["pairs_together"] = report.pairs_together;
    }
    if (report.together > 1) json["together"] = report.together;
    if (!report.left.empty()) json["not_compared"] = report.left.size();
    for (const auto& [key, kernels] :
         {std::pair{"only_in_base", &report.only_base}, std::pair{"only_in_new", &report.only_candidate}}) {
        json[key] = Json::array();
        for (const KernelName& kernel : *kernels) json[key].push_back(kernel.title);
    }
    return json;
}

}  // namespace rooftune::track
