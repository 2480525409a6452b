#include "kernels/runtime/pinned_caller.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <mutex>

namespace rooftune {

struct PinnedCaller::Thread {
    std::mutex mutex;
    pid_t id = static_cast<pid_t>(::syscall(SYS_gettid));
    bool ended = false;  // its number may be another thread's by then
    int pins = 0;
    cpu_set_t own;  // before the first pin
    int last = 0;   // where the last pin put it
};

bool pin_to(int cpu) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<std::size_t>(cpu), &set);
    return sched_setaffinity(0, sizeof set, &set) == 0;
}

std::shared_ptr<PinnedCaller::Thread> PinnedCaller::this_thread() {
    struct Holder {
        std::shared_ptr<Thread> thread = std::make_shared<Thread>();
        ~Holder() {
            const std::lock_guard lock(thread->mutex);
            thread->ended = true;
        }
    };
    thread_local Holder holder;
    return holder.thread;
}

PinnedCaller::PinnedCaller() : thread_(this_thread()) {
    CPU_ZERO(&now_);
    sched_getaffinity(0, sizeof now_, &now_);
    const std::lock_guard lock(thread_->mutex);
    own_ = thread_->pins > 0 ? thread_->own : now_;
}

bool PinnedCaller::pin(int cpu) {
    const std::lock_guard lock(thread_->mutex);
    if (!pin_to(cpu)) return false;
    if (thread_->pins++ == 0) thread_->own = own_;
    thread_->last = cpu;
    return pinned_ = true;
}

PinnedCaller::~PinnedCaller() {
    if (!pinned_) return;
    const std::lock_guard lock(thread_->mutex);
    if (--thread_->pins > 0 || thread_->ended) return;
    cpu_set_t now;
    CPU_ZERO(&now);
    const bool known = sched_getaffinity(thread_->id, sizeof now, &now) == 0;
    const bool ours = CPU_COUNT(&now) == 1 && CPU_ISSET(static_cast<std::size_t>(thread_->last), &now);
    if (known && ours) sched_setaffinity(thread_->id, sizeof thread_->own, &thread_->own);
}

}  // namespace rooftune
