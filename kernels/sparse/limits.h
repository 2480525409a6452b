// How large a matrix may be, said before anything is allocated.
#pragma once

#include <cstdint>
#include <string>

namespace rooftune::sparse {

/// Stored entries of the full matrix: positions within the formats are signed 32-bit numbers.
inline constexpr std::int64_t kMostStored = (std::int64_t{1} << 31) - 1;
/// Rows and columns: gathers take their indices as signed 32-bit numbers.
inline constexpr std::int64_t kMostLines = (std::int64_t{1} << 31) - 1;

/// Bytes of the compressed rows of a matrix and of x and y in f64: 12 a stored entry, 8 a row start,
/// 8 an element. Doubles, so that absurd sizes do not overflow.
double problem_bytes(double rows, double cols, double stored);

/// "1.2 GiB", "53 MiB", …
std::string readable_bytes(double bytes);

/// Why a matrix of these sizes cannot be taken and what to do, or an empty text when it can.
/// `working` are the bytes that loading takes beside problem_bytes(), `available` those there are.
std::string size_fault(double rows, double cols, double stored, double working, double available);

}  // namespace rooftune::sparse
