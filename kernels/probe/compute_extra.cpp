#include "kernels/probe/compute_extra.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

namespace rooftune::probe {
namespace {

int element_bits(DType dtype) {
    return 8 * static_cast<int>(size_of(dtype));
}

class List {
public:
    explicit List(int threads) : threads_(threads) {}

    void add(DType dtype, Mix mix, int width_bits, std::initializer_list<int> chains, const char* unit = "") {
        for (const int count : chains) {
            if (count == 1 && threads_ > 1) continue;
            conditions_.push_back({.dtype = dtype,
                                   .width_bits = width_bits,
                                   .mix = mix,
                                   .chains = count,
                                   .threads = threads_,
                                   .unit = unit});
        }
    }

    std::vector<Conditions> take() { return std::move(conditions_); }

private:
    int threads_;
    std::vector<Conditions> conditions_;
};

}  // namespace

std::vector<Conditions> extra_compute_conditions(const Topology& topology, int threads) {
    List list(threads);
    std::vector<int> widths = topology.width_bits;
    if (widths.empty()) return list.take();
    std::sort(widths.rbegin(), widths.rend());
    const int widest = widths.front();
    // Twelve chains hide the longest latency of a pipelined unit; a divider starts a new division every
    // three cycles at best, so that four to eight chains fill it.
    for (const DType dtype : {DType::bf16, DType::f16, DType::int8}) {
        list.add(dtype, Mix::dot, widest, {1, 8, 12});
        if (dtype == DType::f16) continue;
        for (const int width : widths) {
            if (width != widest) list.add(dtype, Mix::dot, width, {12});
        }
    }
    if (widest >= 512) {
        list.add(DType::f16, Mix::fma, widest, {1, 12});
        for (const DType dtype : {DType::bf16, DType::int8}) list.add(dtype, Mix::dot, 0, {1, 4}, "matrix");
    }
    for (const Mix mix : {Mix::div, Mix::sqrt}) {
        for (const DType dtype : {DType::f64, DType::f32}) {
            list.add(dtype, mix, widest, {1, 4, 8});
            for (const int width : widths) {
                if (width != widest) list.add(dtype, mix, width, {8});
            }
            list.add(dtype, mix, element_bits(dtype), {1, 8});
        }
    }
    for (const Mix mix : {Mix::add, Mix::mul}) {
        for (const DType dtype : {DType::int32, DType::int64}) {
            list.add(dtype, mix, widest, {1, 12});
            list.add(dtype, mix, element_bits(dtype), {8});
        }
    }
    return list.take();
}

}  // namespace rooftune::probe
