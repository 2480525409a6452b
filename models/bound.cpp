#include "models/bound.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace rooftune {
namespace {

struct TermName {
    TermKind kind;
    std::string_view text;
    std::string_view opportunity;
};

constexpr std::array<TermName, kTermKinds> kTerms{{
    {TermKind::compute, "compute", "wider vectors, or fewer padded operations"},
    {TermKind::compute_thread, "compute_thread", "wider vectors, or a more even partition of the operations"},
    {TermKind::instructions, "instructions",
     "wider vectors or more unrolling: fewer instructions an element"},
    {TermKind::loads, "loads", "register blocking or wider vectors: fewer loads an element"},
    {TermKind::fmas, "fmas", "wider vectors: fewer floating-point instructions an element"},
    {TermKind::chain, "chain", "more independent accumulators, or a partition that splits the longest chain"},
    {TermKind::reads, "reads",
     "fewer bytes read: narrower elements or indices, less padding, blocks that are used again in a cache"},
    {TermKind::writes, "writes", "fewer bytes written"},
    {TermKind::both, "both",
     "fewer bytes moved: narrower elements or indices, less padding, blocks that are used again in a cache"},
    {TermKind::reads_thread, "reads_thread", "more threads, or a partition that evens out the bytes"},
    {TermKind::writes_thread, "writes_thread", "more threads, or a partition that evens out the bytes"},
    {TermKind::both_thread, "both_thread", "more threads, or a partition that evens out the bytes"},
    {TermKind::link, "link", "fewer devices, or splitting another dimension between them"},
}};

// Largest Q(w)/B*(w). B* is constant between measured footprints and Q falls with w, so only the footprints
// themselves need a look. From the largest down, since B* only rises on the way: once Q(0) at the rate of a
// step is below the largest so far, or below what the caller cares for, nothing before it can be larger, and
// most of the steps are never looked at.
template <typename Beyond>
Term traffic_term(TermKind kind, const std::vector<BandwidthStep>& steps, double BandwidthStep::*rate,
                  int BandwidthStep::*ceiling, Seconds floor, Beyond&& beyond) {
    constexpr double kSurely = 1.0 - 1e-9;  // rounding must not hide a step that is as large
    Term best{.kind = kind};
    const double most = steps.empty() ? 0.0 : beyond(Bytes(0.0)).value;
    for (auto step = steps.rbegin(); most > 0.0 && step != steps.rend(); ++step) {
        const double speed = *step.*rate;
        const double beaten = kSurely * std::max(best.seconds, floor).value * speed;
        if (speed <= 0.0 || most < beaten) break;  // a speed of 0: nor is one known further down
        // As fast at a smaller footprint, where no less is exchanged: that one is no smaller.
        if (const auto before = std::next(step); before != steps.rend() && *before.*rate == speed) continue;
        const Bytes amount = beyond(Bytes(step->from));
        if (amount.value <= 0.0) continue;
        const double seconds = amount.value / speed;
        if (seconds >= best.seconds.value) {
            best.amount = amount.value;
            best.rate = speed;
            best.seconds = Seconds(seconds);
            best.beyond = Bytes(step->from);
            best.ceiling = *step.*ceiling;
        }
    }
    return best;
}

/// What is counted of a term, and the rate that it has at best.
struct Share {
    Operations amount;
    Roof roof;
};

// The one that takes longer; a share without a roof takes no time.
Share longer(const Share& a, const Share& b) {
    if (!b.roof) return a;
    return !a.roof || b.amount.value * a.roof.rate > a.amount.value * b.roof.rate ? b : a;
}

// Steps that one thread takes in order, of m batches of A chains side by side, each of s steps (n = A·s).
//
// The core holds at most W instructions in flight, which follow each other in the program: before an
// instruction enters, the one W before it has retired, and with it all that came earlier. Say that batch j
// begins when its first step enters, at T_j; none of its steps begins before. Of the W instructions before
// the first step of batch j + 1 at most W are steps of batch j, so that one of its A chains has at most W/A
// of them. The other s − W/A steps of that chain have retired by T_(j+1), and each of them waited for the one
// before: T_(j+1) − T_j is at least so many steps. The last batch takes s steps after its T. Together
//
//     s + (m − 1)·max(0, s − W/A),    W/A = s·W/n.
//
// Neither the order of instructions within a batch matters, nor what lies between: only that so many steps
// have their places. Batches of different lengths take at least what their mean says, since max(0, ·) is
// convex and the longest alone is no shorter than the mean. It grows with each of s, m and n.
Operations steps_in_order(const Work& work, const Roof& window) {
    const double length = work.chain_instructions.value;
    if (!window || work.chain_repeats <= 1.0 || length <= window.rate) return work.chain_steps;
    const double apart = 1.0 - window.rate / length;
    return Operations(work.chain_steps.value * (1.0 + (work.chain_repeats - 1.0) * apart));
}

}  // namespace

bool is_traffic(TermKind k) {
    return k >= TermKind::reads;
}

double rate_of_walk(const Term& term, const Ceiling& ceiling) {
    if (ceiling.resource != Resource::bandwidth) return term.rate;
    const ReadWriteShare share = read_write_share(ceiling.when.mix);
    const bool reads = term.kind == TermKind::reads || term.kind == TermKind::reads_thread;
    const bool writes = term.kind == TermKind::writes || term.kind == TermKind::writes_thread;
    const double part = reads ? share.read : writes ? share.write : 1.0;
    return part > 0.0 ? term.rate / part : term.rate;
}

std::string_view to_text(TermKind k) {
    return kTerms[static_cast<std::size_t>(k)].text;
}
std::string_view opportunity_of(TermKind k, Mix mix) {
    // Wider vectors gather as many elements.
    if (mix == Mix::gathers) return "blocks in registers, or scalar code: fewer elements that are gathered";
    return kTerms[static_cast<std::size_t>(k)].opportunity;
}

std::optional<TermKind> term_kind_from(std::string_view text) {
    for (const TermName& term : kTerms) {
        if (term.text == text) return term.kind;
    }
    return std::nullopt;
}

BoundModel::BoundModel(const Roofs& roofs, Demoted demoted) : roofs_(&roofs), demoted_(std::move(demoted)) {}

template <typename Visit>
void BoundModel::each_term(const Work& work, const Traits& traits, const Seconds& floor,
                           Visit&& visit) const {
    const auto rate_term = [&](TermKind kind, const Share& share) {
        if (!share.roof || share.amount.value <= 0.0) return;
        visit(Term{.kind = kind,
                   .amount = share.amount.value,
                   .rate = share.roof.rate,
                   .seconds = Seconds(share.amount.value / share.roof.rate),
                   .ceiling = share.roof.ceiling});
    };
    // All operations at the rate of any, or those of one kind at the rate of these alone.
    const auto compute_term = [&](TermKind kind, const InCore& what, int threads) {
        const DType dtype = traits.dtype;
        const int widest = traits.width_bits, narrowest = traits.narrowest_bits;
        Share share{what.ops, roofs_->compute(dtype, widest, threads, narrowest)};
        if (what.fused.value > 0.0)
            share = longer(share, {what.fused, roofs_->fused(dtype, widest, threads, narrowest)});
        if (what.added.value > 0.0)
            share = longer(share, {what.added, roofs_->added(dtype, widest, threads, narrowest)});
        rate_term(kind, share);
    };
    const InCore& heaviest = work.heaviest;
    compute_term(TermKind::compute, work.total, traits.threads);
    compute_term(TermKind::compute_thread, heaviest, 1);
    rate_term(TermKind::instructions, {heaviest.instructions, roofs_->issue(Mix::mixed)});
    Share loads{heaviest.loads, roofs_->issue(Mix::loads)};
    if (heaviest.wide_loads.value > 0.0)
        loads = longer(loads, {heaviest.wide_loads, roofs_->wide_loads(traits.load_bits)});
    if (heaviest.split_loads.value > 0.0)
        loads = longer(loads, {heaviest.split_loads, roofs_->split_loads(traits.load_bits)});
    if (heaviest.gathered.value > 0.0)
        loads = longer(loads, {heaviest.gathered, roofs_->issue(Mix::gathers)});
    rate_term(TermKind::loads, loads);
    rate_term(TermKind::fmas, {heaviest.fmas, roofs_->issue(Mix::fmas)});
    const Roof fused_chain = work.chain_fused ? roofs_->fused_chain(traits.dtype, traits.width_bits) : Roof{};
    rate_term(TermKind::chain, {steps_in_order(work, roofs_->window()),
                                fused_chain ? fused_chain : roofs_->chain(traits.dtype, traits.width_bits)});

    const auto traffic = [&](const TrafficProfile& profile, int threads, TermKind reads, TermKind writes,
                             TermKind both) {
        const std::vector<BandwidthStep>& steps = roofs_->bandwidth(threads);
        const auto seen = [&](const Term& term) {
            if (term.ceiling >= 0) visit(term);
        };
        seen(traffic_term(reads, steps, &BandwidthStep::read, &BandwidthStep::read_ceiling, floor,
                          [&](Bytes w) { return profile.reads_beyond(w); }));
        seen(traffic_term(writes, steps, &BandwidthStep::write, &BandwidthStep::write_ceiling, floor,
                          [&](Bytes w) { return profile.writes_beyond(w); }));
        seen(traffic_term(both, steps, &BandwidthStep::both, &BandwidthStep::both_ceiling, floor,
                          [&](Bytes w) { return profile.sum_beyond(w); }));
    };
    traffic(work.traffic, traits.threads, TermKind::reads, TermKind::writes, TermKind::both);
    if (work.exchanged.value > 0.0) {
        const Roof roof = roofs_->link();
        if (roof) {
            visit(Term{.kind = TermKind::link,
                       .amount = work.exchanged.value,
                       .rate = roof.rate,
                       .seconds = Seconds(work.exchanged.value / roof.rate),
                       .ceiling = roof.ceiling});
        }
    }
    traffic(work.heaviest_traffic, 1, TermKind::reads_thread, TermKind::writes_thread, TermKind::both_thread);
}

Seconds BoundModel::seconds(const Work& work, const Traits& traits) const {
    Seconds lower{0.0};
    each_term(work, traits, lower, [&](const Term& term) {
        if (term.seconds > lower && !demoted_.contains(term.kind)) lower = term.seconds;
    });
    return lower;
}

Seconds BoundModel::with_replacement(const Work& work, const Traits& traits, bool complete) const {
    Seconds least = seconds(work, traits);
    const TrafficProfile& t = work.traffic;
    const std::vector<BandwidthStep>& steps = roofs_->bandwidth(traits.threads);
    if (t.products > 0.0 || steps.empty()) return least;
    const Bytes both = t.reads + t.writes;
    constexpr double kRounding = 1024.0;  // probes' footprints are whole kilobytes
    auto step = std::upper_bound(steps.begin(), steps.end(), both.value + kRounding,
                                 [](double bytes, const BandwidthStep& s) { return bytes < s.from; });
    if (step == steps.begin()) return least;  // nothing so small was walked
    --step;
    const auto allow = [&](TermKind kind, Bytes amount, double rate) {
        if (rate > 0.0 && !demoted_.contains(kind))
            least = std::max(least, Seconds(t.passes * amount.value / rate));
    };
    allow(TermKind::reads, t.reads, step->read);
    allow(TermKind::writes, t.writes, step->write);
    allow(TermKind::both, both, step->both);
    // What is moved besides as much as is written each way is left out: it takes no negative time.
    if (t.apart) allow(TermKind::both, Bytes(2.0 * std::min(t.reads, t.writes).value), step->apart);
    const auto is_demoted = [&](TermKind kind) { return demoted_.contains(kind); };
    if (complete && !is_demoted(TermKind::reads) && !is_demoted(TermKind::both) &&
        !is_demoted(TermKind::loads))
        least = std::max(least, joint_seconds(roofs_->joint(traits.threads), work, traits, step->write));
    return least;
}

std::optional<TermKind> BoundModel::binding(const Work& work, const Traits& traits) const {
    std::optional<TermKind> kind;
    Seconds lower{0.0};
    each_term(work, traits, lower, [&](const Term& term) {
        if (demoted_.contains(term.kind) || (kind && term.seconds <= lower)) return;
        lower = term.seconds;
        kind = term.kind;
    });
    return kind;
}

Bound BoundModel::explain(const Work& work, const Traits& traits) const {
    Bound bound;
    Seconds in_core{0.0};
    Seconds traffic{0.0};
    each_term(work, traits, Seconds(0.0), [&](Term term) {
        term.demoted = demoted_.contains(term.kind);
        bound.terms.push_back(term);
        if (term.demoted) return;
        Seconds& part = is_traffic(term.kind) ? traffic : in_core;
        part = std::max(part, term.seconds);
    });
    std::stable_sort(bound.terms.begin(), bound.terms.end(),
                     [](const Term& a, const Term& b) { return a.seconds > b.seconds; });
    for (int i = 0; i < static_cast<int>(bound.terms.size()) && bound.binding < 0; ++i) {
        if (!bound.terms[i].demoted) bound.binding = i;
    }
    bound.seconds_lower = std::max(in_core, traffic);
    bound.seconds_serial = in_core + traffic;
    return bound;
}

RankParts BoundModel::rank(const Work& work, const Traits& traits) const {
    RankParts parts;
    // In-core terms have to come first, while nothing is below the floor.
    each_term(work, traits, parts.traffic, [&](const Term& term) {
        Seconds& part = is_traffic(term.kind) ? parts.traffic : parts.in_core;
        part = std::max(part, term.seconds);
    });
    return parts;
}

double BoundModel::margin(const Bound& bound) const {
    if (bound.binding < 0) return 0.03;
    const int ceiling = bound.terms[static_cast<std::size_t>(bound.binding)].ceiling;
    if (ceiling < 0) return 0.03;
    return roofs_->machine().ceilings[static_cast<std::size_t>(ceiling)].margin();
}

}  // namespace rooftune
