// The draws of the sampled limit (sampled_draw.h), measured: each is raced against the winner in turn with
// it, and abandoned where it is hopeless.
#pragma once

#include <map>

#include "tuner/search/run_state.h"
#include "tuner/search/sampled_draw.h"

namespace rooftune {

class SampledStage {
public:
    /// Draws at most `count` of what the search has left; the tree must have been expanded for that.
    SampledStage(RunState& run, std::size_t count);

    std::size_t size() const { return size_; }
    std::size_t groups() const { return groups_.size(); }
    /// Measures and counts one group. `over` is asked before each variant; of a group that it ends only hits
    /// are counted.
    template <class Over>
    void measure(std::size_t group, Over&& over) {
        SampledReport counted;
        for (std::size_t at = 0; at < groups_[group].size(); ++at) {
            if (over()) return add(cut_short(counted));
            count(groups_[group], at, counted);
        }
        add(counted);
    }
    /// Works out the limits, with what was counted.
    void finish();

    /// Whether a draw became the incumbent, and whether one of the raced out did.
    bool regretted() const { return regretted_ || raced_out_regretted_; }
    bool raced_out_regretted() const { return raced_out_regretted_; }

private:
    void count(const SampleGroup& group, std::size_t at, SampledReport& counted);
    void add(const SampledReport& counted);
    // Whether it may be meaningfully faster than the incumbent; nothing where it could not be timed.
    std::optional<bool> is_faster(const SampleGroup& group, std::size_t at);

    RunState* run_;
    std::size_t size_ = 0;
    std::vector<SampleGroup> groups_;
    std::map<Variant, std::optional<bool>> known_;  // of what was drawn before
    bool regretted_ = false, raced_out_regretted_ = false;
};

}  // namespace rooftune
