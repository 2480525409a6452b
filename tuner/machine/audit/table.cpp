#include "tuner/machine/audit/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace rooftune::audit {
namespace {

// Levels in the order of their first appearance would depend on the cases' order: by footprint instead.
struct Key {
    Claim claim;
    DType dtype;
    double footprint;
    int threads;
    bool operator<(const Key& o) const {
        return std::tie(claim, footprint, threads, dtype) <
               std::tie(o.claim, o.footprint, o.threads, o.dtype);
    }
};

double limit_of(Claim c) {
    return c == Claim::flops ? kComputeLimit : kBandwidthLimit;
}

// Why a ceiling may lie far above everything seen: what set it is something that no code here does.
std::string reason_of(const Row& row, const Ceiling& set_by, Mix like) {
    const bool other_mix = set_by.when.mix != like && like != Mix::none && row.like_ratio > 0.0;
    const std::string by = fmt::format("set by {}", to_text(set_by.when.mix));
    if (other_mix && (row.claim == Claim::flops || row.like_ratio <= limit_of(row.claim)))
        return by + fmt::format("; against {} alone, which this code is like, {:.2f}×", to_text(like),
                                row.like_ratio);
    if (row.claim == Claim::flops) return "";
    if (!row.loops) return by + "; no plain loop was run here, only whole kernels, which do other work too";
    // The loops of a library walk four arrays at most.
    if (set_by.when.streams > 4)
        return by + fmt::format(" with {} streams a thread, the code here has fewer", set_by.when.streams);
    return other_mix ? by + fmt::format(", the nearest code here is like {}", to_text(like)) : "";
}

// Threads that one by one come near their ceiling, and together do not: they wait for each other.
std::string scaling_reason(const Row& row, const std::map<Key, std::pair<Row, Mix>>& rows, Key key) {
    if (row.threads == 1) return "";
    key.threads = 1;
    // Footprints that stand for a level differ with the threads, so the level is compared.
    for (const auto& [other, entry] : rows) {
        const Row& one = entry.first;
        if (other.claim != key.claim || other.dtype != key.dtype || one.threads != 1) continue;
        if (one.level != row.level || one.far || one.fastest <= 0.0) continue;
        return fmt::format(
            "one thread comes within {:.2f}×; {} do {:.2f} times one's rate, where the ceiling "
            "does {:.2f} times",
            one.ratio(), row.threads, row.fastest / one.fastest, row.ceiling / one.ceiling);
    }
    return "";
}

}  // namespace

std::vector<Row> rows_of(const Audit& audit, const Machine& machine) {
    const Roofs roofs(machine);
    // Footprints of one level differ a little from peer to peer: the smallest stands for it in the order.
    std::map<std::pair<std::string, int>, double> order;
    for (const PeerFinding& f : audit.findings) {
        const auto [at, fresh] =
            order.emplace(std::pair(f.what.level, f.what.threads), f.what.least.footprint.value);
        if (!fresh) at->second = std::min(at->second, f.what.least.footprint.value);
    }
    std::map<Key, std::pair<Row, Mix>> rows;
    for (const PeerFinding& f : audit.findings) {
        for (const Check& check : judge(f.what, f.measurement, roofs)) {
            const bool compute = check.claim == Claim::flops;
            const Key key{check.claim, compute ? f.what.dtype : DType::f64,
                          compute ? 0.0 : order.at({f.what.level, f.what.threads}), f.what.threads};
            auto& [row, like] = rows[key];
            const double like_ratio = check.rate > 0.0 ? check.like / check.rate : 0.0;
            if (like_ratio > 0.0 && (row.like_ratio <= 0.0 || like_ratio < row.like_ratio)) {
                row.like_ratio = like_ratio;
                like = f.what.like;
            }
            row.loops = row.loops || !f.what.whole_kernel;
            if (row.fastest > 0.0 && check.share() <= row.fastest / row.ceiling) continue;
            row.index = check.index;
            row.claim = check.claim;
            row.dtype = f.what.dtype;
            row.threads = f.what.threads;
            row.level = compute ? "" : f.what.level;
            row.footprint = f.what.least.footprint;
            row.ceiling = check.ceiling;
            row.fastest = check.rate;
            row.by = f.what.peer + " " + f.what.kernel;
            row.set_by = describe(machine.ceilings[static_cast<std::size_t>(check.index)]);
            row.far = row.ratio() > limit_of(row.claim);
        }
    }
    std::vector<Row> result;
    for (auto& [key, entry] : rows) {
        auto& [row, like] = entry;
        if (row.far) row.reason = reason_of(row, machine.ceilings[static_cast<std::size_t>(row.index)], like);
        if (row.far && row.reason.empty()) row.reason = scaling_reason(row, rows, key);
        result.push_back(row);
    }
    return result;
}

}  // namespace rooftune::audit
