#include "kernels/runtime/pinned_caller.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <vector>

namespace rooftune {

struct PinnedCaller::Thread {
    std::mutex mutex;
    pid_t process = ::getpid();  // a fork's thread has this one's memory, and another number
    pid_t id = static_cast<pid_t>(::syscall(SYS_gettid));
    bool ended = false;               // its number may be another thread's by then
    std::vector<const void*> owners;  // of the pins that are alive, in the order made
    std::vector<int> cpus;            // where each of them put the thread
    int last = 0;                     // where it was put last
    CpuMask own;                      // before the first pin
};

namespace {

bool pin(pid_t thread, int cpu) {
    return CpuMask({cpu}).give_to(thread);
}

}  // namespace

bool pin_to(int cpu) {
    return pin(0, cpu);
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
    if (holder.thread->process != ::getpid()) holder.thread = std::make_shared<Thread>();
    return holder.thread;
}

PinnedCaller::PinnedCaller() : thread_(this_thread()), now_(CpuMask::of_thread()) {
    const std::lock_guard lock(thread_->mutex);
    own_ = thread_->owners.empty() ? now_ : thread_->own;
}

bool PinnedCaller::pin(int cpu) {
    const std::lock_guard lock(thread_->mutex);
    if (!pin_to(cpu)) return false;
    if (thread_->owners.empty()) thread_->own = own_;
    thread_->owners.push_back(this);
    thread_->cpus.push_back(cpu);
    thread_->last = cpu;
    return pinned_ = true;
}

PinnedCaller::~PinnedCaller() {
    if (!pinned_ || thread_->process != ::getpid()) return;
    Thread& t = *thread_;
    const std::lock_guard lock(t.mutex);
    const auto mine = std::find(t.owners.begin(), t.owners.end(), this) - t.owners.begin();
    t.owners.erase(t.owners.begin() + mine);
    t.cpus.erase(t.cpus.begin() + mine);
    if (t.ended) return;
    if (CpuMask::of_thread(t.id) != CpuMask({t.last})) return;
    if (t.cpus.empty()) {
        t.own.give_to(t.id);
    } else if (t.cpus.back() != t.last && rooftune::pin(t.id, t.cpus.back())) {
        t.last = t.cpus.back();
    }
}

}  // namespace rooftune
