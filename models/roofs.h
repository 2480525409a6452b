// Roofs: a machine's ceilings, indexed for the bound. For each question the answer is the highest
// rate measured under any conditions that a variant with these traits could meet.
#pragma once

#include <limits>
#include <vector>

#include "models/joint_rate.h"
#include "models/machine.h"
#include "models/staircase.h"

namespace rooftune {

/// Asks for the roof of the widest vectors that were probed, whatever they are.
inline constexpr int kAnyWidth = std::numeric_limits<int>::max();

class Roofs {
public:
    /// The machine must outlive the roofs. Only ceilings with `excludes` enter, except `gather`.
    explicit Roofs(const Machine& machine);

    const Machine& machine() const { return *machine_; }

    /// Flop/s at vectors of at most `width_bits` on `threads` threads: the maximum over mixes,
    /// chains, and narrower widths; where the width's own is not saturated, that of the next wider one. Empty
    /// when never measured at that width and at or above that thread count. What is not saturated makes no
    /// roof: until it is, that of t threads is t times that of one thread, and where that is not saturated
    /// either, there is none. A process that takes one core while two are probed halves their rate and leaves
    /// the rate of one as it is. Of code that may be of any width from `narrowest_bits` (0: of this one
    /// alone) there is a roof where each of these that was probed has one: that wider vectors are as fast is
    /// likely and not proven, since they may cost clock.
    Roof compute(DType dtype, int width_bits, int threads, int narrowest_bits = 0) const;

    /// The same of code that does nothing but fused multiply-adds.
    Roof fused(DType dtype, int width_bits, int threads, int narrowest_bits = 0) const;

    /// The same of code that does nothing but additions.
    Roof added(DType dtype, int width_bits, int threads, int narrowest_bits = 0) const;

    /// Ceilings that would make a roof, other than one of bandwidth, and are not saturated: probing them
    /// again may make them so. What makes no roof for that reason is empty below, as if never probed.
    /// Indices into Machine::ceilings, ascending.
    const std::vector<int>& unsaturated() const { return unsaturated_; }

    /// The same of the bandwidth roofs (models/staircase.h).
    const std::vector<int>& unsaturated_walks() const { return unsaturated_walks_; }

    /// Instructions per second of one thread; for `gathers` the elements per second that such instructions
    /// load, the highest of any width, element type and pattern.
    Roof issue(Mix kind) const;

    /// Loads per second of vectors of `width_bits` or more, one thread: the fastest of those widths. Where
    /// that very width was never probed, or is not saturated, that of the next narrower one, since no core
    /// has more ports for wide vectors than for narrow ones; what wider ones reach is no roof of narrower
    /// ones. Empty where neither is.
    Roof wide_loads(int width_bits) const;

    /// The same of loads that each straddle two cache lines.
    Roof split_loads(int width_bits) const;

    /// Steps of one dependent chain per second (the fastest of FMA, ADD and MUL at one chain, any
    /// width up to `width_bits`, one thread). Empty when never measured at that width.
    Roof chain(DType dtype, int width_bits) const;

    /// The same of chains of fused multiply-adds; empty where the widest vectors that such a chain was probed
    /// with are narrower than those of other chains.
    Roof fused_chain(DType dtype, int width_bits) const;

    /// Instructions in the reorder window; empty when never probed.
    Roof window() const;

    /// Byte/s in one direction of one device's links; empty when it has none.
    Roof link() const;

    /// B*(w) for `threads` threads as descending steps; empty when never measured.
    const std::vector<BandwidthStep>& bandwidth(int threads) const;

    /// Second tier only: of walks on `threads` threads with loads besides (models/joint_rate.h); empty when
    /// never measured on so many.
    const std::vector<JointRate>& joint(int threads) const;

    /// Ranking only: seconds that gathers take on `threads` threads, where `beyond(w)` of them meet an
    /// element after more than w other bytes (and so find it in no cache of w bytes; falls with w; beyond(0)
    /// is all of them). Each is charged at the rate of random gathers over the largest probed footprint that
    /// is no larger than what lies between its uses: one that comes back within the first probed footprint
    /// costs what that one does. 0 where gathers of the type were never probed.
    template <typename Beyond>
    Seconds gather_seconds(DType dtype, int threads, Beyond&& beyond) const {
        Seconds total{0.0};
        double before = 0.0;
        for (const RankStep& step : gather_steps(dtype, threads)) {
            const double each = 1.0 / step.roof.rate;
            if (each <= before) continue;
            total += Seconds(beyond(Bytes(before > 0.0 ? step.from : 0.0)) * (each - before));
            before = each;
        }
        return total;
    }

private:
    // Everything is looked up millions of times in a search, so all answers are tabled once.
    struct Peak {
        DType dtype;
        int width_bits;
        int threads;
        Roof roof;
        Roof fused;
        Roof added;
        /// The narrowest width from which on all probed ones up to this one have that roof.
        int roof_from = 0, fused_from = 0, added_from = 0;
    };
    struct Chain {
        DType dtype;
        int width_bits;
        Roof roof;
        Roof fused;
    };
    /// Highest rate at footprints >= from.
    struct RankStep {
        double from;
        Roof roof;
    };
    struct RankStairs {
        int key;  ///< element type
        int threads;
        std::vector<RankStep> steps;
    };

    void table_peaks();
    void take_wider_peaks();
    void find_known_widths();
    /// Bits of the widest ceiling that fits; negative when there is none.
    template <typename Fits>
    int widest_of(const Fits& fits) const;
    /// Of the widest ceilings that fit, with so many threads; empty when there are none.
    template <typename Fits>
    Roof peak_of(int threads, const Fits& fits);
    template <typename Fits, typename Makes>
    Roof peak(int threads, const Fits& fits, const Makes& makes);
    template <typename Fits, typename Rate>
    Roof evident(const Fits& fits, const Rate& rate);
    const Peak* peak_at(DType dtype, int width_bits, int threads) const;
    void table_chains();
    std::vector<std::pair<int, Roof>> roofs_by_width(Mix loads);
    void table_ranks();
    const std::vector<RankStep>& gather_steps(DType dtype, int threads) const;

    const Machine* machine_;
    std::vector<std::pair<int, std::vector<BandwidthStep>>>
        bandwidth_;                                              ///< by probed thread count, ascending
    std::vector<std::pair<int, std::vector<JointRate>>> joint_;  ///< by probed thread count
    std::vector<Peak> peaks_;                                    ///< widths and thread counts ascending
    std::vector<Chain> chains_;                                  ///< widths ascending
    std::vector<std::pair<Mix, Roof>> issue_;
    std::vector<std::pair<int, Roof>> wide_loads_, split_loads_;  ///< by width
    Roof window_, link_;
    std::vector<int> unsaturated_, unsaturated_walks_;
    std::vector<RankStairs> gathers_;  ///< thread counts ascending
};

}  // namespace rooftune
