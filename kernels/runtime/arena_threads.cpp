#include "kernels/runtime/arena_threads.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>

#include "kernels/runtime/cpu_mask.h"
#include "kernels/runtime/error.h"

namespace rooftune {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kStartWithin = std::chrono::seconds(10);

}  // namespace

ArenaThreads::ArenaThreads(const std::vector<int>& cpus, const PinnedCaller& caller)
    : cpus_(cpus),
      caller_(caller),
      room_(static_cast<int>(cpus.size()) - 1),
      arena_(static_cast<int>(std::max<std::size_t>(2, cpus.size())), 1) {}

void ArenaThreads::work(Main main, void* context, int share) noexcept {
    CpuMask before = CpuMask::of_thread();
    // A thread that oneTBB made for this has its maker's mask, which another team may have narrowed.
    if (before == caller_.mask_now()) before = caller_.mask_of_its_own();
    if (!pin_to(cpus_[static_cast<std::size_t>(share)])) unpinned_.fetch_add(1);
    present_.fetch_add(1, std::memory_order_release);
    begun_.fetch_add(1);
    main(context, share);
    before.give_to();
    present_.fetch_sub(1, std::memory_order_release);
}

void ArenaThreads::start(Main main, void* context) {
    const int threads = static_cast<int>(cpus_.size());
    for (int share = 1; share < threads; ++share) {
        arena_.enqueue([this, main, context, share] { work(main, context, share); });
        ++enqueued_;
    }
    const auto until = Clock::now() + kStartWithin;
    while (some_may_come()) {
        if (Clock::now() > until)
            throw EnvironmentError("only " + std::to_string(begun_.load() + 1) + " of " +
                                   std::to_string(threads) + " threads started; ask for fewer (--threads)");
        std::this_thread::yield();
    }
    if (unpinned_.load() > 0)
        throw EnvironmentError(
            "could not pin a thread to its processing unit: this process may no longer run there; choose "
            "others (--cpus)");
}

void ArenaThreads::wait_until_gone() {
    while (present_.load(std::memory_order_acquire) > 0) std::this_thread::yield();
}

}  // namespace rooftune
