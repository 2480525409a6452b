// What one core can take in and retire: its clock, the instructions it issues a second, and the
// instructions it holds in flight. All one thread.
#pragma once

#include <string_view>
#include <vector>

#include "kernels/probe/memory.h"
#include "kernels/probe/window.h"
#include "models/vocabulary.h"

namespace rooftune::probe {

/// A loop of instructions of known number. Which mix is the richest differs by processor, so several
/// are tried for each kind and the ceiling is the fastest.
struct IssueMix {
    Mix kind = Mix::mixed;  ///< loads, split_loads, gathers, fmas or mixed
    std::string_view text;  ///< what is in it
    int width_bits = 0;     ///< widest vectors it uses; 0 for none
    int instructions = 0;   ///< of one round, the loop's own two included; of gathers the elements
    void (*run)(std::int64_t rounds,
                const double* operands) = nullptr;  ///< `operands`: a page of 4 KiB
};

/// Mixes of a kind that run with vectors up to `most_bits`; of exactly `width_bits` unless that is 0.
std::vector<IssueMix> issue_mixes(Mix kind, int most_bits, int width_bits = 0);

/// Work in instructions, on one thread; for loads, split ones and fmas only those of the kind are counted,
/// for gathers the elements that they load.
Work issue_work(const IssueMix& mix);

/// Work in clock cycles, on one thread: dependent 32-bit multiplications of 3 cycles each. Additions
/// of a constant are no clock: recent cores drop them at renaming.
Work clock_work();

/// Fillers between two misses that the window probe is built for, ascending.
const std::vector<int>& window_fillers();

/// Work in seconds' denominators: a repetition is one round of two independent misses with `filler`
/// instructions behind each, so that 1/rate is the time of a round. Thread 0's region must hold
/// `window_footprint()`; call prepare_window once before, since it writes the chains there.
Work window_work(int filler, Pages pages, const Memory& memory);
Bytes window_footprint();
void prepare_window(Pages pages, const Memory& memory);

/// Instructions in the reorder window, from above: the smallest filler at which the two misses no
/// longer overlap. `seconds` are times of one round, in the order of `fillers`. 0 when they overlap
/// to the end or the times make no sense.
int window_from_times(const std::vector<int>& fillers, const std::vector<double>& seconds);

}  // namespace rooftune::probe
