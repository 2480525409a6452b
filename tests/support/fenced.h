// Arrays that end, or begin, where memory ends: whoever reads or writes beyond them crashes.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>
#include <new>

namespace rooftune::test {

enum class Fence { before, after };

/// `count` elements between two pages that nobody may touch: the last ends at the one behind, or the first
/// begins at the one before. Zeros at first.
template <typename T>
class Fenced {
public:
    Fenced(std::size_t count, Fence fence) : count_(count) {
        const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
        const std::size_t inside = (count * sizeof(T) + page - 1) / page * page;
        mapped_ = inside + 2 * page;
        void* const at = mmap(nullptr, mapped_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (at == MAP_FAILED) throw std::bad_alloc();
        mapping_ = static_cast<std::byte*>(at);
        if (inside > 0 && mprotect(mapping_ + page, inside, PROT_READ | PROT_WRITE) != 0)
            throw std::bad_alloc();
        const std::size_t first = fence == Fence::before ? page : page + inside - count * sizeof(T);
        data_ = reinterpret_cast<T*>(mapping_ + first);
    }
    ~Fenced() { munmap(mapping_, mapped_); }
    Fenced(const Fenced&) = delete;
    Fenced& operator=(const Fenced&) = delete;

    T* data() const { return data_; }
    std::size_t size() const { return count_; }
    T& operator[](std::size_t i) const { return data_[i]; }

private:
    std::size_t count_;
    std::size_t mapped_ = 0;
    std::byte* mapping_ = nullptr;
    T* data_ = nullptr;
};

}  // namespace rooftune::test
