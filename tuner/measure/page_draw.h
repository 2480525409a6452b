// Which pages of memory a measuring process is dealt, drawn by lot.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/runtime/memory.h"

namespace rooftune {

/// Physical pages that are taken before a problem's arrays are, a random number of each size, and held: on
/// the node where the process begins the arrays get others then. A kernel with strides of a power of two
/// takes up to twice as long on one set of pages as on another, and the system hands the pages that one
/// process gives back to the next one: processes in a row were no independent draws. Eight processes took
/// 0.59 to 0.71 ms for a transpose of 1024², and twelve with draws of their own 0.61 to 1.18 ms, side by side
/// on a Zen 4 virtual machine.
class PageDraw {
public:
    /// Takes at most the lesser of `available` / 64 and 144 MiB, none of a size that is refused. Where little
    /// is available, nothing is drawn, and processes are dealt what they are.
    PageDraw(std::uint64_t seed, double available);

    /// Taken, of huge pages and of small ones.
    std::size_t huge_bytes() const { return huge_.bytes(); }
    std::size_t small_bytes() const { return small_.bytes(); }

private:
    Buffer huge_, small_;
};

/// Drawn anew by each process, of the memory that the system, its control groups and its limit of address
/// space leave it.
PageDraw any_pages();

}  // namespace rooftune
