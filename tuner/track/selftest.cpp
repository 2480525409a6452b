#include "tuner/track/selftest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "tuner/base/percent.h"
#include "tuner/base/suggested.h"
#include "tuner/measure/statistics.h"

namespace rooftune::track {
namespace {

constexpr double kSeen = 0.9;
constexpr double kMostFlagged = 0.1;
constexpr double kTenth = 0.1;

double share(int k, int n) {
    return n > 0 ? static_cast<double>(k) / n : 0.0;
}

std::vector<std::string> controls_of(const SelftestReport& report) {
    std::set<std::string> controls;
    for (const Known& k : report.comparisons) controls.insert(k.control);
    return {controls.begin(), controls.end()};
}

Json tally_json(const Tally& t) {
    return {{"n", t.n},
            {"regressed", t.regressed},
            {"improved", t.improved},
            {"unchanged", t.unchanged},
            {"inconclusive", t.inconclusive},
            {"invalid", t.invalid}};
}

Json known(const std::optional<double>& value) {
    return value && std::isfinite(*value) ? Json(*value) : Json(nullptr);
}

std::string_view to_text(Ability a) {
    switch (a) {
        case Ability::reliable:
            return "reliable";
        case Ability::unreliable:
            return "unreliable";
        case Ability::not_measured:
            return "not measured";
    }
    return "not measured";
}

// A threshold that would do where this one is too fine: as large as the interval reaches, rounded up to a
// whole per cent. Then the same is proven to be, and twice the threshold is seen.
std::string wider(double least, double delta) {
    const double reach = std::expm1(std::log1p(least) - std::log1p(delta));
    return fmt::format("--delta {:.2f}", std::ceil(100.0 * reach) / 100.0);
}

}  // namespace

std::string_view to_text(Effect effect) {
    switch (effect) {
        case Effect::none:
            return "none";
        case Effect::two_delta:
            return "two_delta";
        case Effect::tenth:
            return "tenth";
    }
    return "none";
}

double injected(Effect effect, double delta) {
    switch (effect) {
        case Effect::none:
            return 0.0;
        case Effect::two_delta:
            return 2.0 * delta;
        case Effect::tenth:
            return kTenth;
    }
    return 0.0;
}

Tally tally(const std::vector<Known>& all, Effect effect, std::string_view control) {
    Tally t;
    for (const Known& k : all) {
        if (k.effect != effect || (!control.empty() && k.control != control)) continue;
        ++t.n;
        switch (k.judgement.verdict) {
            case Verdict::regressed:
                ++t.regressed;
                break;
            case Verdict::improved:
                ++t.improved;
                break;
            case Verdict::unchanged:
                ++t.unchanged;
                break;
            case Verdict::inconclusive:
                ++t.inconclusive;
                break;
            case Verdict::invalid:
                ++t.invalid;
                break;
        }
    }
    return t;
}

FalsePositives false_positives(const SelftestReport& report) {
    const Tally t = tally(report.comparisons, Effect::none);
    FalsePositives f;
    f.k = t.regressed + t.improved;
    f.n = t.n;
    f.limit = t.n > 0 ? upper_limit(f.k, f.n) : 1.0;
    return f;
}

std::optional<double> detectable(const SelftestReport& report, std::string_view control) {
    std::vector<double> each;
    for (const Known& k : report.comparisons) {
        if (!control.empty() && k.control != control) continue;
        if (std::isfinite(k.judgement.detectable)) each.push_back(k.judgement.detectable);
    }
    if (each.empty()) return std::nullopt;
    std::sort(each.begin(), each.end());
    // Nearest rank.
    return each[static_cast<std::size_t>(std::ceil(kSeen * static_cast<double>(each.size()))) - 1];
}

Ability ability(const SelftestReport& report) {
    const Tally same = tally(report.comparisons, Effect::none);
    const Tally tenth = tally(report.comparisons, Effect::tenth);
    const auto judged = [](const Tally& t) { return t.n - t.invalid; };
    if (judged(same) == 0 || judged(tenth) == 0) return Ability::not_measured;
    const bool seen = share(tenth.regressed, tenth.n) >= kSeen;
    const bool quiet = share(same.regressed + same.improved, same.n) <= kMostFlagged;
    return seen && quiet ? Ability::reliable : Ability::unreliable;
}

std::vector<std::string> advice(const SelftestReport& report) {
    std::vector<std::string> sentences;
    const Tally same = tally(report.comparisons, Effect::none);
    const Tally twice = tally(report.comparisons, Effect::two_delta);
    const Tally tenth = tally(report.comparisons, Effect::tenth);
    const std::optional<double> least = detectable(report);
    const int n = same.n + twice.n + tenth.n;
    const int invalid = same.invalid + twice.invalid + tenth.invalid;
    switch (ability(report)) {
        case Ability::not_measured:
            sentences.push_back(report.cut_short
                                    ? "Too little was measured to say anything; let it run to its end."
                                    : "No comparison could be judged: the machine changed during each. Find "
                                      "out what else runs on it (" +
                                          suggested("doctor") + "), and try again.");
            return sentences;
        case Ability::reliable:
            sentences.push_back("This machine detects a slow-down of 10 % reliably.");
            break;
        case Ability::unreliable:
            sentences.push_back(
                share(tenth.regressed, tenth.n) < kSeen
                    ? fmt::format("This machine does not detect a slow-down of 10 % reliably ({} of {}).",
                                  tenth.regressed, tenth.n)
                    : "This machine calls the same slower or faster too often.");
            break;
    }
    if (share(same.regressed + same.improved, same.n) > kMostFlagged)
        sentences.push_back("What is flagged here needs a second comparison; " + suggested("doctor") +
                            " says what disturbs measuring.");
    if (invalid * 5 > n)
        sentences.push_back(fmt::format(
            "{} of {} comparisons were INVALID: the machine changes while it measures. Quiet it: end other "
            "programs, fix the clock, keep to other processors (--cpus).",
            invalid, n));
    if (twice.n > 0 && share(twice.regressed, twice.n) >= kSeen) {
        sentences.push_back(
            fmt::format("Twice the threshold ({}) is seen as well.", percent(2.0 * report.delta)));
    } else if (least && *least > 2.0 * report.delta) {
        sentences.push_back(
            fmt::format("Its noise is too large for a threshold of {}: {} would do, or a quieter machine.",
                        percent(report.delta), wider(*least, report.delta)));
    }
    return sentences;
}

int exit_status(const SelftestReport& report) {
    switch (ability(report)) {
        case Ability::reliable:
            return 0;
        case Ability::unreliable:
            return 1;
        case Ability::not_measured:
            return 3;
    }
    return 3;
}

Json to_json(const SelftestReport& report) {
    const FalsePositives f = false_positives(report);
    Json json = {{"schema", kSelftestSchema},
                 {"machine", report.machine},
                 {"delta", report.delta},
                 {"asked", report.asked},
                 {"cut_short", report.cut_short},
                 {"seconds", report.seconds},
                 {"ability", to_text(ability(report))},
                 {"false_positives", {{"k", f.k}, {"n", f.n}, {"upper_limit", f.limit}}},
                 {"detectable", known(detectable(report))},
                 {"advice", advice(report)},
                 {"kinds", Json::array()}};
    for (const std::string& control : controls_of(report)) {
        for (const Effect effect : kEffects) {
            const Tally t = tally(report.comparisons, effect, control);
            Json kind = {{"control", control},
                         {"effect", to_text(effect)},
                         {"injected", injected(effect, report.delta)}};
            kind.update(tally_json(t));
            kind["detectable"] = known(detectable(report, control));
            json["kinds"].push_back(std::move(kind));
        }
    }
    return json;
}

}  // namespace rooftune::track
