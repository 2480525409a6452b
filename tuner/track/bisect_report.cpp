#include "tuner/track/bisect_report.h"

#include <nlohmann/json.hpp>

#include "tuner/formats/json_values.h"

namespace rooftune::track {
namespace {

Json to_json(const Commit& c) {
    return {{"hash", c.hash}, {"author", c.author}, {"date", c.date}, {"title", c.title}};
}

Json to_json(const Judgement& j) {
    return {{"verdict", to_text(j.verdict)},
            {"ratio", finite_or_null(j.ratio)},
            {"low", finite_or_null(j.low)},
            {"high", finite_or_null(j.high)},
            {"delta", finite_or_null(j.delta)},
            {"rounds", j.rounds},
            {"reason", j.reason}};
}

Json to_json(const std::optional<Judgement>& j) {
    return j ? to_json(*j) : Json(nullptr);
}

std::string_view to_text(Answer answer) {
    switch (answer) {
        case Answer::good:
            return "good";
        case Answer::bad:
            return "bad";
        case Answer::skip:
            return "skip";
    }
    return "skip";
}

std::string_view to_text(BisectEnd end) {
    switch (end) {
        case BisectEnd::found:
            return "found";
        case BisectEnd::unconfirmed:
            return "unconfirmed";
        case BisectEnd::range:
            return "range";
        case BisectEnd::not_regressed:
            return "not regressed";
        case BisectEnd::not_measured:
            return "not measured";
        case BisectEnd::interrupted:
            return "interrupted";
    }
    return "interrupted";
}

}  // namespace

Answer answer_of(Verdict verdict) {
    switch (verdict) {
        case Verdict::regressed:
            return Answer::bad;
        case Verdict::improved:
        case Verdict::unchanged:
            return Answer::good;
        case Verdict::inconclusive:
        case Verdict::invalid:
            return Answer::skip;
    }
    return Answer::skip;
}

std::optional<BisectEnd> end_before(Verdict whole) {
    switch (answer_of(whole)) {
        case Answer::bad:
            return std::nullopt;
        case Answer::good:
            return BisectEnd::not_regressed;
        case Answer::skip:
            return BisectEnd::not_measured;
    }
    return BisectEnd::not_measured;
}

int exit_status(const BisectReport& report) {
    switch (report.end) {
        case BisectEnd::found:
            return 0;
        case BisectEnd::not_measured:
            return 3;
        case BisectEnd::interrupted:
            return 130;
        case BisectEnd::unconfirmed:
        case BisectEnd::range:
        case BisectEnd::not_regressed:
            return 1;
    }
    return 1;
}

Json to_json(const BisectReport& r) {
    Json json = {{"schema", kBisectSchema}, {"machine", r.machine},
                 {"program", r.program},    {"end", to_text(r.end)},
                 {"good", to_json(r.good)}, {"bad", to_json(r.bad)},
                 {"commits", r.commits},    {"bad_against_good", to_json(r.whole)}};
    const bool single = r.end == BisectEnd::found || r.end == BisectEnd::unconfirmed;
    json["first_bad"] = single && !r.candidates.empty() ? to_json(r.candidates.front()) : Json(nullptr);
    json["against_parent"] = to_json(r.own);
    json["candidates"] = Json::array();
    for (const Commit& c : r.candidates) json["candidates"].push_back(to_json(c));
    json["steps"] = Json::array();
    for (const BisectStep& s : r.steps) {
        Json step = to_json(s.commit);
        step["answer"] = to_text(s.answer);
        step["against_good"] = to_json(s.judgement);
        step["why"] = s.why;
        json["steps"].push_back(std::move(step));
    }
    return json;
}

}  // namespace rooftune::track
