#include "tuner/tune/gap_sentence.h"

#include <fmt/format.h>

#include <cmath>

#include "tuner/base/si.h"
#include "tuner/chart/phrases.h"

namespace rooftune {
namespace {

// Whether the interval of a gap is worth reading: wider than two points of a hundred.
bool tells_interval(double low, double high) {
    constexpr double kNarrow = 0.02;
    return std::isfinite(low) && std::isfinite(high) && high - low > kNarrow;
}

// Whether times were so noisy that a gap has no upper end: then it is no limit.
bool is_open_above(double gap, double low, double high) {
    if (!std::isfinite(gap)) return false;
    const bool is_endless = std::isinf(high) && high > 0.0;
    return is_endless || (tells_interval(low, high) && high > gap && !says_something(1.0 + gap, 1.0 + high));
}

// What stands for a gap without a value that would be a limit; empty where it has one.
std::string instead_of(const Gap& gap) {
    if (!std::isfinite(gap.value)) return "no limit known";
    return is_open_above(gap.value, gap.low, gap.high) ? "not known, too noisy" : "";
}

// "12 %", "2.50×". Limits are never rounded down.
std::string written_gap(double gap, double end) {
    return gap < 1.0 ? format_percent_up(end) : format_ratio_up(1.0 + end);
}

const char* faster_words(double gap) {
    return gap < 1.0 ? " faster" : " as fast";
}

// "12 % faster", "12 % [10 %, 15 %] faster", "2.50× [2.31×, 2.72×] as fast".
std::string faster(double gap, double low, double high) {
    std::string text = written_gap(gap, gap);
    if (tells_interval(low, high) && !is_open_above(gap, low, high))
        text += fmt::format(" [{}, {}]", written_gap(gap, low), written_gap(gap, high));
    return text + faster_words(gap);
}

// Of a gap without an upper end: what it is by the winner's median, and by the lower end of its interval.
std::string not_known(const std::string& nothing, double gap, double low) {
    return fmt::format(
        "Not known, the winner's times are too noisy: by their median n{} can be more than {}{}, by the "
        "lower end of "
        "their interval no more than {}.",
        nothing, written_gap(gap, gap), faster_words(gap), written_gap(gap, low));
}

}  // namespace

Gap proven_gap(const CertificateReport& c) {
    return {c.gap, c.gap_low, c.gap_high};
}

Gap usable_gap(const CertificateReport& c) {
    const ReplacementReport& r = c.replacement;
    return leads_with_replacement(c) ? Gap{r.gap, r.gap_low, r.gap_high} : proven_gap(c);
}

std::string gap_cell(const Gap& gap) {
    if (const std::string words = instead_of(gap); !words.empty()) return words;
    return gap.value > 0.0 ? faster(gap.value, 0.0, 0.0) : format_percent_up(gap.value);
}

std::string gap_share(const Gap& gap) {
    const std::string words = instead_of(gap);
    return words.empty() ? written_gap(gap.value, gap.value) : words;
}

std::map<std::string, double> gap_values(const Gap& gap) {
    return {{"gap", gap.value}, {"gap_low", gap.low}, {"gap_high", gap.high}};
}

std::string limit_words(const Gap& gap) {
    if (!instead_of(gap).empty()) return "no proven limit";
    return gap.value > 0.0 ? "a proven limit of " + gap_cell(gap) : "nothing left that could be faster";
}

bool leads_with_replacement(const CertificateReport& c) {
    const ReplacementReport& r = c.replacement;
    const bool says_more = std::isfinite(r.gap) && r.gap < 0.98 * c.gap;
    // Where whatever was timed beat the rates, or the winner's times have no upper end, they say nothing of
    // what is left.
    return says_more && r.timed > 0 && (r.beaten == 0 || (r.meanwhile && r.beaten < r.timed)) &&
           !is_open_above(r.gap, r.gap_low, r.gap_high);
}

std::string gap_sentence(const CertificateReport& c) {
    const std::uint64_t left = c.unmeasured + c.set_aside + c.failed_environment;
    if (left + c.raced_out == 0) {
        // Without a proof there is nothing to say of what was not tried, only that all were.
        if (c.excluded == 0 && c.space > 0)
            return fmt::format("Nothing is left: every variant was measured{}.",
                               c.failed > 0 ? " or failed" : "");
        return "Nothing is left that could be faster.";
    }
    const std::string nothing = c.raced_out == 0 ? "othing left unmeasured"
                                : left == 0      ? "othing that was raced out"
                                                 : "othing left unmeasured or raced out";
    if (!std::isfinite(c.gap))
        return fmt::format("No ceiling bounds what {}: it could be faster by any factor.",
                           c.raced_out == 0 ? "is left unmeasured"
                           : left == 0      ? "was raced out"
                                            : "is left unmeasured or was raced out");
    if (!tells_interval(c.gap_low, c.gap_high) && c.gap <= 0.0 &&
        !is_open_above(c.gap, c.gap_low, c.gap_high))
        return "N" + nothing + " can be faster.";
    const ReplacementReport& r = c.replacement;
    const std::string proven = is_open_above(c.gap, c.gap_low, c.gap_high)
                                   ? "not known, the times are too noisy"
                                   : faster(c.gap, c.gap_low, c.gap_high);
    const std::string replaced = faster(r.gap, r.gap_low, r.gap_high);
    if (!leads_with_replacement(c) && is_open_above(c.gap, c.gap_low, c.gap_high))
        return not_known(nothing, c.gap, c.gap_low);
    if (!leads_with_replacement(c)) return fmt::format("N{} can be more than {}.", nothing, proven);
    std::string all = r.timed == 1 ? "the one variant timed kept to that"
                                   : fmt::format("all {} timed kept to that", format_count(r.timed));
    if (r.beaten > 0) {
        all = fmt::format("{} of {} timed were faster than those rates allow, by up to {}",
                          format_count(r.beaten), format_count(r.timed), format_percent_up(r.largest - 1.0));
        all += ": the limit allows for as much; tune again on a quieter machine for a closer one";
    }
    const std::string how =
        r.meanwhile ? "At the rates that this machine held meanwhile" : "As caches here replace data";
    const std::string beyond = r.meanwhile ? "for its best minutes and any cache" : "for any cache";
    if (!tells_interval(r.gap_low, r.gap_high) && r.gap <= 0.0) {
        return fmt::format("{}, n{} can be faster ({}); proven {}: {}{}.", how, nothing, all, beyond,
                           is_open_above(c.gap, c.gap_low, c.gap_high) ? "" : "not more than ", proven);
    }
    return fmt::format("{}, n{} can be more than {} ({}); proven {}: {}.", how, nothing, replaced, all,
                       beyond, proven);
}

}  // namespace rooftune
