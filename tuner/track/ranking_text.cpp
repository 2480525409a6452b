#include "tuner/track/ranking_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tuner/base/joined.h"
#include "tuner/base/percent.h"
#include "tuner/base/si.h"
#include "tuner/base/table.h"
#include "tuner/base/text_width.h"
#include "tuner/measure/order_interval.h"
#include "tuner/track/compare_text.h"

namespace rooftune {
namespace {

using namespace track;

std::string over_text(const TimesOver& over) {
    if (!std::isfinite(over.ratio)) return "n/a";
    return std::isfinite(over.low) ? format_ratio_interval(over.ratio, over.low, over.high)
                                   : format_ratio(over.ratio);
}

Table table_of(const Ranking& ranking) {
    Table table({{"arm", Align::left},
                 {"what", Align::left},
                 {ranking.printed ? "number" : "time", Align::right},
                 {"over A", Align::right},
                 {"verdict", Align::left},
                 {"over the fastest", Align::right}});
    for (const Ranking::Arm& arm : ranking.arms) {
        const bool fastest = &arm == &ranking.arms.front();
        std::string over = !arm.place.ranked ? "" : fastest ? "fastest" : over_text(arm.place.fastest);
        if (!arm.place.separated) over += " *";
        table.add({arm.letter, arm.from, value_text(arm.place.value, ranking.printed),
                   !arm.verdict ? "" : over_text(arm.place.base),
                   arm.verdict ? std::string(to_text(*arm.verdict, ranking.swept)) : "baseline", over});
    }
    return table;
}

// Whether any of its comparisons can be trusted.
bool any_valid(const Ranking& ranking) {
    return std::any_of(ranking.arms.begin(), ranking.arms.end(), [](const Ranking::Arm& arm) {
        return arm.verdict && *arm.verdict != Verdict::invalid;
    });
}

std::string separation(const Ranking& ranking) {
    if (ranking.arms.empty() || !ranking.arms.front().place.ranked) return "";
    if (!any_valid(ranking)) return "The comparison is INVALID, and so is this order.";
    const std::string& fastest = ranking.arms.front().letter;
    std::vector<std::string> near;
    bool others = false;
    for (std::size_t i = 1; i < ranking.arms.size() && ranking.arms[i].place.ranked; ++i) {
        others = true;
        if (!ranking.arms[i].place.separated) near.push_back(ranking.arms[i].letter);
    }
    if (!others) return "";
    if (near.empty()) return "Each of the others is proven slower than the fastest, " + fastest + ".";
    return "Not separated from the fastest, " + fastest + " (*): " + joined(near) +
           "; each of these may be as fast.";
}

}  // namespace

std::string ranking_text(const CompareReport& report, const Ranking& ranking, int columns) {
    std::string text = "The fastest first";
    if (!ranking.title.empty()) text += " (" + printable(ranking.title) + ")";
    text += ":\n\n" + table_of(ranking).to_text(columns) + "\n";
    std::string below = separation(ranking);
    // All were measured in the same rounds, but for those that failed.
    const Comparison* longest = nullptr;
    for (std::size_t i = ranking.first; i < ranking.first + ranking.arms.size() - 1; ++i) {
        const Comparison& c = report.comparisons.at(i);
        if (!longest || c.judgement.rounds > longest->judgement.rounds) longest = &c;
    }
    if (longest && longest->judgement.rounds > 0)
        below += (below.empty() ? "" : " ") + method_sentence(*longest);
    return below.empty() ? text : text + wrap(below) + "\n";
}

std::string together_sentence(const CompareReport& report) {
    if (report.together < 2) return "";
    double together = 0.0;
    for (const Look& look : kLooks) together += miscoverage(look);
    std::string text = fmt::format(
        "The {} verdicts hold together: intervals are widened by Bonferroni's inequality, so that in at most "
        "{} "
        "of such comparisons any of them misses, no more often than the one of two arms",
        report.together, format_percent(together));
    if (!report.rankings.empty())
        text += fmt::format("; those over the fastest hold for all {} pairs", report.pairs_together);
    return text + ".";
}

}  // namespace rooftune
