// The structure of a converted matrix without its values and indices: how many steps each segment
// has, where its indices count from, and the order of the rows. Cheap enough to be made for every
// format of a space, which is how the exact bytes are known before anything is converted.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/runtime/team.h"
#include "kernels/sparse/csr.h"
#include "kernels/spmv/formats.h"
#include "kernels/spmv/sparse.h"

namespace rooftune::spmv {

struct Layout {
    FormatKey key;
    std::int64_t rows = 0;
    std::int64_t groups = 0;
    std::vector<std::int64_t> step_begin{0};  ///< segments + 1
    std::vector<std::uint32_t> base;          ///< of a segment; empty where every base is 0
    std::vector<std::uint32_t> group;         ///< of a segment; empty where segment i is group i
    std::vector<std::int64_t> first_segment;  ///< of a group, groups + 1 entries; empty like `group`
    std::vector<std::uint32_t> row_of;        ///< SELL: row at each sorted position; empty: as given

    std::int64_t segments() const { return static_cast<std::int64_t>(step_begin.size()) - 1; }
    std::int64_t steps() const { return step_begin.back(); }
    /// First segment of a group; `groups` is one past the last.
    std::int64_t segment_of(std::int64_t g) const {
        return first_segment.empty() ? g : first_segment[static_cast<std::size_t>(g)];
    }
    /// First step of a group.
    std::int64_t step_of(std::int64_t g) const { return step_begin[static_cast<std::size_t>(segment_of(g))]; }
    /// Rows of groups g0 … g1−1.
    std::int64_t rows_of(std::int64_t g0, std::int64_t g1) const;
};

/// Values of σ that SELL may have, ascending: 1, 64, 256, 4096 and all rows, as far as there are so many.
std::vector<std::int64_t> sort_windows(std::int64_t rows);

/// Rows in the order of SELL's σ: by falling length within windows of σ rows, equal ones as given.
/// Empty when that is the order they have.
std::vector<std::uint32_t> sorted_rows(const CsrView& a, std::int64_t sigma);

/// Layout with 32-bit indices: one segment a group. `order` is sorted_rows(a, key.sigma), used by
/// SELL only. key.index_bits must be 32. `team`: counts blocks on all of its threads; may be null.
Layout make_wide_layout(const CsrView& a, const FormatKey& key, const std::vector<std::uint32_t>& order,
                        Team* team = nullptr);

/// The same with 16-bit indices: groups that span more than 65 536 columns (block columns) are cut
/// into segments with a base each.
Layout make_short_layout(const CsrView& a, const Layout& wide);

/// Either of them.
Layout make_layout(const CsrView& a, const FormatKey& key, Team* team = nullptr);

}  // namespace rooftune::spmv
