#include "tuner/plans/several_vectors.h"

#include <algorithm>
#include <limits>
#include <string>

#include "kernels/runtime/error.h"

namespace rooftune {

void SeveralVectors::check() const {
    if (number < 0)
        throw InputError("spmv: there cannot be " + std::to_string(number) + " vectors; give 0 or more");
    const std::int64_t least = std::max<std::int64_t>(1, line_length());
    const std::int64_t most =
        std::numeric_limits<std::int64_t>::max() / 16 / std::max<std::int64_t>(1, lines());
    if (stride >= least && stride <= most) return;
    const std::string of = side_by_side ? std::to_string(number) + " vectors side by side"
                                        : "vectors of " + std::to_string(length) + " elements";
    throw InputError("spmv: ld" + std::string(name) + " is " + std::to_string(stride) + " for " + of +
                     "; give at least " + std::to_string(least) + ", and no more than memory has");
}

}  // namespace rooftune
