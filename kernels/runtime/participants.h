// The caller's threads that run a plan together, each of which calls with a number of its own.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>

#include "kernels/runtime/lent_threads.h"

namespace rooftune {

/// Part 0 does what a run does; the others wait for the shares that it hands out, and leave with it. A part
/// whose number is beyond the shares has nothing to do and waits for nobody.
class Participants final : public LentThreads {
public:
    /// `shares`: the most that a run has.
    explicit Participants(int shares);

    /// One part of a run, which `act` does on part 0. Returns when this part is done; the run is, when all
    /// have returned. Waits, pausing and then giving its processing unit away, for the parts 0 … parts−1 that
    /// have shares: these have to be called at once, each by a thread of its own. What `act` throws comes out
    /// of part 0, and out of the others as the InputError or EnvironmentError of that text.
    ///
    /// Throws InputError for a number that is none of 0 … parts−1, one that is taken, and a number of parts
    /// that differs from that of the others. After the latter two the others are told as well, by an
    /// InputError, when as many have come as there should be, and the next run begins afresh.
    template <typename Act>
    void take_part(int part, int parts, Act&& act) {
        take_part(
            part, parts, [](void* it) { (*static_cast<std::remove_reference_t<Act>*>(it))(); },
            const_cast<void*>(static_cast<const void*>(&act)));
    }

private:
    // Who is there, in one word, so that it changes as a whole.
    struct Gathered {
        unsigned arrived = 0;     // of the members
        unsigned parts = 0;       // as they say
        bool mixed_up = false;    // what they say does not go together
        bool running = false;     // all are there, and the run is not over
        unsigned turn = 0;        // counts the runs, and those that came to nothing
        unsigned generation = 0;  // of the process: a child of fork() has none of those who waited

        std::uint64_t word() const;
        static Gathered of(std::uint64_t word);
    };
    // Of each part, on cache lines of its own.
    struct alignas(64) Place {
        std::atomic<unsigned> taken_in{0};  // generation + 1 of the process; 0: nobody is here
    };
    struct Arrival {
        unsigned turn = 0;
        std::uint32_t last_call = 0;  // before part 0 may call this part
        unsigned others = 0;          // parts as others said before, where they said another number
    };
    class Visit;

    void take_part(int part, int parts, void (*act)(void*), void* context);
    int members_of(int parts) const;
    Arrival arrive(int parts, bool is_refused);
    void wait_for_all(unsigned turn) const;
    void lead(int members, void (*act)(void*), void* context);
    void follow(int part, std::uint32_t last_call);
    void end();
    void wait_for_others() const;

    void run(int shares, void (*body)(void*, int), void* context) override;
    bool at_once(int shares) const override { return shares <= members_; }
    void do_shares(int part) const;

    const int most_;
    const std::unique_ptr<Place[]> places_;

    alignas(64) std::atomic<std::uint64_t> gathered_{0};

    // Part 0 writes these before it calls, and the others read them when they are called.
    alignas(64) std::atomic<std::uint32_t> calls_{0};
    void (*body_)(void*, int) = nullptr;  // none: the run is over
    void* context_ = nullptr;
    int shares_ = 0;
    int members_ = 1;
    std::string refusal_;  // what part 0 threw; empty: nothing
    bool is_input_ = true;

    alignas(64) std::atomic<int> busy_{0};
};

}  // namespace rooftune
