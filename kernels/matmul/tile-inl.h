// The tile kernel: a block of C in registers, one step of k after the other, each a broadcast of every
// element of A's column against the vectors of B's row.
#if defined(ROOFTUNE_MATMUL_TILE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ROOFTUNE_MATMUL_TILE_INL_H_
#undef ROOFTUNE_MATMUL_TILE_INL_H_
#else
#define ROOFTUNE_MATMUL_TILE_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <utility>

#include "hwy/highway.h"
#include "kernels/matmul/attributes.h"
#include "kernels/matmul/kernel.h"
#include "kernels/matmul/tiles.h"

HWY_BEFORE_NAMESPACE();
namespace rooftune::matmul::HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR
namespace hn = hwy::HWY_NAMESPACE;

template <typename T, int kLanes_>
struct VectorOps {
    static constexpr int kLanes = kLanes_;
    using D = hn::FixedTag<T, kLanes_>;
    using V = hn::Vec<D>;
    ROOFTUNE_UNCHECKED static HWY_INLINE V zero() { return hn::Zero(D()); }
    ROOFTUNE_UNCHECKED static HWY_INLINE V set(T x) { return hn::Set(D(), x); }
    ROOFTUNE_UNCHECKED static HWY_INLINE V load(const T* from) { return hn::LoadU(D(), from); }
    ROOFTUNE_UNCHECKED static HWY_INLINE void store(V v, T* to) { hn::StoreU(v, D(), to); }
    ROOFTUNE_UNCHECKED static HWY_INLINE V mul(V a, V b) { return hn::Mul(a, b); }
    ROOFTUNE_UNCHECKED static HWY_INLINE V fma(V a, V b, V c) { return hn::MulAdd(a, b, c); }
};

template <typename T>
struct ScalarOps {
    static constexpr int kLanes = 1;
    using V = T;
    ROOFTUNE_UNCHECKED static HWY_INLINE V zero() { return T{0}; }
    ROOFTUNE_UNCHECKED static HWY_INLINE V set(T x) { return x; }
    ROOFTUNE_UNCHECKED static HWY_INLINE V load(const T* from) { return *from; }
    ROOFTUNE_UNCHECKED static HWY_INLINE void store(V v, T* to) { *to = v; }
    ROOFTUNE_UNCHECKED static HWY_INLINE V mul(V a, V b) { return a * b; }
    ROOFTUNE_UNCHECKED static HWY_INLINE V fma(V a, V b, V c) {
#if HWY_NATIVE_FMA
        if constexpr (sizeof(T) == 8) {
            return __builtin_fma(a, b, c);
        } else {
            return __builtin_fmaf(a, b, c);
        }
#else
        return a * b + c;
#endif
    }
};

ROOFTUNE_UNCHECKED HWY_INLINE void touch(const void* at) {
    __builtin_prefetch(at);
}

template <typename T, class Ops, bool kUnitRows, int kMr, int kVectors, int kUnroll>
struct Tile {
    using V = typename Ops::V;
    static constexpr int kLanes = Ops::kLanes;
    static constexpr int kRowBytes = kVectors * kLanes * static_cast<int>(sizeof(T));
    static constexpr int kRowLines = (kRowBytes + 63) / 64;
    using Accumulators = std::make_index_sequence<static_cast<std::size_t>(kMr* kVectors)>;
    using Columns = std::make_index_sequence<static_cast<std::size_t>(kVectors)>;

    // Every index is a constant from the start: an array that a loop walks would be kept in memory, and
    // the accumulators with it.
    template <std::size_t... kAcc, std::size_t... kCol>
    ROOFTUNE_UNCHECKED static HWY_INLINE void step(V* HWY_RESTRICT acc, const T* a, std::int64_t a_row,
                                                   const T* b, std::index_sequence<kAcc...>,
                                                   std::index_sequence<kCol...>) {
        const V row[kVectors] = {Ops::load(b + kCol * kLanes)...};
        ((acc[kAcc] = Ops::fma(Ops::set(element(a, a_row, static_cast<int>(kAcc) / kVectors)),
                               row[kAcc % kVectors], acc[kAcc])),
         ...);
    }

    ROOFTUNE_UNCHECKED static HWY_INLINE T element(const T* a, std::int64_t a_row, int i) {
        if constexpr (kUnitRows) {
            return a[i];
        } else {
            return a[i * a_row];
        }
    }

    template <std::size_t... kAcc>
    ROOFTUNE_UNCHECKED static HWY_INLINE void run(const TileArguments& tile,
                                                  std::index_sequence<kAcc...> all) {
        V acc[sizeof...(kAcc)] = {(static_cast<void>(kAcc), Ops::zero())...};
        const T* a = static_cast<const T*>(tile.a);
        const T* b = static_cast<const T*>(tile.b);
        T* const c = static_cast<T*>(tile.c);
        const std::int64_t a_row = tile.a_row;
        const std::int64_t a_step = tile.a_step;
        const std::int64_t b_step = tile.b_step;
        const std::int64_t c_row = tile.c_row;
        const std::int64_t ahead = tile.ahead;

        // Lines of C are prefetched one after each segment of steps, so that they do not crowd out loads.
        std::int64_t left = tile.steps;
        std::int64_t segment = left;
        if (tile.prefetch_c) {
            constexpr std::int64_t kLines = kMr * kRowLines;
            segment = ((left + kLines - 1) / kLines + kUnroll - 1) / kUnroll * kUnroll;
        }
        const T* next_line = c;
        int line = 0;
        while (left > 0) {
            if (tile.prefetch_c) {
                touch(reinterpret_cast<const char*>(next_line) + 64 * line);
                if (++line == kRowLines) {
                    line = 0;
                    next_line += c_row;
                }
            }
            std::int64_t n = segment < left ? segment : left;
            left -= n;
            for (; n >= kUnroll; n -= kUnroll) {
                if (ahead != 0) prefetch_ahead(a, a_step, b, b_step, ahead);
                for (int u = 0; u < kUnroll; ++u) {
                    step(acc, a, a_row, b, all, Columns());
                    a += a_step;
                    b += b_step;
                }
            }
            if constexpr (kUnroll > 1) {
                for (; n > 0; --n) {
                    step(acc, a, a_row, b, all, Columns());
                    a += a_step;
                    b += b_step;
                }
            }
        }

        const V alpha = Ops::set(static_cast<T>(tile.alpha));
        if (tile.beta == 0.0) {
            (Ops::store(Ops::mul(alpha, acc[kAcc]), place(c, c_row, kAcc)), ...);
        } else {
            const V beta = Ops::set(static_cast<T>(tile.beta));
            (Ops::store(Ops::fma(beta, Ops::load(place(c, c_row, kAcc)), Ops::mul(alpha, acc[kAcc])),
                        place(c, c_row, kAcc)),
             ...);
        }
    }

    ROOFTUNE_UNCHECKED static HWY_INLINE T* place(T* c, std::int64_t c_row, std::size_t index) {
        return c + static_cast<std::int64_t>(index / kVectors) * c_row +
               static_cast<std::int64_t>(index % kVectors) * kLanes;
    }

    /// One line of A (where its rows lie side by side) and of B for each step that this turn takes.
    ROOFTUNE_UNCHECKED static HWY_INLINE void prefetch_ahead(const T* a, std::int64_t a_step, const T* b,
                                                             std::int64_t b_step, std::int64_t ahead) {
        for (int u = 0; u < kUnroll; ++u) {
            if constexpr (kUnitRows) touch(a + (ahead + u) * a_step);
            for (int line = 0; line < kRowLines; ++line)
                touch(reinterpret_cast<const char*>(b + (ahead + u) * b_step) + 64 * line);
        }
    }
};

template <typename T, int kLanes, bool kUnitRows, int kMr, int kVectors, int kUnroll>
ROOFTUNE_UNCHECKED void vector_tile(const TileArguments& tile) {
    using Code = Tile<T, VectorOps<T, kLanes>, kUnitRows, kMr, kVectors, kUnroll>;
    Code::run(tile, typename Code::Accumulators());
}

template <typename T, bool kUnitRows, int kMr, int kVectors, int kUnroll>
ROOFTUNE_UNCHECKED ROOFTUNE_SCALAR_CODE void scalar_tile(const TileArguments& tile) {
    using Code = Tile<T, ScalarOps<T>, kUnitRows, kMr, kVectors, kUnroll>;
    Code::run(tile, typename Code::Accumulators());
}

template <typename T, int kLanes, bool kUnitRows, int kMr, int kVectors, int kUnroll>
constexpr TileKernel tile_function() {
    if constexpr (kLanes == 1) {
        return &scalar_tile<T, kUnitRows, kMr, kVectors, kUnroll>;
    } else {
        return &vector_tile<T, kLanes, kUnitRows, kMr, kVectors, kUnroll>;
    }
}

template <typename T, int kLanes, int kMr, int kVectors, int kMostUnroll, bool kUnitRows>
TileKernel tile_with(int unroll) {
    if (unroll == 1) return tile_function<T, kLanes, kUnitRows, kMr, kVectors, 1>();
    if constexpr (kMostUnroll >= 2) {
        if (unroll == 2) return tile_function<T, kLanes, kUnitRows, kMr, kVectors, 2>();
    }
    if constexpr (kMostUnroll >= 4) {
        if (unroll == 4) return tile_function<T, kLanes, kUnitRows, kMr, kVectors, 4>();
    }
    return nullptr;
}

template <typename T, int kLanes, int kMr, int kVectors, int kMostUnroll>
TileKernel tile_with(const TileKey& key) {
    if (key.rows == RowsOfA::unit) return tile_with<T, kLanes, kMr, kVectors, kMostUnroll, true>(key.unroll);
    return tile_with<T, kLanes, kMr, kVectors, kMostUnroll, false>(key.unroll);
}

#define ROOFTUNE_MATMUL_TILE(rows, columns, most) \
    if (key.mr == rows && key.vectors == columns) return tile_with<T, kLanes, rows, columns, most>(key);

template <typename T>
TileKernel tile_kernel(const TileKey& key) {
    constexpr int kSize = static_cast<int>(sizeof(T));
    if (key.lanes == 1) {
        constexpr int kLanes = 1;
        ROOFTUNE_MATMUL_TILES_SCALAR(ROOFTUNE_MATMUL_TILE)
    }
    if (key.lanes == 16 / kSize) {
        constexpr int kLanes = 16 / kSize;
        ROOFTUNE_MATMUL_TILES_128(ROOFTUNE_MATMUL_TILE)
    }
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
    if (key.lanes == 32 / kSize) {
        constexpr int kLanes = 32 / kSize;
        ROOFTUNE_MATMUL_TILES_256(ROOFTUNE_MATMUL_TILE)
    }
#endif
#if HWY_TARGET == HWY_AVX3
    if (key.lanes == 64 / kSize) {
        constexpr int kLanes = 64 / kSize;
        ROOFTUNE_MATMUL_TILES_512(ROOFTUNE_MATMUL_TILE)
    }
#endif
    return nullptr;
}

#undef ROOFTUNE_MATMUL_TILE

#endif  // HWY_TARGET != HWY_SCALAR
}  // namespace rooftune::matmul::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ROOFTUNE_MATMUL_TILE_INL_H_
