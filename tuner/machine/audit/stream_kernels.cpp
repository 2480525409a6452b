#include "tuner/machine/audit/stream_kernels.h"

#include <emmintrin.h>

namespace rooftune::audit {
namespace {

// A pass must not be merged with the next, nor what it wrote be thought dead.
inline void barrier() {
    __asm__ volatile("" : : : "memory");
}

// Eight accumulators of one vector each: a single one would be bound by the latency of its additions.
template <typename T, int kBytes>
[[gnu::always_inline]] inline T sum_of(const T* a, std::int64_t n) {
    typedef T Vector [[gnu::vector_size(kBytes)]];
    constexpr int kLanes = kBytes / sizeof(T);
    constexpr int kParts = 8;
    Vector partial[kParts] = {};
    const auto* from = reinterpret_cast<const Vector*>(a);
    for (std::int64_t i = 0; i < n / kLanes; i += kParts) {
#pragma GCC unroll 8
        for (int j = 0; j < kParts; ++j) partial[j] += from[i + j];
    }
    for (int j = 1; j < kParts; ++j) partial[0] += partial[j];
    T sum = 0;
    for (int j = 0; j < kLanes; ++j) sum += partial[0][j];
    return sum;
}

// 16 bytes at a time: non-temporal stores are combined into lines whatever their width.
template <typename T>
[[gnu::always_inline]] inline void stream_out(T* to, const T (&values)[16 / sizeof(T)]) {
    __m128i bits;
    __builtin_memcpy(&bits, values, sizeof bits);
    _mm_stream_si128(reinterpret_cast<__m128i*>(to), bits);
}

template <typename T, int kBytes>
[[gnu::always_inline]] inline void one_pass(StreamLoop loop, T* __restrict a, T* __restrict b,
                                            T* __restrict c, T s, std::int64_t n, T* sink) {
    constexpr std::int64_t kPart = 16 / sizeof(T);
    switch (loop) {
        case StreamLoop::sum:
            *sink += sum_of<T, kBytes>(a, n);
            return;
        case StreamLoop::fill:
            for (std::int64_t i = 0; i < n; ++i) a[i] = s;
            return;
        case StreamLoop::copy:
            // Built without the pattern that makes this a call of memcpy, which is other people's code.
            for (std::int64_t i = 0; i < n; ++i) c[i] = a[i];
            return;
        case StreamLoop::scale:
            for (std::int64_t i = 0; i < n; ++i) b[i] = s * c[i];
            return;
        case StreamLoop::add:
            for (std::int64_t i = 0; i < n; ++i) c[i] = a[i] + b[i];
            return;
        case StreamLoop::triad:
            for (std::int64_t i = 0; i < n; ++i) a[i] = b[i] + s * c[i];
            return;
        case StreamLoop::increase:
            for (std::int64_t i = 0; i < n; ++i) a[i] += s;
            return;
        case StreamLoop::nt_fill:
        case StreamLoop::nt_copy:
        case StreamLoop::nt_triad:
            for (std::int64_t i = 0; i < n; i += kPart) {
                T values[kPart];
                for (int j = 0; j < kPart; ++j) {
                    values[j] = loop == StreamLoop::nt_fill   ? s
                                : loop == StreamLoop::nt_copy ? c[i + j]
                                                              : b[i + j] + s * c[i + j];
                }
                stream_out(a + i, values);
            }
            _mm_sfence();
            return;
    }
}

template <typename T, int kBytes>
[[gnu::always_inline]] inline void passes_of(StreamLoop loop, T* a, T* b, T* c, T s, std::int64_t n,
                                             std::int64_t passes, T* sink) {
    for (std::int64_t p = 0; p < passes; ++p) {
        one_pass<T, kBytes>(loop, a, b, c, s, n, sink);
        barrier();
    }
}

template <typename T>
void walk_128(StreamLoop loop, T* a, T* b, T* c, T s, std::int64_t n, std::int64_t passes, T* sink) {
    passes_of<T, 16>(loop, a, b, c, s, n, passes, sink);
}
// g++ takes 256 bits unless told; clang++ does not know the words and would leave out the whole attribute.
#ifdef __clang__
#define ROOFTUNE_WIDE_TARGET "avx512f,fma"
#else
#define ROOFTUNE_WIDE_TARGET "avx512f,fma,prefer-vector-width=512"
#endif

template <typename T>
[[gnu::target("avx2,fma")]] void walk_256(StreamLoop loop, T* a, T* b, T* c, T s, std::int64_t n,
                                          std::int64_t passes, T* sink) {
    passes_of<T, 32>(loop, a, b, c, s, n, passes, sink);
}
template <typename T>
[[gnu::target(ROOFTUNE_WIDE_TARGET)]] void walk_512(StreamLoop loop, T* a, T* b, T* c, T s, std::int64_t n,
                                                    std::int64_t passes, T* sink) {
    passes_of<T, 64>(loop, a, b, c, s, n, passes, sink);
}

}  // namespace

const std::vector<StreamShape>& stream_shapes() {
    static const std::vector<StreamShape> shapes{
        {StreamLoop::sum, "sum", 1, 0, 1, Mix::load},
        {StreamLoop::fill, "fill", 0, 1, 1, Mix::store},
        {StreamLoop::copy, "copy", 1, 1, 2, Mix::copy},
        {StreamLoop::scale, "scale", 1, 1, 2, Mix::copy},
        {StreamLoop::add, "add", 2, 1, 3, Mix::two_loads_store},
        {StreamLoop::triad, "triad", 2, 1, 3, Mix::two_loads_store},
        {StreamLoop::increase, "increase", 1, 1, 1, Mix::update},
        {StreamLoop::nt_fill, "nt fill", 0, 1, 1, Mix::nt_store},
        {StreamLoop::nt_copy, "nt copy", 1, 1, 2, Mix::nt_copy},
        {StreamLoop::nt_triad, "nt triad", 2, 1, 3, Mix::none},
    };
    return shapes;
}

template <typename T>
StreamWalk<T> stream_walk(int width_bits) {
    if (width_bits >= 512) return &walk_512<T>;
    return width_bits >= 256 ? &walk_256<T> : &walk_128<T>;
}
template StreamWalk<float> stream_walk<float>(int);
template StreamWalk<double> stream_walk<double>(int);

}  // namespace rooftune::audit
