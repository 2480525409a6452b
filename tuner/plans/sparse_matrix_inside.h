// A program's matrix as the family has it.
#pragma once

#include <cstddef>
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
    /// Without values, and without columns where those are the program's.
    std::shared_ptr<spmv::Csr> pattern = std::make_shared<spmv::Csr>();
    std::vector<double> value;            ///< empty where it is the program's
    std::shared_ptr<EntryPlaces> places;  ///< none where every entry kept its own
    spmv::CsrView csr;                    ///< all of it, once it is complete

    bool owns_columns() const { return csr.column.data() == pattern->column.data(); }
    /// The pattern for who goes on when the program's arrays are gone: its own where it is a view's.
    std::shared_ptr<const spmv::Csr> kept_pattern() const;
    /// Bytes that it takes, or would take.
    std::size_t pattern_bytes() const;
};

}  // namespace rooftune
