// Where a thread of a team is called.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace rooftune {

/// How long a thread looks for a call before it sleeps.
struct Patience {
    std::chrono::nanoseconds pausing;  ///< with nothing but a pause between two looks
    std::chrono::nanoseconds in_all;   ///< from then on it gives its processing unit away between two looks
    unsigned looks_a_clock;            ///< while pausing, how many looks before the clock is asked
};

/// Between what was written before and what is read after, on both sides of a call: either the thread sees
/// the call or the caller sees that it sleeps.
void order_before_reading();

/// Each thread has one of its own: a run calls those that it wants and no others.
class alignas(64) Mailbox {
public:
    /// For the thread: waits for another call than the last one, and returns its number. The first is 1, so
    /// that a thread which comes late and begins with 0 misses none.
    std::uint32_t wait(std::uint32_t last, const Patience& patience);

    /// For who calls: a call is heard by a thread that is awake; one that sleeps hears it by wake_up(), with
    /// order_before_reading() between the two.
    void call();
    void wake_up();
    /// It need not look for the next call: who calls stands in its place, where it would be in the way.
    void let_sleep();
    bool asleep() const { return asleep_.load(std::memory_order_relaxed); }

private:
    std::atomic<std::uint32_t> calls_{0};
    std::atomic<bool> may_sleep_{false};
    // On a line of its own, since the thread writes it.
    alignas(64) std::atomic<bool> asleep_{false};
};

}  // namespace rooftune
