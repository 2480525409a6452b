#include "tuner/track/track_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tuner/base/joined.h"
#include "tuner/base/percent.h"
#include "tuner/base/si.h"
#include "tuner/base/table.h"
#include "tuner/base/text_width.h"
#include "tuner/chart/phrases.h"
#include "tuner/formats/setting_words.h"
#include "tuner/track/baselines.h"
#include "tuner/track/compare_text.h"

namespace rooftune {
namespace {

using namespace track;

constexpr std::size_t kShortHash = 12;
constexpr std::size_t kDay = 10;  // of a date

std::string day(const Entry& e) {
    return printable(e.revision_date.substr(0, kDay));
}

// Another entry of the history has its revision and its date: the time of day tells the two apart.
bool has_a_double(const Series& series, const Entry& e) {
    const auto same = [&](const Entry& other) {
        return other.revision == e.revision && day(other) == day(e);
    };
    return std::count_if(series.entries.begin(), series.entries.end(), same) > 1;
}

// "14:03:22 UTC" of when it was recorded, with the day where that is not the revision's.
std::string recorded_at(const Entry& e) {
    constexpr std::size_t kTime = 8;  // "14:03:22", behind the "T"
    if (e.at.size() < kDay + 1 + kTime) return printable(e.at);
    const std::string on = printable(e.at.substr(0, kDay));
    return (on == day(e) ? "" : "recorded " + on + " ") + printable(e.at.substr(kDay + 1, kTime)) + " UTC";
}

std::string date_of(const Series& series, const Entry& e) {
    return has_a_double(series, e) ? day(e) + ", " + recorded_at(e) : day(e);
}

std::string named(const Series& series, const Entry& e) {
    return short_revision(e.revision) + " of " + date_of(series, e);
}

std::string time_text(const Entry& e) {
    if (!e.measured()) return printable(e.outcome);
    return format_seconds_interval(e.seconds.median, e.seconds.low, e.seconds.high);
}

std::string share_text(double share) {
    return share > 0.0 ? format_percent(share) : "n/a";
}

std::string ratio_text(double ratio) {
    return std::isfinite(ratio) ? format_ratio(ratio) : "";
}

Table table_of(const KernelReport& k) {
    Table table({{"revision", Align::left},
                 {"date", Align::left},
                 {"time", Align::right},
                 {"over previous", Align::right},
                 {"over first", Align::right},
                 {"of attainable", Align::right},
                 {"what", Align::left}});
    for (std::size_t i = k.shown_from; i < k.series.entries.size(); ++i) {
        const Entry& e = k.series.entries[i];
        const Row& row = k.summary.rows[i];
        table.add({short_revision(e.revision), date_of(k.series, e), time_text(e),
                   ratio_text(row.to_previous.ratio) + (row.stands_out ? " *" : ""), ratio_text(row.to_first),
                   e.measured() ? share_text(e.fraction_of_roof_now()) : "",
                   e.measured() ? e.note : printable(e.note + (e.note.empty() ? "" : "; ") + e.detail)});
    }
    return table;
}

// "oldest to newest: ▃█▅ (between 31 % and 84 %)": the bars have an order, the two ends of their range none.
std::string convergence(const KernelReport& k) {
    std::vector<double> shares;
    for (std::size_t i = k.shown_from; i < k.series.entries.size(); ++i)
        shares.push_back(k.series.entries[i].fraction_of_roof_now());
    double low = 0.0, high = 0.0;
    for (const double s : shares) {
        if (!(s > 0.0)) continue;
        low = low > 0.0 ? std::min(low, s) : s;
        high = std::max(high, s);
    }
    if (!(high > 0.0) || shares.size() < 2) return "";
    const std::string least = format_percent(low), most = format_percent(high);
    return fmt::format("Of attainable, oldest to newest: {} ({}).", sparkline(shares),
                       least == most ? "all " + most : "between " + least + " and " + most);
}

// How the latest entry stands against the previous, the first, the best, the release and the baseline.
std::string standing(const KernelReport& k, const TrackReport& report) {
    const std::string& release = report.release;
    const Summary& s = k.summary;
    if (!s.latest) return "Nothing of it was ever measured.";
    const Entry& latest = k.series.entries[*s.latest];
    const auto over = [&](std::size_t other) {
        return ratio_text(latest.seconds.median / k.series.entries[other].seconds.median);
    };
    std::string text =
        "The latest, " + named(k.series, latest) + ", takes " + format_seconds(latest.seconds.median);
    if (!s.previous) return text + "; it is the only one.";
    text += fmt::format(": {} of the one before, {} of the first", over(*s.previous), over(*s.first));
    text += *s.best == *s.latest ? ", and is the best ever"
                                 : fmt::format(", {} of the best ever ({})", over(*s.best),
                                               named(k.series, k.series.entries[*s.best]));
    if (s.release) {
        text += fmt::format(", {} of the release {}", over(*s.release), printable(release));
    } else if (!release.empty()) {
        text += "; the release " + printable(release) + " has no entry";
    }
    if (report.baseline.empty()) return text + ".";
    const auto names = baselines_of(k.series.entries);
    const auto named_one = names.find(report.baseline);
    text += named_one == names.end()
                ? "; the baseline " + printable(report.baseline) + " has no entry"
                : fmt::format("; {} of the baseline {}", over(named_one->second), printable(report.baseline));
    return text + ".";
}

std::string baselines(const KernelReport& k) {
    std::vector<std::string> names;
    for (const auto& [name, at] : baselines_of(k.series.entries))
        names.push_back(printable(name) + " is " + named(k.series, k.series.entries[at]));
    return names.empty() ? "" : "Baselines: " + joined(names, "; ", "; ") + ".";
}

std::string gains(const KernelReport& k) {
    std::string text;
    for (const Gain& g : k.summary.gains) {
        if (g.at < k.shown_from) continue;
        // Where the intervals overlap nobody knows.
        const RatioSide side = side_of_one(g.factor.low, g.factor.high);
        const char* which = side == RatioSide::above   ? "faster"
                            : side == RatioSide::below ? "(slower)"
                                                       : "(which may be nothing)";
        text += list_item(fmt::format("{}: {} {}, {} since the first entry ({})", printable(g.note),
                                      format_ratio_interval(g.factor.ratio, g.factor.low, g.factor.high),
                                      which, format_ratio(g.since_first),
                                      short_revision(k.series.entries[g.at].revision)));
    }
    return text.empty() ? "" : "Gained, by what was done:\n" + text;
}

std::string steps(const KernelReport& k) {
    if (!k.summary.latest) return "";
    const Entry* last = nullptr;
    for (const Entry& e : k.series.entries) last = e.steps.empty() ? last : &e;
    if (!last) return "";
    std::string text = "Its steps, as measured at " + short_revision(last->revision) + ":\n";
    for (const LadderStep& s : last->steps)
        text += list_item(printable(s.name) + ": " + format_ratio_interval(s.factor, s.low, s.high));
    return text;
}

// Of one clean revision and one variant it is not the kernel that moved, whatever its time did.
std::string what_moved(const Suspect& s) {
    const std::string roof = fmt::format("the roof moved (least time {})", percent_change(s.roof - 1.0));
    switch (s.moved) {
        case Moved::kernel:
            return std::isfinite(s.roof) ? "the roof did not move" : "whether the roof moved is not known";
        case Moved::roof:
            return roof + " as much as the time";
        case Moved::both:
            return roof + ", and the time by another factor";
        case Moved::neither:
        case Moved::unknown:
            return "the roof did not move";
    }
    return "";
}

std::string who_moved(const Suspect& s, bool is_same_code) {
    if (is_same_code) return what_moved(s);
    switch (s.moved) {
        case Moved::kernel:
            return std::isfinite(s.roof) ? "the kernel moved, the roof did not"
                                         : "whether the kernel moved or the roof is not known";
        case Moved::roof:
            return fmt::format("the roof moved (least time {}), the kernel did not",
                               percent_change(s.roof - 1.0));
        case Moved::both:
            return fmt::format("the kernel moved, and so did the roof (least time {})",
                               percent_change(s.roof - 1.0));
        case Moved::neither:
        case Moved::unknown:
            return "neither the kernel nor the roof moved";
    }
    return "";
}

std::string suspect_text(const KernelReport& k, const Suspect& s) {
    const std::string how = s.p ? fmt::format("a change point, p = {:.3f}", *s.p)
                                : std::string("the last step; too few entries behind it for a test");
    std::string text = fmt::format("from {} to {}: time {}, ", named(k.series, k.series.entries[s.before]),
                                   named(k.series, k.series.entries[s.at]), percent_change(s.time - 1.0));
    if (std::isfinite(s.fraction_before) && std::isfinite(s.fraction_after))
        text += fmt::format("{} of attainable to {}; ", format_percent(s.fraction_before),
                            format_percent(s.fraction_after));
    text +=
        who_moved(s, is_same_code(k.series.entries[s.before], k.series.entries[s.at])) + " (" + how + "). ";
    const Confirmation c = confirmation_of(k.series, s);
    return list_item(text + "To confirm: " + printable(c.why) + ".") +
           (c.command.empty() ? "" : "      " + printable(c.command) + "\n");
}

std::string suspects(const KernelReport& k) {
    std::string text;
    for (const Suspect& s : k.suspects()) text += suspect_text(k, s);
    return text.empty() ? "" : "Changes, for triage only: entries were measured at different times.\n" + text;
}

std::string confirmed(const KernelReport& k) {
    if (!k.confirmed) return "";
    const Judgement& j = k.confirmed->judgement;
    const std::string room = head_room_sentence(*k.confirmed);
    return wrap(fmt::format("Compared afresh, A the variant before and B the one after: {}: {}.{}",
                            to_text(j.verdict), printable(j.reason), room.empty() ? "" : " " + room)) +
           "\n";
}

std::string paragraph(const std::string& text) {
    return text.empty() ? "" : wrap(text) + "\n";
}

std::string block(const std::string& text) {
    return text.empty() ? "" : "\n" + text;
}

}  // namespace

std::string short_revision(const std::string& revision) {
    const std::string clean = clean_revision(revision);
    const bool hash = clean.size() == 40 && clean.find_first_not_of("0123456789abcdef") == std::string::npos;
    return hash ? clean.substr(0, kShortHash) + revision.substr(clean.size()) : printable(revision);
}

std::string sparkline(const std::vector<double>& shares) {
    static constexpr std::array<const char*, 8> kBars = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    std::string line;
    for (const double s : shares) {
        const double bar = std::clamp(std::floor(s * kBars.size()), 0.0, kBars.size() - 1.0);
        line += s > 0.0 && std::isfinite(s) ? kBars[static_cast<std::size_t>(bar)] : " ";
    }
    return line;
}

std::string track_report_text(const TrackReport& report, bool markdown) {
    std::string text;
    for (const KernelReport& k : report.kernels) {
        const Entry& any = k.series.entries.back();
        const std::string here = k.series.machine == report.machine ? ", this machine" : "";
        text += fmt::format("{}{}{} on {}{}\n\n", text.empty() ? "" : "\n", markdown ? "### " : "",
                            printable(k.series.kernel), printable(any.machine_name), here);
        text += table_of(k).to_text(markdown ? kWidestPage : page_width());
        const bool starred = std::any_of(k.summary.rows.begin() + static_cast<std::ptrdiff_t>(k.shown_from),
                                         k.summary.rows.end(), [](const Row& r) { return r.stands_out; });
        if (starred)
            text += fmt::format("\n{}* its interval and the one before lie further apart than {}\n",
                                markdown ? "\\" : "", percent(k.delta));
        text += block(paragraph(convergence(k)) + paragraph(standing(k, report)) + paragraph(baselines(k)));
        text += block(gains(k)) + block(steps(k)) + block(suspects(k)) + block(confirmed(k));
    }
    return markdown ? markdown_safe(text) : text;
}

std::string track_record_text(const std::vector<Entry>& entries, const std::string& store,
                              const std::vector<NotRecorded>& left_out) {
    Table table({{"kernel", Align::left},
                 {"time", Align::right},
                 {"slots", Align::right},
                 {"of attainable", Align::right},
                 {"variant", Align::left}});
    std::string failures;
    for (const Entry& e : entries) {
        const std::string kernel = e.title + setting_words(e.backend, e.state);
        table.add({kernel, time_text(e), e.measured() ? fmt::format("{}", e.seconds.slots) : "",
                   e.measured() ? share_text(e.fraction_of_roof_now()) : "",
                   variant_phrase(e.family, e.variant)});
        if (!e.measured()) failures += printable(kernel + ": " + e.outcome + ": " + e.detail) + "\n";
    }
    std::string missing;
    for (const NotRecorded& one : left_out)
        missing += "Left out: " + printable(one.kernel) + ": " + printable(one.reason) + ".\n";
    if (entries.empty()) return "Nothing was recorded.\n" + block(missing);
    const std::string at = short_revision(entries.front().revision);
    return table.to_text() + block(failures) + block(missing) +
           fmt::format("\nRecorded {} at {} in {}.\n", format_plural(entries.size(), "measurement"), at,
                       printable(store));
}

}  // namespace rooftune
