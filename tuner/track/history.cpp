#include "tuner/track/history.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "tuner/base/suggested.h"
#include "tuner/measure/statistics.h"

namespace rooftune::track {
namespace {

constexpr std::string_view kDirty = "-dirty";
constexpr double kRoofMoved = 0.05;
constexpr std::size_t kLeastLetters = 4;  // of a hash

using Indices = std::vector<std::size_t>;

Indices measured_ones(const Series& series) {
    Indices indices;
    for (std::size_t i = 0; i < series.entries.size(); ++i) {
        if (series.entries[i].measured()) indices.push_back(i);
    }
    return indices;
}

template <typename Value>
double median_of(const Series& series, std::span<const std::size_t> indices, Value value) {
    std::vector<double> values;
    for (const std::size_t i : indices) {
        if (const double v = value(series.entries[i]); v > 0.0) values.push_back(v);
    }
    return values.empty() ? kNotKnown : median(values);
}

Moved moved_by_how_much(double time, double roof, double delta) {
    const bool roof_moved = std::isfinite(roof) && std::fabs(roof - 1.0) > kRoofMoved;
    const double kernel = roof_moved ? time / roof : time;
    const bool kernel_moved = std::fabs(std::log(kernel)) > std::log1p(delta);
    if (kernel_moved) return roof_moved ? Moved::both : Moved::kernel;
    return roof_moved ? Moved::roof : Moved::neither;
}

// A change between two neighbours of `indices`, judged by what lies on either side of it up to others.
Suspect suspect_between(const Series& series, std::span<const std::size_t> before,
                        std::span<const std::size_t> after, double delta) {
    Suspect s;
    s.before = before.back();
    s.at = after.front();
    const auto time = [](const Entry& e) { return e.seconds.median; };
    const auto roof = [](const Entry& e) { return e.roof_now_seconds; };
    const auto fraction = [](const Entry& e) { return e.fraction_of_roof_now(); };
    s.time = median_of(series, after, time) / median_of(series, before, time);
    s.roof = median_of(series, after, roof) / median_of(series, before, roof);
    s.fraction_before = median_of(series, before, fraction);
    s.fraction_after = median_of(series, after, fraction);
    s.moved = moved_by_how_much(s.time, s.roof, delta);
    s.variant_changed = series.entries[s.before].variant != series.entries[s.at].variant;
    return s;
}

std::vector<Suspect> suspects_of(const Series& series, const Indices& measured, const Summary& summary,
                                 double delta, const ChangeRules& rules) {
    std::vector<double> logs;
    for (const std::size_t i : measured) logs.push_back(std::log(series.entries[i].seconds.median));
    const std::vector<ChangePoint> points = change_points(logs, rules);
    const std::span<const std::size_t> all(measured);
    std::vector<Suspect> suspects;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (std::fabs(points[i].shift) <= std::log1p(delta)) continue;
        const std::size_t from = i == 0 ? 0 : points[i - 1].at;
        const std::size_t to = i + 1 < points.size() ? points[i + 1].at : measured.size();
        suspects.push_back(suspect_between(series, all.subspan(from, points[i].at - from),
                                           all.subspan(points[i].at, to - points[i].at), delta));
        suspects.back().p = points[i].p;
    }
    // The newest entry alone is no sample that a test could judge, and what happened last is asked most
    // often.
    const bool known = !suspects.empty() && suspects.back().at == measured.back();
    if (measured.size() > 1 && !known && summary.rows[measured.back()].stands_out)
        suspects.push_back(suspect_between(series, all.subspan(measured.size() - 2, 1), all.last(1), delta));
    return suspects;
}

// A word of a command as a shell has to be told it.
std::string quoted(const std::string& word) {
    std::string text = "'";
    for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

std::string revision_word(const std::string& revision) {
    const bool plain =
        revision.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/-~^") ==
        std::string::npos;
    return plain ? revision : quoted(revision);
}

bool is_hex(const std::string& text) {
    return text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

// Whether `named` is how a recorded hash begins. Of other names none is short for another: v1.2 is not v1.20.
bool begins(const std::string& hash, const std::string& named) {
    const std::string start = clean_revision(named);
    const std::string whole = clean_revision(hash);
    return is_dirty(hash) == is_dirty(named) && start.size() >= kLeastLetters && is_hex(start) &&
           is_hex(whole) && (whole.size() == 40 || whole.size() == 64) && whole.starts_with(start);
}

bool apart(const TimeRatio& ratio, double delta) {
    return ratio.low > 1.0 + delta || ratio.high < 1.0 / (1.0 + delta);
}

}  // namespace

bool is_same_code(const Entry& a, const Entry& b) {
    return a.revision == b.revision && !is_dirty(a.revision) && a.variant == b.variant && a.build == b.build;
}

std::vector<Series> series_of(std::vector<Entry> entries) {
    std::map<std::pair<std::string, std::string>, Series> by_kernel;
    for (Entry& entry : entries) {
        const std::string key = kernel_key(entry);
        Series& series = by_kernel[{key, entry.machine}];
        series.kernel = key;
        series.machine = entry.machine;
        series.entries.push_back(std::move(entry));
    }
    std::vector<Series> all;
    for (auto& [key, series] : by_kernel) {
        // Dates are written so that later ones compare greater.
        std::stable_sort(series.entries.begin(), series.entries.end(),
                         [](const Entry& a, const Entry& b) { return a.revision_date < b.revision_date; });
        all.push_back(std::move(series));
    }
    return all;
}

TimeRatio time_ratio(const TimeInterval& of, const TimeInterval& over) {
    TimeRatio r;
    if (!(of.median > 0.0) || !(over.median > 0.0)) return r;
    r.ratio = of.median / over.median;
    if (of.low > 0.0 && over.low > 0.0) {
        r.low = of.low / over.high;
        r.high = of.high / over.low;
    }
    return r;
}

Summary summarise(const Series& series, double delta, const std::string& release, const ChangeRules& rules) {
    Summary summary;
    summary.rows.resize(series.entries.size());
    const Indices measured = measured_ones(series);
    if (measured.empty()) return summary;
    const auto& at = series.entries;
    summary.first = measured.front();
    summary.latest = measured.back();
    if (measured.size() > 1) summary.previous = measured[measured.size() - 2];
    summary.best = *std::min_element(measured.begin(), measured.end(), [&](std::size_t a, std::size_t b) {
        return at[a].seconds.median < at[b].seconds.median;
    });
    for (std::size_t i = 0; i < measured.size(); ++i) {
        const Entry& entry = at[measured[i]];
        Row& row = summary.rows[measured[i]];
        row.to_first = entry.seconds.median / at[*summary.first].seconds.median;
        if (!release.empty() && entry.revision == release) summary.release = measured[i];
        if (i == 0) continue;
        const Entry& before = at[measured[i - 1]];
        row.to_previous = time_ratio(entry.seconds, before.seconds);
        row.stands_out = apart(row.to_previous, delta);
        if (entry.note.empty() || is_same_code(before, entry)) continue;
        summary.gains.push_back(
            {measured[i], entry.note, time_ratio(before.seconds, entry.seconds), 1.0 / row.to_first});
    }
    summary.suspects = suspects_of(series, measured, summary, delta, rules);
    return summary;
}

bool is_dirty(const std::string& revision) {
    return revision.ends_with(kDirty);
}

std::string clean_revision(const std::string& revision) {
    return is_dirty(revision) ? revision.substr(0, revision.size() - kDirty.size()) : revision;
}

std::optional<std::string> recorded_as(std::span<const Series> all, const std::string& named) {
    std::optional<std::string> begun;
    for (const Series& series : all) {
        for (const Entry& entry : series.entries) {
            if (entry.revision == named) return named;
            if (!begun && begins(entry.revision, named)) begun = entry.revision;
        }
    }
    return begun;
}

Confirmation confirmation_of(const Series& series, const Suspect& suspect) {
    const Entry& before = series.entries[suspect.before];
    const Entry& after = series.entries[suspect.at];
    if (suspect.moved == Moved::roof)
        return {"", "the roof moved, so that no commit is to blame; " + suggested("machine") +
                        " measures it again"};
    if (suspect.variant_changed) {
        return {command_here("track report --confirm --kernel " + quoted(before.title)),
                "the variants differ: both are measured again, interleaved, in this build"};
    }
    if (is_dirty(before.revision) || is_dirty(after.revision))
        return {"",
                "one of the two was not recorded from a clean checkout, so that nobody can build it again"};
    if (before.revision == after.revision)
        return {"", is_same_code(before, after)
                        ? "the revision, the variant and the build are the same: it is the machine that "
                          "differs; record it again"
                        : "the revision and the variant are the same, and the build is another; record both "
                          "with one build"};
    // Bisections look for what became slower.
    if (suspect.time < 1.0) {
        return {"rooftune compare --command-a 'OLD/BENCH ARGS' --command-b 'NEW/BENCH ARGS'",
                "the variant is the same and became faster, which no bisection looks for: it compares a "
                "build of " +
                    clean_revision(before.revision) + " (OLD) with one of " + after.revision + " (NEW)"};
    }
    return {"rooftune track bisect " + revision_word(before.revision) + " " + revision_word(after.revision) +
                " --program 'BENCH ARGS' -- BUILD",
            "the variant is the same: it finds the commit by interleaved rounds of both builds"};
}

}  // namespace rooftune::track
