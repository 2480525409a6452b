#include "kernels/probe/strided.h"

#include <string>

#include "kernels/runtime/error.h"

namespace rooftune::probe {
namespace {

// Scalar loads: a vector load cannot take elements a line apart, and a gather of them is no faster than its
// loads one by one.
template <typename T>
void walk(const std::byte* region, std::size_t stride, std::size_t elements) {
    for (std::size_t i = 0; i < elements; i += kStridedRound) {
        const std::byte* at = region + i * stride;
        for (std::size_t k = 0; k < kStridedRound; ++k)
            __asm__ volatile("" : : "x"(*reinterpret_cast<const T*>(at + k * stride)));
    }
}

}  // namespace

std::size_t strided_elements(const StridedWay& way, Bytes footprint, int threads) {
    const std::size_t element = size_of(way.dtype);
    const auto share = static_cast<std::size_t>(footprint.value / threads);
    if (way.stride < element || share < element) return 0;
    return ((share - element) / way.stride + 1) / kStridedRound * kStridedRound;
}

bool can_stride(const StridedWay& way, Bytes footprint, int threads) {
    if (way.dtype != DType::f32 && way.dtype != DType::f64) return false;
    // Elements that straddle lines would be another question.
    if (way.stride % size_of(way.dtype) != 0) return false;
    return strided_elements(way, footprint, threads) > 0;
}

Work strided_work(const StridedWay& way, Bytes footprint, int threads, Pages pages, const Memory& memory) {
    if (!can_stride(way, footprint, threads)) {
        throw EnvironmentError("no strided probe for " + std::string(to_text(way.dtype)) + " every " +
                               std::to_string(way.stride) + " bytes over " +
                               std::to_string(static_cast<long long>(footprint.value)) +
                               " bytes: the footprint does not hold " + std::to_string(kStridedRound) +
                               " elements a thread, or the stride is no multiple of the element");
    }
    const std::size_t elements = strided_elements(way, footprint, threads);
    Work work;
    work.threads = threads;
    work.amount = static_cast<double>(elements) * threads;
    const bool wide = way.dtype == DType::f64;
    work.run = [wide, stride = way.stride, elements, pages, &memory](int thread, std::int64_t repetitions) {
        const std::byte* region = memory.region(pages, thread);
        for (std::int64_t r = 0; r < repetitions; ++r) {
            if (wide) {
                walk<double>(region, stride, elements);
            } else {
                walk<float>(region, stride, elements);
            }
        }
    };
    return work;
}

}  // namespace rooftune::probe
