#include "kernels/runtime/team.h"

#include <immintrin.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "kernels/runtime/arena_threads.h"
#include "kernels/runtime/error.h"
#include "kernels/runtime/forks.h"
#include "kernels/runtime/lent_threads.h"
#include "kernels/runtime/mailbox.h"
#include "kernels/runtime/own_threads.h"
#include "kernels/runtime/pinned_caller.h"
#include "kernels/runtime/thread_limits.h"

namespace rooftune {
namespace {

using std::chrono::microseconds;

// Whoever measures has the machine to himself. A program has threads of its own that may want what ours spin
// on.
constexpr Patience kMeasuring{microseconds(2000), microseconds(2000), 1024};
constexpr Patience kAmongOthers{microseconds(50), microseconds(2000), 64};

std::string what_limits(int error, int wanted, std::size_t had) {
    const std::string of = std::to_string(had) + " of " + std::to_string(wanted) + " threads started: ";
    if (error == EAGAIN) return of + thread_limit_text() + "; ask for fewer, or raise it";
    if (error == EINVAL)
        return of +
               "one could not be put on its processing unit, where this process may not run; choose others";
    return of + "the system says: " + std::generic_category().message(error);
}

bool has_one_twice(std::vector<int> cpus) {
    std::sort(cpus.begin(), cpus.end());
    return std::adjacent_find(cpus.begin(), cpus.end()) != cpus.end();
}

}  // namespace

struct Team::State {
    State(std::vector<int> processors, Caller who, int threads, bool roaming)
        : cpus(std::move(processors)), size(threads), free(who == Caller::free), anywhere(roaming) {
        if (cpus.empty()) throw EnvironmentError("no processing unit to run on: the affinity mask is empty");
        boxes = std::make_unique<Mailbox[]>(static_cast<std::size_t>(size));
        gives_way = free || has_one_twice(cpus);
        if (!free || anywhere) return;
        const int last = *std::max_element(cpus.begin(), cpus.end());
        share_on.assign(static_cast<std::size_t>(std::max(0, last)) + 1, -1);
        for (int share = size - 1; share >= 0; --share) {
            const int cpu = cpus[static_cast<std::size_t>(share)];
            if (cpu >= 0) share_on[static_cast<std::size_t>(cpu)] = share;
        }
    }

    const std::vector<int> cpus;
    const int size;
    const bool free;
    const bool anywhere;
    bool gives_way = false;
    std::unique_ptr<Mailbox[]> boxes;
    const unsigned generation = fork_generation();
    // By processing unit, the first of its shares; −1: none.
    std::vector<int> share_on;

    // Of a free team, and of one that is pinned; a team of one has no threads.
    std::optional<OwnThreads> own;
    std::optional<PinnedCaller> caller;
    std::optional<ArenaThreads> arena;

    alignas(64) std::atomic<int> running{0};
    std::atomic<bool> stop{false};
    Body body = nullptr;  // none: whoever is called is only woken
    void* context = nullptr;
    unsigned mode = 0;  // the caller's MXCSR

    // The first share that has a thread. A free caller may stand anywhere: each share has a thread, and that
    // of its place sleeps.
    int first() const { return free && !anywhere ? 0 : 1; }

    static void thread_main(void* context, int share) { static_cast<State*>(context)->work(share); }

    void start() {
        if (free) {
            start_own();
            return;
        }
        caller.emplace();
        if (size > 1) arena.emplace(cpus, *caller).start(thread_main, this);
        if (!caller->pin(cpus[0]))
            throw EnvironmentError(
                "could not pin a thread to its processing unit: this process may no longer run there; choose "
                "others (--cpus)");
    }

    void start_own() {
        if (size == 1) return;
        const auto without = static_cast<std::size_t>(first());
        own.emplace(static_cast<std::size_t>(size) - without);
        for (int share = first(); share < size; ++share) {
            const std::vector<int> place =
                anywhere ? cpus : std::vector<int>{cpus[static_cast<std::size_t>(share)]};
            const int error = own->start(share, place, thread_main, this);
            if (error != 0) throw EnvironmentError(what_limits(error, size, own->size() + without));
        }
    }

    void work(int share) noexcept {
        Mailbox& box = boxes[static_cast<std::size_t>(share)];
        const Patience& patience = free ? kAmongOthers : kMeasuring;
        for (std::uint32_t call = 0;;) {
            call = box.wait(call, patience);
            if (stop.load(std::memory_order_acquire)) return;
            if (body != nullptr) {
                if (free) take_over_mode();
                body(context, share);
            }
            running.fetch_sub(1, std::memory_order_release);
        }
    }

    void take_over_mode() const {
        constexpr unsigned kFlags = 0x3F;  // what happened, which is no mode
        if (((_mm_getcsr() ^ mode) & ~kFlags) != 0) _mm_setcsr(mode & ~kFlags);
    }

    // Calls the threads of shares 0 … shares−1, but for one, on whose processing unit the caller stands.
    void call(int shares, int but) {
        const auto each = [&](auto&& act) {
            for (int share = first(); share < shares; ++share) {
                if (share != but) act(boxes[static_cast<std::size_t>(share)]);
            }
        };
        each([](Mailbox& box) { box.call(); });
        if (but >= first()) boxes[static_cast<std::size_t>(but)].let_sleep();
        order_before_reading();
        each([](Mailbox& box) { box.wake_up(); });
    }

    void wait_for_all() const {
        // Pausing costs nothing while the others run; giving way matters where one of them has no core, which
        // a caller that is measured does not cause: it would hand its core to whoever else is there.
        int looks = 0;
        while (running.load(std::memory_order_acquire) > 0) {
            if (looks < 20'000 || !gives_way) {
                _mm_pause();
                ++looks;
            } else {
                sched_yield();
            }
        }
    }

    // The share of the thread that calls, of so many.
    int share_of_caller(int shares) const {
        if (!free || anywhere) return 0;
        const int cpu = sched_getcpu();
        const bool known = cpu >= 0 && cpu < static_cast<int>(share_on.size());
        const int share = known ? share_on[static_cast<std::size_t>(cpu)] : -1;
        return share >= 0 && share < shares ? share : 0;
    }

    // Whether nothing refers to this any more.
    bool end() {
        const bool later = arena && arena->some_may_come();
        stop.store(true, std::memory_order_release);
        call(size, -1);
        if (own) own->join();
        if (arena) arena->wait_until_gone();
        return !later;
    }
};

Team::Team(std::vector<int> cpus, Caller caller)
    : Team([&] {
          const int threads = static_cast<int>(cpus.size());
          return std::make_unique<State>(std::move(cpus), caller, threads, false);
      }()) {}

Team Team::anywhere_on(std::vector<int> cpus, int threads) {
    return Team(std::make_unique<State>(std::move(cpus), Caller::free, threads, true));
}

Team::Team(std::unique_ptr<State> state) : state_(std::move(state)) {
    try {
        state_->start();
    } catch (...) {
        if (!state_->end()) static_cast<void>(state_.release());
        throw;
    }
}

Team::~Team() {
    // In a child of fork() there is nobody to end, and the handles of the parent's threads may be those of
    // others.
    if (state_->generation != fork_generation()) {
        static_cast<void>(state_.release());
        return;
    }
    state_->end();
}

int Team::size() const {
    return state_->size;
}
const std::vector<int>& Team::cpus() const {
    return state_->cpus;
}

void Team::check_has(int threads) const {
    if (threads <= size()) return;
    throw EnvironmentError("the variant wants " + std::to_string(threads) + " threads and the team has " +
                           std::to_string(size()) + "; run with --threads " + std::to_string(threads));
}

void Team::check_is_here() const {
    if (size() == 1 || state_->generation == fork_generation()) return;
    throw EnvironmentError(
        "these threads are those of the parent process, and fork() makes a child without them; make in the "
        "child anew what is to run there");
}

void Team::run(int threads, Body body, void* context) {
    State& s = *state_;
    if (threads <= 1 || size() == 1) {
        body(context, 0);
        return;
    }
    if (LentThreads* const lent = Lending::now(); lent != nullptr) {
        // What waits for the shares may run another plan meanwhile, which has threads of its own.
        const Lending none(nullptr);
        lent->run(threads, body, context);
        return;
    }
    check_is_here();
    const int mine = s.share_of_caller(threads);
    s.body = body;
    s.context = context;
    if (s.free) s.mode = _mm_getcsr();
    s.running.store(threads - 1, std::memory_order_relaxed);
    s.call(threads, mine);
    // Whatever the caller's share throws, the others still use what it would take with it.
    struct Join {
        const State& state;
        ~Join() { state.wait_for_all(); }
    } const join{s};
    body(context, mine);
}

bool Team::runs_at_once(int threads) {
    const LentThreads* const lent = Lending::now();
    return lent == nullptr || threads <= 1 || lent->at_once(threads);
}

void Team::wake() {
    State& s = *state_;
    if (size() == 1 || s.generation != fork_generation()) return;
    s.body = nullptr;
    s.running.store(s.size - s.first(), std::memory_order_relaxed);
    s.call(s.size, -1);
    s.wait_for_all();
}

}  // namespace rooftune
