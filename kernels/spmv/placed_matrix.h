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
    DType dtype() const { return dtype_; }
    /// The matrix's part of the arguments; x, y and prefetch are left to the caller.
    KernelArguments arguments() const;
    /// Bytes as allocated, array by array.
    MatrixBytes bytes() const;
    /// Bytes that it takes from the process, the layout, guard zones and rounding to pages with them: the
    /// most that can be resident.
    std::size_t memory_bytes() const;
    /// The same of a matrix that is still to be converted.
    static std::size_t memory_bytes(const Layout& layout, DType dtype);

    /// Replaces the values; `pattern` is the matrix that this one was made of, `value` as many as it has
    /// entries, in its order. V is float or double. Nobody may be multiplying.
    template <typename V>
    void set_values(const CsrView& pattern, const V* value, Team& team);
    /// From now on the values are those of `value`, of the matrix's type and as many as it has entries, which
    /// stays where it is; the matrix's own are given back. Only of compressed rows. Kernels read whole
    /// vectors, and nothing behind `value` may be read: they see the matrix without its last entries
    /// (unseen()), which is for whoever multiplies to add. A Product that there is must follow_values().
    /// Nobody may be multiplying. Throws std::bad_alloc, and all is as it was.
    void view_values(const void* value);
    bool views_values() const { return viewed_ != nullptr; }
    /// Steps that kernels see: all but the unseen ones.
    std::int64_t seen_steps() const { return layout_.steps() - static_cast<std::int64_t>(unseen_.size()); }
    struct Place {
        std::int64_t row, column;
    };
    /// The last entries of a matrix that views its values, in order; entry seen_steps() is the first.
    const std::vector<Place>& unseen() const { return unseen_; }

    /// The values as they are now, in the order of the pattern's entries.
    std::vector<double> values(const CsrView& pattern, Team& team) const;
    /// The compressed rows of `cols` columns again, without values. Only of a matrix in that format.
    Csr pattern(std::int64_t cols) const;
    void flush() const;
    bool intact() const;

private:
    /// Calls visit(entry, slot) for all entries, on all threads of the team.
    template <typename Visit>
    void each_slot_of_team(const CsrView& pattern, Team& team, Visit&& visit) const;

    void hide_last();
    const void* value_data() const { return viewed_ ? viewed_ : values_.data(); }

    Layout layout_;
    DType dtype_;
    Buffer values_, indices_, pointer_, base_, group_, row_of_;
    const void* viewed_ = nullptr;  ///< the program's values, where they stay there
    std::vector<Place> unseen_;
};

/// Whether it matters which thread writes what first: on one node every page is as near as any other.
bool owners_matter(const Choice& choice, int numa_nodes);

/// The matrix in the variant's format, its parts written first by who will read them. Throws std::bad_alloc.
std::shared_ptr<PlacedMatrix> place_matrix(const CsrView& a, DType dtype, const Choice& choice,
                                           int numa_nodes, Team& team);

/// The same where the layout is there already: of `a` in the variant's format.
std::shared_ptr<PlacedMatrix> place_matrix(const CsrView& a, Layout layout, DType dtype, const Choice& choice,
                                           int numa_nodes, Team& team);

}  // namespace rooftune::spmv
