#include "kernels/spmv/multivector.h"

#include <emmintrin.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "kernels/spmv/partition.h"
#include "kernels/spmv/product.h"

namespace rooftune::spmv {
namespace {

/// Sums that a thread has in hand at once: with what it reads meanwhile they stay in the nearest cache.
constexpr std::int64_t kSumBytes = 16 * 1024;

/// From here on X side by side is written past the caches, which do not hold it until it is read: 8 vectors
/// of f64 with a 27-point matrix of 80^3 and 110^3 rows (32 and 85 MB of X) take 2 to 11 % less time so on a
/// Zen 3 with 32 MiB of last-level cache, with one of 50^3 rows (8 MB) 5 % more.
constexpr std::size_t kPastCaches = std::size_t{32} << 20;

std::int64_t positions_at_once(const FormatKey& format, std::int64_t row_bytes) {
    const std::int64_t height = format.group_rows();
    return std::max(height, kSumBytes / row_bytes / height * height);
}

int vectors_of_pass(std::int64_t left) {
    const auto* const found =
        std::find_if(std::begin(kVectorCounts), std::end(kVectorCounts), [&](int n) { return n >= left; });
    return found == std::end(kVectorCounts) ? kMostVectors : *found;
}

/// Elements first … end−1 of `count` vectors side by side, with zeros up to kVectors. `past`: past the
/// caches.
template <int kVectors, typename T>
void pack(const Vectors<const T>& x, int count, std::int64_t first, std::int64_t end, bool past, T* to) {
    alignas(16) T row[kVectors] = {};
    for (std::int64_t i = first; i < end; ++i) {
        const T* const from = x.first + i * x.element_stride;
        if (count == kVectors) {
            for (int j = 0; j < kVectors; ++j) row[j] = from[j * x.vector_stride];
        } else {
            for (int j = 0; j < count; ++j) row[j] = from[j * x.vector_stride];
        }
        T* const at = to + i * kVectors;
        if (sizeof row % 16 == 0 && past) {
            for (std::size_t word = 0; word < sizeof row / 16; ++word)
                _mm_stream_si128(reinterpret_cast<__m128i*>(at) + word,
                                 _mm_load_si128(reinterpret_cast<const __m128i*>(row) + word));
        } else {
            std::copy_n(row, kVectors, at);
        }
    }
    _mm_sfence();
}

template <typename T>
using Pack = void (*)(const Vectors<const T>&, int, std::int64_t, std::int64_t, bool, T*);

template <typename T>
Pack<T> pack_of(int vectors) {
    switch (vectors) {
        case 2:
            return &pack<2, T>;
        case 4:
            return &pack<4, T>;
        case 8:
            return &pack<8, T>;
        default:
            return &pack<16, T>;
    }
}

/// y = alpha·sums + beta·y for the rows at positions first … end−1, whose sums lie side by side.
template <typename T>
void store(const T* sums, int vectors, int count, const std::vector<std::uint32_t>& row_of,
           std::int64_t first, std::int64_t end, T alpha, T beta, const Vectors<T>& y) {
    const auto element = [&](std::int64_t position, int j, T* to) {
        const T product = alpha * sums[(position - first) * vectors + j];
        *to = beta == T{0} ? product : product + beta * *to;
    };
    const auto row_at = [&](std::int64_t position) {
        return row_of.empty() ? position : std::int64_t{row_of[static_cast<std::size_t>(position)]};
    };
    if (y.vector_stride == 1) {
        for (std::int64_t p = first; p < end; ++p) {
            T* const to = y.first + row_at(p) * y.element_stride;
            for (int j = 0; j < count; ++j) element(p, j, to + j);
        }
        return;
    }
    for (int j = 0; j < count; ++j) {
        T* const to = y.first + j * y.vector_stride;
        for (std::int64_t p = first; p < end; ++p) element(p, j, to + row_at(p) * y.element_stride);
    }
}

}  // namespace

MultivectorProduct::MultivectorProduct(std::shared_ptr<const PlacedMatrix> matrix, std::int64_t cols,
                                       const Choice& choice, Isa isa, Team& team)
    : matrix_(std::move(matrix)),
      cols_(cols),
      padded_cols_(cols + Product::overhang(choice.format, cols)),
      choice_(choice),
      isa_(isa),
      team_(&team) {
    team.check_has(choice.threads);
    const Partition whole = choice.partition == Partition::split ? Partition::nnz : choice.partition;
    cuts_ = split_groups(matrix_->layout(), choice.threads, whole);
}

template <typename T>
const T* MultivectorProduct::packed(int vectors, int count, const Vectors<const T>& x) {
    const auto bytes = static_cast<std::size_t>(padded_cols_ * vectors) * sizeof(T);
    if (packed_x_.bytes() < bytes) {
        packed_x_ = Buffer();
        packed_x_ = Buffer(bytes, pages_for(bytes));
    }
    T* const to = packed_x_.as<T>();
    const Pack<T> by = pack_of<T>(vectors);
    const bool past = bytes >= kPastCaches;
    team_->run(choice_.threads, [&](int t) {
        by(x, count, cols_ * t / choice_.threads, cols_ * (t + 1) / choice_.threads, past, to);
    });
    std::fill(to + cols_ * vectors, to + padded_cols_ * vectors, T{0});
    return to;
}

template <typename T>
void MultivectorProduct::pass(int vectors, int count, T alpha, const Vectors<const T>& x, T beta,
                              const Vectors<T>& y) {
    const Layout& layout = matrix_->layout();
    const MultivectorKernel kernel = find_multivector_kernel(isa_, matrix_->dtype(), choice_.format, vectors);
    if (!kernel) throw std::logic_error("spmv: no kernel for several vectors");
    MultivectorArguments arguments;
    arguments.matrix = matrix_->arguments();
    arguments.matrix.prefetch = choice_.prefetch;
    arguments.block = choice_.format.block;
    const bool as_it_is =
        x.vector_stride == 1 && x.element_stride == vectors && count == vectors && padded_cols_ == cols_;
    arguments.x = as_it_is ? x.first : packed(vectors, count, x);
    const std::int64_t height = choice_.format.group_rows();
    const std::int64_t row_bytes = vectors * static_cast<std::int64_t>(sizeof(T));
    const std::int64_t groups_at_once = positions_at_once(choice_.format, row_bytes) / height;
    const auto sum_bytes = static_cast<std::size_t>(groups_at_once * height * row_bytes);
    sums_.resize(static_cast<std::size_t>(choice_.threads));
    for (Buffer& sums : sums_) {
        if (sums.bytes() < sum_bytes) sums = Buffer(sum_bytes, pages_for(sum_bytes));
    }
    // Kernels can write Y themselves where it looks like their sums.
    const bool y_is_sums = alpha == T{1} && beta == T{0} && count == vectors && y.vector_stride == 1 &&
                           y.element_stride == vectors && layout.row_of.empty();
    team_->run(choice_.threads, [&](int t) {
        const auto at = static_cast<std::size_t>(t);
        MultivectorArguments mine = arguments;
        const T* const sums = sums_[at].as<T>();
        for (std::int64_t g = cuts_[at]; g < cuts_[at + 1]; g += groups_at_once) {
            const std::int64_t end = std::min(cuts_[at + 1], g + groups_at_once);
            const bool direct = y_is_sums && end * height <= layout.rows;
            mine.sums = direct ? static_cast<void*>(y.first) : sums_[at].data();
            mine.first_position = direct ? 0 : g * height;
            kernel(mine, {static_cast<std::uint64_t>(layout.step_of(g)),
                          static_cast<std::uint32_t>(layout.segment_of(g)),
                          static_cast<std::uint32_t>(layout.segment_of(end))});
            if (direct) continue;
            store(sums, vectors, count, layout.row_of, g * height, std::min(layout.rows, end * height), alpha,
                  beta, y);
        }
    });
}

template <typename T>
void MultivectorProduct::run(std::int64_t count, T alpha, Vectors<const T> x, T beta, Vectors<T> y) {
    for (std::int64_t done = 0; done < count;) {
        const int vectors = vectors_of_pass(count - done);
        const int some = static_cast<int>(std::min<std::int64_t>(vectors, count - done));
        pass(vectors, some, alpha, x.from(done), beta, y.from(done));
        done += some;
    }
}

template void MultivectorProduct::run(std::int64_t, float, Vectors<const float>, float, Vectors<float>);
template void MultivectorProduct::run(std::int64_t, double, Vectors<const double>, double, Vectors<double>);

std::size_t MultivectorProduct::memory_bytes() const {
    std::size_t bytes =
        packed_x_.mapped_bytes() + sums_.capacity() * sizeof(Buffer) + cuts_.capacity() * sizeof cuts_[0];
    for (const Buffer& sums : sums_) bytes += sums.mapped_bytes();
    return bytes;
}

}  // namespace rooftune::spmv
