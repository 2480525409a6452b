#include "models/fusion.h"

namespace rooftune {
namespace {

Operations flops_of(const ChainStep& step) {
    const double elements = step.rows * step.to;
    if (step.operation->operand == ChainOperand::weights) return Operations(2.0 * elements * step.from);
    return Operations(elements * step.operation->flops);
}

double operand_elements(const ChainStep& step) {
    switch (step.operation->operand) {
        case ChainOperand::none:
            return 0.0;
        case ChainOperand::row:
            return step.to;
        case ChainOperand::array:
            return step.rows * step.to;
        case ChainOperand::weights:
            return step.from * step.to;
    }
    return 0.0;
}

}  // namespace

// A transcendental function counts as one operation, as in published counts; gelu is its form with tanh,
// x/2·(1 + tanh(√(2/π)·(x + 0.044715·x³))).
const std::vector<ChainOperation>& chain_operations() {
    static const std::vector<ChainOperation> all{
        {"matmul", 0.0, ChainOperand::weights, "product with a matrix of weights"},
        {"bias", 1.0, ChainOperand::row, "adds one value a column"},
        {"add", 1.0, ChainOperand::array, "adds another array"},
        {"sub", 1.0, ChainOperand::array, "subtracts another array"},
        {"mul", 1.0, ChainOperand::array, "multiplies by another array"},
        {"div", 1.0, ChainOperand::array, "divides by another array"},
        {"scale", 1.0, ChainOperand::none, "multiplies by one value"},
        {"relu", 1.0, ChainOperand::none, "max(x, 0)"},
        {"square", 1.0, ChainOperand::none, "x·x"},
        {"sqrt", 1.0, ChainOperand::none, "√x"},
        {"exp", 1.0, ChainOperand::none, "e^x"},
        {"tanh", 1.0, ChainOperand::none, "tanh x"},
        {"sigmoid", 4.0, ChainOperand::none, "1/(1 + e^−x)"},
        {"silu", 5.0, ChainOperand::none, "x/(1 + e^−x), the sigmoid times x"},
        {"gelu", 9.0, ChainOperand::none, "by tanh"},
        {"softmax", 5.0, ChainOperand::none,
         "along a row: largest, difference, e^x, sum, quotient; needs a whole row on the chip"},
        {"copy", 0.0, ChainOperand::none, "moves data only: a change of layout"},
    };
    return all;
}

const ChainOperation* find_chain_operation(std::string_view name) {
    for (const ChainOperation& operation : chain_operations()) {
        if (operation.name == name) return &operation;
    }
    return nullptr;
}

std::vector<ChainKernel> chain_kernels(const std::vector<ChainStep>& steps, double element) {
    std::vector<ChainKernel> kernels;
    bool begins = true;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const ChainStep& step = steps[i];
        if (begins) {
            kernels.emplace_back();
            kernels.back().reads = Bytes(element * step.rows * step.from);
            if (i == 0) kernels.back().operands = kernels.back().reads;
        }
        ChainKernel& kernel = kernels.back();
        if (!begins) kernel.name += "+";
        kernel.name += step.operation->name;
        kernel.flops += flops_of(step);
        const Bytes operand(element * operand_elements(step));
        kernel.reads += operand;
        kernel.operands += operand;
        begins = !step.fused_with_next || i + 1 == steps.size();
        if (begins) kernel.writes = Bytes(element * step.rows * step.to);
    }
    return kernels;
}

ChainKernel chain_total(const std::vector<ChainKernel>& kernels) {
    ChainKernel sum;
    for (const ChainKernel& kernel : kernels) {
        if (!sum.name.empty()) sum.name += " / ";
        sum.name += kernel.name;
        sum.flops += kernel.flops;
        sum.reads += kernel.reads;
        sum.writes += kernel.writes;
        sum.operands += kernel.operands;
    }
    return sum;
}

Seconds seconds_in_sequence(const std::vector<ChainKernel>& kernels, const Roofline& roof) {
    Seconds sum{0.0};
    for (const ChainKernel& kernel : kernels) sum += roof.lower(kernel.flops, kernel.reads + kernel.writes);
    return sum;
}

}  // namespace rooftune
