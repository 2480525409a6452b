#include "tuner/tune/tuned_set_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tuner/base/command_words.h"
#include "tuner/base/si.h"
#include "tuner/base/text_width.h"
#include "tuner/engine/trial.h"

namespace rooftune {
namespace {

// What a regret is: "costs 14 %", "costs nothing", and "gains 2 %" where the rule found better than the
// search.
std::string cost(double regret) {
    constexpr double kNothing = 0.0005;
    if (std::fabs(regret) < kNothing) return "costs nothing";
    return (regret > 0.0 ? "costs " : "gains ") + format_percent(std::fabs(regret));
}

std::string rule_sentence(const TunedGroup& g) {
    const LeaveOneOut l = leave_one_out(g.problems);
    if (g.problems.size() == 1) return "Alone it proves no rule: any other problem gets its default variant.";
    if (l.problems == 0)
        return "No problem was left out to try the rule, so any other problem gets its default variant.";
    std::string text = fmt::format(
        "With each left out in turn ({} of {}), the variant of its nearest other problem {} in the "
        "median",
        l.problems, g.problems.size(), cost(l.median));
    if (l.worst_at) {
        const TunedProblem& worst = g.problems[*l.worst_at];
        text +=
            fmt::format(" and at worst {} ({} with the variant of {})", cost(l.worst), printable(worst.title),
                        printable(g.problems[static_cast<std::size_t>(worst.left_out->nearest)].title));
    }
    text += l.failed > 0 ? fmt::format("; {} got none that works.", format_plural(l.failed, "problem")) : ".";
    // Each has had its say in its neighbours' winners, as a start of their searches and in the exchange.
    text += " Neighbours have learnt from the one left out: a problem that the job never saw may lose more.";
    return text + (g.reach > 0.0
                       ? fmt::format(" The rule holds up to a distance of {:.3g}; beyond it, it says: "
                                     "the default variant.",
                                     g.reach)
                       : " That is no better than the default variant, which any other problem gets.");
}

std::string group_audit_sentence(const TunedGroup& g) {
    int audited = 0, regrets = 0;
    for (const TunedProblem& p : g.problems) {
        audited += p.audited;
        regrets += p.regrets;
    }
    if (audited == 0) return "Nothing that was ruled out was measured all the same.";
    // No limit: only some of them were drawn at random, and each problem has its own.
    return fmt::format("Audit over all of them: {} of {} variants that had been ruled out {} faster.",
                       regrets, audited, regrets == 1 ? "was" : "were");
}

}  // namespace

std::string tuned_set_text(const TunedSet& set, const std::string& file) {
    std::string text = "## All winners and the rule between them\n\n";
    for (const TunedGroup& g : set.groups) {
        text += wrap(fmt::format("{}, {}, {} caches{}: {}. {} {}", g.family, g.dtype, g.state,
                                 g.backend == "opencl" ? " on OpenCL" : "",
                                 format_plural(g.problems.size(), "problem"), rule_sentence(g),
                                 group_audit_sentence(g))) +
                "\n\n";
    }
    for (const UntunedProblem& u : set.untuned) {
        std::string problem;
        for (const auto& [key, value] : u.problem)
            problem += (problem.empty() ? "" : ",") + key + "=" + value;
        text +=
            list_item(fmt::format("{} {} has no winner: {}", u.family, printable(problem), printable(u.why)));
    }
    if (!set.untuned.empty()) text += "\n";
    if (!set.complete) text += "The job was ended before its last problem; the set holds those before.\n\n";
    text += fmt::format("Set: {} (a header beside it); `rooftune run {} PROBLEM` applies it.\n",
                        printable(file), printable(shell_word(file)));
    return text;
}

}  // namespace rooftune
