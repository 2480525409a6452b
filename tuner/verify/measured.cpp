#include "tuner/verify/measured.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "tuner/base/percent.h"
#include "tuner/base/si.h"
#include "tuner/base/suggested.h"
#include "tuner/measure/statistics.h"

namespace rooftune::verify {
namespace {

// Rates as probed on two days differ by so much on a machine that did not change: from here on the roof
// counts as moved (tuner/measure/head_room), and so much of a fraction may be the probes'.
constexpr double kRoofNoise = 0.05;
// Faster than the roof allows by more, and not the kernel is suspect but the roof (tuner/measure/head_room).
constexpr double kMostOfAttainable = 1.03;

// What the machine, not the kernel, kept from being known.
std::string again() {
    return "; verify again on a quieter machine (" + suggested("doctor") + " may say what disturbs)";
}

// "but other processes ran beside 38 of the winner's 40 turns, …; verify again on a quieter machine …"
std::string crowded(const Measured& m, const char* so) {
    return fmt::format("but other processes ran beside {} of the winner's {}, {}{}", m.turns.crowded,
                       format_plural(m.turns.count, "turn"), so, again());
}

// A verdict calls the arms by their letters: here they are the winner and whom it meets.
std::string with_names(std::string reason) {
    constexpr std::pair<std::string_view, std::string_view> kNames[] = {
        {"the second A ", "the winner's second turn "}, {"A ", "the winner "}, {"B ", "its rival "}};
    for (const auto& [letter, name] : kNames) {
        if (reason.starts_with(letter)) return reason.replace(0, letter.size(), name);
    }
    return reason;
}

std::string invalid(const Measured& m) {
    const track::Judgement& j = m.duel;
    if (j.again > j.delta)
        return fmt::format(
                   "the machine was too unsteady to judge: the same variant differed from itself by {}, and "
                   "more than {} is too much",
                   percent(j.again), percent(j.delta)) +
               again();
    return "the rounds cannot be judged: " + with_names(j.reason) + again();
}

Check answer(const Answer& a) {
    Check check{Question::answer, Status::undecided, "", "", "", false};
    if (a.found == Answer::Found::wrong) {
        check.status = Status::failed;
        check.meaning = "its winner gives no right answer (" + a.detail +
                        "); do not use it: tune the problem again, and report what you see if it stays";
    } else if (a.found == Answer::Found::unknown) {
        check.meaning = "the answer could not be compared (" + a.detail + ")";
    } else {
        check.status = Status::ok;
        check.now = fmt::format("right on {} new inputs, its largest error {} of what rounding explains",
                                a.seeds, format_percent_up(a.error));
    }
    return check;
}

// "36.1 % faster than", "62.9× as fast as"
std::string faster_than(double ratio) {
    return ratio < 2.0 ? percent(ratio - 1.0) + " faster than" : format_ratio(ratio) + " as fast as";
}

std::string reached(double seconds) {
    return format_seconds(seconds) + " at least";
}

Check roof(const Claim& claim, const Measured& m) {
    Check check{Question::roof, Status::not_checked, "", "", "", false};
    const double most = claim.tuned.problem_roof_seconds;
    if (!is_time(m.roof.now)) return check;
    if (is_time(m.roof.then)) check.then = reached(m.roof.then);
    check.now = reached(m.roof.now);
    check.status = Status::ok;
    const double margin = std::max(kRoofNoise, claim.tuned.certificate.margin);
    if (is_time(m.turns.seconds.median) && is_time(m.roof.seconds) &&
        m.roof.seconds > kMostOfAttainable * m.turns.seconds.median) {
        check.status = Status::changed;
        check.tune_again = true;
        check.meaning = fmt::format(
            "its winner reaches {:.0f} % of what the ceilings allow, so they are too low for the machine as "
            "it is "
            "now: nothing that they proved holds, tune the problem again",
            100.0 * m.roof.seconds / m.turns.seconds.median);
    } else if (is_time(most) && m.roof.now * (1.0 + margin) < most) {
        check.status = Status::changed;
        check.tune_again = true;
        check.meaning = fmt::format(
            "the machine is {} anything seen when it was tuned{}: what was excluded then may win "
            "now, "
            "tune the problem again",
            faster_than(most / m.roof.now), m.ceiling.empty() ? "" : " (" + m.ceiling + ")");
    } else if (is_time(m.roof.then) && m.roof.now > m.roof.then * (1.0 + kRoofNoise)) {
        check.status = Status::changed;
        check.meaning = fmt::format(
            "the machine is {} slower now than when it was tuned{}, whatever the kernel does; {} may "
            "say what disturbs",
            percent(1.0 - m.roof.then / m.roof.now), m.ceiling.empty() ? "" : " (" + m.ceiling + ")",
            suggested("doctor"));
    }
    return check;
}

// "81 % of the roof"
std::string of_roof(double fraction) {
    return fmt::format("{:.3g} % of the roof", 100.0 * fraction);
}

Check speed(const Claim& claim, const Measured& m) {
    Check check{Question::speed, Status::not_checked, "", "", "", false};
    if (!m.no_rounds.empty()) {
        check.status = Status::undecided;
        check.meaning = m.no_rounds;
        return check;
    }
    const TuneResult& tuned = claim.tuned;
    const double then = tuned.fraction_of_roof_now, now = fraction_now(m);
    if (std::isfinite(then) && then > 0.0) check.then = of_roof(then);
    if (now > 0.0) check.now = of_roof(now);
    if (m.duel.verdict == track::Verdict::invalid) {
        check.status = Status::undecided;
        check.meaning = invalid(m);
        return check;
    }
    if (check.then.empty() || now <= 0.0) {
        if (is_time(m.turns.seconds.median) && is_time(tuned.seconds.median))
            check.meaning = fmt::format(
                "not judged, since how much of the roof it {} is not known; it takes {} now and took {} "
                "when it was tuned",
                check.then.empty() ? "reached when it was tuned" : "reaches now",
                format_seconds(m.turns.seconds.median), format_seconds(tuned.seconds.median));
        return check;
    }
    check.status = Status::ok;
    // Against the kernel only what neither interval, nor the probes of two days, explain.
    const double then_least =
        is_time(tuned.seconds.high) ? then * tuned.seconds.median / tuned.seconds.high : then;
    const double now_most =
        is_time(m.turns.seconds.low) ? now * m.turns.seconds.median / m.turns.seconds.low : now;
    const double allowance = (1.0 + m.duel.delta) * (1.0 + kRoofNoise);
    if (now_most * allowance >= then_least) return check;
    const std::string both = fmt::format("it reaches {} as probed just now and reached {} when it was tuned",
                                         of_roof(now), of_roof(then));
    // In no more time than then it is the roof that moved: it was probed in a slow moment, or the machine has
    // become faster and the kernel has not.
    if (is_time(tuned.seconds.high) && m.turns.seconds.low <= tuned.seconds.high * (1.0 + m.duel.delta)) {
        check.status = Status::changed;
        check.meaning = both + ", in no more time: the roof is higher than what was probed beside its tune";
        return check;
    }
    if (!m.turns.enough) {
        check.status = Status::undecided;
        check.meaning = both + ", " + crowded(m, "too many to tell a slower kernel from a busy machine");
        return check;
    }
    check.status = Status::failed;
    check.meaning =
        fmt::format("the kernel itself is slower: {}, more than noise explains ({}); tune the problem again",
                    both, percent(allowance - 1.0));
    return check;
}

std::string name_of(const Measured& m) {
    const std::string who = m.rival == Rival::runner_up ? "the runner-up" : "the default variant";
    return m.rival_phrase.empty() ? who : who + ", " + m.rival_phrase + ",";
}

std::string ratio_text(double ratio, double low, double high) {
    return fmt::format("{:.3f}× [{:.3f}, {:.3f}] of its time", ratio, low, high);
}

// One side alone is asked for. That the interval reaches beyond the threshold where the rival is slower
// leaves nothing open; `compare`, which asks for both, calls that inconclusive.
bool not_faster(const track::Judgement& duel) {
    return std::isfinite(duel.low) && duel.low * (1.0 + duel.delta) > 1.0;
}

Check winner(const Claim& claim, const Measured& m) {
    Check check{Question::winner, Status::not_checked, "", "", "", false};
    if (!m.no_rounds.empty()) {
        check.status = Status::undecided;
        check.meaning = m.no_rounds;
        return check;
    }
    if (m.rival == Rival::nobody) {
        check.meaning = m.rival_gone.empty() ? "nobody is known to compare the winner with"
                                             : "the runner-up could not be met (" + m.rival_gone + ")";
        return check;
    }
    if (!m.rival_slow.empty()) {
        check.status = Status::ok;
        check.now = m.rival_slow;
        return check;
    }
    const TimeInterval& then =
        m.rival == Rival::runner_up ? claim.tuned.runner_up_ratio : claim.tuned.default_ratio;
    if (is_time(then.median)) check.then = ratio_text(then.median, then.low, then.high);
    if (std::isfinite(m.duel.ratio)) check.now = ratio_text(m.duel.ratio, m.duel.low, m.duel.high);
    switch (m.duel.verdict) {
        case track::Verdict::improved:
            // Who takes one of two processors away slows a winner on both, and not its rival on the other.
            if (m.turns.crowded > 0 && m.turns.rival_ratio >= 1.0) {
                check.status = Status::undecided;
                check.meaning = fmt::format("INCONCLUSIVE: {} takes {} now, {}", name_of(m), check.now,
                                            crowded(m, "and those apart it is not shown to be faster"));
                break;
            }
            check.status = Status::failed;
            check.meaning =
                fmt::format("it is beaten: {} takes {} now; tune the problem again", name_of(m), check.now);
            break;
        case track::Verdict::invalid:
            check.status = Status::undecided;
            check.meaning = invalid(m);
            break;
        case track::Verdict::inconclusive:
            check.status = not_faster(m.duel) ? Status::ok : Status::undecided;
            if (check.status == Status::undecided)
                check.meaning = fmt::format(
                    "INCONCLUSIVE: {} takes {}, and whether that is less by more than the threshold of {} is "
                    "open{}",
                    name_of(m), check.now.empty() ? "an unknown share of its time" : check.now,
                    percent(m.duel.delta), again());
            break;
        case track::Verdict::regressed:
        case track::Verdict::unchanged:
            check.status = Status::ok;
            break;
    }
    return check;
}

}  // namespace

double fraction_now(const Measured& m) {
    return is_time(m.roof.now) && is_time(m.turns.seconds.median) ? m.roof.now / m.turns.seconds.median : 0.0;
}

std::vector<Check> measured_checks(const Claim& claim, const Measured& m) {
    if (m.answer.found != Answer::Found::right) {
        std::vector<Check> checks = unmeasured_checks();
        checks.front() = answer(m.answer);
        return checks;
    }
    return {answer(m.answer), roof(claim, m), speed(claim, m), winner(claim, m)};
}

std::vector<Check> unmeasured_checks() {
    std::vector<Check> checks;
    for (const Question q : {Question::answer, Question::roof, Question::speed, Question::winner})
        checks.push_back({q, Status::not_checked, "", "", "", false});
    return checks;
}

}  // namespace rooftune::verify
