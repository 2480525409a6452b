// Statistics of the windows behind one ceiling.
#pragma once

#include <vector>

namespace rooftune {

/// Maximum, 95th percentile (nearest rank from above) and median of rates; zeros for none.
struct RateSummary {
    double max = 0.0, p95 = 0.0, median = 0.0;
    int windows = 0;
};

/// Windows that nobody disturbed: how many, and the highest rates, descending, at most kTopWindows.
struct UndisturbedWindows {
    int count = 0;
    std::vector<double> top{};
};
RateSummary summarise(std::vector<double> rates);

/// Rates of one ceiling by the way they were measured.
class WindowLog {
public:
    explicit WindowLog(int ways)
        : rates_(static_cast<std::size_t>(ways)), refusals_(static_cast<std::size_t>(ways), 0) {}

    void add(int way, double rate, bool undisturbed);
    /// A way that the machine had no room for. Who is refused so often is not for this machine, and worth no
    /// window any more; once may be somebody else's doing, who held the memory just then.
    static constexpr int kRefusals = 3;
    void refuse(int way) { ++refusals_[static_cast<std::size_t>(way)]; }
    int ways() const { return static_cast<int>(rates_.size()); }
    int windows() const;
    int windows_of(int way) const;
    double best_of(int way) const;
    double best() const;

    /// Ways worth another window: those never tried, those within 5 % of the best, and those tried once
    /// that are within 15 %, since one window may have been a slow one. The untried first, then
    /// those tried once, so that one window decides between no two, then the best.
    std::vector<int> worthwhile() const;

    /// Whether a rate is so far above all others of its way (3 %, at least three of them) that it
    /// must be confirmed before it counts.
    bool outlier(int way, double rate) const;

    /// Of the fastest way alone: the slower ways' windows would only widen the quantiles, which stand
    /// for the machine's noise.
    RateSummary summary() const;

    /// Those since it was asked for last, of all ways: each is evidence once, however often the log is told
    /// of.
    UndisturbedWindows take_undisturbed();

private:
    bool is_refused(int way) const { return refusals_[static_cast<std::size_t>(way)] >= kRefusals; }

    std::vector<std::vector<double>> rates_;
    std::vector<int> refusals_;
    UndisturbedWindows undisturbed_;
};

}  // namespace rooftune
