// The two rates that stand for a machine, its peak and the bandwidth of its memory: the same answer wherever
// one is shown (`machine`, `machine --diff`, `list machines`), and the one that bounds rest on.
#pragma once

#include <string>

#include "models/roofs.h"

namespace rooftune {

/// A rate for people: what was seen, and what bounds take it for. Where it was never probed undisturbed often
/// enough on so many threads, a roof is that of one thread times the threads, or of a smaller footprint, and
/// more than anything reached; and where one thread was not either, there is none.
struct BestRate {
    double seen = 0.0;     ///< flop/s, op/s or byte/s: the highest probed or published; 0: nothing known
    double at_most = 0.0;  ///< the roof, on which bounds rest; 0 where there is none
    double margin = 0.0;   ///< of noise, of what was seen
    bool proven = false;   ///< what was seen is the roof: only then does it tell this machine from another
};

/// "80.0 Gflop/s", each number as `text` writes it; where that is not proven "at most 80.0 Gflop/s (seen 72.0
/// Gflop/s)", and "seen 72.0 Gflop/s" where there is no roof.
template <typename Text>
std::string best_rate_text(const BestRate& rate, const Text& text) {
    if (rate.proven) return text(rate.seen);
    if (rate.at_most <= 0.0) return "seen " + text(rate.seen);
    const std::string limit = "at most " + text(rate.at_most);
    return text(rate.at_most) == text(rate.seen) ? limit : limit + " (seen " + text(rate.seen) + ")";
}

/// The thread count that stands for all of a machine: the most that anything was probed on, or what the
/// topology has where rates are of the whole machine.
int all_threads(const Machine& machine);

/// Of vectors of at most `width_bits` (or kAnyWidth), over all mixes and chains. `roofs` are the machine's.
BestRate peak_of(const Machine& machine, const Roofs& roofs, DType dtype, int width_bits, int threads);

/// At the largest footprint that was walked, reads and writes together.
BestRate memory_bandwidth_of(const Machine& machine, const Roofs& roofs, int threads);

/// Peak over bandwidth, in flop/byte or op/byte: `seen` of what was seen of both, and `at_most` of their
/// roofs, which is no limit of the ridge but where bounds put it. Proven where both are.
BestRate ridge_of(const BestRate& peak, const BestRate& bandwidth);

/// "1.15 flop/byte"; where that is not proven "1.15 flop/byte in bounds (3.10 flop/byte of rates seen)", and
/// "seen 3.10 flop/byte" where bounds know none.
template <typename Text>
std::string ridge_text(const BestRate& ridge, const Text& text) {
    if (ridge.proven || ridge.at_most <= 0.0) return best_rate_text(ridge, text);
    const std::string of_bounds = text(ridge.at_most) + " in bounds", of_seen = text(ridge.seen);
    return text(ridge.at_most) == of_seen ? of_bounds : of_bounds + " (" + of_seen + " of rates seen)";
}

}  // namespace rooftune
