#include "tuner/tune/headline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tuner/base/joined.h"
#include "tuner/base/si.h"
#include "tuner/chart/phrases.h"
#include "tuner/formats/reference_time.h"

namespace rooftune {
namespace {

constexpr int kPairs = 6;  // the fewest with an interval of 95 %

bool has_few_rounds(const TimeInterval& interval) {
    return interval.slots > 0 && interval.slots < kPairs;
}

// A gain over a reference as the rounds decide it: an interval on both sides of 1 claims none, and nor does
// the range of rounds that are too few for an interval.
std::string gain_phrase(const std::string& over, double ratio, const TimeInterval& interval) {
    const std::string text = speedup_text(ratio, interval);
    const bool has_range = interval.slots > 0 && interval.low > 0.0 && std::isfinite(interval.high);
    const RatioSide side = side_of_one(interval.low, interval.high);
    if (!has_range || side == RatioSide::above)
        return text + " " + over +
               (has_few_rounds(interval)
                    ? fmt::format(" in {}, too few for an interval", format_plural(interval.slots, "round"))
                    : "");
    if (has_few_rounds(interval))
        return fmt::format("not decided against {}, too few rounds: {}", over, text);
    if (side == RatioSide::below) return fmt::format("slower than {} in these rounds: {}", over, text);
    if (interval.low >= 1.0 - kNoiseShare && interval.high <= 1.0 + kNoiseShare)
        return fmt::format("as fast as {} within noise: {}", over, text);
    return fmt::format("not decided against {}, too noisy: {}", over, text);
}

}  // namespace

double flops_per_second(const TuneResult& r, double seconds) {
    return seconds > 0.0 && std::isfinite(seconds) ? r.flops_nominal / seconds : 0.0;
}

// A time over the winner's with its interval. A reference that takes many times as long has three turns,
// whose outermost two enclose the median in three of four cases only: no interval.
std::string speedup_text(double ratio, const TimeInterval& interval) {
    return has_few_rounds(interval) ? format_ratio(ratio)
                                    : format_ratio_interval(ratio, interval.low, interval.high);
}

std::string speedup_cell(double ratio, const TimeInterval& interval) {
    const std::string text = speedup_text(ratio, interval);
    return has_few_rounds(interval) ? text + ", " + format_plural(interval.slots, "round") : text;
}

std::string rate_text(const TuneResult& r) {
    return r.flops_nominal > 0.0 ? format_si(flops_per_second(r, r.seconds.median), "flop/s")
                                 : format_seconds(r.seconds.median);
}

// A gain in a column of its own, marked where the rounds do not decide it, as gains_text() says it in words.
// Over itself it is 1 by definition, and no measurement; what is the same within noise has its interval to
// say so.
TableCell gain_cell(double speedup, const TimeInterval& ratio, bool is_over_itself) {
    if (is_over_itself) return TableCell("is the winner");
    if (!(speedup > 0.0)) return TableCell("n/a");
    const std::string text = speedup_text(speedup, ratio);
    const bool has_range = ratio.slots > 0 && ratio.low > 0.0 && std::isfinite(ratio.high);
    const RatioSide side = side_of_one(ratio.low, ratio.high);
    if (!has_range || side == RatioSide::above) return {speedup_cell(speedup, ratio), speedup};
    if (!has_interval(ratio)) return {"not decided, too few rounds: " + text, speedup};
    const bool within_noise = ratio.low >= 1.0 - kNoiseShare && ratio.high <= 1.0 + kNoiseShare;
    const bool decided = within_noise || side == RatioSide::below;
    return {(decided ? "" : "not decided, too noisy: ") + text, speedup};
}

std::string gains_text(const TuneResult& r) {
    const std::string naive = naive_phrase(r.family, r.backend);
    const bool is_default = !r.best.empty() && r.best == r.fallback;
    if (r.best == r.naive) {
        const bool is_both = is_default && !has_one_reference(r.family);
        const std::string winner = naive + (is_both ? ", which is the default variant, too" : " itself");
        const CertificateReport& c = r.certificate;
        const std::uint64_t others = std::max<std::uint64_t>(1, c.measured + c.raced_out) - 1;
        if (c.space <= 1) return "none, since the winner is the only variant";
        if (others == 0 && c.unmeasured + c.set_aside > 0)
            return fmt::format("none yet: of {} variants only one was measured, {}", format_count(c.space),
                               winner);
        // What an audit found to be faster is told elsewhere.
        if (others == 0 || c.audit.regrets + c.sampled.regrets > 0)
            return fmt::format("none, since the winner is {}", winner);
        return fmt::format("none, since the winner is {}: of {} measured none is known to be faster", winner,
                           others == 1 ? "1 other" : format_count(others) + " others");
    }
    std::string gains;
    const bool same = r.naive == r.fallback, is_both = same && !has_one_reference(r.family);
    if (r.speedup_over_naive > 0.0)
        gains = gain_phrase(naive + (is_both ? " (the default variant, too)" : ""), r.speedup_over_naive,
                            r.naive_ratio);
    if (is_default) {
        return gains + (gains.empty() ? "" : "; ") + "none over the default variant, which is the winner";
    }
    if (r.speedup_over_default <= 0.0) return gains;
    if (same && !gains.empty()) return gains;
    const std::string over = gain_phrase("the default variant", r.speedup_over_default, r.default_ratio);
    return gains.empty() ? over : gains + " (" + over + ")";
}

bool is_more_than_the_roof(const TuneResult& r) {
    return r.fraction_of_roof_now > 1.0 + std::max(kNoiseShare, r.certificate.margin);
}

std::string fractions_text(const TuneResult& r) {
    std::vector<std::string> fractions;
    if (r.fraction_of_problem_roof > 0.0) {
        fractions.push_back(
            fmt::format("{} of the problem's roof", format_percent(r.fraction_of_problem_roof)));
    }
    if (r.fraction_of_variant_bound > 0.0) {
        const TermReport* binding = binding_term(r.bound);
        fractions.push_back(fmt::format("{} of its own bound{}", format_percent(r.fraction_of_variant_bound),
                                        binding ? fmt::format(" ({})", term_phrase(*binding)) : ""));
    }
    if (is_more_than_the_roof(r)) {
        fractions.emplace_back("more than the roof as probed just now, which something disturbed");
    } else if (r.fraction_of_roof_now > 0.0) {
        fractions.push_back(
            fmt::format("{} of the roof as probed just now", format_percent(r.fraction_of_roof_now)));
    }
    return fractions.empty() ? "no ceiling bounds it" : joined(fractions);
}

std::string winner_sentence(const TuneResult& r) {
    const std::string gains = gains_text(r);
    return variant_phrase(r.family, r.best) + ": " + rate_text(r) +
           (gains.empty() ? "" : (gains.starts_with("none") ? "; gain: " : ", ") + gains) + "; " +
           fractions_text(r) + ".";
}

}  // namespace rooftune
