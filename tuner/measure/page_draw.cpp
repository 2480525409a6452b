#include "tuner/measure/page_draw.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <exception>
#include <limits>
#include <new>
#include <random>

#include "kernels/runtime/thread_limits.h"

namespace rooftune {
namespace {

constexpr std::size_t kSmallPage = 4096, kHugePage = std::size_t{2} << 20;

Buffer taken(std::size_t bytes, Pages pages) {
    if (bytes == 0) return {};
    try {
        Buffer buffer(bytes, pages);
        for (std::size_t at = 0; at < bytes; at += kSmallPage) buffer.data()[at] = std::byte{1};
        return buffer;
    } catch (const std::bad_alloc&) {
        return {};
    }
}

}  // namespace

PageDraw::PageDraw(std::uint64_t seed, double available) {
    constexpr double kShare = 1.0 / 64.0;
    constexpr std::size_t kMostHuge = std::size_t{128} << 20, kMostSmall = std::size_t{16} << 20;
    const auto spared = static_cast<std::size_t>(
        std::clamp(available * kShare, 0.0, static_cast<double>(kMostHuge + kMostSmall)));
    std::mt19937_64 random(seed);
    // Both limits are to each other as eight to one.
    const auto draw = [&](std::size_t most, std::size_t page) { return random() % (most / page + 1) * page; };
    huge_ = taken(draw(std::min(kMostHuge, spared / 9 * 8), kHugePage), Pages::huge);
    small_ = taken(draw(std::min(kMostSmall, spared / 9), kSmallPage), Pages::small);
}

PageDraw any_pages() {
    std::uint64_t seed = 0;
    try {
        std::random_device device;
        seed = (std::uint64_t{device()} << 32) | device();
    } catch (const std::exception&) {
        // A sandbox without a source of random numbers still measures.
        const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
        seed = static_cast<std::uint64_t>(now) ^ (static_cast<std::uint64_t>(getpid()) << 40);
    }
    const double limit = resource_limits().address_space.value_or(std::numeric_limits<double>::infinity());
    return PageDraw(seed, std::min(available_memory(), limit));
}

}  // namespace rooftune
