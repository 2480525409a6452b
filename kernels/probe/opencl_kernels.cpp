#include "kernels/probe/opencl_kernels.h"

namespace rooftune::probe {
namespace {

// Sum over a vector's elements, whatever its width.
const char* const kSum = R"(
#if WIDTH == 1
#define SUM(v) (v)
#elif WIDTH == 2
#define SUM(v) ((v).s0 + (v).s1)
#elif WIDTH == 4
#define SUM4(v) ((v).s0 + (v).s1 + (v).s2 + (v).s3)
#define SUM(v) SUM4(v)
#elif WIDTH == 8
#define SUM4(v) ((v).s0 + (v).s1 + (v).s2 + (v).s3)
#define SUM(v) (SUM4((v).lo) + SUM4((v).hi))
#else
#define SUM4(v) ((v).s0 + (v).s1 + (v).s2 + (v).s3)
#define SUM8(v) (SUM4((v).lo) + SUM4((v).hi))
#define SUM(v) (SUM8((v).lo) + SUM8((v).hi))
#endif
)";

}  // namespace

std::string chains_source() {
    return std::string(R"(
#ifdef F64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
)") + kSum +
           R"(
__kernel void probe(__global T* out, int rounds, T a, T b) {
    const V va = (V)(a);
    const V vb = (V)(b);
    V x[CHAINS];
    #pragma unroll
    for (int c = 0; c < CHAINS; ++c) x[c] = (V)((T)(get_local_id(0) + c));
    for (int r = 0; r < rounds; ++r) {
        #pragma unroll
        for (int u = 0; u < 8; ++u) {
            #pragma unroll
            for (int c = 0; c < CHAINS; ++c) x[c] = fma(x[c], va, vb);
        }
    }
    V sum = x[0];
    #pragma unroll
    for (int c = 1; c < CHAINS; ++c) sum += x[c];
    out[get_global_id(0)] = SUM(sum);
}
)";
}

std::string walk_source() {
    return std::string(kSum) + R"(
__kernel void probe(__global V* x, __global float* out, ulong part, ulong third, int steps, int passes,
                    ulong shift, float factor) {
    const size_t items = get_local_size(0);
    __global V* base = x + get_group_id(0) * part + get_local_id(0);
    V sum[UNROLL];
    #pragma unroll
    for (int u = 0; u < UNROLL; ++u) sum[u] = (V)(0.0f);
    for (int p = 0; p < passes; ++p) {
        __global V* at = base + (ulong)p * shift;
        for (int r = 0; r < steps; r += UNROLL) {
            #pragma unroll
            for (int u = 0; u < UNROLL; ++u) {
                const size_t i = (size_t)(r + u) * items;
#if MIX == 0
                sum[u] += at[i];
#elif MIX == 1
                at[i] = at[i] * factor;
#elif MIX == 2
                at[i] = (V)(factor);
#else
                at[i + 2 * third] = (at[i] + at[i + third]) * factor;
#endif
            }
        }
    }
#if MIX == 0
    V all = sum[0];
    #pragma unroll
    for (int u = 1; u < UNROLL; ++u) all += sum[u];
    out[get_global_id(0)] = SUM(all);
#else
    out[get_global_id(0)] = (float)passes;
#endif
}
)";
}

std::string local_source() {
    return std::string(kSum) + R"(
__kernel void probe(__global float* out, int rounds, int shift, float one) {
    __local V memory[VECTORS];
    const int items = (int)get_local_size(0);
    const int me = (int)get_local_id(0);
    for (int i = me; i < VECTORS; i += items) memory[i] = (V)(one);
    barrier(CLK_LOCAL_MEM_FENCE);
    V s0 = (V)(0.0f), s1 = s0, s2 = s0, s3 = s0;
    int at = me;
    for (int r = 0; r < rounds; ++r) {
        s0 += memory[at & (VECTORS - 1)];
        s1 += memory[(at + items) & (VECTORS - 1)];
        s2 += memory[(at + 2 * items) & (VECTORS - 1)];
        s3 += memory[(at + 3 * items) & (VECTORS - 1)];
        at += shift;
    }
    const V all = s0 + s1 + s2 + s3;
    out[get_global_id(0)] = SUM(all);
}
)";
}

std::string empty_source() {
    return "__kernel void probe(__global float* out) {}\n";
}

}  // namespace rooftune::probe
