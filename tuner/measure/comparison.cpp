#include "tuner/measure/comparison.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tuner/formats/json_values.h"

namespace rooftune::track {
namespace {

// JSON has no NaN.
Json seconds(double value) {
    return value > 0.0 ? finite_or_null(value) : Json(nullptr);
}

// What the user calls a time may be in any unit: then it is no number_or_null of seconds.
Json arm(const Comparison& c, const std::string& from, const std::string& variant, double value) {
    Json json = {
        {"from", from}, {"variant", variant}, {"seconds", c.printed ? Json(nullptr) : seconds(value)}};
    if (c.printed) json["printed"] = seconds(value);
    return json;
}

Json to_json(const Comparison& c) {
    const Judgement& j = c.judgement;
    Json json = {{"kernel", c.kernel},
                 {"verdict", to_text(j.verdict)},
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
                 {"control", c.control.empty() ? Json(nullptr) : Json(c.control)},
                 {"control_drift", finite_or_null(j.control_drift)}};
    json["base"] = arm(c, c.base, c.base_variant, c.base_seconds);
    json["new"] = arm(c, c.candidate, c.candidate_variant, c.candidate_seconds);
    for (const auto& [key, fraction] : {std::pair{"base", c.room ? c.room->base : kNotKnown},
                                        std::pair{"new", c.room ? c.room->candidate : kNotKnown}}) {
        json[key]["fraction_of_attainable"] = finite_or_null(fraction);
    }
    json["roof_change"] = c.room ? finite_or_null(c.room->roof_change) : Json(nullptr);
    return json;
}

}  // namespace

int exit_status(const CompareReport& report, bool strict) {
    const auto any = [&](Verdict verdict) {
        return std::any_of(report.comparisons.begin(), report.comparisons.end(),
                           [&](const Comparison& c) { return c.judgement.verdict == verdict; });
    };
    if (any(Verdict::regressed)) return 1;
    return any(Verdict::invalid) || (strict && any(Verdict::inconclusive)) ? 3 : 0;
}

Json to_json(const CompareReport& report) {
    Json json = {{"schema", kCompareSchema}, {"machine", report.machine}, {"verdicts", Json::array()}};
    for (const Comparison& c : report.comparisons) json["verdicts"].push_back(to_json(c));
    json["only_in_base"] = report.only_base;
    json["only_in_new"] = report.only_candidate;
    return json;
}

}  // namespace rooftune::track
