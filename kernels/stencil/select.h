// The entry points of the kernels' translation units, one namespace an instruction set as Highway
// names them. Only dispatch.cpp calls them.
#pragma once

#include "kernels/stencil/kernel.h"

#define ROOFTUNE_STENCIL_ENTRY_POINTS(target) \
    namespace rooftune::stencil::target {     \
    Kernel rows7_f64(const KernelKey& key);   \
    Kernel rows7_f32(const KernelKey& key);   \
    Kernel rows27_f64(const KernelKey& key);  \
    Kernel rows27_f32(const KernelKey& key);  \
    }

ROOFTUNE_STENCIL_ENTRY_POINTS(N_SSE4)
ROOFTUNE_STENCIL_ENTRY_POINTS(N_AVX2)
ROOFTUNE_STENCIL_ENTRY_POINTS(N_AVX3)

#undef ROOFTUNE_STENCIL_ENTRY_POINTS
