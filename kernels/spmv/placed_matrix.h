// A converted matrix in memory, each part written first by the thread that owns it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/runtime/memory.h"
#include "kernels/runtime/team.h"
#include "kernels/spmv/kernel.h"
#include "kernels/spmv/layout.h"
#include "kernels/spmv/matrix_bytes.h"
#include "kernels/spmv/space.h"

namespace rooftune::spmv {

/// Who touches a page first, and with it decides where it lies.
struct Owners {
    Placement placement = Placement::owner;
    int threads = 1;                 ///< that the matrix is shared out over
    std::vector<std::int64_t> cuts;  ///< first group of each thread, threads + 1 entries
};

/// Touches a buffer's pages by 2 MiB granules: all by one thread, or by the team's threads in turn.
/// Placement::owner leaves them to whoever writes first. `bytes` are zeroed.
void touch_pages(const Buffer& buffer, Placement placement, Team& team);

class PlacedMatrix {
public:
    /// Converts. Throws std::bad_alloc.
    PlacedMatrix(const CsrView& a, Layout layout, DType dtype, const Owners& owners, Team& team);

    const Layout& layout() const { return layout_; }
    /// The matrix's part of the arguments; x, y and prefetch are left to the caller.
    KernelArguments arguments() const;
    /// Bytes as allocated, array by array.
    MatrixBytes bytes() const;
    void flush() const;
    bool intact() const;

private:
    Layout layout_;
    Buffer values_, indices_, pointer_, base_, group_, row_of_;
};

/// Whether it matters which thread writes what first: on one node every page is as near as any other.
bool owners_matter(const Choice& choice, int numa_nodes);

/// The matrix in the variant's format, its parts written first by who will read them. Throws std::bad_alloc.
std::shared_ptr<const PlacedMatrix> place_matrix(const CsrView& a, DType dtype, const Choice& choice,
                                                 int numa_nodes, Team& team);

}  // namespace rooftune::spmv
