// A chain of operations, each on the result of the one before, and what fusing them saves. Two operations
// that are not fused meet in memory: the first writes the array between them, the second reads it. Fused,
// the array never leaves the chip. The flops stay, so the intensity rises: of n element-by-element steps that
// read an array and write one, fusion takes the intensity from 1/(2s) to n/(2s), s the bytes of an element.
// The count assumes that what is fused fits: an array between two matrix products needs a row of it at least,
// and all of it (or all of the second's weights, for each row) to read those weights only once.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/roofline.h"
#include "models/units.h"

namespace rooftune {

/// What an operation reads besides the array that flows through the chain.
enum class ChainOperand {
    none,
    row,     ///< one element a column: a bias
    array,   ///< another array of the same shape
    weights  ///< the right factor of a matrix product
};

struct ChainOperation {
    std::string_view name;
    double flops = 1.0;  ///< an element of the result; a matrix product has 2k instead
    ChainOperand operand = ChainOperand::none;
    std::string_view help;
};

/// Operations that a chain may consist of.
const std::vector<ChainOperation>& chain_operations();
const ChainOperation* find_chain_operation(std::string_view name);

/// One operation with its sizes: the array that comes in is rows × from, the result rows × to.
struct ChainStep {
    const ChainOperation* operation = nullptr;
    double rows = 0.0, from = 0.0, to = 0.0;
    bool fused_with_next = false;
};

/// Operations that run as one kernel.
struct ChainKernel {
    std::string name;  ///< "matmul+bias+gelu"
    Operations flops{0.0};
    Bytes reads{0.0};
    Bytes writes{0.0};
    Bytes operands{0.0};  ///< of `reads`, what does not come from the kernel before
};

/// The kernels of a chain, in order. `element` is the bytes of one.
std::vector<ChainKernel> chain_kernels(const std::vector<ChainStep>& steps, double element);

/// The whole chain as one: sums.
ChainKernel chain_total(const std::vector<ChainKernel>& kernels);

/// Kernels one after the other, each at its own roof; at least what the roof allows their sum.
Seconds seconds_in_sequence(const std::vector<ChainKernel>& kernels, const Roofline& roof);

}  // namespace rooftune
