// A program's matrix as the family has it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/sparse/csr.h"
#include "kernels/spmv/sparse.h"
#include "tuner/plans/sparse_matrix.h"

namespace rooftune {

/// For each entry of the program's arrays its place among those stored. Several have the same where entries
/// were added up.
using EntryPlaces = std::vector<std::int64_t>;

struct ROOFTUNE_HIDDEN SparseMatrix::Inside {
    std::shared_ptr<spmv::Csr> pattern = std::make_shared<spmv::Csr>();  ///< without values
    std::vector<double> value;
    std::shared_ptr<EntryPlaces> places;  ///< none where every entry kept its own
    spmv::CsrView csr;                    ///< all of it, once it is complete
};

}  // namespace rooftune
