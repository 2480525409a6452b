// The entry points of the kernels' translation units, one namespace an instruction set as Highway
// names them. Only dispatch.cpp calls them.
#pragma once

#include "kernels/spmv/kernel.h"
#include "kernels/spmv/multivector_kernel.h"

#define ROOFTUNE_SPMV_ENTRY_POINTS(target)                                   \
    namespace rooftune::spmv::target {                                       \
    Kernel csr_f64(const KernelKey& key);                                    \
    Kernel csr_f32(const KernelKey& key);                                    \
    Kernel sell_f64(const KernelKey& key);                                   \
    Kernel sell_f32(const KernelKey& key);                                   \
    Kernel bcsr_f64_32(const KernelKey& key);                                \
    Kernel bcsr_f64_16(const KernelKey& key);                                \
    Kernel bcsr_f32_32(const KernelKey& key);                                \
    Kernel bcsr_f32_16(const KernelKey& key);                                \
    MultivectorKernel multivector_f64(const FormatKey& format, int vectors); \
    MultivectorKernel multivector_f32(const FormatKey& format, int vectors); \
    }

ROOFTUNE_SPMV_ENTRY_POINTS(N_SSE4)
ROOFTUNE_SPMV_ENTRY_POINTS(N_AVX2)
ROOFTUNE_SPMV_ENTRY_POINTS(N_AVX3)

#undef ROOFTUNE_SPMV_ENTRY_POINTS
