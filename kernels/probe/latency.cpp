#include "kernels/probe/latency.h"

#include <cstring>
#include <numeric>
#include <utility>

namespace rooftune::probe {
namespace {

std::byte* next_of(std::byte* at) {
    std::byte* next = nullptr;
    std::memcpy(&next, at, sizeof next);
    return next;
}

}  // namespace

std::vector<std::uint32_t> chase_order(std::size_t lines) {
    std::vector<std::uint32_t> order(lines);
    std::iota(order.begin(), order.end(), 0U);
    std::uint64_t state = 0x9e3779b97f4a7c15ULL;
    // Sattolo: as the usual shuffle, but no entry may stay where it is, and the result is one cycle.
    for (std::size_t i = lines; i > 1; --i) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        std::swap(order[i - 1], order[(state >> 20) % (i - 1)]);
    }
    return order;
}

std::size_t chase_lines(Bytes footprint) {
    return static_cast<std::size_t>(footprint.value) / kCacheLine;
}

bool can_chase(Bytes footprint) {
    return chase_lines(footprint) >= 2;
}

std::byte* prepare_chase(std::byte* region, Bytes footprint) {
    const std::vector<std::uint32_t> order = chase_order(chase_lines(footprint));
    for (std::size_t i = 0; i < order.size(); ++i) {
        std::byte* next = region + std::size_t{order[i]} * kCacheLine;
        std::memcpy(region + i * kCacheLine, &next, sizeof next);
    }
    return region;
}

Work chase_work(std::byte*& at) {
    Work work;
    work.threads = 1;
    work.amount = kChaseSteps;
    work.run = [&at](int, std::int64_t repetitions) {
        std::byte* place = at;
        for (std::int64_t r = 0; r < repetitions; ++r) {
            for (int step = 0; step < kChaseSteps; ++step) place = next_of(place);
            // The chain must exist, not its end alone: nothing may skip a repetition.
            __asm__ volatile("" : "+r"(place));
        }
        at = place;
    };
    return work;
}

}  // namespace rooftune::probe
