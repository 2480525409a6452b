// The bound: T_lower is the largest of work over roof, T_serial the no-overlap estimate. Hot path
// `seconds`, cold path `explain`; both evaluate the same terms.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "models/roofs.h"
#include "models/work.h"

namespace rooftune {

/// The terms of a bound. In-core terms first; the traffic terms after `reads`.
enum class TermKind {
    compute,         ///< flops over the roof of all threads
    compute_thread,  ///< flops of the heaviest thread over one thread's roof
    instructions,    ///< heaviest thread's instructions over issue slots
    loads,  ///< heaviest thread's loads over load slots, or its wide, split or gathered ones over theirs
    fmas,   ///< heaviest thread's floating-point instructions over their slots
    chain,  ///< dependent steps over the rate of one chain
    reads,  ///< bytes read over B*_R, largest over w
    writes,
    both,
    reads_thread,  ///< heaviest thread's reads over one thread's B*_R
    writes_thread,
    both_thread,
    link,  ///< bytes that one device exchanges with others over its links
};
inline constexpr int kTermKinds = 13;

bool is_traffic(TermKind k);
std::string_view to_text(TermKind k);
std::optional<TermKind> term_kind_from(std::string_view text);
/// The optimisation that could move this term, in words. `mix`: of the ceiling behind it.
std::string_view opportunity_of(TermKind k, Mix mix = Mix::none);

struct Term {
    TermKind kind = TermKind::compute;
    double amount = 0.0;  ///< flops, instructions, loads, steps or bytes
    double rate = 0.0;    ///< per second
    Seconds seconds{0.0};
    Bytes beyond{0.0};     ///< traffic: the capacity w at which the term is largest
    int ceiling = -1;      ///< index into Machine::ceilings
    bool demoted = false;  ///< an alarm showed that it is not provable: shown, but it bounds nothing
};

/// What a term's ceiling is taken for in both directions together, in its unit per second: of an update half
/// the bytes are written, and a rate of writes that is as high as its own is that of two threads all the
/// same.
double rate_of_walk(const Term& term, const Ceiling& ceiling);

struct Bound {
    Seconds seconds_lower{0.0};
    Seconds seconds_serial{0.0};
    int binding = -1;         ///< index into terms; -1 when no ceiling applies
    std::vector<Term> terms;  ///< largest first
};

/// What a variant does in the cores, and what it moves: each as long as its longest term, as if the other
/// took no time.
struct RankParts {
    Seconds in_core{0.0};
    Seconds traffic{0.0};
};

/// Set of terms that no longer exclude.
using Demoted = std::set<TermKind>;

class BoundModel {
public:
    explicit BoundModel(const Roofs& roofs, Demoted demoted = {});

    /// T_lower. A resource without a ceiling gives no term; 0 when none applies.
    Seconds seconds(const Work& work, const Traits& traits) const;

    /// The least that the variant takes if this machine's caches keep no more of its data from one repetition
    /// to the next than they keep of the probes': passes × F bytes, F the distinct bytes of a pass, over the
    /// highest rate that any mix reached walking F or more again and again, for reads, writes and both, and
    /// for kernels that write other lines than they read over that of copies (models/copy_rate.h); where F
    /// was not walked, the next smaller footprint stands for it, and seconds() where there is none. Of a
    /// `complete` variant also over the rate of walks with as many loads besides as it has, or fewer
    /// (models/joint_rate.h); the loads of a partial one may be those of one completion and its lines those
    /// of another. At least seconds(). For kernels that walk their data in the same order each time, as the
    /// probes do; a product, which uses again what it has loaded, has seconds() alone. Evidence of this
    /// machine's replacement and no proof (another policy could keep w bytes of the walk, which the proven
    /// terms allow for): it never excludes.
    Seconds with_replacement(const Work& work, const Traits& traits, bool complete) const;

    /// The largest term, what explain() calls the binding one; nothing when none applies.
    std::optional<TermKind> binding(const Work& work, const Traits& traits) const;

    /// Every term, the binding one, T_lower and T_serial.
    Bound explain(const Work& work, const Traits& traits) const;

    /// What estimates begin with (never a bound): T_lower in its two parts, with demoted terms. The longer
    /// part is at least T_lower. Without a rate of the variant's own number of streams: docs/decisions.md.
    RankParts rank(const Work& work, const Traits& traits) const;

    /// Margin of the ceiling behind the binding term; 3 % when none binds.
    double margin(const Bound& bound) const;

    const Roofs& roofs() const { return *roofs_; }
    const Demoted& demoted() const { return demoted_; }

private:
    // Visits each term that can be as large as `floor`, which may rise on the way.
    template <typename Visit>
    void each_term(const Work& work, const Traits& traits, const Seconds& floor, Visit&& visit) const;

    const Roofs* roofs_;
    Demoted demoted_;
};

}  // namespace rooftune
