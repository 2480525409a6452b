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

/// A kernel or program of the user's that nothing bounds, because it says nothing of its work.
bool is_undeclared(const TuneResult& r) {
    return r.family == "external" && r.problem_roof_seconds <= 0.0 && r.flops_nominal <= 0.0 &&
           r.certificate.violations == 0;
}

/// Whether the winner's own interval reaches so far up that nothing could be excluded by it.
bool was_disturbed(const TuneResult& r) {
    constexpr double kFar = 1.5;
    return r.seconds.median > 0.0 && std::isfinite(r.seconds.high) &&
           r.seconds.high > kFar * r.seconds.median;
}

/// About four times what this run took, in whole minutes.
std::string longer_budget(const TuneResult& r) {
    const double spent = std::isfinite(r.elapsed_seconds) ? std::clamp(r.elapsed_seconds, 0.0, 86400.0) : 0.0;
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

}  // namespace

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
    const bool hardly = has_hardly_begun(r);
    if (hardly) {
        list.push_back(fmt::format("Only {} of {} variants were tried: {}.", format_count(tried(c)),
                                   format_count(c.space), more_budget(r)));
    }
    if (!r.accused.empty()) {
        list.push_back("Mend what the source declares: " + printable(r.accused.front()) + ".");
    } else if (is_undeclared(r)) {
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
    if (was_disturbed(r)) {
        list.push_back(
            fmt::format("Something disturbed this machine: the winner's time reaches up to {}, and little is "
                        "excluded by that. See {}, and run the {} again when it is quiet.",
                        format_seconds(r.seconds.high), suggested("doctor"),
                        is_of_functions(r) ? "program" : "same command"));
    }
    // By the end that the search stops by.
    const bool open = std::isfinite(c.gap_high) && c.gap_high > c.epsilon;
    const bool call = is_mostly_call(r);
    if (call) list.push_back(short_call_advice());
    if (open && !call && !hardly && c.stopped_by == "budget") {
        list.push_back(fmt::format("To close the gap, {}.", more_budget(r)));
    }
    if (open && !call && c.stopped_by == "patience")
        list.push_back(fmt::format("To close the gap, be more patient: `{}`.",
                                   is_of_functions(r) ? ".patience = 200" : "--patience 200"));
    if (loose_warm_bound(r)) {
        list.emplace_back(
            "The caches start warm and may hold more of this problem than is provable, so the bound may be "
            "loose: "
            "`--state cold` or a larger problem tightens it.");
    }
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
