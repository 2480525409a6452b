#include "tuner/plans/matmul_storage.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "kernels/runtime/error.h"

namespace rooftune {
namespace {

// Rows are at most 2^24 and elements have at most 8 bytes: no offset leaves 64 bits.
constexpr std::int64_t kMostPitch = std::int64_t{1} << 32;

void check_size(const char* name, std::int64_t size) {
    if (size < 0)
        throw InputError(std::string("matmul: ") + name + " is " + std::to_string(size) +
                         "; give a whole number from 0 on");
}

std::int64_t pitch_of(const char* name, std::int64_t given, std::int64_t length, const char* line) {
    if (given == 0) return std::max<std::int64_t>(length, 1);
    if (given < length || given > kMostPitch)
        throw InputError(std::string("matmul: ") + name + " is " + std::to_string(given) + ", and a " + line +
                         " has " + std::to_string(length) + " elements; give a number from that to " +
                         std::to_string(kMostPitch) + ", or 0 for " + line + "s without gaps");
    return given;
}

std::string of_product(std::int64_t product) {
    return product == kNoBatch ? "" : " of product " + std::to_string(product);
}

[[noreturn]] void refuse_results(std::int64_t one, std::int64_t other) {
    throw InputError("matmul: C of product " + std::to_string(std::min(one, other)) + " and C of product " +
                     std::to_string(std::max(one, other)) +
                     " overlap, and one would be lost; give each a matrix of its own");
}

}  // namespace

MatmulStorage storage_of(const MatmulShape& s) {
    check_size("m", s.m);
    check_size("n", s.n);
    check_size("k", s.k);
    const auto storage = [&](const char* name, std::int64_t rows, std::int64_t columns, bool transposed,
                             std::int64_t ld) {
        const bool by_columns = transposed != s.column_major;
        MatrixStorage stored{by_columns ? columns : rows, by_columns ? rows : columns, 0};
        stored.pitch = pitch_of(name, ld, stored.length, s.column_major ? "column" : "row");
        return stored;
    };
    return {storage("lda", s.m, s.k, s.transpose_a, s.lda), storage("ldb", s.k, s.n, s.transpose_b, s.ldb),
            storage("ldc", s.m, s.n, false, s.ldc)};
}

MatmulShape row_major(const MatmulShape& shape) {
    MatmulShape s = shape;
    if (!s.column_major) return s;
    s.column_major = false;
    std::swap(s.m, s.n);
    std::swap(s.transpose_a, s.transpose_b);
    std::swap(s.lda, s.ldb);
    return s;
}

void check_matrix(const StoredRows& matrix, const char* name, std::int64_t product) {
    if (matrix.first == nullptr && matrix.extent() > 0)
        throw InputError(std::string("matmul: ") + name + of_product(product) +
                         " is a null pointer; hand over an array of " + std::to_string(matrix.extent()) +
                         " bytes");
}

void check_apart_from_c(const StoredRows& read, const char* name, const StoredRows& c, std::int64_t product) {
    if (have_common_bytes(read, c))
        throw InputError(std::string("matmul: ") + name + " and C" + of_product(product) +
                         " overlap, and what is written would be read; hand over two arrays");
}

void check_strides(std::int64_t count, std::int64_t stride_a, std::int64_t stride_b, std::int64_t stride_c) {
    if (count < 0)
        throw InputError("matmul: a batch of " + std::to_string(count) +
                         " products; give a whole number from 0 on");
    // In elements of at most 8 bytes, half of what an address can say.
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / 16;
    for (const auto& [name, stride] :
         {std::pair{"A", stride_a}, std::pair{"B", stride_b}, std::pair{"C", stride_c}}) {
        const std::int64_t most = kMost / std::max<std::int64_t>(count, 1);
        if (stride > most || stride < -most)
            throw InputError(std::string("matmul: a stride of ") + name + " of " + std::to_string(stride) +
                             " elements leads out of the memory within " + std::to_string(count) +
                             " products; give the elements from one matrix to the next");
    }
}

void check_results_apart(const StoredRows& first, std::int64_t stride_bytes, std::int64_t count) {
    const std::int64_t by = stride_bytes < 0 ? -stride_bytes : stride_bytes;
    StoredRows other = first;
    for (std::int64_t i = 1; i < count && i * by < first.extent(); ++i) {
        other.first = static_cast<const char*>(first.first) + i * by;
        if (have_common_bytes(first, other)) refuse_results(0, i);
    }
}

template <typename T>
void check_results_apart(const MatrixStorage& storage, T* const* c, std::int64_t count) {
    const auto check = [&](std::int64_t one, std::int64_t other) {
        if (have_common_bytes(storage.at(c[one], sizeof(T)), storage.at(c[other], sizeof(T))))
            refuse_results(one, other);
    };
    // Most programs' are in order, and need no list.
    constexpr std::less<T*> kBefore;
    if (std::is_sorted(c, c + count, kBefore)) {
        for (std::int64_t i = 1; i < count; ++i) check(i - 1, i);
        return;
    }
    std::vector<std::int64_t> order(static_cast<std::size_t>(count));
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(),
              [&](std::int64_t i, std::int64_t j) { return kBefore(c[i], c[j]); });
    for (std::size_t i = 1; i < order.size(); ++i) check(order[i - 1], order[i]);
}

template void check_results_apart(const MatrixStorage&, float* const*, std::int64_t);
template void check_results_apart(const MatrixStorage&, double* const*, std::int64_t);

}  // namespace rooftune
