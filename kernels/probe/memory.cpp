#include "kernels/probe/memory.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace rooftune::probe {

void Memory::reserve(Team& team, Pages pages, int threads, Bytes footprint, const std::vector<int>& owners) {
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
    const auto owner = [&](int region) {
        return owners.empty() ? region : owners[static_cast<std::size_t>(region)];
    };
    team.run(owners.empty() ? threads : team.size(), [&](int thread) {
        for (int region = 0; region < threads; ++region) {
            if (owner(region) != thread || !fresh[static_cast<std::size_t>(region)]) continue;
            std::uint64_t word = 0x3ff123456789abcdULL;  // as f64 a little above 1
            for (std::uint64_t& value : all[static_cast<std::size_t>(region)].view<std::uint64_t>())
                value = word += 2;
        }
    });
}

std::vector<int> remote_owners(const std::vector<int>& nodes) {
    std::vector<int> owners;
    for (const int node : nodes) {
        const auto other = std::find_if(nodes.begin(), nodes.end(), [&](int n) { return n != node; });
        if (other == nodes.end()) return {};
        owners.push_back(static_cast<int>(other - nodes.begin()));
    }
    return owners;
}

std::byte* Memory::region(Pages pages, int thread) const {
    const std::vector<Buffer>& all = regions(pages);
    return thread < static_cast<int>(all.size()) ? all[static_cast<std::size_t>(thread)].data() : nullptr;
}

}  // namespace rooftune::probe
