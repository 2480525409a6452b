#include "models/roofs.h"

#include <algorithm>
#include <map>

namespace rooftune {
namespace {

void raise(double& rate, int& ceiling, double candidate, int index) {
    if (candidate > rate) {
        rate = candidate;
        ceiling = index;
    }
}

// Running maximum from the right over all ceilings with at most `threads` threads: fewer threads
// can only do less, so what they reached is also within reach of more.
std::vector<BandwidthStep> staircase(const Machine& machine, int threads) {
    std::map<double, BandwidthStep> at;
    for (int i = 0; i < static_cast<int>(machine.ceilings.size()); ++i) {
        const Ceiling& c = machine.ceilings[i];
        if (c.resource != Resource::bandwidth || c.when.threads > threads || !c.excludes) continue;
        BandwidthStep& step = at[c.when.footprint.value];
        step.from = c.when.footprint.value;
        const ReadWriteShare share = read_write_share(c.when.mix);
        raise(step.read, step.read_ceiling, c.max * share.read, i);
        raise(step.write, step.write_ceiling, c.max * share.write, i);
        raise(step.both, step.both_ceiling, c.max, i);
    }
    std::vector<BandwidthStep> steps;
    steps.reserve(at.size());
    for (const auto& [from, step] : at) steps.push_back(step);
    for (int i = static_cast<int>(steps.size()) - 2; i >= 0; --i) {
        const BandwidthStep& right = steps[i + 1];
        raise(steps[i].read, steps[i].read_ceiling, right.read, right.read_ceiling);
        raise(steps[i].write, steps[i].write_ceiling, right.write, right.write_ceiling);
        raise(steps[i].both, steps[i].both_ceiling, right.both, right.both_ceiling);
    }
    return steps;
}

// Distinct values of a field of the conditions among the ceilings of a resource, ascending.
template <typename Field>
std::vector<int> distinct(const Machine& machine, Resource resource, Field&& field) {
    std::vector<int> values;
    for (const Ceiling& c : machine.ceilings) {
        if (c.resource == resource) values.push_back(field(c.when));
    }
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
}

std::vector<int> thread_counts(const Machine& machine, Resource resource) {
    return distinct(machine, resource, [](const Conditions& w) { return w.threads; });
}

}  // namespace

Roofs::Roofs(const Machine& machine) : machine_(&machine) {
    for (const int threads : thread_counts(machine, Resource::bandwidth)) {
        bandwidth_.emplace_back(threads, staircase(machine, threads));
    }
    table_peaks();
    table_chains();
    table_ranks();
    for (const Mix kind : {Mix::loads, Mix::fmas, Mix::mixed}) {
        Roof roof;
        for (int i = 0; i < static_cast<int>(machine.ceilings.size()); ++i) {
            const Ceiling& c = machine.ceilings[static_cast<std::size_t>(i)];
            if (c.resource == Resource::window && c.excludes) raise(window_.rate, window_.ceiling, c.max, i);
            if (c.resource != Resource::issue || !c.excludes) continue;
            // Any instruction takes an issue slot, so every measured mix is a lower limit of `mixed`.
            if (c.when.mix != kind && kind != Mix::mixed) continue;
            raise(roof.rate, roof.ceiling, c.max, i);
        }
        issue_.emplace_back(kind, roof);
    }
}

void Roofs::table_peaks() {
    std::vector<int> widths =
        distinct(*machine_, Resource::compute, [](const Conditions& w) { return w.width_bits; });
    std::reverse(widths.begin(), widths.end());
    for (const DType dtype : {DType::f32, DType::f64}) {
        for (const int width : widths) {
            for (const int threads : thread_counts(*machine_, Resource::compute)) {
                Roof roof;
                for (int i = 0; i < static_cast<int>(machine_->ceilings.size()); ++i) {
                    const Ceiling& c = machine_->ceilings[static_cast<std::size_t>(i)];
                    if (c.resource != Resource::compute || !c.excludes || c.when.dtype != dtype) continue;
                    if (c.when.width_bits > width) continue;
                    // Of n threads that ran together, the fastest t had at least t/n of their rate: what
                    // many threads reached is a lower limit of what few can.
                    const double share =
                        c.when.threads > threads ? static_cast<double>(threads) / c.when.threads : 1.0;
                    raise(roof.rate, roof.ceiling, share * c.max, i);
                }
                peaks_.push_back({dtype, width, threads, roof});
            }
        }
    }
}

void Roofs::table_chains() {
    std::vector<int> widths =
        distinct(*machine_, Resource::compute, [](const Conditions& w) { return w.width_bits; });
    std::reverse(widths.begin(), widths.end());
    for (const DType dtype : {DType::f32, DType::f64}) {
        for (const int width : widths) {
            Roof roof;
            for (int i = 0; i < static_cast<int>(machine_->ceilings.size()); ++i) {
                const Ceiling& c = machine_->ceilings[static_cast<std::size_t>(i)];
                if (c.resource != Resource::compute || !c.excludes || c.when.dtype != dtype) continue;
                if (c.when.chains != 1 || c.when.threads != 1 || c.when.width_bits > width) continue;
                if (c.when.mix == Mix::fma_add) continue;  // two instructions a step
                const double lanes = c.when.width_bits / (8.0 * static_cast<double>(size_of(dtype)));
                const double flops_a_step = lanes * (c.when.mix == Mix::fma ? 2.0 : 1.0);
                raise(roof.rate, roof.ceiling, c.max / flops_a_step, i);
            }
            chains_.push_back({dtype, width, roof});
        }
    }
}

void Roofs::table_ranks() {
    const auto stairs = [&](Resource resource, int threads, auto&& wanted) {
        std::map<double, Roof> best;
        for (int i = 0; i < static_cast<int>(machine_->ceilings.size()); ++i) {
            const Ceiling& c = machine_->ceilings[static_cast<std::size_t>(i)];
            if (c.resource != resource || c.when.threads > threads || !wanted(c.when)) continue;
            Roof& roof = best[c.when.footprint.value];
            raise(roof.rate, roof.ceiling, c.max, i);
        }
        std::vector<RankStep> steps;
        for (const auto& [from, roof] : best) steps.push_back({from, roof});
        for (int i = static_cast<int>(steps.size()) - 2; i >= 0; --i) {
            const auto here = static_cast<std::size_t>(i);
            raise(steps[here].roof.rate, steps[here].roof.ceiling, steps[here + 1].roof.rate,
                  steps[here + 1].roof.ceiling);
        }
        return steps;
    };
    for (const int threads : thread_counts(*machine_, Resource::gather)) {
        for (const DType dtype : {DType::f32, DType::f64}) {
            gathers_.push_back(
                {static_cast<int>(dtype), threads,
                 stairs(Resource::gather, threads, [&](const Conditions& w) { return w.dtype == dtype; })});
        }
    }
    const std::vector<int> streams =
        distinct(*machine_, Resource::bandwidth, [](const Conditions& w) { return w.streams; });
    for (const int threads : thread_counts(*machine_, Resource::bandwidth)) {
        for (const int count : streams) {
            streams_.push_back(
                {count, threads, stairs(Resource::bandwidth, threads, [&](const Conditions& w) {
                     return w.mix == Mix::load && w.streams == count;
                 })});
        }
    }
}

// The thread count asked for, or the next larger one that was probed: an unmeasured count must not be
// bounded by what fewer threads reached.
Roof Roofs::compute(DType dtype, int width_bits, int threads) const {
    for (const Peak& peak : peaks_) {
        if (peak.dtype == dtype && peak.width_bits <= width_bits && peak.threads >= threads) return peak.roof;
    }
    return {};
}

Roof Roofs::issue(Mix kind) const {
    for (const auto& [mix, roof] : issue_) {
        if (mix == kind) return roof;
    }
    return {};
}

Roof Roofs::chain(DType dtype, int width_bits) const {
    for (const Chain& chain : chains_) {
        if (chain.dtype == dtype && chain.width_bits <= width_bits) return chain.roof;
    }
    return {};
}

Roof Roofs::window() const {
    return window_;
}

const std::vector<BandwidthStep>& Roofs::bandwidth(int threads) const {
    static const std::vector<BandwidthStep> none;
    for (const auto& [count, steps] : bandwidth_) {
        if (count >= threads) return steps;
    }
    return none;
}

Roof Roofs::at(const std::vector<RankStairs>& table, int key, int threads, Bytes footprint) {
    for (const RankStairs& stairs : table) {
        if (stairs.key != key || stairs.threads < threads || stairs.steps.empty()) continue;
        // The largest measured footprint that is no larger; below the first, the first.
        const auto after = std::upper_bound(stairs.steps.begin(), stairs.steps.end(), footprint.value,
                                            [](double w, const RankStep& step) { return w < step.from; });
        return after == stairs.steps.begin() ? stairs.steps.front().roof : (after - 1)->roof;
    }
    return {};
}

Roof Roofs::gather(DType dtype, Bytes footprint, int threads) const {
    return at(gathers_, static_cast<int>(dtype), threads, footprint);
}

Roof Roofs::streams(int streams, Bytes w, int threads) const {
    return at(streams_, streams, threads, w);
}

}  // namespace rooftune
