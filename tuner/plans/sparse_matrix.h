// A sparse matrix as programs have it: compressed rows in arrays, or a Matrix Market file.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

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
        static_assert(std::is_integral_v<Offset> && std::is_integral_v<Index> && std::is_floating_point_v<T>);
        check_size(rows, cols, base);
        check_array(row_begin, "row_begin");
        std::vector<std::int64_t> begin(static_cast<std::size_t>(rows) + 1);
        for (std::size_t i = 0; i < begin.size(); ++i) {
            begin[i] = static_cast<std::int64_t>(row_begin[i]) - base;
            check_begin(begin.data(), i);
        }
        const auto stored = static_cast<std::size_t>(begin.back());
        if (stored > 0) {
            check_array(column, "column");
            check_array(value, "value");
        }
        std::vector<std::int64_t> columns(stored);
        std::vector<double> values(stored);
        for (std::size_t k = 0; k < stored; ++k) {
            columns[k] = static_cast<std::int64_t>(column[k]) - base;
            values[k] = static_cast<double>(value[k]);
        }
        take(rows, cols, begin.data(), columns.data(), values.data());
    }

    /// A Matrix Market file, also gzipped. Throws InputError with file, line and reason.
    static SparseMatrix read(const std::string& file);

    std::int64_t rows() const;
    std::int64_t cols() const;
    /// Entries as stored: explicit zeros count, entries of one place count once.
    std::int64_t stored() const;

    struct Inside;
    const Inside& inside() const { return *inside_; }

private:
    SparseMatrix() = default;
    static void check_size(std::int64_t rows, std::int64_t cols, int base);
    static void check_array(const void* array, const char* name);
    static void check_begin(const std::int64_t* begin, std::size_t row);
    /// Sorts rows in place.
    void take(std::int64_t rows, std::int64_t cols, const std::int64_t* begin, std::int64_t* columns,
              double* values);

    std::shared_ptr<const Inside> inside_;
};

}  // namespace rooftune
