// Traffic of a sparse matrix times a vector, y = A·x: bytes for each nonzero by format, and how often the
// elements of x come in again, which is what a cache decides. Estimates, for ranking; the matrix itself
// passes once.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/units.h"

namespace rooftune {

/// What the formats' formulas share. Bytes a nonzero; a row is `nonzeros_a_row` of them on average.
struct SpmvShape {
    double element = 8.0;  ///< bytes of a value
    double index = 4.0;    ///< bytes of a column index
    double nonzeros_a_row = 1.0;
    double alpha = 1.0;        ///< elements of x that come in, for each nonzero
    bool allocates_y = false;  ///< y is fetched because it is written
};

/// e + i + αe + (4 + e [+ e])/nonzeros a row: a pointer and an element of y for each row.
double csr_bytes(const SpmvShape& shape);
/// (e + i)/β + αe + (e [+ e])/nonzeros a row; β is the share of stored entries that are no padding. Chunks'
/// pointers are left out: 4/C a row.
double sell_bytes(const SpmvShape& shape, double beta);
/// fill·(e + i/(r·c)) + αe + (4/r + e [+ e])/nonzeros a row; fill: stored entries for each nonzero.
double bcsr_bytes(const SpmvShape& shape, int rows, int cols, double fill);

/// How many nonzeros lie between one use of a line of x and the next, counted over a whole matrix.
class ReuseGaps {
public:
    /// The first use of a line.
    void first() { ++first_; }
    /// Another use, `gap` ≥ 1 nonzeros after the one before.
    void again(std::int64_t gap);

private:
    friend class ReuseCurve;
    // Four buckets an octave: [2^(i/4), 2^((i+1)/4)).
    static constexpr int kBuckets = 4 * 40;
    std::int64_t first_ = 0, again_ = 0;
    std::array<std::int64_t, kBuckets> gaps_{};
};

/// What the gaps say about a cache of any capacity that keeps what was used most recently. With the working
/// set of Denning and Schwartz (1972) they give the lines that g nonzeros in a row touch, for every g at
/// once: f(g) = Σ_{τ<g} share of uses that are further than τ from the one before.
class ReuseCurve {
public:
    ReuseCurve() = default;
    explicit ReuseCurve(const ReuseGaps& gaps);

    double uses() const { return uses_; }
    double lines() const { return lines_; }
    /// Uses that find their line gone, while every nonzero brings in `others` bytes besides. First uses
    /// included. Falls with the capacity.
    double misses(Bytes capacity, Bytes line, double others) const;

private:
    /// At one gap: uses further apart, and lines that so many nonzeros touch.
    struct Point {
        double gap, further, touched;
    };
    double uses_ = 0.0, lines_ = 0.0;
    std::vector<Point> points_;  ///< gaps ascending
};

}  // namespace rooftune
