#include "kernels/probe/bandwidth.h"

#include <algorithm>
#include <string>

#include "kernels/probe/bandwidth_kernel.h"
#include "kernels/runtime/error.h"

namespace rooftune::probe {

int arrays_of(Mix mix) {
    if (mix == Mix::nt_copy || mix == Mix::copy) return 2;
    if (mix == Mix::two_loads_store) return 3;
    return 1;
}

StreamLayout layout_of(const BandwidthWay& way, Bytes footprint, int threads) {
    StreamLayout layout;
    layout.streams = way.streams;
    layout.arrays = arrays_of(way.mix);
    const std::size_t parts =
        static_cast<std::size_t>(layout.streams) * static_cast<std::size_t>(layout.arrays);
    const std::size_t block = static_cast<std::size_t>(vectors_a_round(way.streams) / way.streams) *
                              static_cast<std::size_t>(way.width_bits) / 8;
    const auto share = static_cast<std::size_t>(footprint.value / (way.shared ? 1 : threads));
    layout.bytes = share / parts / block * block;
    // A first-level cache repeats its sets every 4 KiB: within that period the streams lie apart. A
    // stagger of at least a line also keeps loads from matching earlier stores in their low 12 bits.
    constexpr std::size_t kPeriod = 4096;
    const std::size_t stagger = std::max(kCacheLine, kPeriod / parts / kCacheLine * kCacheLine);
    const std::size_t whole_lines = (layout.bytes + kCacheLine - 1) / kCacheLine * kCacheLine;
    layout.stride = whole_lines + (whole_lines >= kPeriod && parts > 1 ? stagger : 0);
    return layout;
}

std::vector<int> prefetches_of(Mix mix) {
    if (mix == Mix::store || mix == Mix::nt_store) return {0};
    return {0, kPrefetchBytes};
}

bool can_walk(const BandwidthWay& way, Bytes footprint, int threads) {
    if (way.shared && way.mix != Mix::load) return false;
    return find_walk(way) != nullptr && layout_of(way, footprint, threads).bytes > 0;
}

Work bandwidth_work(const BandwidthWay& way, Bytes footprint, int threads, Pages pages,
                    const Memory& memory) {
    const WalkKernel kernel = find_walk(way);
    const StreamLayout layout = layout_of(way, footprint, threads);
    if (kernel == nullptr || layout.bytes == 0) {
        throw EnvironmentError(
            "no bandwidth probe for " + std::string(to_text(way.mix)) + " with " +
            std::to_string(way.width_bits) + "-bit vectors and " + std::to_string(way.streams) +
            " streams over " + std::to_string(static_cast<long long>(footprint.value)) +
            " bytes: this CPU lacks the width, or the footprint does not hold the streams");
    }
    Work work;
    work.threads = threads;
    const double walked = static_cast<double>(layout.bytes) * layout.streams * layout.arrays * threads;
    work.amount = way.mix == Mix::update ? 2.0 * walked : walked;
    const bool shared = way.shared;
    work.run = [kernel, layout, pages, shared, &memory](int thread, std::int64_t repetitions) {
        kernel(memory.region(pages, shared ? 0 : thread), layout, repetitions);
    };
    return work;
}

}  // namespace rooftune::probe
