#include "kernels/runtime/cpu_mask.h"

#include <algorithm>
#include <limits>

namespace rooftune {
namespace {

constexpr int kBits = std::numeric_limits<__cpu_mask>::digits;
// The kernel refuses to write into less than its own masks, whose size it does not say.
constexpr std::size_t kFirstWords = 1024 / kBits, kMostWords = (1U << 20) / kBits;

}  // namespace

CpuMask::CpuMask(const std::vector<int>& cpus) {
    for (const int cpu : cpus) {
        if (cpu < 0) continue;
        const auto word = static_cast<std::size_t>(cpu / kBits);
        if (word >= words_.size()) words_.resize(word + 1);
        words_[word] |= __cpu_mask{1} << (cpu % kBits);
    }
}

CpuMask CpuMask::of_thread(pid_t thread) {
    CpuMask mask;
    for (std::size_t words = kFirstWords; words <= kMostWords; words *= 4) {
        mask.words_.assign(words, 0);
        if (sched_getaffinity(thread, mask.bytes(), reinterpret_cast<cpu_set_t*>(mask.words_.data())) == 0)
            return mask;
    }
    return {};
}

bool CpuMask::give_to(pid_t thread) const {
    return !empty() && sched_setaffinity(thread, bytes(), set()) == 0;
}

bool CpuMask::empty() const {
    return std::all_of(words_.begin(), words_.end(), [](__cpu_mask word) { return word == 0; });
}

std::vector<int> CpuMask::cpus() const {
    std::vector<int> all;
    for (std::size_t word = 0; word < words_.size(); ++word) {
        for (int bit = 0; bit < kBits; ++bit) {
            if (((words_[word] >> bit) & 1U) != 0) all.push_back(static_cast<int>(word) * kBits + bit);
        }
    }
    return all;
}

}  // namespace rooftune
