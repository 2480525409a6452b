#include "tests/support/reader/measured_claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "tuner/base/percent.h"
#include "tuner/base/si.h"

namespace rooftune::test {
namespace {

using nlohmann::json;

constexpr const char* kNone = "–";

double number(const json& value) {
    return value.is_number() ? value.get<double>() : NAN;
}

// "+1.2 % [+0.8 %, +1.6 %]"
std::string change_words(const json& ratio) {
    if (!ratio.at("ratio").is_number()) return "n/a";
    return percent_change(number(ratio.at("ratio")) - 1.0) + " [" +
           percent_change(number(ratio.at("low")) - 1.0) + ", " +
           percent_change(number(ratio.at("high")) - 1.0) + "]";
}

std::string over_words(const json& over) {
    if (!over.is_object()) return "n/a";
    return over.at("low").is_number() ? format_ratio_interval(number(over.at("ratio")),
                                                              number(over.at("low")), number(over.at("high")))
                                      : format_ratio(number(over.at("ratio")));
}

// A time, or what a program printed.
std::string value_words(const json& arm) {
    if (arm.contains("printed"))
        return arm.at("printed").is_number() ? fmt::format("{:.4g}", number(arm.at("printed"))) : "n/a";
    return arm.at("seconds").is_number() ? format_seconds(number(arm.at("seconds"))) : "n/a";
}

std::string share_words(const json& share) {
    return share.is_number() ? format_percent(number(share)) : "n/a";
}

std::string gain_words(const json& gain) {
    return format_ratio_interval(number(gain.at("factor")), number(gain.at("low")), number(gain.at("high")));
}

void claim_verdicts(Reader& reader, const json& document) {
    std::map<std::string, int> counts;
    for (const json& v : document) ++counts[v.at("verdict").get<std::string>()];
    Reader::Truths truths;
    for (const auto& [verdict, count] : counts) truths.push_back({std::to_string(count), verdict});
    reader.claim(
        "verdicts",
        "(?:^|, |: )([0-9]+) (REGRESSED|IMPROVED|UNCHANGED|INCONCLUSIVE|INVALID|VALID|STALE|SLOWER|BEATEN|"
        "WRONG|NOT HERE|UNDECIDED|UNREADABLE)",
        truths);
}

}  // namespace

void claim_ladder(Reader& reader, const json& d) {
    reader.words_of(d);
    const double flops = d.at("flops_nominal"), roof = number(d.at("roof").at("seconds_now"));
    Reader::Truths rows, gains;
    const auto times = [&](const json& of) -> std::vector<std::string> {
        if (!of.at("seconds").is_number()) return {kNone, kNone};
        return {format_seconds(of.at("seconds")), format_si(flops / number(of.at("seconds")), "flop/s")};
    };
    const auto fraction = [](const json& of) {
        return of.at("fraction").is_number() ? format_percent(of.at("fraction")) : std::string(kNone);
    };
    const json& bottom = d.at("bottom");
    const auto bottom_times = times(bottom);
    rows.push_back(
        {bottom.at("name"), "*", bottom_times[0], bottom_times[1], kNone, fraction(bottom), kNone});
    const json* last = &bottom;
    for (const json& step : d.at("steps")) {
        const auto time = times(step);
        const std::string state = step.at("state");
        const json& worth = step.at("worth");
        const std::string gain = state == "measured" ? gain_words(step)
                                 : state == "failed" ? "no time"
                                                     : kNone;
        const std::string still = !worth.is_object()             ? kNone
                                  : worth.at("factor").is_null() ? "no time"
                                                                 : gain_words(worth);
        rows.push_back({step.at("name"), "*", time[0], time[1], gain, fraction(step), still});
        for (const std::string& words : {gain, still}) gains.push_back({words});
        if (step.at("seconds").is_number()) last = &step;
    }
    reader.table("ladder", {"step", "what changes", "time", "flop/s", "gain", "of attainable", "still worth"},
                 rows);
    reader.claim("a gain", "^" + kRatio + "$", gains);
    reader.claim("rounds", "(?:; |in )" + kCount + " rounds?", std::to_string(d.at("rounds").get<int>()));
    if (d.at("whole").is_object()) {
        reader.claim("the whole",
                     "to the best variant: " + kRatio + " as fast \\(" + kTime + " to " + kTime + "\\)",
                     Reader::Truths{{gain_words(d.at("whole")), format_seconds(bottom.at("seconds")),
                                     format_seconds(last->at("seconds"))}});
        reader.claim("the whole, in the drawing", "to the best variant: " + kRatio,
                     gain_words(d.at("whole")));
    }
    if (d.at("product").is_object())
        reader.claim("the product", "steps' product is " + kRatio, gain_words(d.at("product")));
    for (const json& step : d.at("steps")) {
        const std::string name = quoted(step.at("name"));
        if (step.at("state") == "measured")
            reader.claim("the largest gains", "Most of it came from .*?" + name + " ([0-9.]+×)",
                         format_ratio(number(step.at("factor"))));
        if (step.at("worth").is_object() && step.at("worth").at("factor").is_number())
            reader.claim("still worth", "Still worth most to the best variant: .*?" + name + " ([0-9.]+×)",
                         format_ratio(number(step.at("worth").at("factor"))));
    }
    const double reached = number(last->at("seconds"));
    if (roof > 0.0) {
        const std::string rate = format_si(flops / roof, "flop/s");
        reader.claim("attainable", "[Aa]ttainable now: ([0-9.]+ [kMGTP]?flop/s)", rate);
        reader.claim("attainable, in the drawing", "attainable now: ([0-9.]+ [kMGTP]?flop/s)", rate);
        reader.claim("reached", "best variant reaches " + kPercent + " of it",
                     format_percent(roof / reached));
        reader.claim("left", "so that at most " + kRatio + " is left", format_ratio(reached / roof));
        reader.claim("left, in the drawing", "^at most " + kRatio, format_ratio(reached / roof));
    }
}

void claim_comparison(Reader& reader, const json& document) {
    reader.words_of(document);
    claim_verdicts(reader, document.at("verdicts"));
    Reader::Truths table, scan, changes, thresholds, rounds, shares, again, drift, dropped, arms, detectable;
    for (const json& v : document.at("verdicts")) {
        const std::string change = change_words(v), delta = percent(number(v.at("delta")));
        const std::string base = value_words(v.at("base")), candidate = value_words(v.at("new"));
        const json& then = v.at("base").at("fraction_of_attainable");
        const json& now = v.at("new").at("fraction_of_attainable");
        table.push_back({"*", v.at("verdict"), change, base, candidate,
                         then.is_number() ? share_words(then) + " → " + share_words(now) : "n/a", delta,
                         std::to_string(v.at("rounds").get<int>())});
        scan.push_back({"*", v.at("verdict"), change, base, candidate});
        rounds.push_back({format_plural(v.at("rounds").get<int>(), "round")});
        changes.push_back({change});
        thresholds.push_back({delta});
        detectable.push_back({percent(number(v.at("detectable")))});
        const std::string kernel = v.at("kernel");
        reader.words(kernel.substr(0, kernel.find(": ")));
        again.push_back({percent(number(v.at("a_vs_a")))});
        drift.push_back({percent(number(v.at("control_drift")))});
        dropped.push_back({format_plural(v.at("dropped_rounds").get<int>(), "round")});
        arms.push_back({base});
        arms.push_back({candidate});
        if (then.is_number()) {
            shares.push_back({share_words(then), share_words(now)});
            reader.claim("lost", "It (?:lost|gained) ([0-9.]+ %) of attainable",
                         percent(std::fabs(number(v.at("head_room_lost")))));
            reader.claim("reaches", "It reaches " + kPercent + " of attainable", share_words(then));
        }
        if (v.at("roof_change").is_number())
            reader.claim("the roof", "\\(([0-9.]+ %) (?:lower|higher) than when the baseline was tuned",
                         percent(std::fabs(number(v.at("roof_change")))));
    }
    reader.table(
        "comparisons",
        {"kernel", "verdict", "time, new over base", "base", "new", "of attainable", "threshold", "rounds"},
        table);
    reader.table("points", {"point", "verdict", "new over base", "base", "new"}, scan);
    reader.claim("rounds", "(?:^|\\. )([0-9]+ rounds?)(?:, the ratio| in pairs|; A differed|; the control)",
                 rounds);
    reader.claim("A against A", "A differed from itself by ([0-9.]+ %)", again);
    reader.claim("change", "changed by ([-+][0-9.]+ % \\[[^\\]]*\\])", changes);
    reader.claim("threshold", "threshold of ([0-9.]+ %)", thresholds);
    reader.claim("detectable", "from ([0-9.]+ %) on a slow-down", detectable);
    reader.claim("drift", "drifted by ([0-9.]+ %)", drift);
    reader.claim("taken again", "; ([0-9]+ rounds?) disturbed and taken again", dropped);
    reader.claim("both shares", "\\(" + kPercent + " before, " + kPercent + " now\\)", shares);
    reader.claim("a time of an arm", "^[AB] .*, ([0-9.]+(?:e[-+][0-9]+)?(?: (?:m|n|µ)?s)?)$", arms);
    if (document.contains("together"))
        reader.claim("verdicts together", "The ([0-9]+) verdicts hold together",
                     std::to_string(document.at("together").get<int>()));
    reader.excuse("in at most [0-9.]+ % of such comparisons",
                  "a constant of the method: the miscoverage of its looks, which unit tests compute");
    if (document.contains("pairs_together"))
        reader.claim("pairs together", "hold for all ([0-9]+) pairs",
                     std::to_string(document.at("pairs_together").get<int>()));
    if (!document.contains("rankings")) return;
    Reader::Truths ranked;
    bool printed = false;
    for (const json& ranking : document.at("rankings")) {
        bool first = true;
        for (const json& arm : ranking.at("arms")) {
            printed = printed || arm.contains("printed");
            std::string over = first ? "fastest" : over_words(arm.at("over_fastest"));
            if (arm.at("separated_from_fastest").is_null()) over = "";
            if (arm.at("separated_from_fastest") == false) over += " *";
            ranked.push_back({arm.at("arm"), arm.at("what"), value_words(arm),
                              arm.at("verdict").is_null() ? "" : over_words(arm.at("over_base")),
                              arm.at("verdict").is_null() ? "baseline" : arm.at("verdict").get<std::string>(),
                              over});
            first = false;
        }
    }
    reader.table("ranking",
                 {"arm", "what", printed ? "number" : "time", "over A", "verdict", "over the fastest"},
                 ranked);
}

void claim_turns(Reader& reader, const json& document) {
    Reader::Truths values, medians;
    for (const json& v : document.at("verdicts")) {
        for (const char* side : {"base", "new"}) values.push_back({value_words(v.at(side))});
    }
    if (document.contains("rankings")) {
        for (const json& ranking : document.at("rankings")) {
            for (const json& arm : ranking.at("arms")) values.push_back({value_words(arm)});
        }
    }
    const std::string value = "([0-9.]+(?:e[-+][0-9]+)?(?: (?:m|n|µ)?s)?)";
    reader.claim("a median", "^" + value + "$", values);
    reader.claim("a median with its interval", "^[A-Z]: median " + value + ",", values);
    reader.claim("the median of A", "the median of A, which takes " + value, values);
    reader.claim("an interval's confidence", "the median's (95 %) interval", "95 %");
    reader.excuse("^[A-Z]: median .*, \\[.*\\]",
                  "the document has medians of arms, and no intervals of them");
    reader.excuse("^[^|]*…$", "cut for want of room");
    reader.excuse("^[A-Z], turn [0-9]+: .*", "the document has no single turns");
    reader.excuse("^[-+][0-9.]+ %$", "ticks of an axis");
}

void claim_verified(Reader& reader, const json& document) {
    reader.words_of(document);
    claim_verdicts(reader, document.at("configs"));
    for (const json& v : document.at("configs")) {
        const json& m = v.at("measured");
        const json& then = v.at("when_tuned");
        if (!m.is_object()) continue;
        const std::string file = quoted(v.at("file"));
        const auto of_file = [&](const std::string& name, const std::string& phrase,
                                 const std::string& truth) {
            reader.claim(name, file + "\\): .*?" + phrase, truth);
        };
        reader.claim("time now", file + "\\): ([0-9.]+ [^ ,.]+)",
                     format_seconds(m.at("seconds").at("median")));
        of_file("share now", kPercent + " of the roof now", share_words(m.at("fraction_of_roof")));
        of_file("time then", "\\(([0-9.]+ [^ ,.]+)(?:,| when)", format_seconds(then.at("seconds")));
        of_file("share then", ", " + kPercent + " when tuned\\)", share_words(then.at("fraction_of_roof")));
        of_file("the rival", "(?:runner-up|default variant) takes " + kRatio, over_words(m));
    }
}

void claim_arms(Reader& reader, const json& document, double flops_nominal) {
    reader.words_of(document);
    Reader::Truths rows;
    std::string first;
    for (const json& arm : document.at("variants")) {
        const json& t = arm.at("seconds");
        if (first.empty()) first = arm.at("name");
        const json& ratio = arm.at("ratio");
        rows.push_back({"*", format_seconds_interval(t.at("median"), t.at("low"), t.at("high")),
                        format_si(flops_nominal / number(t.at("median")), "flop/s"),
                        rows.empty()
                            ? "1"
                            : format_ratio_interval(ratio.at("median"), ratio.at("low"), ratio.at("high")),
                        format_ratio(number(arm.at("error")))});
        std::string variant;
        for (const auto& [key, value] : arm.at("variant").items())
            reader.words(key + "=" + value.get<std::string>());
    }
    reader.table("arms", {"variant", "time", "flop/s", "time over " + first, "error"}, rows);
    if (document.contains("seconds_when_tuned"))
        reader.claim("time when tuned", " at ([0-9.]+ [^ ;]+); now, interleaved",
                     format_seconds(number(document.at("seconds_when_tuned"))));
}

}  // namespace rooftune::test
