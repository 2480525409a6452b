#include "tuner/verify/report.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "tuner/formats/json_values.h"
#include "tuner/formats/setting_words.h"
#include "tuner/verify/tune_again.h"

namespace rooftune::verify {
namespace {

std::string_view to_text(Rival rival) {
    switch (rival) {
        case Rival::runner_up:
            return "runner-up";
        case Rival::default_variant:
            return "default";
        case Rival::nobody:
            break;
    }
    return "nobody";
}

Json json_of(const Measured& m) {
    const track::Judgement& j = m.duel;
    const bool duel = m.no_rounds.empty() && m.answer.found == Answer::Found::right && m.rival_slow.empty();
    const auto of_duel = [&](double value) { return duel ? finite_or_null(value) : Json(nullptr); };
    return {
        {"seconds",
         {{"median", positive_or_null(m.turns.seconds.median)},
          {"low", positive_or_null(m.turns.seconds.low)},
          {"high", positive_or_null(m.turns.seconds.high)}}},
        {"fraction_of_roof", positive_or_null(fraction_now(m))},
        {"roof_seconds", positive_or_null(m.roof.now)},
        {"ceiling", text_or_null(m.ceiling)},
        {"error", m.answer.found == Answer::Found::unknown ? Json(nullptr) : finite_or_null(m.answer.error)},
        {"rival", to_text(m.rival)},
        {"rival_variant", text_or_null(m.rival_phrase)},
        {"rounds", j.rounds},
        {"crowded_turns", m.turns.crowded},
        {"verdict", duel ? Json(track::to_text(j.verdict)) : Json(nullptr)},
        {"ratio", of_duel(j.ratio)},
        {"low", of_duel(j.low)},
        {"high", of_duel(j.high)},
        {"delta", of_duel(j.delta)}};
}

Json json_of(const Verified& v) {
    Json checks = Json::array();
    for (const Check& c : v.checks)
        checks.push_back({{"name", to_text(c.question)},
                          {"status", to_text(c.status)},
                          {"then", text_or_null(c.then)},
                          {"now", text_or_null(c.now)},
                          {"meaning", text_or_null(c.meaning)}});
    return {{"file", v.file},
            {"of_set", v.of_set},
            {"problem", text_or_null(v.title)},
            {"variant", text_or_null(v.variant)},
            {"verdict", to_text(v.verdict)},
            {"reason", text_or_null(v.reason)},
            {"same_as", text_or_null(v.same_as)},
            {"checks", std::move(checks)},
            {"when_tuned",
             {{"seconds", positive_or_null(v.seconds_then)},
              {"fraction_of_roof", positive_or_null(v.fraction_then)}}},
            {"measured", v.measured ? json_of(*v.measured) : Json(nullptr)},
            {"tune_again", text_or_null(v.again)}};
}

}  // namespace

Verified verified(const Claim& claim, std::string variant, std::vector<Check> checks,
                  std::optional<Measured> measured) {
    Verified v;
    v.file = claim.file;
    v.of_set = claim.of_set;
    v.title = claim.tuned.title;
    v.how = setting_words(claim.tuned.backend, claim.tuned.state);
    v.variant = std::move(variant);
    v.verdict = verdict_of(checks);
    v.reason = reason_of(checks);
    v.checks = std::move(checks);
    v.measured = std::move(measured);
    v.seconds_then = claim.tuned.seconds.median;
    v.fraction_then = claim.tuned.fraction_of_roof_now;
    v.again = tune_again_command(claim);
    return v;
}

Verified unreadable(const std::string& file, const std::string& why) {
    Verified v;
    v.file = file;
    v.verdict = Validity::unreadable;
    v.reason = why + "; programs pass it over and take their default variants";
    return v;
}

int exit_status(const VerifyReport& report) {
    const auto any = [&](std::initializer_list<Validity> verdicts) {
        return std::any_of(report.configs.begin(), report.configs.end(), [&](const Verified& v) {
            return std::find(verdicts.begin(), verdicts.end(), v.verdict) != verdicts.end();
        });
    };
    if (any({Validity::wrong, Validity::beaten, Validity::slower, Validity::stale})) return 1;
    if (any({Validity::unreadable})) return 2;
    return any({Validity::not_here, Validity::undecided}) ? 3 : 0;
}

Json to_json(const VerifyReport& report) {
    Json configs = Json::array();
    for (const Verified& v : report.configs) configs.push_back(json_of(v));
    return {{"schema", kVerifySchema},
            {"machine", report.machine},
            {"quick", report.quick},
            {"complete", report.not_verified.empty()},
            {"configs", std::move(configs)},
            {"not_verified", report.not_verified},
            {"passed_over", report.passed_over}};
}

}  // namespace rooftune::verify
