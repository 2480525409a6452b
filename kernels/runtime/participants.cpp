#include "kernels/runtime/participants.h"

#include <immintrin.h>
#include <sched.h>

#include <algorithm>
#include <exception>

#include "kernels/runtime/error.h"
#include "kernels/runtime/forks.h"

namespace rooftune {
namespace {

constexpr int kPartBits = 16;
constexpr int kMostParts = (1 << kPartBits) - 1;
constexpr int kMixedUp = 2 * kPartBits;
constexpr int kRunning = kMixedUp + 1;
constexpr int kTurn = kRunning + 1;
constexpr int kTurnBits = 22;
constexpr int kGeneration = kTurn + kTurnBits;
constexpr int kGenerationBits = 64 - kGeneration;

template <typename Done>
void wait_until(Done&& done) {
    // Pausing costs nothing while the others run, some 50 microseconds; giving way matters where one of them
    // has no core, which in a program of others is usual.
    for (int looks = 0; !done(); ++looks) {
        if (looks < 1'000) {
            _mm_pause();
        } else {
            sched_yield();
        }
    }
}

unsigned this_process() {
    return fork_generation() % (1U << kGenerationBits);
}

unsigned after(unsigned turn) {
    return (turn + 1) % (1U << kTurnBits);
}

}  // namespace

std::uint64_t Participants::Gathered::word() const {
    return std::uint64_t{arrived} | (std::uint64_t{parts} << kPartBits) |
           (std::uint64_t{mixed_up ? 1U : 0U} << kMixedUp) | (std::uint64_t{running ? 1U : 0U} << kRunning) |
           (std::uint64_t{turn} << kTurn) | (std::uint64_t{generation} << kGeneration);
}

Participants::Gathered Participants::Gathered::of(std::uint64_t word) {
    const auto field = [&](int first, int bits) {
        return static_cast<unsigned>((word >> first) & ((std::uint64_t{1} << bits) - 1));
    };
    Gathered g;
    g.arrived = field(0, kPartBits);
    g.parts = field(kPartBits, kPartBits);
    g.mixed_up = field(kMixedUp, 1) != 0;
    g.running = field(kRunning, 1) != 0;
    g.turn = field(kTurn, kTurnBits);
    g.generation = field(kGeneration, kGenerationBits);
    return g;
}

// Holds a part's place while its thread is here.
class Participants::Visit {
public:
    Visit(Participants& all, int part, int parts) : place_(all.places_[static_cast<std::size_t>(part)]) {
        const unsigned mine = this_process() + 1;
        if (place_.taken_in.exchange(mine, std::memory_order_acq_rel) != mine) return;
        all.arrive(parts, true);
        throw InputError("part " + std::to_string(part) +
                         " of this run is another thread's already; give each thread a part of its own, and "
                         "begin no run before all parts of the last one have returned");
    }
    ~Visit() { place_.taken_in.store(0, std::memory_order_release); }
    Visit(const Visit&) = delete;
    Visit& operator=(const Visit&) = delete;

private:
    Place& place_;
};

Participants::Participants(int shares)
    : most_(shares), places_(std::make_unique<Place[]>(static_cast<std::size_t>(std::max(1, shares)))) {}

int Participants::members_of(int parts) const {
    return std::min(parts, std::max(1, most_));
}

void Participants::take_part(int part, int parts, void (*act)(void*), void* context) {
    if (parts < 1 || parts > kMostParts || part < 0 || part >= parts)
        throw InputError("part " + std::to_string(part) + " of " + std::to_string(parts) +
                         " is none; parts are counted from 0, and there are 1 to " +
                         std::to_string(kMostParts));
    const int members = members_of(parts);
    if (part >= members) return;
    // Of a run on one thread. One part of a plan on several threads does their shares here, and leaves the
    // team, which other plans run on, alone.
    if (most_ <= 1) {
        act(context);
        return;
    }
    const Visit visit(*this, part, parts);
    const Arrival arrival = arrive(parts, false);
    if (arrival.others != 0)
        throw InputError("this run has " + std::to_string(arrival.others) + " parts by what another thread " +
                         "says, and " + std::to_string(parts) +
                         " by what this one says; say the same number on all of them");
    wait_for_all(arrival.turn);
    if (part == 0) {
        lead(members, act, context);
    } else {
        follow(part, arrival.last_call);
    }
}

// Counts who comes, since those that are there wait for so many: one that is refused as well, unless it comes
// into the middle of a run, which it does not disturb.
Participants::Arrival Participants::arrive(int parts, bool is_refused) {
    const auto mine = static_cast<unsigned>(parts);
    std::uint64_t word = gathered_.load(std::memory_order_acquire);
    for (;;) {
        Gathered g = Gathered::of(word);
        if (g.generation != this_process()) {
            g = Gathered();
            g.generation = this_process();
        }
        Arrival arrival;
        arrival.turn = g.turn;
        if (g.running) {
            if (is_refused) return arrival;
            wait_until([&] {
                word = gathered_.load(std::memory_order_acquire);
                return !Gathered::of(word).running;
            });
            continue;
        }
        if (g.arrived > 0 && g.parts != mine) arrival.others = g.parts;
        g.parts = g.arrived > 0 ? std::max(g.parts, mine) : mine;
        g.mixed_up = g.mixed_up || is_refused || arrival.others != 0;
        ++g.arrived;
        if (static_cast<int>(g.arrived) >= members_of(static_cast<int>(g.parts))) {
            g.running = !g.mixed_up;
            if (g.mixed_up) {
                g.arrived = 0;
                g.mixed_up = false;
                g.turn = after(g.turn);
            }
        }
        // Part 0 may call as soon as this part counts; until then, while the turn is the same, nobody does.
        arrival.last_call = calls_.load(std::memory_order_acquire);
        if (gathered_.compare_exchange_weak(word, g.word(), std::memory_order_acq_rel,
                                            std::memory_order_acquire))
            return arrival;
    }
}

void Participants::wait_for_all(unsigned turn) const {
    Gathered now;
    wait_until([&] {
        now = Gathered::of(gathered_.load(std::memory_order_acquire));
        return now.running || now.turn != turn;
    });
    // A run ends for all of its members before its turn does.
    if (now.turn != turn)
        throw InputError(
            "another thread's part of this run was refused, and without it there is no run; call part i of n "
            "on n threads at once, each with its own i of 0 to n-1 and the same n");
}

void Participants::lead(int members, void (*act)(void*), void* context) {
    members_ = members;
    refusal_.clear();
    is_input_ = false;
    // Also where there is no memory left for the text: the others wait for it.
    struct End {
        Participants& all;
        ~End() { all.end(); }
    } const end{*this};
    try {
        const Lending lending(this);
        act(context);
    } catch (const std::exception& error) {
        is_input_ = dynamic_cast<const InputError*>(&error) != nullptr;
        refusal_ = error.what();
        throw;
    } catch (...) {
        refusal_ = "part 0 threw what is no std::exception";
        throw;
    }
}

// The others leave before the next run may begin: it may have other members, and part 0 writes what these
// read.
void Participants::end() {
    body_ = nullptr;
    busy_.store(members_ - 1, std::memory_order_relaxed);
    calls_.fetch_add(1, std::memory_order_release);
    wait_for_others();
    Gathered g = Gathered::of(gathered_.load(std::memory_order_relaxed));
    g.running = false;
    g.arrived = 0;
    g.turn = after(g.turn);
    gathered_.store(g.word(), std::memory_order_release);
}

void Participants::follow(int part, std::uint32_t last_call) {
    for (;;) {
        wait_until([&] { return calls_.load(std::memory_order_acquire) != last_call; });
        // Part 0 calls once more only when all that it has called are done.
        ++last_call;
        if (body_ == nullptr) break;
        do_shares(part);
        busy_.fetch_sub(1, std::memory_order_release);
    }
    const std::string refusal = refusal_;
    const bool is_input = is_input_;
    busy_.fetch_sub(1, std::memory_order_release);
    if (refusal.empty()) return;
    if (is_input) throw InputError(refusal);
    throw EnvironmentError(refusal);
}

void Participants::wait_for_others() const {
    wait_until([&] { return busy_.load(std::memory_order_acquire) == 0; });
}

void Participants::run(int shares, void (*body)(void*, int), void* context) {
    body_ = body;
    context_ = context;
    shares_ = shares;
    busy_.store(members_ - 1, std::memory_order_relaxed);
    calls_.fetch_add(1, std::memory_order_release);
    // Whatever this part's shares throw, the others still use what it would take with it.
    struct Join {
        const Participants& all;
        ~Join() { all.wait_for_others(); }
    } const join{*this};
    do_shares(0);
}

void Participants::do_shares(int part) const {
    for (int share = part; share < shares_; share += members_) body_(context_, share);
}

}  // namespace rooftune
