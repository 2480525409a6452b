#include "kernels/runtime/memory.h"

#include <emmintrin.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <limits>
#include <new>
#include <string>

#include "kernels/runtime/control_group.h"

namespace rooftune {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::byte kCanary{0xC5};

}  // namespace

Pages pages_for(std::size_t bytes, Pages wanted) {
    return bytes < kHugePage ? Pages::small : wanted;
}

std::size_t Buffer::mapped_bytes(std::size_t bytes, Pages pages) {
    // A mapping begins on a page, so that small pages take nothing to align.
    const std::size_t all = bytes + 2 * kGuardBytes + (pages == Pages::huge ? kHugePage : 0);
    return (all + kGuardBytes - 1) / kGuardBytes * kGuardBytes;
}

Buffer::Buffer(std::size_t bytes, Pages pages) : mapped_(mapped_bytes(bytes, pages)), bytes_(bytes) {
    const std::size_t alignment = pages == Pages::huge ? kHugePage : kGuardBytes;
    void* mapping = mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapping == MAP_FAILED) throw std::bad_alloc();
    mapping_ = static_cast<std::byte*>(mapping);
    // Small pages are asked for as explicitly as huge ones: with THP "always" the default is huge.
    madvise(mapping, mapped_, pages == Pages::huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
    const auto first = reinterpret_cast<std::uintptr_t>(mapping_) + kGuardBytes;
    const std::uintptr_t aligned = (first + alignment - 1) / alignment * alignment;
    payload_ = mapping_ + (aligned - reinterpret_cast<std::uintptr_t>(mapping_));
}

Buffer::~Buffer() {
    if (mapping_) munmap(mapping_, mapped_);
}

void Buffer::arm() {
    if (!payload_) return;
    std::memset(payload_ - kGuardBytes, static_cast<int>(kCanary), kGuardBytes);
    const std::size_t behind = static_cast<std::size_t>(mapping_ + mapped_ - (payload_ + bytes_));
    std::memset(payload_ + bytes_, static_cast<int>(kCanary), std::min(behind, kGuardBytes));
}

bool Buffer::intact() const {
    if (!payload_) return true;
    const auto is_canary = [](std::byte b) { return b == kCanary; };
    const std::size_t behind = static_cast<std::size_t>(mapping_ + mapped_ - (payload_ + bytes_));
    return std::all_of(payload_ - kGuardBytes, payload_, is_canary) &&
           std::all_of(payload_ + bytes_, payload_ + bytes_ + std::min(behind, kGuardBytes), is_canary);
}

void like_huge_pages(void* data, std::size_t bytes) {
    if (bytes < 2 * kHugePage) return;
    const auto first = (reinterpret_cast<std::uintptr_t>(data) + kHugePage - 1) / kHugePage * kHugePage;
    const auto end = (reinterpret_cast<std::uintptr_t>(data) + bytes) / kHugePage * kHugePage;
    if (first < end) madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE);
}

void flush_lines(const void* data, std::size_t bytes) {
    const auto* line = static_cast<const char*>(data);
    for (std::size_t at = 0; at < bytes; at += kCacheLine) _mm_clflush(line + at);
    _mm_mfence();
}

double available_memory() {
    double available = std::numeric_limits<double>::infinity();
    std::ifstream info("/proc/meminfo");
    for (std::string key, unit; info >> key;) {
        double kilobytes = 0.0;
        info >> kilobytes;
        std::getline(info, unit);
        if (key == "MemAvailable:") available = kilobytes * 1024.0;
    }
    available = std::min(available, memory_left(read_file));
    return available;
}

}  // namespace rooftune
