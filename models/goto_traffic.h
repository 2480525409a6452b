// Traffic of a matrix product C(m×n) += A(m×k)·B(k×n) with the loops of Goto and van de Geijn (2008): blocks
// of nc columns, kc steps and mc rows, tiles of mr × nr in registers. How often each matrix passes depends on
// which blocks stay near. In words; an estimate of one schedule, for ranking. (The least of any schedule is
// in traffic.h.)
#pragma once

#include "models/traffic_parts.h"

namespace rooftune {

struct GotoLoops {
    double m = 1, n = 1, k = 1;
    double mr = 1, nr = 1;
    double kc = 1, mc = 1, nc = 1;
    bool reads_c = false;       ///< C is also an input; else its first pass only writes
    bool a_outer = false;       ///< in a block, strips of A outside and strips of B inside; else the reverse
    double thread_rows = 1;     ///< threads over rows of C: each has a block of A
    double thread_columns = 1;  ///< over columns: each group has a block of B, and reads all of A
};

/// What stays, and so which boundary the words cross.
enum class GotoLevel {
    blocks,  ///< both blocks stay: what comes from memory
    inner,   ///< the block that the innermost loop walks, and a strip of the other: third cache to second
    strips,  ///< a strip of each: second cache to first
    none,    ///< nothing: first cache to registers
};

/// Words of each matrix that cross; C in both directions together.
struct GotoWords {
    double a = 0, b = 0, c = 0;
    double total() const { return a + b + c; }
};

/// blocks: mk⌈n/nc⌉, kn; inner: mk⌈n/nc⌉, kn⌈m/mc⌉ (a_outer: kn); strips: mk⌈n/nr⌉, kn⌈m/mc⌉ (a_outer:
/// mk⌈n/nc⌉, kn⌈m/mr⌉); none: mk⌈n/nr⌉, kn⌈m/mr⌉. C everywhere 2mn⌈k/kc⌉, less mn where it is not read.
/// A once for each column of threads, B in the last three once for each row of them.
GotoWords goto_words(const GotoLoops& loops, GotoLevel level);

/// Words that must be near for a level, over all threads.
double goto_needed(const GotoLoops& loops, GotoLevel level);
/// The best level whose words fit.
GotoLevel goto_level(const GotoLoops& loops, double words);

/// Blocks for three caches (Low, Igual, Smith and Quintana-Ortí 2016): kc so that a strip of B takes the ways
/// of the first that a strip of A leaves, mc and nc so that their blocks leave a way for each of the others.
///     kc = ways_A·S1/(mr·W1·e), ways_A = ⌊(W1 − 1)/(1 + nr/mr)⌋;  mc = ⌊(W2 − 2)·S2/(kc·e·W2)⌋;
///     nc = ⌊(W3 − 1)·S3/(kc·e·W3)⌋
/// At least one step and one tile each. Caches must have ways; `element` in bytes.
struct GotoBlocks {
    double kc = 1, mc = 1, nc = 1;
};
GotoBlocks goto_blocks(const CacheShape& first, const CacheShape& second, const CacheShape& third, double mr,
                       double nr, double element);

}  // namespace rooftune
