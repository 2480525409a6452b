#include "tuner/verify/verify_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tuner/base/joined.h"
#include "tuner/base/si.h"
#include "tuner/base/text_width.h"

namespace rooftune {
namespace {

using namespace verify;

constexpr std::array<Validity, 8> kVerdicts = {Validity::wrong,      Validity::beaten,   Validity::slower,
                                               Validity::stale,      Validity::not_here, Validity::undecided,
                                               Validity::unreadable, Validity::valid};

// What was measured of a config: "1.40 ms, 81 % of the roof as probed just now (1.38 ms, 82 % when tuned);
// the runner-up takes 1.04× [1.02, 1.06]".
std::string figures(const Verified& v) {
    if (!v.measured || !(v.measured->turns.seconds.median > 0.0)) return "";
    const Measured& m = *v.measured;
    const double now = fraction_now(m);
    std::string text = format_seconds(m.turns.seconds.median);
    if (now > 0.0) text += ", " + format_percent(now) + " of the roof as probed just now";
    if (v.seconds_then > 0.0) {
        text += " (" + format_seconds(v.seconds_then);
        if (now > 0.0 && v.fraction_then > 0.0) text += ", " + format_percent(v.fraction_then);
        text += " when tuned)";
    }
    const char* const rival = m.rival == Rival::runner_up ? "runner-up" : "default variant";
    if (!m.rival_slow.empty())
        text += fmt::format("; the {} {}", rival, m.rival_slow);
    else if (m.rival != Rival::nobody && std::isfinite(m.duel.ratio))
        text += fmt::format("; the {} takes {}", rival,
                            format_ratio_interval(m.duel.ratio, m.duel.low, m.duel.high));
    return text;
}

// Also what was not checked and has a reason for it: VALID says nothing about that.
bool worth_telling(const Check& c) {
    return !c.meaning.empty() && c.status != Status::ok;
}

std::string details(const Verified& v) {
    std::string text;
    // One reason for several questions is told once.
    std::vector<std::string> told;
    for (const Check& c : v.checks) {
        if (!worth_telling(c) || std::find(told.begin(), told.end(), c.meaning) != told.end()) continue;
        told.push_back(c.meaning);
        text += "    " + std::string(to_text(c.question)) + ": " + sentence(c.meaning) + "\n";
    }
    if (v.verdict == Validity::unreadable) text += "    " + v.reason + ".\n";
    if (asks_for_tuning(v.verdict) && !v.again.empty()) text += "    " + v.again + "\n";
    return text;
}

std::string counts(const VerifyReport& report) {
    std::string text;
    for (const Validity verdict : kVerdicts) {
        const auto n = std::count_if(report.configs.begin(), report.configs.end(),
                                     [&](const Verified& v) { return v.verdict == verdict; });
        if (n > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", n, to_text(verdict));
    }
    return text.empty() ? "Nothing was verified" : text;
}

}  // namespace

std::string verify_text(const VerifyReport& report) {
    std::size_t widest = 0;
    for (const Verified& v : report.configs) widest = std::max(widest, to_text(v.verdict).size());
    std::string text;
    for (const Verified& v : report.configs) {
        const std::string what = v.title.empty() ? v.file : printable(v.title) + v.how + " (" + v.file + ")";
        const std::string numbers = figures(v);
        text += fmt::format("{:{}}  {}{}", to_text(v.verdict), widest, what,
                            numbers.empty() ? "" : ": " + numbers);
        if (!v.same_as.empty()) {
            text += ": as " + v.same_as + " says\n";
            continue;
        }
        text += "\n" + details(v);
    }
    for (const std::string& file : report.passed_over) text += "Passed over: " + file + ".\n";
    for (const std::string& file : report.not_verified) text += "Not verified, interrupted: " + file + ".\n";
    return text + counts(report) +
           (report.quick && !report.configs.empty() ? "; nothing was measured (--quick)" : "") + ".\n";
}

}  // namespace rooftune
