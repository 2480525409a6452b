#include "kernels/spmv/formats.h"

namespace rooftune::spmv {

std::string to_text(BlockShape shape) {
    return std::to_string(shape.rows) + "x" + std::to_string(shape.cols);
}

}  // namespace rooftune::spmv
