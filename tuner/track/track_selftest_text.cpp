#include "tuner/track/track_selftest_text.h"

#include <fmt/format.h>

#include "tuner/base/percent.h"
#include "tuner/base/si.h"
#include "tuner/base/table.h"
#include "tuner/base/text_width.h"

namespace rooftune {
namespace {

using namespace track;

std::string effect_phrase(Effect effect, double delta) {
    switch (effect) {
        case Effect::none:
            return "nothing (A against A)";
        case Effect::two_delta:
            return percent_change(injected(effect, delta)) + " (twice the threshold)";
        case Effect::tenth:
            return percent_change(injected(effect, delta));
    }
    return "";
}

Table selftest_table(const SelftestReport& report) {
    Table table({{"kernel", Align::left},
                 {"put in", Align::left},
                 {"comparisons", Align::right},
                 {"REGRESSED", Align::right},
                 {"IMPROVED", Align::right},
                 {"UNCHANGED", Align::right},
                 {"INCONCLUSIVE", Align::right},
                 {"INVALID", Align::right}});
    const auto number = [](int n) { return fmt::format("{}", n); };
    for (const char* control : {"compute", "memory"}) {
        for (const Effect effect : kEffects) {
            const Tally t = tally(report.comparisons, effect, control);
            if (t.n == 0) continue;
            table.add({control, effect_phrase(effect, report.delta), number(t.n), number(t.regressed),
                       number(t.improved), number(t.unchanged), number(t.inconclusive), number(t.invalid)});
        }
    }
    return table;
}

}  // namespace

std::string selftest_text(const SelftestReport& report) {
    std::string text;
    const Table table = selftest_table(report);
    if (!table.empty()) text += table.to_text() + "\n";
    const FalsePositives f = false_positives(report);
    if (f.n > 0)
        text += fmt::format(
            "False positives: {} of {} comparisons of A with A, at most {} of such (95 % limit).\n", f.k, f.n,
            percent(f.limit));
    for (const char* control : {"compute", "memory"}) {
        if (const auto least = detectable(report, control))
            text += fmt::format(
                "The least slow-down that one comparison shows here, {}: {}, under a threshold of {}.\n",
                control, percent(*least), percent(report.delta));
    }
    if (report.cut_short) {
        text += fmt::format("It ended after {} of {} comparisons of each kind.\n",
                            tally(report.comparisons, Effect::tenth).n / 2, report.asked);
    }
    std::string sentences;
    for (const std::string& sentence : advice(report)) sentences += (sentences.empty() ? "" : " ") + sentence;
    return text + wrap(sentences) + "\n";
}

std::string selftest_plan(int comparisons, double least_seconds, double limit) {
    return fmt::format("{}, which take from {} to four times that; none is begun after {}",
                       format_plural(comparisons, "comparison"), format_duration(least_seconds),
                       format_duration(limit));
}

}  // namespace rooftune
