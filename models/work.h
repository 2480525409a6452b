// Work: the least a (partial) variant must do in one repetition. A family fills it in; every field
// of a partial variant is a lower bound of the same field over all its completions, each field on
// its own. Traits: the most permissive conditions among the completions, which decide the ceilings.
#pragma once

#include "models/traffic.h"
#include "models/units.h"
#include "models/vocabulary.h"

namespace rooftune {

/// What one thread, or all together, must at least execute.
struct InCore {
    Operations ops{0.0};           ///< floating-point operations executed, padding included
    Operations instructions{0.0};  ///< instructions of any kind; counted as few as a compiler could make it
    Operations loads{0.0};         ///< load operations; an operand in memory is one, a gather is at least one
    Operations fmas{0.0};          ///< floating-point vector instructions
    /// Those of `ops` that are halves of fused multiply-adds. Cores with adders of their own do more of a mix
    /// with additions than of these alone (Zen 4: half as many again).
    Operations fused{0.0};
    /// Those of `ops` that are additions by instructions of their own, in which a compiler can hide no
    /// product.
    Operations added{0.0};
    /// Those of `loads` that are whole vectors of Traits::load_bits or more: cores load fewer wide vectors a
    /// cycle than narrow ones (Zen 5: two of 512 bits, four scalars).
    Operations wide_loads{0.0};
    /// Those of `wide_loads` that straddle two cache lines of 64 bytes: two accesses on the cores that we
    /// know.
    Operations split_loads{0.0};
    /// Elements that gather instructions load, each in a lane of its own.
    Operations gathered{0.0};
};

struct Work {
    Operations flops_nominal{0.0};    ///< what is reported as flop/s; bounds nothing
    InCore total;                     ///< all threads together
    InCore heaviest;                  ///< the thread with the most of each
    TrafficProfile traffic;           ///< all threads together
    TrafficProfile heaviest_traffic;  ///< the thread that must move most
    Bytes exchanged{0.0};             ///< over one device's links, in the busier direction
    Operations chain_steps{0.0};      ///< dependent floating-point steps that one thread must take in order
    /// One thread takes so many batches of such chains, every instruction of one before those of the next;
    /// the chains of a batch (the accumulators of one register tile, say) go side by side and are equally
    /// long. The core overlaps the end of a batch with the start of the next by at most its reorder window,
    /// so the batches add up where they are long against it (models/bound.cpp).
    double chain_repeats = 1.0;
    Operations chain_instructions{0.0};  ///< of one batch: the steps of all its chains
    /// Every step is a fused multiply-add that the one before adds to, whatever the instruction set.
    bool chain_fused = false;
};

struct Traits {
    DType dtype = DType::f64;
    /// Widest vectors any completion may use; element bits for scalar code; kAnyWidth where nothing limits
    /// them (OpenCL).
    int width_bits = 0;
    /// The least, over completions, of the widest vectors that each uses; 0: as width_bits. What is not known
    /// of code of one of these widths is not known of a variant that may be of it.
    int narrowest_bits = 0;
    int threads = 1;    ///< most threads any completion may use
    int load_bits = 0;  ///< narrowest vectors among the wide_loads of any completion
    /// The following only rank or explain; 0 means not known.
    int streams = 0;              ///< concurrent streams a thread
    Operations gathers{0.0};      ///< indexed elements loaded, all threads together
    Bytes gather_footprint{0.0};  ///< distinct bytes that they come from
};

}  // namespace rooftune
