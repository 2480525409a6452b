// A workload on a machine. The ceilings that it does not run under are put aside rather than taken out, so
// that an index into them still means the same ceiling.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <set>

#include "models/workload.h"

namespace rooftune {
namespace {

// Keeps of one resource's ceilings those of the unit asked for; says which there are when there is none.
void choose(Machine& machine, Resource resource, const std::string& unit, const std::string& key) {
    if (unit.empty()) return;
    std::set<std::string> names;
    for (Ceiling& c : machine.ceilings) {
        if (c.resource != resource) continue;
        if (!c.when.unit.empty()) names.insert(c.when.unit);
        c.excludes = c.excludes && c.when.unit == unit;
    }
    if (names.contains(unit)) return;
    std::string known;
    for (const std::string& name : names) known += (known.empty() ? "" : ", ") + name;
    throw WorkloadError{key, "the machine has no '" + unit + "'" +
                                 (known.empty() ? std::string(", and names none") : "; it has " + known)};
}

bool is_peak_of(const Ceiling& c, DType dtype) {
    return c.resource == Resource::compute && c.when.dtype == dtype && !c.when.sparse;
}

// Where all that is known of an element type only ranks, a fair peak is better than none: it is let in, and
// the answer says that it is an estimate.
bool let_estimates_in(Machine& machine, DType dtype) {
    bool any = false;
    for (const Ceiling& c : machine.ceilings) {
        if (is_peak_of(c, dtype) && c.excludes) return false;
        any = any || is_peak_of(c, dtype);
    }
    for (Ceiling& c : machine.ceilings) c.excludes = c.excludes || is_peak_of(c, dtype);
    return any;
}

Machine as_asked(const Workload& workload, Machine machine) {
    bool any_sparse = false;
    for (Ceiling& c : machine.ceilings) {
        if (c.resource != Resource::compute || !c.when.sparse) continue;
        c.excludes = workload.sparse;
        any_sparse = any_sparse || c.when.dtype == workload.dtype;
    }
    if (workload.sparse && !any_sparse) {
        throw WorkloadError{"sparse", "the machine states no rate of " +
                                          std::string(to_text(workload.dtype)) + " with sparsity"};
    }
    choose(machine, Resource::compute, workload.unit, "unit");
    choose(machine, Resource::link, workload.link, "link");
    return machine;
}

bool native(const Ceiling& c) {
    return c.when.device.empty();
}

// All threads of the processing units, or all compute units of a device.
int all_threads(const Machine& machine) {
    int threads = 1;
    bool any_native = machine.ceilings.empty();
    for (const Ceiling& c : machine.ceilings) {
        any_native = any_native || native(c);
        if (c.resource == Resource::compute || c.resource == Resource::bandwidth) {
            threads = std::max(threads, c.when.threads);
        }
    }
    return any_native ? machine.topology.threads : threads;
}

// What a product may hold besides the cache is known of processing units whose caches were probed, and of
// nothing else: elsewhere memory on the chip is not stated, and the product gives no term of its own.
Bytes held_by_registers(const Machine& machine, int threads) {
    bool known = !machine.topology.width_bits.empty();
    for (const Ceiling& c : machine.ceilings) {
        if (c.resource == Resource::bandwidth && c.excludes) known = known && c.when.footprint.value > 0.0;
        known = known && native(c);
    }
    if (!known) return Bytes(std::numeric_limits<double>::infinity());
    return Bytes(threads * kRegisterBytes);
}

Bytes memory_of(const Machine& machine) {
    for (const Ceiling& c : machine.ceilings) {
        for (const Device& device : machine.devices) {
            if (c.when.device == device.id && !device.is_cpu) return device.global_memory;
        }
    }
    return machine.topology.memory;
}

double ratio(double a, double b) {
    return b > 0.0 ? a / b : 0.0;
}

// A machine as one workload meets it: made once, asked often. Only sizes may differ between questions.
class WorkloadModel {
public:
    WorkloadModel(const Workload& like, const Machine& machine)
        : machine_(as_asked(like, machine)),
          peak_is_estimate_(let_estimates_in(machine_, like.dtype)),
          threads_(all_threads(machine_)),
          held_(held_by_registers(machine_, threads_)),
          roofs_(machine_),
          levels_(memory_levels(roofs_, threads_)),
          model_(roofs_) {}

    WorkloadModel(const WorkloadModel&) = delete;
    WorkloadModel& operator=(const WorkloadModel&) = delete;

    Bound explain(const Workload& workload) const {
        return model_.explain(with_held(workload), traits(workload));
    }

    WorkloadBound bound(const Workload& workload) const {
        WorkloadBound b;
        b.bound = explain(workload);
        b.peak_is_estimate = peak_is_estimate_;
        b.attainable = ratio(workload.flops.value, b.bound.seconds_lower.value);
        b.attainable_serial = ratio(workload.flops.value, b.bound.seconds_serial.value);
        const double flops = workload.flops.value / workload.devices;
        const double least = least_bytes(workload).value;
        b.intensity = ratio(flops, least);
        b.intensity_low = ratio(flops, least + total(workload.extra).value);
        b.peak = roofs_.compute(workload.dtype, kAnyWidth, threads_, element_bits(workload.dtype)).rate;
        const std::vector<BandwidthStep>& steps = roofs_.bandwidth(threads_);
        b.bandwidth = steps.empty() ? 0.0 : steps.back().both;
        b.ridge = ratio(b.peak, b.bandwidth);
        b.memory_share = memory_share(workload.footprint, memory_of(machine_));
        b.hierarchy =
            use_of(levels_, with_held(workload).traffic, Operations(flops), OperationsPerSecond(b.peak));
        return b;
    }

private:
    Work with_held(const Workload& workload) const {
        Work work = workload.work;
        work.traffic.held = held_;
        return work;
    }

    // Code of any kind may be scalar code.
    static int element_bits(DType dtype) { return static_cast<int>(8 * size_of(dtype)); }

    Traits traits(const Workload& workload) const {
        return {.dtype = workload.dtype,
                .width_bits = kAnyWidth,
                .narrowest_bits = element_bits(workload.dtype),
                .threads = threads_};
    }

    Machine machine_;
    bool peak_is_estimate_;
    int threads_;
    Bytes held_;
    Roofs roofs_;
    std::vector<MemoryLevel> levels_;
    BoundModel model_;
};

// Logarithm of the compute term over the largest other; nothing where either is missing.
std::optional<double> balance(const Bound& bound) {
    double compute = 0.0;
    double others = 0.0;
    for (const Term& term : bound.terms) {
        double& side = term.kind == TermKind::compute ? compute : others;
        side = std::max(side, term.seconds.value);
    }
    if (compute <= 0.0 || others <= 0.0) return std::nullopt;
    return std::log(compute / others);
}

std::string exact(double value) {
    char text[32];
    const auto end = std::to_chars(text, text + sizeof text, value).ptr;
    return {text, end};
}

}  // namespace

Bytes least_bytes(const Workload& workload) {
    TrafficProfile distinct = workload.work.traffic;
    distinct.declared = nullptr;
    return distinct.sum_beyond(Bytes(0.0));
}

WorkloadBound bound_workload(const Workload& workload, const Machine& machine) {
    return WorkloadModel(workload, machine).bound(workload);
}

std::optional<CriticalSize> solve_critical_size(const WorkloadKind& kind, WorkloadSpec spec,
                                                const std::string& size, const Machine& machine) {
    const std::vector<WorkloadKey> keys = kind.keys();
    const auto key = std::find_if(keys.begin(), keys.end(), [&](const auto& k) { return k.name == size; });
    if (key == keys.end() || !key->size)
        throw WorkloadError{size, "is not a size of " + std::string(kind.name())};

    const auto at = [&](double value) {
        spec[size] = exact(value);
        return kind.make(spec);
    };
    const WorkloadModel model(at(1.0), machine);
    const auto side = [&](double exponent) -> std::optional<double> {
        try {
            return balance(model.explain(at(std::pow(10.0, exponent))));
        } catch (const WorkloadError&) {
            return std::nullopt;  // no such size: less than one device, say
        }
    };

    // From the largest size downward, the first step over which the sign changes; then halved.
    constexpr double kLeast = -3.0, kMost = 15.0, kStep = 1.0 / 16.0;
    std::optional<double> above;
    double high = kMost;
    for (double low = kMost; low >= kLeast; high = low, low -= kStep) {
        const std::optional<double> here = side(low);
        if (here && above && (*here < 0.0) != (*above < 0.0)) {
            const bool compute_above = *above >= 0.0;
            for (int i = 0; i < 60; ++i) {
                const double middle = 0.5 * (low + high);
                const std::optional<double> value = side(middle);
                if (!value) return std::nullopt;
                ((*value >= 0.0) == compute_above ? high : low) = middle;
            }
            return CriticalSize{std::pow(10.0, 0.5 * (low + high)), compute_above};
        }
        above = here;
    }
    return std::nullopt;
}

}  // namespace rooftune
