// The interval of a difference between two arms, from one logarithm of a ratio a round. Order statistics
// assume no distribution: where rounds are independent, a round falls on either side of the median by the
// toss of a coin, so that [d(k), d(n+1-k)] misses it with twice the probability of fewer than k heads in n
// tosses.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

namespace rooftune::track {

/// One look at the data: after so many rounds the interval is [d(rank), d(rounds + 1 - rank)], ranks from 1.
struct Look {
    int rounds = 0;
    int rank = 0;
};

/// The looks that a comparison takes. Each may err, and looking thrice errs at most as often as all three
/// together: .00195 + .00258 + .00222 = .0068 of all comparisons.
inline constexpr std::array<Look, 3> kLooks{{{10, 1}, {20, 4}, {40, 11}}};
inline constexpr int kMostRounds = kLooks.back().rounds;

/// Probability that the look's interval misses the median of independent rounds (exact binomial sum).
double miscoverage(const Look& look);

/// The looks of so many comparisons whose intervals are to hold together: all of them miss at most as often
/// as the one interval of kLooks (Bonferroni's inequality: each look of each comparison gets an equal share
/// of that). Intervals by order statistics are no p-values, so that the steps of Holm's method have nothing
/// to take; and where all intervals hold at once, any arm may be picked by what the data say. With more than
/// one comparison ten rounds have no interval that is wide enough, and with thousands twenty have none
/// either.
std::vector<Look> looks_for(int comparisons);

/// Whether rounds are judged after so many of them.
bool is_look(int rounds, std::span<const Look> looks = kLooks);

/// Correlation of neighbouring values about their mean; 0 for fewer than three and for values that are all
/// equal.
double lag_one(std::span<const double> values);

/// Median and interval, as logarithms of a ratio.
struct Estimate {
    double median = 0.0, low = 0.0, high = 0.0;
    double autocorrelation = 0.0;  ///< of neighbouring rounds
    bool paired = false;           ///< neighbours correlate beyond 0.3: two rounds make one replicate
    int rounds = 0;                ///< that were used
};

/// The interval of a look on as many values; neighbours are not looked at.
Estimate interval_at(const Look& look, std::span<const double> logs);

/// The estimate at the last look that the values reach. Where neighbours correlate, in either direction, they
/// are no independent replicates: the means of two rounds take their place, which costs half of the looks.
/// (Rounds that mirror each other cancel a drift in their mean.) Nothing with fewer replicates than the first
/// look asks for. Values are finite.
std::optional<Estimate> estimate(std::span<const double> logs, std::span<const Look> looks = kLooks);

}  // namespace rooftune::track
