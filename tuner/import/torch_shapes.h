// What an operator of PyTorch must compute and move, by the shapes of its operands. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rooftune::imports {

using Shape = std::vector<double>;  ///< empty: a scalar, or not a tensor

struct Operator {
    std::string name;  ///< "aten::mm"
    std::vector<Shape> inputs;
    std::vector<std::string> types;     ///< of the inputs, "c10::BFloat16"; may be shorter
    std::vector<std::string> concrete;  ///< arguments that are no tensors, as text; may be empty
};

/// Nominal flops: 2mnk of a product of matrices, 2·N·K·P·Q·C·R·S over groups of a convolution, one an
/// element of the result for elementwise operators. nullopt where shapes do not fit or the operator is not
/// known.
std::optional<double> flops_by_shape(const Operator& op);

/// Least bytes: each operand read and the result written once. nullopt where the result's shape is not
/// known.
std::optional<double> bytes_by_shape(const Operator& op);

/// "f32" for "float", "bf16" for "c10::BFloat16"; empty for what computes nothing.
std::string type_name(std::string_view torch_type);

/// "4096×1024 · 1024×512"
std::string shapes_text(const Operator& op);

}  // namespace rooftune::imports
