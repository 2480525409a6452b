// Gather: indexed loads from random places of a footprint, the ceiling of the x vector of SpMV. The
// indices are 32-bit and are themselves streamed, 4 bytes an element, as a sparse format does.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/probe/memory.h"
#include "kernels/probe/window.h"
#include "models/vocabulary.h"

namespace rooftune::probe {

struct GatherWay {
    DType dtype = DType::f64;
    int width_bits = 0;  ///< the element's own size: scalar loads
};

/// Random indices below the number of elements that the footprint holds; as many as elements, at most
/// `most`. Deterministic.
std::vector<std::uint32_t> gather_indices(DType dtype, Bytes footprint,
                                          std::size_t most = std::size_t{1} << 20);

bool can_gather(const GatherWay& way);

/// Work in elements; a repetition takes every index once. All threads read the same elements, as they
/// do x: those of thread 0's region, which must hold the footprint. Indices must outlive the work.
Work gather_work(const GatherWay& way, int threads, Pages pages, const Memory& memory,
                 const std::vector<std::uint32_t>& indices);

}  // namespace rooftune::probe
