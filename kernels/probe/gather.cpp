#include "kernels/probe/gather.h"

#include <algorithm>
#include <string>

#include "kernels/probe/gather_kernel.h"
#include "kernels/runtime/error.h"

namespace rooftune::probe {

std::vector<std::uint32_t> gather_indices(DType dtype, Bytes footprint, std::size_t most) {
    const auto elements =
        std::max<std::size_t>(kGatherRound, static_cast<std::size_t>(footprint.value) / size_of(dtype));
    const std::size_t count = std::min(elements, most) / kGatherRound * kGatherRound;
    std::vector<std::uint32_t> indices(count);
    std::uint64_t state = 0x9e3779b97f4a7c15ULL;
    for (std::uint32_t& index : indices) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        index = static_cast<std::uint32_t>((state >> 33) % elements);
    }
    return indices;
}

bool can_gather(const GatherWay& way) {
    return find_gather(way) != nullptr;
}

Work gather_work(const GatherWay& way, int threads, Pages pages, const Memory& memory,
                 const std::vector<std::uint32_t>& indices) {
    const GatherKernel kernel = find_gather(way);
    if (kernel == nullptr) {
        throw EnvironmentError("no gather probe for " + std::string(to_text(way.dtype)) + " with " +
                               std::to_string(way.width_bits) + "-bit vectors: this CPU lacks the width");
    }
    Work work;
    work.threads = threads;
    work.amount = static_cast<double>(indices.size()) * threads;
    work.run = [kernel, pages, &memory, &indices](int, std::int64_t repetitions) {
        for (std::int64_t r = 0; r < repetitions; ++r) {
            kernel(memory.region(pages, 0), indices.data(), indices.size());
        }
    };
    return work;
}

}  // namespace rooftune::probe
