// The lines of a Matrix Market file as nearly all of them are: an entry, plainly spelt and where it may lie.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "kernels/sparse/matrix_market.h"
#include "kernels/sparse/triplets.h"

namespace rooftune::sparse {

/// An entry of a file.
struct Entry {
    std::int64_t row = 0;  ///< as in the file, from 1
    std::int64_t col = 0;
    double value = 0.0;
};

/// Takes what nearly every line looks like and gives up on anything else without a word; whoever is careful
/// then either finds a rarer legal spelling or the fault. Of an array file the value alone.
bool quick_entry(std::string_view line, const MatrixMarketHeader& header, Entry& entry);

/// Puts the entries of `lines` (whole lines, with their ends) into `to`, from place `count` on, on all
/// processors of this process: how many there were. Nothing, and what is in those places is of no use, where
/// a line is not as plain as that, a comment included, or where they are more than the header promises.
std::optional<std::int64_t> take_plain_lines(std::string_view lines, const MatrixMarketHeader& header,
                                             std::uint64_t pattern_seed, std::int64_t count, Triplets& to);

}  // namespace rooftune::sparse
