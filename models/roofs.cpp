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

std::vector<int> thread_counts(const Machine& machine, Resource resource) {
    std::vector<int> counts;
    for (const Ceiling& c : machine.ceilings) {
        if (c.resource == resource) counts.push_back(c.when.threads);
    }
    std::sort(counts.begin(), counts.end());
    counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
    return counts;
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

int smallest_at_least(const std::vector<int>& counts, int threads) {
    const auto it = std::lower_bound(counts.begin(), counts.end(), threads);
    return it == counts.end() ? 0 : *it;
}

}  // namespace

Roofs::Roofs(const Machine& machine)
    : machine_(&machine),
      compute_threads_(thread_counts(machine, Resource::compute)),
      gather_threads_(thread_counts(machine, Resource::gather)) {
    for (const int threads : thread_counts(machine, Resource::bandwidth)) {
        bandwidth_.emplace_back(threads, staircase(machine, threads));
    }
}

int Roofs::probed_threads(Resource r, int threads) const {
    return smallest_at_least(r == Resource::gather ? gather_threads_ : compute_threads_, threads);
}

Roof Roofs::compute(DType dtype, int width_bits, int threads) const {
    Roof roof;
    const int limit = probed_threads(Resource::compute, threads);
    for (int i = 0; i < static_cast<int>(machine_->ceilings.size()); ++i) {
        const Ceiling& c = machine_->ceilings[i];
        if (c.resource != Resource::compute || !c.excludes || c.when.dtype != dtype) continue;
        if (c.when.width_bits > width_bits || c.when.threads > limit) continue;
        raise(roof.rate, roof.ceiling, c.max, i);
    }
    return roof;
}

Roof Roofs::issue(Mix kind) const {
    Roof roof;
    for (int i = 0; i < static_cast<int>(machine_->ceilings.size()); ++i) {
        const Ceiling& c = machine_->ceilings[i];
        if (c.resource != Resource::issue || !c.excludes) continue;
        // Any instruction takes an issue slot, so every measured mix is a lower limit of `mixed`.
        if (c.when.mix != kind && kind != Mix::mixed) continue;
        raise(roof.rate, roof.ceiling, c.max, i);
    }
    return roof;
}

Roof Roofs::chain(DType dtype, int width_bits) const {
    Roof roof;
    for (int i = 0; i < static_cast<int>(machine_->ceilings.size()); ++i) {
        const Ceiling& c = machine_->ceilings[i];
        if (c.resource != Resource::compute || !c.excludes || c.when.dtype != dtype) continue;
        if (c.when.chains != 1 || c.when.threads != 1 || c.when.width_bits > width_bits) continue;
        if (c.when.mix == Mix::fma_add) continue;  // two instructions a step
        const double lanes = c.when.width_bits / (8.0 * static_cast<double>(size_of(dtype)));
        const double flops_a_step = lanes * (c.when.mix == Mix::fma ? 2.0 : 1.0);
        raise(roof.rate, roof.ceiling, c.max / flops_a_step, i);
    }
    return roof;
}

Roof Roofs::window() const {
    Roof roof;
    for (int i = 0; i < static_cast<int>(machine_->ceilings.size()); ++i) {
        const Ceiling& c = machine_->ceilings[i];
        if (c.resource == Resource::window && c.excludes) raise(roof.rate, roof.ceiling, c.max, i);
    }
    return roof;
}

const std::vector<BandwidthStep>& Roofs::bandwidth(int threads) const {
    static const std::vector<BandwidthStep> none;
    for (const auto& [count, steps] : bandwidth_) {
        if (count >= threads) return steps;
    }
    return none;
}

Roof Roofs::gather(DType dtype, Bytes footprint, int threads) const {
    Roof roof;
    const int limit = probed_threads(Resource::gather, threads);
    double from = 0.0;
    for (const Ceiling& c : machine_->ceilings) {
        if (c.resource == Resource::gather && c.when.footprint.value <= footprint.value) {
            from = std::max(from, c.when.footprint.value);
        }
    }
    for (int i = 0; i < static_cast<int>(machine_->ceilings.size()); ++i) {
        const Ceiling& c = machine_->ceilings[i];
        if (c.resource != Resource::gather || c.when.dtype != dtype || c.when.threads > limit) continue;
        if (c.when.footprint.value >= from) raise(roof.rate, roof.ceiling, c.max, i);
    }
    return roof;
}

Roof Roofs::streams(int streams, Bytes w, int threads) const {
    Roof roof;
    double from = 0.0;
    for (const Ceiling& c : machine_->ceilings) {
        if (c.resource == Resource::bandwidth && c.when.footprint.value <= w.value) {
            from = std::max(from, c.when.footprint.value);
        }
    }
    for (int i = 0; i < static_cast<int>(machine_->ceilings.size()); ++i) {
        const Ceiling& c = machine_->ceilings[i];
        if (c.resource != Resource::bandwidth || c.when.mix != Mix::load) continue;
        if (c.when.streams != streams || c.when.threads > threads) continue;
        if (c.when.footprint.value >= from) raise(roof.rate, roof.ceiling, c.max, i);
    }
    return roof;
}

}  // namespace rooftune
