#include "kernels/runtime/team.h"

#include <immintrin.h>
#include <oneapi/tbb/task_arena.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <string>
#include <thread>

#include "kernels/runtime/error.h"
#include "kernels/runtime/pinned_caller.h"
#include "kernels/runtime/worker_room.h"

namespace rooftune {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kSpinFor = std::chrono::milliseconds(2);
constexpr auto kStartWithin = std::chrono::seconds(10);

}  // namespace

struct Team::State {
    explicit State(std::vector<int> processors)
        : cpus(std::move(processors)),
          room(static_cast<int>(cpus.size()) - 1),
          arena(static_cast<int>(std::max<std::size_t>(2, cpus.size())), 1) {}

    std::vector<int> cpus;
    WorkerRoom room;
    oneapi::tbb::task_arena arena;

    // Number of the job at hand; a worker that sees it change runs the job.
    alignas(64) std::atomic<std::uint32_t> generation{0};
    alignas(64) std::atomic<int> running{0};
    alignas(64) std::atomic<int> parked{0};
    alignas(64) std::atomic<int> present{0};
    std::atomic<int> unpinned{0};
    std::atomic<bool> stop{false};
    PinnedCaller caller;
    int threads = 0;
    bool woken_only = false;
    Body body = nullptr;
    void* context = nullptr;

    void worker(int thread) {
        cpu_set_t before;
        CPU_ZERO(&before);
        sched_getaffinity(0, sizeof before, &before);
        // A thread that oneTBB made for this has its maker's mask, which another team may have narrowed.
        if (CPU_EQUAL(&before, &caller.mask_now())) before = caller.mask_of_its_own();
        if (!pin_to(cpus[static_cast<std::size_t>(thread)])) unpinned.fetch_add(1);
        std::uint32_t seen = generation.load(std::memory_order_acquire);
        present.fetch_add(1, std::memory_order_release);
        // A task that starts when the team has already given up has nothing to wait for.
        while (!stop.load(std::memory_order_acquire)) {
            wait_for_change(seen);
            seen = generation.load(std::memory_order_acquire);
            if (stop.load(std::memory_order_acquire)) break;
            if (!woken_only && thread < threads) body(context, thread);
            running.fetch_sub(1, std::memory_order_release);
        }
        sched_setaffinity(0, sizeof before, &before);
        present.fetch_sub(1, std::memory_order_release);
    }

    void wait_for_change(std::uint32_t seen) {
        const auto until = Clock::now() + kSpinFor;
        for (int spins = 0;; ++spins) {
            if (generation.load(std::memory_order_acquire) != seen) return;
            _mm_pause();
            if (spins % 1024 == 1023 && Clock::now() > until) break;
        }
        parked.fetch_add(1);
        generation.wait(seen);
        parked.fetch_sub(1);
    }

    /// Ends the workers that are there.
    void end() {
        stop = true;
        announce();
        while (present.load(std::memory_order_acquire) > 0) {
            generation.notify_all();
            std::this_thread::yield();
        }
    }

    void announce() {
        generation.fetch_add(1);
        if (parked.load() > 0) generation.notify_all();
    }
};

Team::Team(std::vector<int> cpus) : state_(std::make_unique<State>(std::move(cpus))) {
    State& s = *state_;
    if (s.cpus.empty()) throw EnvironmentError("no processing unit to run on: the affinity mask is empty");
    for (int t = 1; t < size(); ++t) {
        s.arena.enqueue([&s, t] { s.worker(t); });
    }
    const auto until = Clock::now() + kStartWithin;
    while (s.present.load(std::memory_order_acquire) < size() - 1) {
        if (Clock::now() > until) {
            const std::string message = "only " + std::to_string(s.present.load() + 1) + " of " +
                                        std::to_string(size()) +
                                        " threads started; ask for fewer (--threads)";
            s.end();
            // Tasks that never started hold a reference to the state: it must outlive them.
            static_cast<void>(state_.release());
            throw EnvironmentError(message);
        }
        std::this_thread::yield();
    }
    if (!s.caller.pin(s.cpus[0])) s.unpinned.fetch_add(1);
    if (s.unpinned.load() > 0) {
        s.end();
        throw EnvironmentError(
            "could not pin a thread to its processing unit: this process may no longer run there; choose "
            "others (--cpus)");
    }
}

Team::~Team() {
    state_->end();
}

int Team::size() const {
    return static_cast<int>(state_->cpus.size());
}
const std::vector<int>& Team::cpus() const {
    return state_->cpus;
}

void Team::check_has(int threads) const {
    if (threads <= size()) return;
    throw EnvironmentError("the variant wants " + std::to_string(threads) + " threads and the team has " +
                           std::to_string(size()) + "; run with --threads " + std::to_string(threads));
}

void Team::run(int threads, Body body, void* context) {
    State& s = *state_;
    if (threads <= 1 || size() == 1) {
        body(context, 0);
        return;
    }
    s.threads = threads;
    s.woken_only = false;
    s.body = body;
    s.context = context;
    s.running.store(size() - 1, std::memory_order_relaxed);
    s.announce();
    body(context, 0);
    while (s.running.load(std::memory_order_acquire) > 0) _mm_pause();
}

void Team::wake() {
    State& s = *state_;
    if (size() == 1) return;
    s.woken_only = true;
    s.running.store(size() - 1, std::memory_order_relaxed);
    s.announce();
    while (s.running.load(std::memory_order_acquire) > 0) _mm_pause();
}

}  // namespace rooftune
