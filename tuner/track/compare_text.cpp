#include "tuner/track/compare_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <vector>

#include "tuner/base/joined.h"
#include "tuner/base/percent.h"
#include "tuner/base/si.h"
#include "tuner/base/suggested.h"
#include "tuner/base/table.h"
#include "tuner/base/text_width.h"
#include "tuner/chart/svg_canvas.h"
#include "tuner/track/environment_text.h"
#include "tuner/track/ranking_text.h"

namespace rooftune {
namespace {

using namespace track;

constexpr std::array<Verdict, 5> kVerdicts = {Verdict::regressed, Verdict::improved, Verdict::unchanged,
                                              Verdict::inconclusive, Verdict::invalid};

std::string moved_phrase(const HeadRoom& room, Verdict verdict) {
    const bool known = std::isfinite(room.roof_change);
    const std::string how =
        known ? fmt::format("{} {} than when the baseline was tuned", percent(std::fabs(room.roof_change)),
                            room.roof_change < 0.0 ? "lower" : "higher")
              : "";
    switch (moved_by(verdict, room)) {
        case Moved::kernel:
            return known ? "the kernel moved, the roof did not"
                         : "the kernel moved; where the roof was when the baseline was tuned is not known";
        case Moved::roof:
            return "the roof moved (" + how + "), the kernel did not";
        case Moved::both:
            return "the kernel moved, and so did the roof (" + how + ")";
        case Moved::neither:
            return known ? "neither the kernel nor the roof moved" : "the kernel did not move";
        case Moved::unknown:
            return "";
    }
    return "";
}

std::string arm_line(const Comparison& c, const char* name, const std::string& from,
                     const std::string& variant, double value) {
    std::string text = fmt::format("  {} {}", name, printable(from));
    if (!variant.empty()) text += ": " + printable(variant);
    if (value > 0.0) text += ", " + value_text(value, c.printed);
    return text + "\n";
}

// "1 REGRESSED, 2 UNCHANGED"
std::string counts(const CompareReport& report) {
    std::string text;
    for (const Verdict verdict : kVerdicts) {
        for (const bool swept : {false, true}) {
            const std::string_view word = to_text(verdict, swept);
            if (swept && word == to_text(verdict)) continue;
            const auto n = std::count_if(
                report.comparisons.begin(), report.comparisons.end(),
                [&](const Comparison& c) { return to_text(c.judgement.verdict, c.swept) == word; });
            if (n > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", n, word);
        }
    }
    return text.empty() ? "nothing was compared" : text;
}

// A paragraph and the blank line behind it; nothing of nothing.
std::string spaced(const std::string& text) {
    return text.empty() ? "" : wrap(text) + "\n\n";
}

std::string one_sided(const CompareReport& report) {
    std::string text;
    for (const KernelName& kernel : report.only_base)
        text += "Only in BASE, not compared: " + printable(kernel.title + kernel.setting) + ".\n";
    for (const KernelName& kernel : report.only_candidate)
        text += "Only in NEW, not compared: " + printable(kernel.title + kernel.setting) + ".\n";
    if (!report.left.empty())
        text += fmt::format("Not made, because it was stopped before: {}.\n",
                            format_plural(static_cast<std::int64_t>(report.left.size()), "comparison"));
    return text;
}

// One row a comparison.
Table table_of(const CompareReport& report) {
    Table table({{"kernel", Align::left},
                 {"verdict", Align::left},
                 {"time, new over base", Align::right},
                 {"base", Align::right},
                 {"new", Align::right},
                 {"of attainable", Align::right},
                 {"threshold", Align::right},
                 {"rounds", Align::right}});
    for (const Comparison& c : report.comparisons) {
        table.add({c.kernel + c.setting, std::string(to_text(c.judgement.verdict, c.swept)),
                   ratio_change_text(c.judgement), value_text(c.base_seconds, c.printed),
                   value_text(c.candidate_seconds, c.printed),
                   c.room ? format_percent(c.room->base) + " → " + format_percent(c.room->candidate) : "n/a",
                   percent(c.judgement.delta), fmt::format("{}", c.judgement.rounds)});
    }
    return table;
}

// The same of a scan, whose arms are programs without a roof, so that it is narrower.
Table scan_table(const CompareReport& report) {
    Table table({{"point", Align::left},
                 {"verdict", Align::left},
                 {"new over base", Align::right},
                 {"base", Align::right},
                 {"new", Align::right}});
    for (const Comparison& c : report.comparisons) {
        table.add({c.kernel + c.setting, std::string(to_text(c.judgement.verdict, c.swept)),
                   ratio_change_text(c.judgement), value_text(c.base_seconds, c.printed),
                   value_text(c.candidate_seconds, c.printed)});
    }
    return table;
}

// Where the reason is another than the interval: the interval all the same.
std::string open_ratio(const Judgement& j) {
    const std::string change = ratio_change_text(j);
    if (!std::isfinite(j.ratio) || j.reason.find(change) != std::string::npos) return "";
    return "So far its time changed by " + change + ", which decides nothing.";
}

// What to do where nothing was decided.
std::string next_step(const Judgement& j) {
    if (j.verdict != Verdict::inconclusive) return "";
    if (j.stopped) return "Compare again, and let it go on until it is decided.";
    return "Compare again while the machine is quieter (" + suggested("doctor") +
           " may say what disturbs), or ask for less with a larger --delta.";
}

// What an INCONCLUSIVE comparison has besides its reason.
std::string left_open(const Judgement& j) {
    if (j.verdict != Verdict::inconclusive) return "";
    const std::string ratio = open_ratio(j);
    return ratio + (ratio.empty() ? "" : " ") + next_step(j);
}

std::string paragraph_of(const Comparison& c, bool rest_is_told) {
    std::string text =
        fmt::format("{}: {}\n", printable(c.kernel + c.setting), to_text(c.judgement.verdict, c.swept));
    text += "  " + sentence(printable(c.judgement.reason)) + "\n";
    const std::string open = left_open(c.judgement);
    if (!open.empty()) text += "  " + open + "\n";
    const std::string room = head_room_sentence(c);
    if (!room.empty()) text += "  " + room + "\n";
    const std::string rebuilt = c.environment ? rebuilt_sentence(*c.environment) : "";
    if (!rebuilt.empty()) text += "  " + rebuilt + "\n";
    // Of several arms the ranking has the rest.
    if (!c.arm.empty()) return text + "\n";
    text += arm_line(c, "A", c.base, c.base_variant, c.base_seconds);
    text += arm_line(c, "B", c.candidate, c.candidate_variant, c.candidate_seconds);
    if (c.judgement.rounds > 0) text += "  " + method_sentence(c) + "\n";
    if (c.environment) text += environment_text(*c.environment, rest_is_told);
    return text + "\n";
}

}  // namespace

std::string ratio_change_text(const Judgement& j) {
    if (!std::isfinite(j.ratio)) return "n/a";
    return fmt::format("{} [{}, {}]", percent_change(j.ratio - 1.0), percent_change(j.low - 1.0),
                       percent_change(j.high - 1.0));
}

std::string method_sentence(const Comparison& c) {
    const Judgement& j = c.judgement;
    std::string text = format_plural(j.rounds, "round");
    if (std::isfinite(j.ratio) && j.verdict != Verdict::invalid)
        text += ", the ratio being the median of theirs";
    if (j.paired) text += " in pairs, since neighbouring ones are alike";
    if (std::isfinite(j.again)) text += "; A differed from itself by " + percent(j.again);
    if (!c.control.empty() && std::isfinite(j.control_drift))
        text += "; the control (" + printable(c.control) + ") drifted by " + percent(j.control_drift);
    // They are neither among those that were judged nor among those behind the last look.
    if (c.dropped > 0)
        text += fmt::format("; {}, not counted, {} disturbed and taken again",
                            format_plural(c.dropped, "more round"), c.dropped == 1 ? "was" : "were");
    return text + ".";
}

std::string value_text(double value, bool printed) {
    if (!(value > 0.0)) return "n/a";
    return printed ? fmt::format("{:.4g}", value) : format_seconds(value);
}

std::string head_room_sentence(const Comparison& c) {
    const Verdict verdict = c.judgement.verdict;
    if (!c.room || verdict == Verdict::invalid) return "";
    std::string text;
    const std::string both =
        fmt::format(" ({} before, {} now)", format_percent(c.room->base), format_percent(c.room->candidate));
    if (verdict == Verdict::regressed) {
        text = "It lost " + percent(c.room->lost) + " of attainable" + both;
    } else if (verdict == Verdict::improved) {
        text = "It gained " + percent(-c.room->lost) + " of attainable" + both;
    } else {
        text = "It reaches " + format_percent(c.room->base) + " of attainable";
    }
    const std::string moved = moved_phrase(*c.room, verdict);
    return text + (moved.empty() ? "" : "; " + moved) + ".";
}

std::string compare_text(const CompareReport& report) {
    std::string text;
    std::set<std::string> told;  // what was not recorded: the same of many kernels, and told of the first
    for (std::size_t i = 0; i < report.comparisons.size(); ++i) {
        const Comparison& c = report.comparisons[i];
        const std::string rest = c.environment ? not_recorded_sentence(*c.environment) : "";
        text += paragraph_of(c, !told.insert(rest).second);
        for (const Ranking& ranking : report.rankings) {
            if (ranking.first + ranking.arms.size() == i + 2)
                text += ranking_text(report, ranking, page_width()) + "\n";
        }
    }
    if (report.scanned) text += scan_table(report).to_text() + "\n";
    text += spaced(together_sentence(report)) + one_sided(report);
    return text + sentence(counts(report)) + "\n";
}

std::string compare_markdown(const CompareReport& report) {
    std::string text = "### rooftune compare: " + counts(report) + "\n\n";
    const Table table = table_of(report);
    if (!table.empty()) text += table.to_text(kWidestPage) + "\n";
    for (const Ranking& ranking : report.rankings) text += ranking_text(report, ranking, kWidestPage) + "\n";
    for (const Comparison& c : report.comparisons) {
        text += fmt::format("- **{}**, {}: {}", printable(c.kernel + c.setting),
                            to_text(c.judgement.verdict, c.swept), sentence(printable(c.judgement.reason)));
        const std::string open = left_open(c.judgement);
        if (!open.empty()) text += " " + open;
        const std::string room = head_room_sentence(c);
        if (!room.empty()) text += " " + room;
        const std::string rebuilt = c.environment ? rebuilt_sentence(*c.environment) : "";
        if (!rebuilt.empty()) text += " " + rebuilt;
        if (c.judgement.rounds > 0 && c.arm.empty()) text += " " + sentence(method_sentence(c));
        if (c.environment) text += " " + environment_sentence(*c.environment);
        text += "\n";
    }
    const std::string together = together_sentence(report);
    if (!together.empty()) text += "\n" + together + "\n";
    const std::string rest = one_sided(report);
    return markdown_safe(rest.empty() ? text : text + "\n" + rest);
}

std::string compare_junit(const CompareReport& report, bool strict) {
    const auto is = [&](Verdict verdict) {
        return std::count_if(report.comparisons.begin(), report.comparisons.end(),
                             [&](const Comparison& c) { return c.judgement.verdict == verdict; });
    };
    const auto regressed = std::count_if(
        report.comparisons.begin(), report.comparisons.end(),
        [](const Comparison& c) { return !c.swept && c.judgement.verdict == Verdict::regressed; });
    const auto open = is(Verdict::inconclusive);
    const auto left = std::ssize(report.left);
    const std::string numbers = fmt::format(
        "tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\"", std::ssize(report.comparisons) + left,
        regressed + (strict ? open : 0), is(Verdict::invalid), (strict ? 0 : open) + left);
    std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    text += "<testsuites " + numbers + ">\n  <testsuite name=\"rooftune compare\" " + numbers + ">\n";
    for (const Comparison& c : report.comparisons) {
        const Judgement& j = c.judgement;
        text += fmt::format("    <testcase classname=\"rooftune.compare\" name=\"{}\"",
                            xml_escaped(c.kernel + c.setting));
        const std::string room = head_room_sentence(c);
        const std::string rebuilt = c.environment ? rebuilt_sentence(*c.environment) : "";
        const std::string message =
            xml_escaped(sentence(printable(j.reason)) + (room.empty() ? "" : " " + room) +
                        (rebuilt.empty() ? "" : " " + rebuilt));
        const bool failed = j.verdict == Verdict::regressed && !c.swept;
        const char* element = failed                               ? "failure"
                              : j.verdict == Verdict::regressed    ? nullptr
                              : j.verdict == Verdict::invalid      ? "error"
                              : j.verdict != Verdict::inconclusive ? nullptr
                              : strict                             ? "failure"
                                                                   : "skipped";
        if (element) {
            text += fmt::format(
                ">\n      <{} {}message=\"{}\"/>\n    </testcase>\n", element,
                element == std::string_view("skipped") ? "" : fmt::format("type=\"{}\" ", to_text(j.verdict)),
                message);
        } else {
            text += fmt::format(">\n      <system-out>{}: {}</system-out>\n    </testcase>\n",
                                to_text(j.verdict, c.swept), message);
        }
    }
    for (const KernelName& kernel : report.left) {
        text += fmt::format(
            "    <testcase classname=\"rooftune.compare\" name=\"{}\">\n      <skipped message=\"Not made, "
            "because it was stopped before.\"/>\n    </testcase>\n",
            xml_escaped(kernel.title + kernel.setting));
    }
    const std::string rest = one_sided(report);
    if (!rest.empty()) text += "    <system-out>" + xml_escaped(rest) + "</system-out>\n";
    return text + "  </testsuite>\n</testsuites>\n";
}

}  // namespace rooftune
