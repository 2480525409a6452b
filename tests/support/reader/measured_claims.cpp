#include "tests/support/reader/measured_claims.h"

#include <cmath>

#include "tests/support/reader/measured_words.h"
#include "tuner/base/percent.h"
#include "tuner/base/si.h"
#include "tuner/chart/phrases.h"

namespace rooftune::test {
namespace {

using nlohmann::json;

constexpr const char* kNone = "–";

}  // namespace

void claim_ladder(Reader& reader, const json& d) {
    reader.words_of(d);
    const double flops = d.at("flops_nominal"), roof = number_of(d.at("roof").at("seconds_now"));
    const std::string family = d.at("family");
    Reader::Truths rows;
    const auto row = [&](const json& of, const std::string& change, const std::string& gain,
                         const std::string& still) {
        const double seconds = number_of(of.at("seconds"));
        const bool timed = seconds > 0.0;
        rows.push_back({of.at("name"), change, timed ? format_seconds(seconds) : kNone,
                        timed ? format_si(flops / seconds, "flop/s") : kNone, gain,
                        of.at("fraction").is_number() ? format_percent(of.at("fraction")) : kNone, still});
        // The drawing has the name of a step, then its gain, then what it is still worth.
        reader.about("^" + quoted(of.at("name")) + "$", [&] {
            reader.claim("a gain", "^" + kRatio + "$", Reader::Truths{{gain}, {still}});
        });
    };
    const json& bottom = d.at("bottom");
    const std::string phrase = variant_phrase(family, bottom.at("variant").get<VariantMap>());
    row(bottom, phrase == bottom.at("name") ? kNone : phrase, kNone, kNone);
    const json* last = &bottom;
    for (const json& step : d.at("steps")) {
        const std::string state = step.at("state");
        const json& worth = step.at("worth");
        const std::string gain = state == "measured" ? gain_words(step)
                                 : state == "failed" ? "no time"
                                                     : kNone;
        const std::string still = !worth.is_object()             ? kNone
                                  : worth.at("factor").is_null() ? "no time"
                                                                 : gain_words(worth);
        const std::string change =
            state == "unchanged" ? "nothing to change" : step.at("change").get<std::string>();
        row(step, change + (step.at("adapted").is_string() ? " †" : ""), gain, still);
        if (step.at("seconds").is_number()) last = &step;
    }
    reader.table("ladder", {"step", "what changes", "time", "flop/s", "gain", "of attainable", "still worth"},
                 rows);
    reader.claim("rounds", "(?:; |in )" + kCount + " rounds?", std::to_string(d.at("rounds").get<int>()));
    const double reached = number_of(last->at("seconds"));
    if (d.at("whole").is_object()) {
        reader.claim("the whole",
                     "to the best variant: " + kRatio + " as fast \\(" + kTime + " to " + kTime + "\\)",
                     Reader::Truths{{gain_words(d.at("whole")), format_seconds(bottom.at("seconds")),
                                     format_seconds(reached)}});
        reader.claim("the whole, in the drawing", "to the best variant: " + kRatio,
                     gain_words(d.at("whole")));
    }
    if (d.at("product").is_object())
        reader.claim("the product", "steps' product is " + kRatio, gain_words(d.at("product")));
    for (const json& step : d.at("steps")) {
        const std::string name = quoted(step.at("name"));
        if (step.at("state") == "measured")
            reader.claim("the largest gains", "Most of it came from .*?" + name + " ([0-9.]+×)",
                         format_ratio(number_of(step.at("factor"))));
        if (step.at("state") == "measured")
            reader.claim("the largest, undecided", "its interval: the largest, " + name + " " + kRatio,
                         gain_words(step));
        if (step.at("worth").is_object() && step.at("worth").at("factor").is_number())
            reader.claim("still worth", "Still worth most to the best variant: .*?" + name + " ([0-9.]+×)",
                         format_ratio(number_of(step.at("worth").at("factor"))));
    }
    if (d.at("config").contains("seconds"))
        reader.claim("here and in its tune",
                     "The best variant took " + kTime + " here, and " + kTime + " in the finals of its tune",
                     Reader::Truths{{format_seconds(reached), format_seconds(d.at("config").at("seconds"))}});
    if (!(roof > 0.0)) return;
    reader.claim("attainable", "[Aa]ttainable now: ([0-9.]+ [kMGTP]?flop/s)",
                 format_si(flops / roof, "flop/s"));
    reader.claim("reached", "best variant reaches " + kPercent + " of it", format_percent(roof / reached));
    reader.claim("left", "so that at most " + kRatio + " is left", format_ratio(reached / roof));
    reader.claim("left, in the drawing", "^at most " + kRatio, format_ratio(reached / roof));
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
        of_file("share now", kPercent + " of the roof as probed just now",
                share_words(m.at("fraction_of_roof")));
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
        // Spelled as by the tune's summary.
        rows.push_back({arm.at("name").get<std::string>() + ": " +
                            variant_assignment(arm.at("variant").get<VariantMap>()),
                        format_seconds_interval(t.at("median"), t.at("low"), t.at("high")),
                        format_si(flops_nominal / number_of(t.at("median")), "flop/s"),
                        rows.empty()
                            ? "1"
                            : format_ratio_interval(ratio.at("median"), ratio.at("low"), ratio.at("high")),
                        format_percent_up(number_of(arm.at("error")))});
        for (const auto& [key, value] : arm.at("variant").items())
            reader.claim("a setting of an arm",
                         "^\\| " + quoted(arm.at("name")) + ": (?:.*,)?" + quoted(key) + "=([^ ,|]+)",
                         value.get<std::string>());
    }
    reader.table("arms",
                 {"variant", "time", "flop/s", "time over " + first, "error, share of what is tolerated"},
                 rows);
    if (document.contains("seconds_when_tuned") && !document.at("variants").empty()) {
        const double now = number_of(document.at("variants").at(0).at("seconds").at("median"));
        reader.claim("change since the tune", "takes ([0-9.]+ %) (?:less|more) time than when it was tuned",
                     percent(std::fabs(now / number_of(document.at("seconds_when_tuned")) - 1.0)));
    }
    if (document.contains("seconds_when_tuned"))
        reader.claim("time when tuned", " at ([0-9.]+ [^ ;]+); now, interleaved",
                     format_seconds(number_of(document.at("seconds_when_tuned"))));
}

}  // namespace rooftune::test
