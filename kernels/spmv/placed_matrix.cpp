#include "kernels/spmv/placed_matrix.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "kernels/spmv/fill.h"
#include "kernels/spmv/partition.h"
#include "kernels/spmv/slots.h"

namespace rooftune::spmv {
namespace {

constexpr std::size_t kGranule = std::size_t{2} << 20;

template <typename T>
void fill_range(const CsrView& a, const Layout& layout, std::int64_t g0, std::int64_t g1,
                const Buffer& values, const Buffer& indices) {
    if (layout.key.index_bits == 32) {
        fill_groups(a, layout, g0, g1, values.as<T>(), indices.as<std::uint32_t>());
    } else {
        fill_groups(a, layout, g0, g1, values.as<T>(), indices.as<std::uint16_t>());
    }
}

void copy_words(const std::vector<std::uint32_t>& from, const Buffer& to, std::int64_t first,
                std::int64_t last) {
    if (from.empty()) return;
    std::copy(from.begin() + first, from.begin() + last, to.as<std::uint32_t>() + first);
}

}  // namespace

void touch_pages(const Buffer& buffer, Placement placement, Team& team) {
    if (placement == Placement::owner) return;
    const int threads = placement == Placement::none ? 1 : team.size();
    team.run(threads, [&](int t) {
        for (std::size_t at = static_cast<std::size_t>(t) * kGranule; at < buffer.bytes();
             at += static_cast<std::size_t>(threads) * kGranule) {
            std::memset(buffer.data() + at, 0, std::min(kGranule, buffer.bytes() - at));
        }
    });
}

PlacedMatrix::PlacedMatrix(const CsrView& a, Layout layout, DType dtype, const Owners& owners, Team& team)
    : layout_(std::move(layout)), dtype_(dtype) {
    const MatrixBytes sizes = matrix_bytes(layout_, dtype);
    const auto allocate = [](std::int64_t bytes) {
        const auto size = static_cast<std::size_t>(bytes);
        return size == 0 ? Buffer() : Buffer(size, pages_for(size));
    };
    values_ = allocate(sizes.values);
    indices_ = allocate(sizes.indices);
    pointer_ = allocate(sizes.pointers);
    base_ = allocate(sizes.bases);
    group_ = allocate(sizes.groups);
    row_of_ = allocate(sizes.permutation);
    for (const Buffer* b : {&values_, &indices_, &pointer_, &base_, &group_, &row_of_}) {
        touch_pages(*b, owners.placement, team);
    }
    team.run(owners.threads, [&](int t) {
        const std::int64_t g0 = owners.cuts[static_cast<std::size_t>(t)];
        const std::int64_t g1 = owners.cuts[static_cast<std::size_t>(t) + 1];
        const std::int64_t s0 = layout_.segment_of(g0);
        const std::int64_t s1 = layout_.segment_of(g1);
        auto* pointer = pointer_.as<std::uint32_t>();
        if (t == 0) pointer[0] = 0;
        for (std::int64_t s = s0; s < s1; ++s) {
            pointer[s + 1] = static_cast<std::uint32_t>(layout_.step_begin[static_cast<std::size_t>(s) + 1]);
        }
        copy_words(layout_.base, base_, s0, s1);
        copy_words(layout_.group, group_, s0, s1);
        const std::int64_t height = layout_.key.group_rows();
        copy_words(layout_.row_of, row_of_, std::min(layout_.rows, g0 * height),
                   std::min(layout_.rows, g1 * height));
        if (dtype == DType::f64) {
            fill_range<double>(a, layout_, g0, g1, values_, indices_);
        } else {
            fill_range<float>(a, layout_, g0, g1, values_, indices_);
        }
    });
    for (Buffer* b : {&values_, &indices_, &pointer_, &base_, &group_, &row_of_}) b->arm();
}

KernelArguments PlacedMatrix::arguments() const {
    KernelArguments arguments;
    arguments.values = value_data();
    arguments.indices = indices_.data();
    arguments.pointer = pointer_.as<std::uint32_t>();
    arguments.base = layout_.base.empty() ? nullptr : base_.as<std::uint32_t>();
    arguments.group = layout_.group.empty() ? nullptr : group_.as<std::uint32_t>();
    arguments.row_of = layout_.row_of.empty() ? nullptr : row_of_.as<std::uint32_t>();
    arguments.rows = layout_.rows;
    arguments.chunk = layout_.key.chunk;
    return arguments;
}

MatrixBytes PlacedMatrix::bytes() const {
    const auto size = [](const Buffer& b) { return static_cast<std::int64_t>(b.bytes()); };
    return {size(values_), size(indices_), size(pointer_), size(base_), size(group_), size(row_of_)};
}

std::size_t PlacedMatrix::memory_bytes() const {
    const std::size_t all = memory_bytes(layout_, dtype_) + unseen_.capacity() * sizeof unseen_[0];
    const auto values = static_cast<std::size_t>(matrix_bytes(layout_, dtype_).values);
    return viewed_ && values > 0 ? all - Buffer::mapped_bytes(values, pages_for(values)) : all;
}

std::size_t PlacedMatrix::memory_bytes(const Layout& layout, DType dtype) {
    const MatrixBytes sizes = matrix_bytes(layout, dtype);
    std::size_t sum = sizeof(PlacedMatrix) + layout.step_begin.capacity() * sizeof layout.step_begin[0] +
                      layout.base.capacity() * sizeof layout.base[0] +
                      layout.group.capacity() * sizeof layout.group[0] +
                      layout.first_segment.capacity() * sizeof layout.first_segment[0] +
                      layout.row_of.capacity() * sizeof layout.row_of[0];
    for (const std::int64_t bytes :
         {sizes.values, sizes.indices, sizes.pointers, sizes.bases, sizes.groups, sizes.permutation}) {
        const auto size = static_cast<std::size_t>(bytes);
        if (size > 0) sum += Buffer::mapped_bytes(size, pages_for(size));
    }
    return sum;
}

template <typename Visit>
void PlacedMatrix::each_slot_of_team(const CsrView& pattern, Team& team, Visit&& visit) const {
    const std::vector<std::int64_t> cuts = split_groups(layout_, team.size(), Partition::nnz);
    team.run(team.size(), [&](int t) {
        const auto at = static_cast<std::size_t>(t);
        each_slot(pattern, layout_, cuts[at], cuts[at + 1], visit);
    });
}

void PlacedMatrix::view_values(const void* value) {
    if (layout_.key.format != Format::csr) throw std::logic_error("spmv: only rows can view their values");
    if (!viewed_) hide_last();
    viewed_ = value;
    values_ = Buffer();
}

void PlacedMatrix::hide_last() {
    // As many as the widest vector has.
    const std::int64_t first =
        std::max<std::int64_t>(0, layout_.steps() - 64 / static_cast<std::int64_t>(size_of(dtype_)));
    std::vector<Place> places;
    std::int64_t segment = layout_.segments();
    while (segment > 0 && layout_.step_begin[static_cast<std::size_t>(segment)] > first) {
        const auto at = static_cast<std::size_t>(--segment);
        const std::int64_t row = layout_.group.empty() ? segment : std::int64_t{layout_.group[at]};
        const std::int64_t base = layout_.base.empty() ? 0 : std::int64_t{layout_.base[at]};
        for (std::int64_t k = layout_.step_begin[at + 1] - 1; k >= std::max(first, layout_.step_begin[at]);
             --k) {
            const std::int64_t index = layout_.key.index_bits == 32 ? indices_.as<const std::uint32_t>()[k]
                                                                    : indices_.as<const std::uint16_t>()[k];
            places.push_back({row, base + index});
        }
    }
    std::reverse(places.begin(), places.end());
    unseen_ = std::move(places);
    auto* const pointer = pointer_.as<std::uint32_t>();
    for (std::int64_t s = layout_.segments(); s > segment; --s)
        pointer[s] = static_cast<std::uint32_t>(first);
}

template <typename V>
void PlacedMatrix::set_values(const CsrView& pattern, const V* value, Team& team) {
    const auto into = [&](auto* values) {
        using T = std::remove_pointer_t<decltype(values)>;
        each_slot_of_team(pattern, team, [=](std::int64_t entry, std::int64_t slot) {
            values[slot] = static_cast<T>(value[entry]);
        });
    };
    if (dtype_ == DType::f64) {
        into(values_.as<double>());
    } else {
        into(values_.as<float>());
    }
}

template void PlacedMatrix::set_values(const CsrView&, const double*, Team&);
template void PlacedMatrix::set_values(const CsrView&, const float*, Team&);

std::vector<double> PlacedMatrix::values(const CsrView& pattern, Team& team) const {
    std::vector<double> all(static_cast<std::size_t>(pattern.stored()));
    const auto from = [&](const auto* values) {
        double* const to = all.data();
        each_slot_of_team(pattern, team, [=](std::int64_t entry, std::int64_t slot) {
            to[entry] = static_cast<double>(values[slot]);
        });
    };
    if (dtype_ == DType::f64) {
        from(static_cast<const double*>(value_data()));
    } else {
        from(static_cast<const float*>(value_data()));
    }
    return all;
}

Csr PlacedMatrix::pattern(std::int64_t cols) const {
    Csr again;
    again.rows = layout_.rows;
    again.cols = cols;
    again.row_begin.reserve(static_cast<std::size_t>(layout_.rows) + 1);
    again.column.resize(static_cast<std::size_t>(layout_.steps()));
    for (std::int64_t row = 0; row < layout_.rows; ++row) again.row_begin.push_back(layout_.step_of(row + 1));
    for (std::int64_t s = 0; s < layout_.segments(); ++s) {
        const auto at = static_cast<std::size_t>(s);
        const std::uint32_t base = layout_.base.empty() ? 0 : layout_.base[at];
        for (std::int64_t k = layout_.step_begin[at]; k < layout_.step_begin[at + 1]; ++k) {
            const std::uint32_t index = layout_.key.index_bits == 32 ? indices_.as<const std::uint32_t>()[k]
                                                                     : indices_.as<const std::uint16_t>()[k];
            again.column[static_cast<std::size_t>(k)] = base + index;
        }
    }
    return again;
}

void PlacedMatrix::flush() const {
    for (const Buffer* b : {&values_, &indices_, &pointer_, &base_, &group_, &row_of_})
        flush_lines(b->data(), b->bytes());
}

bool owners_matter(const Choice& choice, int numa_nodes) {
    return numa_nodes > 1 && choice.placement == Placement::owner;
}

std::shared_ptr<PlacedMatrix> place_matrix(const CsrView& a, DType dtype, const Choice& choice,
                                           int numa_nodes, Team& team) {
    return place_matrix(a, make_layout(a, choice.format), dtype, choice, numa_nodes, team);
}

std::shared_ptr<PlacedMatrix> place_matrix(const CsrView& a, Layout layout, DType dtype, const Choice& choice,
                                           int numa_nodes, Team& team) {
    const bool by_owner = owners_matter(choice, numa_nodes);
    Owners owners{choice.placement, by_owner ? choice.threads : team.size(), {}};
    owners.cuts = split_groups(layout, owners.threads, by_owner ? choice.partition : Partition::nnz);
    return std::make_shared<PlacedMatrix>(a, std::move(layout), dtype, owners, team);
}

bool PlacedMatrix::intact() const {
    const std::initializer_list<const Buffer*> all{&values_, &indices_, &pointer_, &base_, &group_, &row_of_};
    return std::all_of(all.begin(), all.end(), [](const Buffer* b) { return b->intact(); });
}

}  // namespace rooftune::spmv
