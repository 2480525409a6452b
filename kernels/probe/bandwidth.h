// Bandwidth: memory walked in order by several concurrent streams a thread, as fast as can be.
//
// Bytes counted are those that the mix must move: load 1 a byte walked, update 2 (read and written),
// store and nt_store 1, nt_copy, copy and two_loads_store 1 for each byte read or written. Write-allocation
// is never counted: it is the hardware's own.
#pragma once

#include <cstddef>
#include <vector>

#include "kernels/probe/memory.h"
#include "kernels/probe/window.h"
#include "models/vocabulary.h"

namespace rooftune::probe {

struct BandwidthWay {
    Mix mix = Mix::load;
    int width_bits = 0;
    int streams = 1;
    int prefetch_bytes = 0;  ///< software prefetch so far ahead in each stream; 0 for none
    bool shared = false;     ///< loads only: every thread walks all of thread 0's region
};

/// Where a thread's streams lie in its region. Stream s of array a begins at
/// (s·arrays + a)·stride and is `bytes` long.
struct StreamLayout {
    int streams = 1;
    int arrays = 1;         ///< 1, 2 for copies, 3 for two_loads_store
    std::size_t bytes = 0;  ///< of one array of one stream; a multiple of the loop's block
    std::size_t stride = 0;
};

/// Arrays that a mix walks at once.
int arrays_of(Mix mix);

/// Layout of one thread's share of the footprint; bytes is 0 when the share does not hold one block of
/// every stream. Strides are staggered: streams at equal offsets would compete for one cache set.
StreamLayout layout_of(const BandwidthWay& way, Bytes footprint, int threads);

/// Prefetch distances worth trying for a mix at all: {0} for mixes without loads.
std::vector<int> prefetches_of(Mix mix);

/// Whether the CPU has this width and the share holds the streams. Data that all threads write has no rate
/// that means anything: only loads are shared.
bool can_walk(const BandwidthWay& way, Bytes footprint, int threads);

/// Work in bytes; a repetition is one pass over the footprint, by each thread where they share it. The memory
/// must be reserved and must outlive the work.
Work bandwidth_work(const BandwidthWay& way, Bytes footprint, int threads, Pages pages, const Memory& memory);

}  // namespace rooftune::probe
