#include "kernels/runtime/mailbox.h"

#include <immintrin.h>
#include <sched.h>

// clang has another word for it.
#if defined(__SANITIZE_THREAD__)
#define ROOFTUNE_RACES_CHECKED
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define ROOFTUNE_RACES_CHECKED
#endif
#endif

namespace rooftune {

void order_before_reading() {
#if defined(ROOFTUNE_RACES_CHECKED)
    // The thread sanitizer knows no fences; a read-modify-write of one word that all have is the same to it.
    static std::atomic<int> word{0};
    word.fetch_add(1, std::memory_order_seq_cst);
#else
    std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
}

std::uint32_t Mailbox::wait(std::uint32_t last, const Patience& patience) {
    using Clock = std::chrono::steady_clock;
    const auto since = Clock::now();
    bool yields = false;
    for (unsigned looks = 1;; ++looks) {
        if (const std::uint32_t now = calls_.load(std::memory_order_acquire); now != last) return now;
        if (may_sleep_.load(std::memory_order_relaxed)) break;
        if (yields) {
            sched_yield();
        } else {
            _mm_pause();
        }
        if (!yields && looks % patience.looks_a_clock != 0) continue;
        const auto waited = Clock::now() - since;
        if (waited > patience.in_all) break;
        yields = waited > patience.pausing;
    }
    asleep_.store(true, std::memory_order_relaxed);
    order_before_reading();
    calls_.wait(last, std::memory_order_acquire);
    asleep_.store(false, std::memory_order_relaxed);
    return calls_.load(std::memory_order_acquire);
}

void Mailbox::call() {
    if (may_sleep_.load(std::memory_order_relaxed)) may_sleep_.store(false, std::memory_order_relaxed);
    calls_.store(calls_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

void Mailbox::wake_up() {
    if (asleep()) calls_.notify_one();
}

void Mailbox::let_sleep() {
    if (!may_sleep_.load(std::memory_order_relaxed)) may_sleep_.store(true, std::memory_order_relaxed);
}

}  // namespace rooftune
