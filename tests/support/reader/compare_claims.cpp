// `compare`: each verdict by its kernel, each arm by its letter.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/support/reader/measured_claims.h"
#include "tests/support/reader/measured_words.h"
#include "tuner/base/percent.h"
#include "tuner/base/si.h"

namespace rooftune::test {
namespace {

using nlohmann::json;

// A time, or a number that a program printed.
const std::string kValue = "([0-9.]+(?:e[-+][0-9]+)?(?: (?:m|n|µ)?s)?)";

// "+1.2 % [+0.8 %, +1.6 %]"
std::string change_words(const json& ratio) {
    if (!ratio.at("ratio").is_number()) return "n/a";
    return percent_change(number_of(ratio.at("ratio")) - 1.0) + " [" +
           percent_change(number_of(ratio.at("low")) - 1.0) + ", " +
           percent_change(number_of(ratio.at("high")) - 1.0) + "]";
}

// A time, or what a program printed.
std::string value_words(const json& arm) {
    if (arm.contains("printed"))
        return arm.at("printed").is_number() ? fmt::format("{:.4g}", number_of(arm.at("printed"))) : "n/a";
    return arm.at("seconds").is_number() ? format_seconds(number_of(arm.at("seconds"))) : "n/a";
}

// A kernel's verdict stands before what is said of it: "KERNEL: REGRESSED", "- **KERNEL**, REGRESSED: …".
std::string heading_of(const json& v) {
    return "^(?:- \\*\\*)?" + quoted(v.at("kernel")) + "(?:\\*\\*)?[:,] " +
           v.at("verdict").get<std::string>();
}

void claim_rounds(Reader& reader, const json& v) {
    const int dropped = v.at("dropped_rounds");
    reader.claim("rounds", "(?:^|\\. )([0-9]+ rounds?)(?:, the ratio| in pairs|; A differed|; the control)",
                 format_plural(v.at("rounds").get<int>(), "round"));
    reader.claim("A against A", "A differed from itself by ([0-9.]+ %)", percent(number_of(v.at("a_vs_a"))));
    reader.claim("drift", "drifted by ([0-9.]+ %)", percent(number_of(v.at("control_drift"))));
    reader.claim("taken again",
                 "; ([0-9]+ more rounds?), not counted, (?:was|were) disturbed and taken again",
                 format_plural(dropped, "more round"));
}

void claim_verdict(Reader& reader, const json& v) {
    const json& then = v.at("base").at("fraction_of_attainable");
    const json& now = v.at("new").at("fraction_of_attainable");
    claim_rounds(reader, v);
    reader.claim("change", "changed by ([-+][0-9.]+ % \\[[^\\]]*\\])", change_words(v));
    reader.claim("threshold", "threshold of ([0-9.]+ %)", percent(number_of(v.at("delta"))));
    reader.claim("detectable", "from ([0-9.]+ %) on a slow-down", percent(number_of(v.at("detectable"))));
    for (const auto& [letter, arm] : {std::pair{"A", v.at("base")}, {"B", v.at("new")}}) {
        const std::string variant = arm.at("variant");
        reader.claim(
            std::string("what ") + letter + " took", std::string("^") + letter + " (.*), " + kValue + "$",
            Reader::Truths{{arm.at("from").get<std::string>() + (variant.empty() ? "" : ": " + variant),
                            value_words(arm)}});
    }
    if (then.is_number()) {
        reader.claim("both shares", "\\(" + kPercent + " before, " + kPercent + " now\\)",
                     Reader::Truths{{share_words(then), share_words(now)}});
        reader.claim("lost", "It (?:lost|gained) ([0-9.]+ %) of attainable",
                     percent(std::fabs(number_of(v.at("head_room_lost")))));
        reader.claim("reaches", "It reaches " + kPercent + " of attainable", share_words(then));
    }
    if (v.at("roof_change").is_number())
        reader.claim("the roof", "\\(([0-9.]+ %) (?:lower|higher) than when the baseline was tuned",
                     percent(std::fabs(number_of(v.at("roof_change")))));
}

// The table of the arms of one ranking, and the method of the longest of its comparisons below it.
void claim_ranking(Reader& reader, const json& ranking, const json* verdicts) {
    Reader::Truths rows;
    bool printed = false;
    for (const json& arm : ranking.at("arms")) {
        printed = printed || arm.contains("printed");
        std::string over = rows.empty() ? "fastest" : over_words(arm.at("over_fastest"));
        if (arm.at("separated_from_fastest").is_null()) over = "";
        if (arm.at("separated_from_fastest") == false) over += " *";
        const bool base = arm.at("verdict").is_null();
        rows.push_back({arm.at("arm"), arm.at("what"), value_words(arm),
                        base ? "" : over_words(arm.at("over_base")),
                        base ? "baseline" : arm.at("verdict").get<std::string>(), over});
    }
    const std::string title = ranking.at("title");
    reader.about("^The fastest first" + (title.empty() ? "" : " \\(" + quoted(title) + "\\)") + ":", [&] {
        reader.table("ranking",
                     {"arm", "what", printed ? "number" : "time", "over A", "verdict", "over the fastest"},
                     rows);
        const auto longest =
            std::max_element(verdicts, verdicts + ranking.at("arms").size() - 1,
                             [](const json& a, const json& b) { return a.at("rounds") < b.at("rounds"); });
        claim_rounds(reader, *longest);
    });
}

struct PanelArm {
    std::string letter, from, value;
};

// The arms of one panel of the drawing, by their letters.
void claim_panel(Reader& reader, const std::vector<PanelArm>& arms) {
    for (const auto& [letter, from, value] : arms) {
        if (letter == "A") reader.claim("the median of A", "the median of A, which takes " + kValue, value);
        reader.claim("an arm's name", "^" + letter + " (?!once more)([^…]*)$", from);
        reader.about("^" + letter + " (?!once more)", [&, letter = letter, value = value] {
            reader.claim("a median", "^" + kValue + "$", value);
            reader.claim("a median with its interval", "^" + letter + ": median " + kValue + ",", value);
        });
    }
    reader.about("^A once more$", [&] {
        reader.excuse("^[0-9.e+-]+(?: [mnµ]?s)?$|^A: median .*",
                      "the document has no median of the second A");
    });
}

}  // namespace

void claim_comparison(Reader& reader, const json& document) {
    reader.words_of(document);
    const json& verdicts = document.at("verdicts");
    claim_verdicts(reader, verdicts);
    Reader::Truths table, scan;
    for (const json& v : verdicts) {
        const std::string change = change_words(v), delta = percent(number_of(v.at("delta")));
        const std::string base = value_words(v.at("base")), candidate = value_words(v.at("new"));
        const json& then = v.at("base").at("fraction_of_attainable");
        const json& now = v.at("new").at("fraction_of_attainable");
        table.push_back({v.at("kernel"), v.at("verdict"), change, base, candidate,
                         then.is_number() ? share_words(then) + " → " + share_words(now) : "n/a", delta,
                         std::to_string(v.at("rounds").get<int>())});
        scan.push_back({v.at("kernel"), v.at("verdict"), change, base, candidate});
        reader.about(heading_of(v), [&] { claim_verdict(reader, v); });
    }
    reader.table(
        "comparisons",
        {"kernel", "verdict", "time, new over base", "base", "new", "of attainable", "threshold", "rounds"},
        table);
    reader.table("points", {"point", "verdict", "new over base", "base", "new"}, scan);
    if (document.contains("together"))
        reader.claim("verdicts together", "The ([0-9]+) verdicts hold together",
                     std::to_string(document.at("together").get<int>()));
    reader.excuse("in at most [0-9.]+ % of such comparisons",
                  "a constant of the method: the miscoverage of its looks, which unit tests compute");
    if (document.contains("pairs_together"))
        reader.claim("pairs together", "hold for all ([0-9]+) pairs",
                     std::to_string(document.at("pairs_together").get<int>()));
    if (!document.contains("rankings")) return;
    std::size_t first = 0;
    for (const json& ranking : document.at("rankings")) {
        claim_ranking(reader, ranking, &verdicts.at(first));
        first += ranking.at("arms").size() - 1;
    }
}

void claim_turns(Reader& reader, const json& document) {
    if (document.contains("rankings")) {
        for (const json& ranking : document.at("rankings")) {
            std::vector<PanelArm> arms;
            for (const json& arm : ranking.at("arms"))
                arms.push_back({arm.at("arm"), arm.at("what"), value_words(arm)});
            const std::string title = ranking.at("title");
            if (title.empty())
                claim_panel(reader, arms);
            else
                reader.about("^" + quoted(title) + "$", [&] { claim_panel(reader, arms); });
        }
    } else {
        for (const json& v : document.at("verdicts")) {
            // A panel has the name of what its arms share: the point of a scan, or A itself.
            const std::string kernel = v.at("kernel");
            const std::string title = kernel.substr(0, std::min(kernel.find(": "), kernel.find(" → ")));
            reader.words(title);
            reader.one_of_many(
                "^" + quoted(title) + "$",
                "another point's title is told by the arms below it, which are then of that point");
            reader.about("^" + quoted(title) + "$", [&] {
                std::vector<PanelArm> arms;
                for (const auto& [letter, arm] : {std::pair{"A", v.at("base")}, {"B", v.at("new")}})
                    arms.push_back({letter, arm.at("from"), value_words(arm)});
                claim_panel(reader, arms);
            });
        }
    }
    reader.claim("an interval's confidence", "the median's (95 %) interval", "95 %");
    reader.excuse("\\[[^\\]]*\\]$", "the document has medians of arms, and no intervals of them");
    reader.excuse("^[A-Z], turn [0-9]+: .*", "the document has no single turns");
    reader.excuse("^tick: [-+][0-9.]+ %$", "where ticks stand is the drawing's affair");
}

}  // namespace rooftune::test
