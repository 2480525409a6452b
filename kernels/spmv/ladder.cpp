#include "kernels/spmv/ladder.h"

namespace rooftune::spmv {

Ladder ladder() {
    Ladder ladder;
    // What works on plain CSR comes before what changes the storage, and storage before the vectors that it
    // is made for: SIMD on CSR rows of a few entries would be judged by what SELL is there to mend.
    ladder.optimisations = {
        {"threads", {"threads"}, "more cores, and more of the memory's bandwidth"},
        {"balance", {"partition"}, "no thread waits for the one with the longest rows"},
        {"placement", {"placement"}, "each thread reads pages of its own node"},
        {"prefetch", {"prefetch"}, "values and indices are there when they are needed"},
        {"format", {"format", "block", "chunk", "sigma"}, "rows side by side in vectors, fewer indices"},
        {"short indices", {"index"}, "fewer bytes an entry"},
        {"SIMD", {"simd"}, "several products an instruction"},
        {"accumulators", {"unroll"}, "sums that do not wait for each other"},
        {"streams", {"streams"}, "several places of the matrix are read at a time"},
    };
    ladder.plain = {{"partition", "rows"}};
    return ladder;
}

}  // namespace rooftune::spmv
