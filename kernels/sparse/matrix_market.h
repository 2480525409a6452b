// A strict reader of Matrix Market files (NIST's exchange format: Boisvert, Pozo and Remington,
// NISTIR 5935, 1996), plain or gzip. Whatever is wrong is named with file, line and what to do.
#pragma once

#include <cstdint>
#include <string>

#include "kernels/runtime/memory.h"
#include "kernels/sparse/csr.h"
#include "kernels/sparse/line_reader.h"

namespace rooftune::sparse {

struct MatrixMarketHeader {
    enum class Layout { coordinate, array };
    enum class Field { real, integer, pattern };
    enum class Symmetry { general, symmetric, skew_symmetric };

    Layout layout = Layout::coordinate;
    Field field = Field::real;
    Symmetry symmetry = Symmetry::general;
    std::int64_t rows = 0;
    std::int64_t cols = 0;
    std::int64_t entries = 0;    ///< entry lines that the file promises (array: follows from the sizes)
    std::int64_t size_line = 0;  ///< number of the line that promises them
};

struct MatrixMarketOptions {
    /// Values of pattern files: uniform in [0.5, 1.5), a function of this and the place alone; the
    /// two mirrored entries of a symmetric file agree.
    std::uint64_t pattern_seed = 1;
    double available_bytes = available_memory();
    std::int64_t largest_filler = LineReader::kLargestFiller;
};

struct MatrixMarketFile {
    MatrixMarketHeader header;
    /// In full (the other triangle of symmetric files filled in), columns ascending in each row,
    /// explicit zeros kept.
    Csr matrix;
};

/// Reads banner, comments and size line; the reader then stands before the first entry.
/// Throws InputError, also when the promised matrix exceeds the limits or the memory.
MatrixMarketHeader read_matrix_market_header(LineReader& reader, double available_bytes);

/// Throws InputError "FILE:LINE: what; what to do" on anything that the format does not allow, and
/// on complex matrices.
MatrixMarketFile read_matrix_market(const std::string& path, const MatrixMarketOptions& options = {});

}  // namespace rooftune::sparse
