// What a kernel's entries say together: how each compares with the one before, the first, the best ever and a
// release; what each optimisation gained; where the time changed, and whether the kernel did it or the roof.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tuner/measure/head_room.h"
#include "tuner/track/change_points.h"
#include "tuner/track/entry.h"

namespace rooftune::track {

/// One kernel on one machine, by the dates of the revisions, then in the order of measuring.
struct Series {
    std::string kernel;   ///< kernel_key()
    std::string machine;  ///< fingerprint
    std::vector<Entry> entries;
};

/// Entries come in the order in which they were recorded. Series are sorted by kernel, then machine.
std::vector<Series> series_of(std::vector<Entry> entries);

/// A ratio of two times with the interval that their own allow: low over high, and high over low.
struct TimeRatio {
    double ratio = kNotKnown, low = kNotKnown, high = kNotKnown;
};
TimeRatio time_ratio(const TimeInterval& of, const TimeInterval& over);

/// An entry among the others; NaN for what was not measured. Indices are those of the series.
struct Row {
    TimeRatio to_previous;        ///< time over that of the measured entry before
    double to_first = kNotKnown;  ///< time over that of the first measured entry
    bool stands_out = false;      ///< its interval lies beyond the threshold from that of the one before
};

/// Where the time changed: for triage, never a proof.
struct Suspect {
    std::size_t before = 0, at = 0;  ///< the last entry before the change, and the first after it
    std::optional<double> p;  ///< of a change point; empty: the last step alone, which no test can judge
    double time = 1.0;        ///< time after over before, by the medians of both sides
    double roof = kNotKnown;  ///< least time of the problem after over before, as probed beside
    double fraction_before = kNotKnown, fraction_after = kNotKnown;
    Moved moved = Moved::unknown;
    bool variant_changed = false;
};

/// What came with a note: an optimisation, by the measured entry before it.
struct Gain {
    std::size_t at = 0;
    std::string note;
    TimeRatio factor;                ///< speed-up: time before over time after
    double since_first = kNotKnown;  ///< speed-up over the first measured entry
};

struct Summary {
    std::vector<Row> rows;                               ///< one an entry
    std::optional<std::size_t> first, previous, latest;  ///< measured entries
    std::optional<std::size_t> best;                     ///< least time ever
    std::optional<std::size_t> release;                  ///< the last measured entry of the named release
    std::vector<Suspect> suspects;                       ///< in order
    std::vector<Gain> gains;
};

/// `delta` is the machine's threshold, a fraction: smaller changes are not suspected. `release` is a
/// revision as it was recorded, or empty.
Summary summarise(const Series& series, double delta, const std::string& release,
                  const ChangeRules& rules = {});

/// The revision that is meant by `named`, as it was recorded: itself, else the full hash that it begins with
/// at least four letters; nothing where there is none. "-dirty" is another revision unless it is named.
std::optional<std::string> recorded_as(std::span<const Series> all, const std::string& named);

/// The revision without "-dirty".
std::string clean_revision(const std::string& revision);

/// Whether files differed from the revision that it names.
bool is_dirty(const std::string& revision);

/// Whether two entries are of one clean revision, one variant and one build: what differs between their times
/// is the machine's doing, whatever is noted. Of changed files nobody knows.
bool is_same_code(const Entry& a, const Entry& b);

/// The command that confirms a suspect by a fresh A/B, or what stands in its way, in words.
struct Confirmation {
    std::string command;  ///< empty: there is none
    std::string why;      ///< what it does, or why there is none
};
Confirmation confirmation_of(const Series& series, const Suspect& suspect);

}  // namespace rooftune::track
