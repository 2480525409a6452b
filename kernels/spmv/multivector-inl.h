// Several vectors at once: a vector register over the right-hand sides, each stored value broadcast. Elements
// of X that belong to one column lie side by side, so that an entry takes consecutive loads and no gather.
#if defined(ROOFTUNE_SPMV_MULTIVECTOR_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ROOFTUNE_SPMV_MULTIVECTOR_INL_H_
#undef ROOFTUNE_SPMV_MULTIVECTOR_INL_H_
#else
#define ROOFTUNE_SPMV_MULTIVECTOR_INL_H_
#endif

#include "kernels/spmv/multivector_kernel.h"
#include "kernels/spmv/walk-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rooftune::spmv::HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR

/// Lanes of a register for so many right-hand sides, and registers for one row of them.
template <typename T>
constexpr int multivector_lanes(int vectors) {
    const int most = static_cast<int>(HWY_MAX_BYTES / sizeof(T));
    return vectors < most ? vectors : most;
}

/// Rows whose sums are in registers at once: eight sums hide the latency of the additions, and leave room for
/// a row of X and a broadcast value among 16 registers.
constexpr int most_rows_at_once(int registers) {
    return registers <= 8 ? 8 / registers : 1;
}

template <typename T, int kVectors>
struct Sums {
    static constexpr int kLanes = multivector_lanes<T>(kVectors);
    static constexpr int kRegisters = kVectors / kLanes;
    using D = hn::FixedTag<T, kLanes>;

    static HWY_INLINE void zero(hn::Vec<D>* acc) {
        for (int n = 0; n < kRegisters; ++n) acc[n] = hn::Zero(D());
    }
    static HWY_INLINE void add_product(hn::Vec<D>* acc, T value, const T* x) {
        const auto broadcast = hn::Set(D(), value);
        for (int n = 0; n < kRegisters; ++n)
            acc[n] = hn::MulAdd(broadcast, hn::LoadU(D(), x + n * kLanes), acc[n]);
    }
    static HWY_INLINE void store(T* to, const hn::Vec<D>* acc, bool add) {
        for (int n = 0; n < kRegisters; ++n) {
            const auto before = add ? hn::LoadU(D(), to + n * kLanes) : hn::Zero(D());
            hn::StoreU(hn::Add(acc[n], before), D(), to + n * kLanes);
        }
    }
};

template <typename T>
HWY_INLINE T* sums_at(const MultivectorArguments& a, std::int64_t position, int vectors) {
    return static_cast<T*>(a.sums) + (position - a.first_position) * vectors;
}

/// Compressed rows. One row has few sums, so that several sets of them hide the latency of the additions.
/// Nothing is prefetched: beyond the caches of a Zen 3 distances from 256 to 4096 bytes, one line at a time,
/// took 1.1 to 1.25 of the time with 8 and 16 vectors (27 entries a row, f64; f32: 1.0 and 1.15), and 0.95
/// with two.
template <typename T, typename Index, int kVectors>
struct RowTimesVectors {
    using S = Sums<T, kVectors>;
    static constexpr int kSets = S::kRegisters >= 4 ? 1 : 4 / S::kRegisters;

    static HWY_INLINE void segment(const MultivectorArguments& a, std::uint32_t i, std::uint64_t step,
                                   std::uint32_t length) {
        const KernelArguments& m = a.matrix;
        const T* x = static_cast<const T*>(a.x) + std::size_t{m.base ? m.base[i] : 0} * kVectors;
        const T* value = static_cast<const T*>(m.values) + step;
        const Index* index = static_cast<const Index*>(m.indices) + step;
        hn::Vec<typename S::D> acc[kSets][S::kRegisters];
        for (int s = 0; s < kSets; ++s) S::zero(acc[s]);
        std::uint32_t k = 0;
        for (; k + kSets <= length; k += kSets) {
            for (int s = 0; s < kSets; ++s)
                S::add_product(acc[s], value[k + s], x + std::size_t{index[k + s]} * kVectors);
        }
        for (; k < length; ++k) S::add_product(acc[0], value[k], x + std::size_t{index[k]} * kVectors);
        for (int s = 1; s < kSets; ++s) {
            for (int n = 0; n < S::kRegisters; ++n) acc[0][n] = hn::Add(acc[0][n], acc[s][n]);
        }
        S::store(sums_at<T>(a, static_cast<std::int64_t>(group_of(m, i)), kVectors), acc[0], continues(m, i));
    }
};

/// SELL: a few rows of the chunk at a time; the chunk stays in the nearest cache meanwhile, which is not the
/// order in which processors fetch ahead of their own: the variant's distance of 2048 or 4096 bytes takes
/// 0.73 to 0.95 of the time there with 2 and 8 vectors, and 0.94 to 1.0 with 16.
template <typename T, typename Index, int kVectors, int kRows>
struct ChunkTimesVectors {
    using S = Sums<T, kVectors>;

    static HWY_INLINE void segment(const MultivectorArguments& a, std::uint32_t i, std::uint64_t step,
                                   std::uint32_t length) {
        const KernelArguments& m = a.matrix;
        const std::int64_t chunk = m.chunk;
        const T* x = static_cast<const T*>(a.x) + std::size_t{m.base ? m.base[i] : 0} * kVectors;
        const std::int64_t first = static_cast<std::int64_t>(group_of(m, i)) * chunk;
        const bool add = continues(m, i);
        for (std::int64_t row = 0; row < chunk; row += kRows) {
            const std::size_t start = step * static_cast<std::size_t>(chunk) + static_cast<std::size_t>(row);
            const T* value = static_cast<const T*>(m.values) + start;
            const Index* index = static_cast<const Index*>(m.indices) + start;
            // Once a line of values: the other rows of it come later.
            const std::int64_t ahead = row * static_cast<std::int64_t>(sizeof(T)) % 64 == 0 ? m.prefetch : 0;
            hn::Vec<typename S::D> acc[kRows][S::kRegisters];
            for (int r = 0; r < kRows; ++r) S::zero(acc[r]);
            for (std::uint32_t k = 0; k < length; ++k, value += chunk, index += chunk) {
                if (ahead) prefetch_ahead(value, index, ahead);
                for (int r = 0; r < kRows; ++r)
                    S::add_product(acc[r], value[r], x + std::size_t{index[r]} * kVectors);
            }
            for (int r = 0; r < kRows; ++r) S::store(sums_at<T>(a, first + row + r, kVectors), acc[r], add);
        }
    }
};

/// BCSR of any shape whose height kRows divides: a few rows of the block row at a time.
template <typename T, typename Index, int kVectors, int kRows>
struct BlockTimesVectors {
    using S = Sums<T, kVectors>;

    static HWY_INLINE void segment(const MultivectorArguments& a, std::uint32_t i, std::uint64_t step,
                                   std::uint32_t length) {
        const KernelArguments& m = a.matrix;
        const int rows = a.block.rows, cols = a.block.cols;
        const std::int64_t size = std::int64_t{rows} * cols, x_block = std::int64_t{cols} * kVectors;
        const T* x = static_cast<const T*>(a.x) + (m.base ? m.base[i] : 0) * x_block;
        const Index* index = static_cast<const Index*>(m.indices) + step;
        const std::int64_t first = static_cast<std::int64_t>(group_of(m, i)) * rows;
        const bool add = continues(m, i);
        for (int row = 0; row < rows; row += kRows) {
            const T* value = static_cast<const T*>(m.values) + step * static_cast<std::size_t>(size) + row;
            hn::Vec<typename S::D> acc[kRows][S::kRegisters];
            for (int r = 0; r < kRows; ++r) S::zero(acc[r]);
            for (std::uint32_t b = 0; b < length; ++b) {
                const T* from = x + std::int64_t{index[b]} * x_block;
                for (int j = 0; j < cols; ++j, value += rows, from += kVectors) {
                    for (int r = 0; r < kRows; ++r) S::add_product(acc[r], value[r], from);
                }
            }
            for (int r = 0; r < kRows; ++r) S::store(sums_at<T>(a, first + row + r, kVectors), acc[r], add);
        }
    }
};

template <typename Body>
HWY_NOINLINE void run_vectors(const MultivectorArguments& a, const Walk& walk) {
    std::uint64_t step = walk.step;
    const std::uint32_t* pointer = a.matrix.pointer;
    std::uint32_t first = pointer[walk.segment];
    for (std::uint32_t i = walk.segment; i < walk.end; ++i) {
        const std::uint32_t next = pointer[i + 1];
        const std::uint32_t length = next - first;
        first = next;
        Body::segment(a, i, step, length);
        step += length;
    }
}

template <typename T, typename Index, int kVectors, int kRows>
MultivectorKernel block_times_vectors() {
    constexpr int kMost = most_rows_at_once(Sums<T, kVectors>::kRegisters);
    // Three rows of four registers are twelve sums.
    if constexpr (kRows <= kMost || (kRows == 3 && kMost == 2)) {
        return &run_vectors<BlockTimesVectors<T, Index, kVectors, kRows>>;
    } else {
        return nullptr;
    }
}

template <typename T, typename Index, int kVectors>
MultivectorKernel multivector_kernel_of(const FormatKey& format) {
    constexpr int kMost = most_rows_at_once(Sums<T, kVectors>::kRegisters);
    if (format.format == Format::csr) return &run_vectors<RowTimesVectors<T, Index, kVectors>>;
    if (format.format == Format::sell) {
        // The lowest chunk has four rows.
        if constexpr (kMost == 8) {
            if (format.chunk < 8) return &run_vectors<ChunkTimesVectors<T, Index, kVectors, 4>>;
        }
        return &run_vectors<ChunkTimesVectors<T, Index, kVectors, kMost>>;
    }
    MultivectorKernel found = nullptr;
    const int rows = format.block.rows;
    if (rows % 8 == 0) found = block_times_vectors<T, Index, kVectors, 8>();
    if (!found && rows % 4 == 0) found = block_times_vectors<T, Index, kVectors, 4>();
    if (!found && rows % 3 == 0) found = block_times_vectors<T, Index, kVectors, 3>();
    if (!found && rows % 2 == 0) found = block_times_vectors<T, Index, kVectors, 2>();
    return found ? found : block_times_vectors<T, Index, kVectors, 1>();
}

template <typename T, typename Index>
MultivectorKernel multivector_kernel_of(const FormatKey& format, int vectors) {
    switch (vectors) {
        case 2:
            return multivector_kernel_of<T, Index, 2>(format);
        case 4:
            return multivector_kernel_of<T, Index, 4>(format);
        case 8:
            return multivector_kernel_of<T, Index, 8>(format);
        case 16:
            return multivector_kernel_of<T, Index, 16>(format);
        default:
            return nullptr;
    }
}

template <typename T>
MultivectorKernel multivector_kernel(const FormatKey& format, int vectors) {
    return format.index_bits == 32 ? multivector_kernel_of<T, std::uint32_t>(format, vectors)
                                   : multivector_kernel_of<T, std::uint16_t>(format, vectors);
}

#endif  // HWY_TARGET != HWY_SCALAR
}  // namespace rooftune::spmv::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ROOFTUNE_SPMV_MULTIVECTOR_INL_H_
