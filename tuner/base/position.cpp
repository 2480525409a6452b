#include "tuner/base/position.h"

#include "kernels/runtime/error.h"

namespace rooftune {

void fail(const std::string& file, Position at, const std::string& what) {
    throw InputError(file + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + ": " + what);
}

}  // namespace rooftune
