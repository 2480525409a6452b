#include "tuner/track/track_bisect_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tuner/base/percent.h"
#include "tuner/base/si.h"
#include "tuner/base/suggested.h"
#include "tuner/base/text_width.h"

namespace rooftune {
namespace {

using namespace track;

constexpr std::size_t kHashDigits = 12;

std::string short_name(const Commit& c) {
    return c.hash.substr(0, kHashDigits) + " \"" + printable(c.title) + "\"";
}

std::string change_text(const Judgement& j) {
    if (!std::isfinite(j.ratio)) return "no time";
    return fmt::format("{} [{}, {}]", percent_change(j.ratio - 1.0), percent_change(j.low - 1.0),
                       percent_change(j.high - 1.0));
}

std::string commit_lines(const Commit& c) {
    return fmt::format("  commit {}\n  {}, {}\n  {}\n", c.hash, printable(c.author), c.date,
                       printable(c.title));
}

std::string skipped_lines(const BisectReport& r) {
    std::string text;
    for (const BisectStep& s : r.steps) {
        if (s.answer == Answer::skip)
            text += fmt::format("Skipped: {}: {}.\n", short_name(s.commit), printable(s.why));
    }
    return text;
}

std::string whole(const BisectReport& r) {
    return fmt::format("BAD ({}) against GOOD ({}): {}, {}; threshold {}.\n", short_name(r.bad),
                       short_name(r.good), to_text(r.whole.verdict), change_text(r.whole),
                       percent(r.whole.delta));
}

// How much of all that was lost is this commit's, and how to find the rest.
std::string share_of_all(const BisectReport& r) {
    const double all = std::log(r.whole.ratio);
    const double own = std::log(r.own->ratio);
    constexpr double kMost = 0.8;
    if (!(all > 0.0) || !(own > 0.0) || own > kMost * all) return "";
    return fmt::format("That is a part of {}; `rooftune track bisect {} {} …` looks for the rest.\n",
                       change_text(r.whole), r.candidates.front().hash, r.bad.hash);
}

std::string found(const BisectReport& r) {
    std::string text = "The first slower commit:\n" + commit_lines(r.candidates.front());
    text += fmt::format("  against its parent: REGRESSED, {}\n", change_text(*r.own));
    return text + share_of_all(r);
}

std::string unconfirmed(const BisectReport& r) {
    std::string text = "The first commit that is slower than GOOD by more than the threshold:\n" +
                       commit_lines(r.candidates.front());
    text += r.own
                ? fmt::format("  against its parent: {}, {}\n", to_text(r.own->verdict), change_text(*r.own))
                : "  It could not be compared with its parent.\n";
    return text +
           "Not confirmed: the time may have risen in several small steps, or a comparison was wrong. Try "
           "again with "
           "a smaller --delta, or on a quieter machine.\n";
}

std::string range(const BisectReport& r) {
    std::string text = fmt::format(
        "The first slower commit is one of these {}; all but the last were skipped:\n", r.candidates.size());
    for (const Commit& c : r.candidates)
        text += fmt::format("  {} {} {}, {}\n", c.hash.substr(0, kHashDigits), c.date, printable(c.author),
                            printable(c.title));
    return text;
}

}  // namespace

std::string bisect_text(const BisectReport& r) {
    switch (r.end) {
        case BisectEnd::found:
            return found(r) + whole(r) + skipped_lines(r);
        case BisectEnd::unconfirmed:
            return unconfirmed(r) + whole(r) + skipped_lines(r);
        case BisectEnd::range:
            return range(r) + whole(r) + skipped_lines(r);
        case BisectEnd::not_regressed:
            return "BAD is not slower than GOOD on this machine, so there is nothing to find.\n" + whole(r);
        case BisectEnd::not_measured:
            return (r.whole.verdict == Verdict::inconclusive
                        ? "Whether BAD is slower than GOOD cannot be told on this machine now: "
                        : "GOOD and BAD cannot be compared on this machine now: ") +
                   printable(r.whole.reason) + ".\n" + whole(r) + suggested("track selftest") +
                   " says what can be detected here; a larger --delta may do.\n";
        case BisectEnd::interrupted:
            return r.candidates.empty()
                       ? "Interrupted before anything was found.\n"
                       : fmt::format("Interrupted. The first slower commit is one of {}, from {} to {}.\n",
                                     r.candidates.size(), r.candidates.front().hash,
                                     r.candidates.back().hash);
    }
    return "";
}

std::string bisect_plan(const BisectReport& r) {
    return fmt::format("{} between {} and {}: about {} to build and compare",
                       format_plural(r.commits, "commit"), short_name(r.good), short_name(r.bad),
                       Bisection(std::max(1, r.commits)).steps_left() + 2);
}

std::string bisect_progress(int commits_left, int steps_left) {
    return fmt::format("{} left, about {}", format_plural(commits_left, "commit"),
                       format_plural(steps_left, "step"));
}

std::string bisect_step_text(const BisectStep& s) {
    if (!s.judgement) return short_name(s.commit) + ": skipped: " + printable(s.why);
    return fmt::format("{}: {}, {}{}", short_name(s.commit), to_text(s.judgement->verdict),
                       change_text(*s.judgement), s.answer == Answer::skip ? "; skipped" : "");
}

}  // namespace rooftune
