// Memory for kernels and probes: whole cache lines, guard zones on both sides, a page policy, and
// placement by the thread that touches first.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <utility>

namespace rooftune {

inline constexpr std::size_t kCacheLine = 64;

enum class Pages { small, huge };

/// What an array of a kernel gets where it would like these: small ones where it does not fill a huge page.
/// Every array of a small problem had one of its own once, and two thousand small matrices took 20 GB.
Pages pages_for(std::size_t bytes, Pages wanted = Pages::huge);

/// An anonymous mapping with a guard zone of canary bytes before and after the payload. The payload
/// starts on a 2 MiB boundary for huge pages, else on a page boundary, and `slack` readable bytes
/// follow it, so that a full vector may be loaded at the last element. Untouched on construction:
/// the first writer places the pages.
class Buffer {
public:
    Buffer() = default;
    /// Throws std::bad_alloc when the mapping is refused.
    explicit Buffer(std::size_t bytes, Pages pages = Pages::huge);
    Buffer(Buffer&& other) noexcept { swap(other); }
    Buffer& operator=(Buffer&& other) noexcept {
        swap(other);
        return *this;
    }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    ~Buffer();

    std::byte* data() const { return payload_; }
    std::size_t bytes() const { return bytes_; }
    /// Address space that it takes, with guard zones and alignment: the most that can be resident of it.
    std::size_t mapped_bytes() const { return mapped_; }
    /// The same before there is one.
    static std::size_t mapped_bytes(std::size_t bytes, Pages pages);
    template <typename T>
    T* as() const {
        return reinterpret_cast<T*>(payload_);
    }
    template <typename T>
    std::span<T> view() const {
        return {as<T>(), bytes_ / sizeof(T)};
    }

    /// Writes the canaries; call once the payload is placed.
    void arm();
    /// False when a canary byte changed since arm().
    bool intact() const;

private:
    void swap(Buffer& other) noexcept {
        std::swap(mapping_, other.mapping_);
        std::swap(mapped_, other.mapped_);
        std::swap(payload_, other.payload_);
        std::swap(bytes_, other.bytes_);
    }
    std::byte* mapping_ = nullptr;
    std::size_t mapped_ = 0;
    std::byte* payload_ = nullptr;
    std::size_t bytes_ = 0;
};

/// Bytes of guard zone on each side; also the readable slack behind the payload.
inline constexpr std::size_t kGuardBytes = 4096;

/// Asks for huge pages in memory that somebody else allocated and nobody has touched: that of a large array
/// is then there in a fraction of the time. Does nothing for less than 4 MiB.
void like_huge_pages(void* data, std::size_t bytes);

/// Evicts these bytes from every cache level.
void flush_lines(const void* data, std::size_t bytes);

/// Memory that a process may still take, in bytes: the smaller of what the system has free and
/// what a container's limit leaves.
double available_memory();

}  // namespace rooftune
