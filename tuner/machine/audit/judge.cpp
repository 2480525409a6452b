#include "tuner/machine/audit/judge.h"

#include <algorithm>
#include <cmath>

namespace rooftune::audit {
namespace {

// Of more threads than asked for, their share: as the roofs themselves do.
double part_of(const Ceiling& c, int threads) {
    return c.when.threads <= threads ? 1.0 : static_cast<double>(threads) / c.when.threads;
}

double best_like(const Machine& machine, const Case& c, Claim claim, double from) {
    double best = 0.0;
    if (c.like == Mix::none) return best;
    const bool compute = claim == Claim::flops;
    for (const Ceiling& other : machine.ceilings) {
        if (!other.excludes || other.when.mix != c.like || other.when.threads == 0) continue;
        if (other.resource != (compute ? Resource::compute : Resource::bandwidth)) continue;
        if (compute && other.when.dtype != c.dtype) continue;
        const double part = part_of(other, c.threads);
        if (!compute && part * other.when.footprint.value < from) continue;
        const ReadWriteShare share = read_write_share(c.like);
        const double counted = claim == Claim::reads    ? share.read
                               : claim == Claim::writes ? share.write
                                                        : 1.0;
        best = std::max(best, part * counted * other.max);
    }
    return best;
}

}  // namespace

std::string_view to_text(Claim c) {
    switch (c) {
        case Claim::flops:
            return "compute";
        case Claim::reads:
            return "reads";
        case Claim::writes:
            return "writes";
        case Claim::both:
            return "reads + writes";
    }
    return "";
}

std::string_view unit_of(Claim c) {
    return c == Claim::flops ? "flop/s" : "B/s";
}

const BandwidthStep* step_at(const Roofs& roofs, int threads, Bytes footprint) {
    const std::vector<BandwidthStep>& steps = roofs.bandwidth(threads);
    if (steps.empty()) return nullptr;
    const auto after = std::upper_bound(steps.begin(), steps.end(), footprint.value,
                                        [](double w, const BandwidthStep& step) { return w < step.from; });
    return after == steps.begin() ? &steps.front() : &*(after - 1);
}

std::vector<Check> judge(const Case& c, const Measurement& m, const Roofs& roofs) {
    std::vector<Check> checks;
    if (m.outcome != Outcome::measured || !std::isfinite(m.seconds) || m.seconds <= 0.0) return checks;
    const Amounts& least = m.amounts ? *m.amounts : c.least;
    const auto add = [&](Claim claim, double amount, double ceiling, int index, double from) {
        if (amount == 0.0 || index < 0) return;
        const double margin = roofs.machine().ceilings[static_cast<std::size_t>(index)].margin();
        checks.push_back(
            {claim, amount / m.seconds, ceiling, index, best_like(roofs.machine(), c, claim, from), margin});
    };
    const Roof peak = roofs.compute(c.dtype, kAnyWidth, c.threads);
    add(Claim::flops, least.flops.value, peak.rate, peak.ceiling, 0.0);
    const auto at = [&](Bytes bytes) {
        return step_at(roofs, c.threads, Bytes(std::min(bytes.value, least.footprint.value)));
    };
    // A cache may keep what is read and let what is written pass, or the other way round: each direction
    // alone is held against the ceiling over its own bytes.
    if (const BandwidthStep* step = at(least.read))
        add(Claim::reads, least.read.value, step->read, step->read_ceiling, step->from);
    if (const BandwidthStep* step = at(least.written))
        add(Claim::writes, least.written.value, step->write, step->write_ceiling, step->from);
    if (const BandwidthStep* step = at(least.footprint))
        add(Claim::both, least.read.value + least.written.value, step->both, step->both_ceiling, step->from);
    return checks;
}

const Check* tightest(const std::vector<Check>& checks) {
    const auto at = std::max_element(checks.begin(), checks.end(),
                                     [](const Check& a, const Check& b) { return a.share() < b.share(); });
    return at == checks.end() ? nullptr : &*at;
}

}  // namespace rooftune::audit
