#include "tuner/tune/short_summary.h"

#include <fmt/format.h>

#include <algorithm>

#include "tuner/base/fit_lines.h"
#include "tuner/base/si.h"
#include "tuner/base/table.h"
#include "tuner/base/text_width.h"
#include "tuner/chart/phrases.h"
#include "tuner/tune/headline.h"
#include "tuner/tune/short_call.h"
#include "tuner/tune/summary.h"

namespace rooftune {
namespace {

std::string labelled(const std::string& label, const std::string& text) {
    return text.empty() ? "" : fit_page(fmt::format("{:<9}{}\n", label, printable(text)), prose_width());
}

// The one thing that an alarm or void counts leave of trust in the rest, before anything else is read.
std::string warning_of(const TuneResult& r) {
    const CertificateReport& c = r.certificate;
    if (c.space != c.excluded + c.set_aside + c.measured + c.raced_out + c.failed + c.unmeasured)
        return "The counts of the certificate do not add up: a fault of the program, and it is void.";
    if (r.fraction_of_variant_bound > 1.0 + std::max(kNoiseShare, c.margin))
        return "The winner is faster than its bound allows: trust its time, not the bound.";
    if (c.violations <= 0) return "";
    return fmt::format(
        "{} beat {} bound: the ceilings behind were too low, and what they had excluded was opened "
        "again.",
        format_plural(c.violations, "measurement"), c.violations == 1 ? "its" : "their");
}

}  // namespace

std::string short_table(const std::vector<TuneResult>& results) {
    if (results.empty()) return "";
    Table table({{"problem", Align::left},
                 {"flop/s", Align::right},
                 {"over naive", Align::right},
                 {"over default", Align::right},
                 {"left, at most", Align::right}});
    const auto over = [](double speedup, const TimeInterval& ratio) {
        return speedup > 0.0 ? speedup_text(speedup, ratio) : std::string("n/a");
    };
    for (const TuneResult& r : results) {
        if (r.best.empty()) {
            table.add({title_of(r), "no winner"});
            continue;
        }
        table.add({title_of(r), rate_text(r), over(r.speedup_over_naive, r.naive_ratio),
                   over(r.speedup_over_default, r.default_ratio), left_cell(r)});
    }
    return table.to_text();
}

constexpr int kMostOfFailure = 240;  // of a compiler's message the beginning says most

std::string short_summary(const TuneResult& r) {
    if (r.best.empty()) return summary_text(r);
    const SummaryParts parts = summary_parts(r);
    const std::vector<std::string> next = advice(r);
    std::string text = fmt::format("## {}\n\n", parts.title) + wrap(parts.context) + "\n\n";
    std::string time = format_seconds_interval(r.seconds.median, r.seconds.low, r.seconds.high);
    if (r.flops_nominal > 0.0) time = rate_text(r) + ", " + time;
    text += labelled("Winner", fmt::format("{}: {}", variant_phrase(r.family, r.best), time));
    text += labelled("Gain", gains_text(r));
    text += labelled("Reached", fractions_text(r));
    text += labelled("Left", left_text(r));
    text += labelled("Verified", r.verified_by);
    text += labelled("Warning", warning_of(r));
    // Who reads five lines should not have to guess why a variant of his is missing among them.
    for (const std::string& failure : r.failures)
        text += labelled("Failed", cut_to_width(printable(failure), kMostOfFailure));
    if (!next.empty()) text += labelled("Next", next.front());
    text += labelled("Config", r.config_file);
    if (!is_of_functions(r))
        text += labelled("More",
                         "-v shows how it was found, what was ruled out and by what, and what the audit saw");
    return text;
}

}  // namespace rooftune
