// Traffic as caches with least-recently-used replacement would have it: layer conditions. An estimate.
#pragma once

#include "kernels/stencil/grid.h"
#include "kernels/stencil/space.h"
#include "models/units.h"

namespace rooftune::stencil {

/// Bytes in both directions together that a variant probably exchanges with what lies beyond a cache of
/// this capacity, which its threads share evenly, in one repetition: README.md, "Likely traffic". 0 when
/// all arrays fit.
Bytes likely_bytes(const Grid& grid, const Choice& choice, Bytes capacity);

}  // namespace rooftune::stencil
