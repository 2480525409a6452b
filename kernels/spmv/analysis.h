// What the space and the work of a problem are derived from: for every format the space could offer,
// its exact counts, its bytes, and what falls to each thread. One pass over the matrix for each
// format, nothing converted.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/sparse/csr.h"
#include "kernels/spmv/layout.h"
#include "kernels/spmv/matrix_bytes.h"
#include "kernels/spmv/partition.h"
#include "kernels/spmv/sparse.h"
#include "models/spmv_traffic.h"

namespace rooftune::spmv {

/// Powers of two of lanes: 1, 2, 4, 8, 16.
inline constexpr int kLaneKinds = 5;

/// Streams on offer: 1, 2, 4, 8.
inline constexpr int kStreamKinds = 4;

/// What one thread has of a converted matrix.
struct ThreadShare {
    std::int64_t steps = 0;
    std::int64_t segments = 0;   ///< that begin in it
    std::int64_t continued = 0;  ///< that began in the share before: their rest is walked like a segment
    std::int64_t groups = 0;
    std::int64_t rows = 0;
    /// CSR: vectors of 2^i lanes that the segments take, Σ ⌈length/2^i⌉.
    std::array<std::int64_t, kLaneKinds> vectors{};
};

struct Split {
    std::vector<ThreadShare> threads;
    std::int64_t longest = 0;  ///< steps of a segment that one thread walks without a break
    /// Bit i: 2^i streams walk otherwise than any fewer do.
    unsigned streams = 1;
};

struct FormatSummary {
    FormatKey key;
    std::int64_t groups = 0;
    std::int64_t segments = 0;
    std::int64_t steps = 0;
    std::int64_t longest = 0;  ///< steps of the longest segment
    bool has_bases = false;
    bool has_groups = false;
    bool permuted = false;
    MatrixBytes bytes;
    std::int64_t x_elements = 0;          ///< distinct elements of x that are read
    ThreadShare all;                      ///< the whole matrix
    std::vector<Split> splits;            ///< 3·i + partition for the i-th thread count
    std::vector<bool> partition_matters;  ///< for the i-th thread count: rows and nnz differ
    /// For the i-th thread count: Partition::split cuts rows, and takes a good part off the heaviest thread.
    std::vector<bool> cuts_rows;

    const Split& split(std::size_t threads_index, Partition partition) const {
        return splits[kPartitions * threads_index + static_cast<std::size_t>(partition)];
    }
    static constexpr std::size_t kPartitions = 3;
};

/// Bytes of the matrix that a share holds (the one pointer past the last segment left out).
std::int64_t share_bytes(const FormatSummary& summary, const ThreadShare& share, DType dtype);

struct Analysis {
    DType dtype = DType::f64;
    std::int64_t rows = 0;
    std::int64_t cols = 0;
    std::int64_t stored = 0;
    std::int64_t longest_row = 0;
    std::vector<int> threads;          ///< 1, 2, 4, … and the most
    std::vector<BlockShape> blocks;    ///< offered: those of acceptable fill
    std::vector<std::int64_t> sigmas;  ///< offered: those that give different orders
    std::vector<FormatSummary> csr;    ///< [index]: 32, 16
    std::vector<FormatSummary> bcsr;   ///< [2·block + index]
    std::vector<FormatSummary> sell;   ///< [2·(chunk·sigmas + sigma) + index]
    ReuseCurve x_reuse;                ///< of the lines of x, in the order of the rows
    /// The one format that was looked at; the summaries of all others are empty, and so are x_reuse and
    /// x_elements. Nothing: all were.
    std::optional<FormatKey> only{};

    const FormatSummary& of_csr(int index) const { return csr[static_cast<std::size_t>(index)]; }
    const FormatSummary& of_bcsr(int block, int index) const {
        return bcsr[static_cast<std::size_t>(2 * block + index)];
    }
    const FormatSummary& of_sell(int chunk, int sigma, int index) const {
        return sell[2 * (static_cast<std::size_t>(chunk) * sigmas.size() + static_cast<std::size_t>(sigma)) +
                    static_cast<std::size_t>(index)];
    }
};

/// Stored entries of blocks over stored entries of the matrix: shapes above this are not offered
/// unless none is below it.
inline constexpr double kMostFill = 2.5;

/// Throws InputError for more than 2³¹ − 1 columns.
Analysis analyse(const CsrView& a, DType dtype, int threads);

/// Of one format, of which `layout` is, which takes a small part of the time: enough for the space of its
/// variants, not for their work. Throws InputError as analyse() does.
Analysis analyse_only(const CsrView& a, DType dtype, int threads, const Layout& layout);

}  // namespace rooftune::spmv
