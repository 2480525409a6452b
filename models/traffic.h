// Traffic profile Q(w): the least bytes that any cache of capacity w must exchange with what lies
// beyond it in one repetition. Derivation, for F_R and F_W distinct bytes read and written and any
// replacement policy, bypass and foresight included:
//   * reads, cold: every distinct byte read must come in once:            >= F_R
//   * reads, warm: at most w of them may already be inside at the start:  >= F_R - w
//   * writes: at most w dirty bytes may stay inside at the end:           >= F_W - w
//   * sum: both hold at once, so their sum does; it is at least F - w cold, F - 2w warm
// A matrix product of m·n·k elementary products exchanges more, whatever the schedule (Smith, Lowery,
// Langou, van de Geijn 2019). Cut the run into pieces of R reads. What one piece multiplies lies in the
// S words that are near when it begins or is among its R reads; if these hold a, b and c different
// elements of A, B and C, a + b + c <= S + R, then it makes at most √(abc) <= ((S + R)/3)^(3/2) products
// (Loomis, Whitney). With R = 2S: reads >= 2mnk/√S − 2S. Whatever lies there at the start is among the S
// words of the first piece, so a warm start takes off nothing more. Two differences to their count:
//   * a sum of products need not begin with a read of C: the first of each element begins from nothing,
//     which takes off mn reads. Further partial sums of the same element that begin from nothing save
//     nothing: each must once be near together with another to be added to it, so one sum kept in the
//     union of the times that the parts are near is read no more often than they are.
//   * a core (or local memory of a device) holds words besides the cache: S = (w + held)/word.
// Strassen's products are others; a kernel that copies (packs) reads and writes more, never less.
// For a kernel that streams its data p times each pass obeys the warm form on its own, and only the
// first may start cold; successive passes share the capacity at their common end.
// Contract 4 of the design: T >= max over w of Q(w)/B*(w), separately for reads, writes and sum.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "models/units.h"
#include "models/vocabulary.h"

namespace rooftune {

/// What a core holds at most besides its caches for one thread, wherever a loaded word can wait for its use.
/// That is more than the registers that have names: 32 vectors of 64 bytes and as many words are 2.3 KiB and
/// matrix tiles 8 KiB, but a core that runs ahead keeps values in all its physical vector registers (fewer
/// than 512 of 64 bytes in any core known, 32 KiB) and in its load and store buffers (fewer than 256 of 64
/// bytes). Generous on purpose: it counts beside the smallest caches only, where arithmetic binds anyway.
inline constexpr double kRegisterBytes = 64.0 * 1024.0;

/// How far beyond what a thread touches its core may fetch: whole lines, and prefetchers up to a page.
inline constexpr double kPrefetchReach = 4096.0;

/// Of a piece of memory that one thread alone touches, next to pieces of others: the bytes that no other
/// thread's core can have brought in for it: its prefetchers, or prefetches of its program's own, as far as
/// `reach` bytes.
constexpr double out_of_reach(double bytes, double reach = kPrefetchReach) {
    return bytes > 2.0 * reach ? bytes - 2.0 * reach : 0.0;
}

/// Bytes that a kernel exchanges with what lies beyond a cache of w bytes in one repetition, at least, by
/// what its author says of it: of all passes together, whatever the cache keeps. Finite, from 0 on, and
/// falling with w, as the least of any kernel does (a larger cache can do all that a smaller one does).
class DeclaredTraffic {
public:
    virtual ~DeclaredTraffic() = default;
    virtual double reads_beyond(Bytes w) const = 0;
    virtual double writes_beyond(Bytes w) const = 0;
};

struct TrafficProfile {
    Bytes reads{0.0};     ///< F_R, distinct bytes read in one pass
    Bytes writes{0.0};    ///< F_W, distinct bytes written in one pass
    double passes = 1.0;  ///< times the whole is streamed in one repetition
    State state = State::warm;
    bool apart = false;          ///< a pass reads no line that it writes, but to write it
    double products = 0.0;       ///< matrix product: m·n·k; 0 for all other kernels
    double results = 0.0;        ///< matrix product: m·n; of a partial variant the most of its completions
    double element_bytes = 8.0;  ///< matrix product: of one word
    /// Matrix product: bytes that registers and local memory hold besides the cache, of all threads
    /// together, the most of the completions. Not stated: the product gives no term.
    Bytes held{std::numeric_limits<double>::infinity()};
    /// Nothing is declared: nullptr. What follows from the other members holds besides, so the larger counts.
    std::shared_ptr<const DeclaredTraffic> declared{};

    /// Least bytes read from beyond a cache of capacity w in one repetition.
    Bytes reads_beyond(Bytes w) const {
        const double warm = std::max(0.0, reads.value - w.value);
        const double first = state == State::cold ? reads.value : warm;
        const double least = std::max(first + (passes - 1.0) * warm, product_reads_beyond(w));
        return Bytes(declared ? std::max(least, declared->reads_beyond(w)) : least);
    }

    /// Least bytes written beyond a cache of capacity w in one repetition.
    Bytes writes_beyond(Bytes w) const {
        const double least = passes * std::max(0.0, writes.value - w.value);
        return Bytes(declared ? std::max(least, declared->writes_beyond(w)) : least);
    }

    /// Least bytes exchanged in both directions together.
    Bytes sum_beyond(Bytes w) const { return reads_beyond(w) + writes_beyond(w); }

private:
    double product_reads_beyond(Bytes w) const {
        if (products <= 0.0) return 0.0;
        const double words = std::max(1.0, (w.value + held.value) / element_bytes);
        const double least = 2.0 * products / std::sqrt(words) - 2.0 * words - results;
        return element_bytes * std::max(0.0, least);
    }
};

}  // namespace rooftune
