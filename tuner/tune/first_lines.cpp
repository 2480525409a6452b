#include "tuner/tune/first_lines.h"

#include <fmt/format.h>

#include <algorithm>

#include "tuner/base/fit_lines.h"
#include "tuner/base/si.h"
#include "tuner/base/text_width.h"
#include "tuner/chart/phrases.h"
#include "tuner/tune/gap_sentence.h"
#include "tuner/tune/headline.h"
#include "tuner/tune/short_call.h"
#include "tuner/tune/summary.h"

namespace rooftune {
namespace {

bool counts_add_up(const CertificateReport& c) {
    return c.space == c.excluded + c.set_aside + c.measured + c.raced_out + c.failed + c.unmeasured;
}

// The one thing that an alarm or void counts leave of trust in the rest, before anything else is read.
std::string warning_of(const TuneResult& r) {
    const CertificateReport& c = r.certificate;
    if (!counts_add_up(c))
        return "The counts of the certificate do not add up: a fault of the program, and it is void.";
    if (r.fraction_of_variant_bound > 1.0 + std::max(kNoiseShare, c.margin))
        return "The winner is faster than its bound allows: trust its time, not the bound.";
    if (c.violations <= 0) return "";
    return fmt::format(
        "{} beat {} bound: the ceilings behind were too low, and what they had excluded was opened "
        "again.",
        format_plural(c.violations, "measurement"), c.violations == 1 ? "its" : "their");
}

// What a tune that stopped earlier has proven less of is not lost unnoticed.
std::string config_before_text(const TuneResult& r) {
    const ConfigBefore& before = r.config_before;
    const bool replaced = before.fate == "replaced";
    // Beside a line that says what is not known, or that nothing is to be trusted, a limit would say the
    // contrary.
    if (!counts_add_up(r.certificate) || is_mostly_call(r))
        return before.fate.empty() ? ""
               : replaced          ? "of the tuned config before"
                                   : "the tuned config before: this run did not replace it";
    const std::string then = limit_words({before.gap, before.gap, before.gap_high.value_or(before.gap)}),
                      now = limit_words(proven_gap(r.certificate));
    if (replaced) return fmt::format("of the tuned config before, with {}; this one is with {}", then, now);
    if (before.fate == "kept")
        return fmt::format("the tuned config before, with {}; this run, with {}, did not replace it", then,
                           now);
    return "";
}

}  // namespace

std::string labelled(const std::string& label, const std::string& text) {
    return text.empty() ? "" : fit_page(fmt::format("{:<9}{}\n", label, printable(text)), prose_width());
}

std::string first_lines(const TuneResult& r) {
    const std::vector<std::string> next = advice(r);
    std::string time = format_seconds_interval(r.seconds.median, r.seconds.low, r.seconds.high);
    if (r.flops_nominal > 0.0) time = rate_text(r) + ", " + time;
    std::string text = labelled("Winner", fmt::format("{}: {}", variant_phrase(r.family, r.best), time));
    text += labelled("Gain", gains_text(r));
    text += labelled("Reached", fractions_text(r));
    text += labelled("Left", left_text(r));
    if (r.resumed > 0)
        text += labelled("Resumed", format_plural(r.resumed, "variant") + " came from earlier runs");
    text += labelled(r.config_before.fate == "kept" ? "Kept" : "Instead", config_before_text(r));
    text += labelled("Verified", r.verified_by);
    text += labelled("Warning", warning_of(r));
    if (!next.empty()) text += labelled("Next", next.front());
    return text;
}

}  // namespace rooftune
