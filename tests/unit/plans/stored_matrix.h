// Matrices as programs store them, with leading dimensions, and their product by plain loops.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "tuner/plans/matmul_plan.h"

namespace rooftune::test {

/// rows × cols, with NaN in the gaps between its rows (column-major: columns), before and behind it. It
/// begins at an odd place: no alignment is promised.
template <typename T>
class StoredMatrix {
public:
    StoredMatrix(std::int64_t rows, std::int64_t cols, bool column_major, std::int64_t pitch)
        : rows_(rows), cols_(cols), column_major_(column_major), pitch_(pitch) {
        const std::int64_t lines = column_major ? cols : rows, length = column_major ? rows : cols;
        memory_.assign(static_cast<std::size_t>(kMargin + lines * pitch + length + kMargin),
                       std::numeric_limits<T>::quiet_NaN());
    }

    T* first() { return memory_.data() + kMargin; }
    const T* first() const { return memory_.data() + kMargin; }
    T& at(std::int64_t i, std::int64_t j) { return first()[column_major_ ? j * pitch_ + i : i * pitch_ + j]; }
    T at(std::int64_t i, std::int64_t j) const { return const_cast<StoredMatrix&>(*this).at(i, j); }

    /// Small whole numbers: sums are exact in both types, whatever their order.
    void fill(unsigned seed) {
        std::mt19937 random(seed);
        for (std::int64_t i = 0; i < rows_; ++i) {
            for (std::int64_t j = 0; j < cols_; ++j)
                at(i, j) = static_cast<T>(static_cast<int>(random() % 9) - 4);
        }
    }
    /// Whether nothing but elements was written.
    bool gaps_are_intact() const {
        StoredMatrix copy = *this;
        for (std::int64_t i = 0; i < rows_; ++i) {
            for (std::int64_t j = 0; j < cols_; ++j) copy.at(i, j) = std::numeric_limits<T>::quiet_NaN();
        }
        for (const T v : copy.memory_) {
            if (!std::isnan(v)) return false;
        }
        return true;
    }

private:
    static constexpr std::int64_t kMargin = 3;
    std::int64_t rows_, cols_;
    bool column_major_;
    std::int64_t pitch_;
    std::vector<T> memory_;
};

/// Three matrices of a shape, filled, and what C must become.
template <typename T>
class StoredProduct {
public:
    explicit StoredProduct(const MatmulShape& s, unsigned seed = 1)
        : s_(s),
          a(stored(s.m, s.k, s.transpose_a, s.lda)),
          b(stored(s.k, s.n, s.transpose_b, s.ldb)),
          c(stored(s.m, s.n, false, s.ldc)) {
        a.fill(seed);
        b.fill(seed + 1);
        c.fill(seed + 2);
    }

    /// Elements of C that are not alpha·op(A)·op(B) + beta·(C as it was when `before` was copied).
    int wrong(T alpha, T beta, const StoredMatrix<T>& before) const {
        int wrong = 0;
        for (std::int64_t i = 0; i < s_.m; ++i) {
            for (std::int64_t j = 0; j < s_.n; ++j) {
                T sum = 0;
                for (std::int64_t p = 0; p < s_.k; ++p) {
                    sum += (s_.transpose_a ? a.at(p, i) : a.at(i, p)) *
                           (s_.transpose_b ? b.at(j, p) : b.at(p, j));
                }
                T expected = alpha == T{0} ? T{0} : alpha * sum;
                if (beta != T{0}) expected += beta * before.at(i, j);
                wrong += !(c.at(i, j) == expected);
            }
        }
        return wrong + (c.gaps_are_intact() ? 0 : 1);
    }

private:
    MatmulShape s_;
    StoredMatrix<T> stored(std::int64_t rows, std::int64_t cols, bool transposed, std::int64_t ld) const {
        if (transposed) std::swap(rows, cols);
        const std::int64_t length = s_.column_major ? rows : cols;
        return StoredMatrix<T>(rows, cols, s_.column_major, ld > 0 ? ld : length);
    }

public:
    StoredMatrix<T> a, b, c;
};

}  // namespace rooftune::test
