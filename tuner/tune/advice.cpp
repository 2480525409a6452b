// What to do next, derived from the certificate: each rule names the flag or command that helps.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tuner/base/command_words.h"
#include "tuner/base/joined.h"
#include "tuner/base/si.h"
#include "tuner/base/suggested.h"
#include "tuner/base/text_width.h"
#include "tuner/chart/phrases.h"
#include "tuner/formats/reference_time.h"
#include "tuner/tune/short_call.h"
#include "tuner/tune/summary.h"

namespace rooftune {
namespace {

/// A warm problem whose least traffic is only what a small cache cannot hold: a larger cache of the
/// machine may hold more of it, so that a perfect kernel can stay well below this bound.
bool loose_warm_bound(const TuneResult& r) {
    constexpr double kFarFromBound = 0.6;
    const TermReport* binding = binding_term(r.bound);
    // Whether caches are cold when its timed part begins is up to a program.
    const bool is_program = !r.verified_by.empty() && r.verified_by != kVerifiedByItself;
    return binding != nullptr && !is_program && r.state == "warm" && term_unit(binding->kind) == "B" &&
           binding->beyond > 0.0 && r.fraction_of_variant_bound > 0.0 &&
           r.fraction_of_variant_bound < kFarFromBound;
}

/// A winner whose own bound is so far below its time that no time for the search brings the two together:
/// latency, imbalance or overhead takes it, of which a bound knows nothing.
bool is_far_from_its_bound(const TuneResult& r) {
    constexpr double kFar = 0.2;
    return binding_term(r.bound) != nullptr && r.fraction_of_variant_bound > 0.0 &&
           r.fraction_of_variant_bound < kFar;
}

// Of a quiet machine intervals reach a few percent to either side.
constexpr double kFarSpread = 1.25;

/// Whether the winner's own interval reaches so far up or down that little is known of its time, and little
/// could be excluded by it.
bool has_wide_time(const TuneResult& r) {
    const TimeInterval& t = r.seconds;
    return t.median > 0.0 && std::isfinite(t.median) && std::isfinite(t.high) &&
           (t.high > kFarSpread * t.median || (t.low > 0.0 && t.median > kFarSpread * t.low));
}

/// Whether the rounds cannot say which of the two is faster, and noise is why.
bool is_lost_in_noise(const TimeInterval& ratio) {
    return has_interval(ratio) && ratio.low > 0.0 && std::isfinite(ratio.high) && ratio.low <= 1.0 &&
           ratio.high >= 1.0 && ratio.high > kFarSpread * ratio.low;
}

/// What noise left of a result; empty where it left enough.
std::string disturbance(const TuneResult& r) {
    std::string what;
    if (has_wide_time(r)) {
        what = fmt::format("the winner's time is only known as {}, and little is excluded by that",
                           format_seconds_interval(r.seconds.median, r.seconds.low, r.seconds.high));
    } else if (r.best != r.naive && r.speedup_over_naive > 0.0 && is_lost_in_noise(r.naive_ratio)) {
        what = fmt::format("its rounds do not tell the winner from {}", naive_phrase(r.family, r.backend));
    } else if (r.best != r.fallback && r.speedup_over_default > 0.0 && is_lost_in_noise(r.default_ratio)) {
        what = "its rounds do not tell the winner from the default variant";
    }
    if (what.empty()) return "";
    return fmt::format("Something disturbed this machine: {}. See {}, and run the {} again when it is quiet.",
                       what, suggested("doctor"), is_of_functions(r) ? "program" : "same command");
}

/// About four times what this run took, in whole minutes.
std::string longer_budget(const TuneResult& r) {
    const double all = r.setup_seconds + r.elapsed_seconds;  // the budget has both in it
    const double spent = std::isfinite(all) ? std::clamp(all, 0.0, 86400.0) : 0.0;
    const double longer = std::max(120.0, 60.0 * std::ceil(4.0 * spent / 60.0));
    return is_of_functions(r) ? fmt::format(".budget = std::chrono::seconds({:.0f})", longer)
                              : fmt::format("--budget {:.0f}s", longer);
}

std::uint64_t tried(const CertificateReport& c) {
    return c.measured + c.raced_out + c.failed - std::min(c.failed, c.failed_environment);
}

/// Whether so little of a space was tried that what the rest of the summary says rests on nothing.
bool has_hardly_begun(const TuneResult& r) {
    constexpr std::uint64_t kHardly = 8;
    const CertificateReport& c = r.certificate;
    return c.stopped_by == "budget" && tried(c) < std::min(kHardly, c.space / 2) &&
           c.unmeasured + c.set_aside > c.space / 2;
}

/// What a search that its budget ended needs more of: time, or evaluations where it had no budget of time.
std::string more_budget(const TuneResult& r) {
    if (r.budget_seconds > 0.0 || r.convergence.empty())
        return fmt::format("give it more time: `{}`", longer_budget(r));
    const int spent = std::clamp(r.convergence.back().evaluations, 0, 100'000'000);
    if (is_of_functions(r))
        return fmt::format("give it more evaluations: `.evaluations = {}`", std::max(100, 4 * spent));
    return fmt::format("give it more evaluations: `--budget {}`", std::max(100, 4 * spent));
}

std::string what_disturbs() {
    return "See what disturbs this machine: " + suggested("doctor") + ".";
}

/// How whoever reads this starts it once more.
std::string again(const TuneResult& r) {
    return is_of_functions(r) ? "Run the program again" : "Run the same command again";
}

/// What to do about a bound that explains little of the winner's time.
std::string loose_bound_advice(const TuneResult& r) {
    if (loose_warm_bound(r))
        return "The caches start warm and may hold more of this problem than is provable, so the bound "
               "may be loose: `--state cold` or a larger problem tightens it.";
    const std::string where =
        r.config_file.empty()
            ? std::string("`rooftune explain` tells what is known of it")
            : fmt::format("see `rooftune explain {}`", printable(shell_word(r.config_file)));
    return fmt::format(
        "The winner reaches only {} of its own bound: most of its time goes where no bound looks (latency, "
        "imbalance, overhead), and more time for the search changes nothing of that; {}.",
        format_percent(r.fraction_of_variant_bound), where);
}

}  // namespace

bool declares_no_work(const TuneResult& r) {
    return r.family == "external" && r.problem_roof_seconds <= 0.0 && r.flops_nominal <= 0.0 &&
           r.certificate.violations == 0;
}

bool is_of_functions(const TuneResult& r) {
    return r.family == "external" && r.problem.contains("function") && !r.problem.contains("source") &&
           !r.problem.contains("description");
}

std::vector<std::string> advice(const TuneResult& r) {
    const CertificateReport& c = r.certificate;
    std::vector<std::string> list;
    if (c.space == 0) {
        list.emplace_back(
            "Loosen the constraints of the job, or see `rooftune list parameters` for what can be set.");
        return list;
    }
    if (r.best.empty()) {
        if (c.stopped_by == "interrupted") {
            list.push_back(again(r) + ": it goes on where this run ended.");
        } else if (c.failed > 0) {
            list.push_back("See each failure: " + suggested("results show --records") + ".");
        } else {
            list.push_back(sentence(more_budget(r)));
        }
        if (c.failed_environment > 0) list.push_back(what_disturbs());
        return list;
    }
    if (c.stopped_by == "interrupted") {
        list.push_back(again(r) + ": it goes on where this run ended.");
    }
    // More of a search that noise decides gives more noise.
    if (const std::string noise = disturbance(r); !noise.empty()) list.push_back(noise);
    const bool hardly = has_hardly_begun(r);
    if (hardly) {
        list.push_back(fmt::format("Only {} of {} variants were tried: {}.", format_count(tried(c)),
                                   format_count(c.space), more_budget(r)));
    }
    if (!r.accused.empty()) {
        list.push_back("Mend what the source declares: " + printable(r.accused.front()) + ".");
    } else if (declares_no_work(r)) {
        list.emplace_back(
            "Declare its work (`flops`, `reads`, `writes`): only then do bounds say how much is left, and "
            "rule "
            "variants out.");
    } else if (c.violations > 0 || c.audit.violations > 0 || !std::isfinite(c.gap)) {
        list.push_back("Measure the machine in full, so that its ceilings are what the kernels can reach: " +
                       suggested("machine") + ".");
    }
    if (c.audit.regrets + c.sampled.regrets > 0 && c.stopped_by != "interrupted") {
        list.push_back(again(r) +
                       ": the audit found a faster variant, and others like it deserve more time.");
    }
    // By the end that the search stops by.
    const bool open = std::isfinite(c.gap_high) && c.gap_high > c.epsilon;
    const bool call = is_mostly_call(r);
    if (call) list.push_back(short_call_advice());
    const bool far = !call && !hardly && is_far_from_its_bound(r);
    if (far) list.push_back(loose_bound_advice(r));
    const char* const to_what = far ? "To try more variants" : "To close the gap";
    if (open && !call && !hardly && c.stopped_by == "budget") {
        list.push_back(fmt::format("{}, {}.", to_what, more_budget(r)));
    }
    if (open && !call && c.stopped_by == "patience")
        list.push_back(fmt::format("{}, be more patient: `{}`.", to_what,
                                   is_of_functions(r) ? ".patience = 200" : "--patience 200"));
    if (!far && loose_warm_bound(r)) list.push_back(loose_bound_advice(r));
    if (c.failed_environment > 0) list.push_back(what_disturbs());
    if (list.empty()) {
        if (!r.config_file.empty() && !is_of_functions(r)) {
            list.push_back(fmt::format("Measure it again at any time: `rooftune run {}`.",
                                       printable(shell_word(r.config_file))));
        }
        if (!r.config_file.empty()) {
            list.push_back(
                fmt::format("See what would make it faster, and by how much at most: `rooftune explain {}`.",
                            printable(shell_word(r.config_file))));
        }
    }
    constexpr std::size_t kMost = 3;
    if (list.size() > kMost) list.resize(kMost);
    return list;
}

}  // namespace rooftune
