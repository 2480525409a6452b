// A sparse matrix as programs have it: compressed rows in arrays, or a Matrix Market file.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>

#include "kernels/runtime/public.h"

namespace rooftune {

class ROOFTUNE_PUBLIC SparseMatrix {
public:
    /// Compressed rows: row i has the entries row_begin[i] − base … row_begin[i + 1] − base − 1, each with a
    /// column (counted from `base`, 0 in C, 1 in Fortran) and a value. Any order within a row; entries of the
    /// same place are added up. The arrays are copied. Throws InputError, naming row and entry, when
    /// row_begin descends, a column is outside, or a value is not finite, and for another base or a null
    /// pointer.
    template <typename Offset, typename Index, typename T>
    SparseMatrix(std::int64_t rows, std::int64_t cols, const Offset* row_begin, const Index* column,
                 const T* value, int base = 0) {
        const std::int64_t given = read_rows(rows, cols, row_begin, base);
        read_entries(given, column, value, base);
    }

    /// The same, but what the library can use as it is stays where it is: columns of 32 bits and values of
    /// 64, counted from 0, with rows in ascending columns. The arrays must stay as they are until the last
    /// plan of this matrix is made, and its memory asked for the last time; plans keep nothing of them. All
    /// else is copied, row_begin always. results/plan_making.md has what that saves.
    template <typename Offset, typename Index, typename T>
    static SparseMatrix view(std::int64_t rows, std::int64_t cols, const Offset* row_begin,
                             const Index* column, const T* value, int base = 0) {
        SparseMatrix matrix;
        const std::int64_t given = matrix.read_rows(rows, cols, row_begin, base);
        if constexpr ((std::is_same_v<Index, std::int32_t> ||
                       std::is_same_v<Index, std::uint32_t>)&&std::is_same_v<T, double>) {
            // What is negative is too large where signs are none.
            const auto* const columns = reinterpret_cast<const std::uint32_t*>(column);
            if (base == 0 && matrix.can_view(given, columns, value)) return matrix;
        }
        matrix.read_entries(given, column, value, base);
        return matrix;
    }

    /// A Matrix Market file, also gzipped. Its entries are in the order of rows and columns. Read on
    /// all processors of the caller's mask, by threads that are gone afterwards. Throws InputError with file,
    /// line and reason.
    static SparseMatrix read(const std::string& file);

    std::int64_t rows() const;
    std::int64_t cols() const;
    /// Entries as stored: explicit zeros count, entries of one place count once.
    std::int64_t stored() const;
    /// Entries of the arrays that it was made of: entries of one place count each. As many values does
    /// SpmvPlan::update_values() want.
    std::int64_t given() const;

    struct Inside;
    const Inside& inside() const { return *inside_; }

private:
    // Piece by piece: whatever the program's types are, the library gets its own, and no second copy of large
    // arrays is made on the way.
    static constexpr std::int64_t kPiece = 1024;

    /// How many entries the rows have.
    template <typename Offset>
    std::int64_t read_rows(std::int64_t rows, std::int64_t cols, const Offset* row_begin, int base) {
        static_assert(std::is_integral_v<Offset>);
        check_size(rows, cols, base);
        check_array(row_begin, "row_begin");
        std::int64_t numbers[kPiece];
        begin(rows, cols);
        for (std::int64_t from = 0; from <= rows; from += kPiece) {
            const std::int64_t length = std::min(kPiece, rows + 1 - from);
            for (std::int64_t i = 0; i < length; ++i)
                numbers[i] = static_cast<std::int64_t>(row_begin[from + i]) - base;
            add_rows(numbers, length);
        }
        return rows_end();
    }

    template <typename Index, typename T>
    void read_entries(std::int64_t given, const Index* column, const T* value, int base) {
        static_assert(std::is_integral_v<Index> && std::is_floating_point_v<T>);
        begin_entries(given);
        if (given > 0) {
            check_array(column, "column");
            check_array(value, "value");
        }
        std::int64_t numbers[kPiece];
        double values[kPiece];
        for (std::int64_t from = 0; from < given; from += kPiece) {
            const std::int64_t length = std::min(kPiece, given - from);
            for (std::int64_t k = 0; k < length; ++k) {
                numbers[k] = static_cast<std::int64_t>(column[from + k]) - base;
                values[k] = static_cast<double>(value[from + k]);
            }
            add_entries(numbers, values, length);
        }
        finish();
    }

    SparseMatrix() = default;
    static void check_size(std::int64_t rows, std::int64_t cols, int base);
    static void check_array(const void* array, const char* name);
    void begin(std::int64_t rows, std::int64_t cols);
    void add_rows(const std::int64_t* begin, std::int64_t length);
    std::int64_t rows_end() const;
    /// Whether these arrays are right and in order; the matrix is complete then, and shows them.
    bool can_view(std::int64_t given, const std::uint32_t* column, const double* value);
    void begin_entries(std::int64_t given);
    void add_entries(const std::int64_t* column, const double* value, std::int64_t length);
    /// Sorts rows that are in no order.
    void finish();

    std::shared_ptr<Inside> inside_;
};

}  // namespace rooftune
