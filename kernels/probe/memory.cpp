#include "kernels/probe/memory.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace rooftune::probe {

void Memory::reserve(Team& team, Pages pages, int threads, Bytes footprint) {
    std::vector<Buffer>& all = regions(pages);
    if (static_cast<int>(all.size()) < team.size()) all.resize(static_cast<std::size_t>(team.size()));
    const auto share = static_cast<std::size_t>(std::ceil(footprint.value / threads)) + kRegionSlack;
    std::vector<bool> fresh(all.size(), false);
    for (int t = 0; t < threads; ++t) {
        Buffer& region = all[static_cast<std::size_t>(t)];
        if (region.bytes() >= share) continue;
        region = Buffer();  // the old one goes before the new one comes
        region = Buffer((share + 7) / 8 * 8, pages);
        fresh[static_cast<std::size_t>(t)] = true;
    }
    if (std::find(fresh.begin(), fresh.end(), true) == fresh.end()) return;
    team.run(threads, [&](int thread) {
        if (!fresh[static_cast<std::size_t>(thread)]) return;
        std::uint64_t word = 0x3ff123456789abcdULL;  // as f64 a little above 1
        for (std::uint64_t& value : all[static_cast<std::size_t>(thread)].view<std::uint64_t>())
            value = word += 2;
    });
}

std::byte* Memory::region(Pages pages, int thread) const {
    const std::vector<Buffer>& all = regions(pages);
    return thread < static_cast<int>(all.size()) ? all[static_cast<std::size_t>(thread)].data() : nullptr;
}

std::size_t Memory::region_bytes(Pages pages, int thread) const {
    const std::vector<Buffer>& all = regions(pages);
    return thread < static_cast<int>(all.size()) ? all[static_cast<std::size_t>(thread)].bytes() : 0;
}

}  // namespace rooftune::probe
