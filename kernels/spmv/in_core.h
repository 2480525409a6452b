// What a variant must at least execute, derived from the kernels' loops. Counted as few as a
// compiler could make it: every loop fully unrolled, every address free, one operand of each
// arithmetic instruction taken from memory. What is left is what the source asks of the machine:
// adjacent elements that the source loads one by one are not merged (checked in the machine code).
#pragma once

#include "kernels/spmv/analysis.h"
#include "models/work.h"

namespace rooftune::spmv {

/// What is compiled in, as far as it decides the counts.
struct Code {
    int lanes = 1;  ///< of the space's `simd`; 1 for scalar code
    int unroll = 1;
    /// A vector of x is gathered by one instruction (kernels_gather()); else each of its elements is a load.
    bool gathers = true;
};

/// One share of a matrix in this format under this code.
///
/// An indexed product (CSR, SELL; scalar or vector), for each vector of ⌈·/lanes⌉:
///   * the indices must reach a register before they can address x: 1 instruction, 1 load;
///   * x: a gather is 1 instruction and at least 1 load; a scalar load of x is 1 and 1, unless it is
///     the operand of the product, and then the value needs an instruction of its own. Without gathers
///     each lane of a whole vector of x takes an instruction that loads it;
///   * the value is the product's other operand: 1 load, no instruction;
///   * the product and sum: 1 instruction (2 without FMA), 1 floating-point instruction.
/// Together 3 instructions, 3 loads, 1 floating-point instruction, 2·lanes operations.
///
/// A block (BCSR) of r×c with V = ⌈r/lanes⌉: its index 1 instruction and 1 load; for each of the c
/// columns V products, and one of the two operands of each comes from memory. Either x is loaded
/// once and the V values are operands, or x is an operand and the V values are loaded: V + 1
/// instructions. V loads of values; the c adjacent elements of x might be one load and shuffles.
///
/// A segment, and the rest of one that another thread began: its end 1 load, its base and its group 1 each
/// where they exist, each in an instruction of its own. A row: its store shares nothing with other rows in
/// CSR and BCSR scalar code; vectors store `lanes` rows at once at best: ⌈rows/lanes⌉ (1 for each row in
/// CSR); a permutation is loaded `lanes` rows at a time at best.
///
/// Wide loads are those of values, each a whole vector: of a CSR segment the last may be a part of one, which
/// is not counted, and of a block those of the lanes that its rows fill (load_bits). Scalar code has none.
///
/// Gathered are the lanes of whole vectors of x: what a compiler makes of a part of one, whose other lanes
/// are not wanted, may load fewer.
InCore in_core(const FormatSummary& summary, const ThreadShare& share, Code code);

/// Width of the vectors that values are loaded in.
int load_bits(const FormatSummary& summary, Code code, DType dtype);

/// Dependent steps of the longest chain: the accumulators of the longest segment share its vectors
/// at best evenly, and each adds its own one after another. CSR: ⌈⌈length/lanes⌉/unroll⌉; SELL:
/// length (each accumulator has rows of its own); BCSR: ⌈blocks/unroll⌉·c. The cut of a row into
/// segments only shortens what is counted, and so does that between threads. `longest`: steps of the longest
/// segment, or part of one, that a thread walks.
double chain_steps(const FormatKey& format, std::int64_t longest, Code code);

}  // namespace rooftune::spmv
