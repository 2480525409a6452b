// Statistics of timings. The median with its order-statistic interval is what is quoted: it assumes
// no distribution, one interruption cannot move it, and a lucky shot cannot either.
#pragma once

#include <span>
#include <vector>

#include "tuner/formats/record.h"
#include "tuner/formats/tune_result.h"

namespace rooftune {

/// Whether this can be the time of anything: finite and more than zero.
bool is_time(double seconds);

/// Median; the mean of the middle two for an even count. 0 for none.
double median(std::span<const double> values);

/// Ranks (from 0) of the order statistics that enclose the median with at least `confidence`:
/// the narrowest symmetric pair by the binomial distribution of signs. Fewer values than such a
/// pair needs (6 at 95 %) give the outermost pair.
struct Ranks {
    int low = 0;
    int high = 0;
};
Ranks median_ranks(int count, double confidence = 0.95);

/// Median, interval and minimum. Slots marked disturbed are left out as long as at least
/// `enough` others remain: dropped blind to their value.
TimeInterval interval_of(std::span<const Slot> slots, int enough = 8);
TimeInterval interval_of_values(std::span<const double> values);

/// Interval of the ratio numerator/denominator over rounds measured in rotation; `min` is unused.
TimeInterval ratio_interval(std::span<const Slot> numerator, std::span<const Slot> denominator);

/// Whether a reader who divides the two medians finds another ratio than the one of paired rounds beside
/// them, by more than 1 %: then it has to be said which it is. False where one of the three is not known.
bool is_off_the_medians(double ratio, double numerator_median, double denominator_median);

/// The ratio of two that took turns, for a decision. Where three rounds and an eighth of all were
/// undisturbed, their median. Else both the median of all rounds and the ratio of the second fastest slots
/// have to say so: the larger of the two. Who takes a processor away slows what runs on all of them, and not
/// what runs on another one, so that beside a busy process a variant of one thread has the better median of
/// many that are slower. The fastest slot alone may be a lucky one. 1 where there is no round.
double decisive_ratio(std::span<const Slot> numerator, std::span<const Slot> denominator);

/// Upper limit of a share after k hits in n independent draws (Clopper-Pearson, one-sided); 1 for n = 0.
double upper_limit(int k, int n, double confidence = 0.95);

}  // namespace rooftune
