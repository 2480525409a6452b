#include "tuner/bound/bound_evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "kernels/runtime/error.h"
#include "kernels/runtime/nearest.h"
#include "tuner/base/joined.h"
#include "tuner/base/suggested.h"
#include "tuner/bound/bound_roof.h"
#include "tuner/bound/bound_sweep.h"
#include "tuner/bound/declared_workload.h"
#include "tuner/bound/idle_keys.h"

namespace rooftune {
namespace {

constexpr int kCurvePoints = 160;
/// Before the paths of --set that change the host's values.
constexpr std::string_view kOfHost = "host.";

std::string exact(double value) {
    char text[32];
    const auto end = std::to_chars(text, text + sizeof text, value).ptr;
    return {text, end};
}

// What a machine states of peaks: "f64, f32 (vector), bf16 (matrix, vector)".
std::string peaks_text(const Machine& machine) {
    std::vector<std::string> parts;
    for (int t = 0; t < kDTypes; ++t) {
        const auto dtype = static_cast<DType>(t);
        std::string units;
        bool any = false;
        for (const Ceiling& c : machine.ceilings) {
            if (c.resource != Resource::compute || c.when.dtype != dtype) continue;
            any = true;
            if (!c.when.unit.empty() && units.find(c.when.unit) == std::string::npos)
                units += (units.empty() ? "" : ", ") + c.when.unit;
        }
        if (any) parts.push_back(std::string(to_text(dtype)) + (units.empty() ? "" : " (" + units + ")"));
    }
    return parts.empty() ? "none at all" : listed(parts);
}

// The most threads that a measured machine's arithmetic in this type was probed with; 0 for none, and for one
// as documents have it.
int probed_threads(const Machine& machine, DType dtype) {
    int most = 0;
    for (const Ceiling& c : machine.ceilings) {
        if (c.resource == Resource::compute && c.when.dtype == dtype) most = std::max(most, c.when.threads);
    }
    return most;
}

// A value to begin from, of a size that has no usual one.
std::string example_of(const std::string& size) {
    if (size == "ops") return "matmul+bias+relu";
    if (size == "rows") return "1e5";
    if (size == "nnz") return "1e6";
    return size == "nx" ? "256" : "1024";
}

class Evaluation {
public:
    /// `set`: what stands before the paths of --set that change this machine.
    Evaluation(const WorkloadKind& kind, Machine machine, std::string set = "")
        : kind_(kind), machine_(std::move(machine)), set_(std::move(set)) {}

    void check_keys(const WorkloadSpec& spec) const {
        std::vector<std::string> names;
        for (const WorkloadKey& key : kind_.keys()) names.push_back(key.name);
        for (const auto& [key, value] : spec) {
            if (std::find(names.begin(), names.end(), key) == names.end())
                throw InputError(prefix() + "unknown key '" + key + "'; " + suggestion(key, names));
        }
    }

    void check_size(const std::string& flag, const std::string& name) const {
        std::vector<std::string> sizes;
        for (const WorkloadKey& key : kind_.keys()) {
            if (key.size) sizes.push_back(key.name);
        }
        if (std::find(sizes.begin(), sizes.end(), name) == sizes.end())
            throw InputError(flag + " " + name + ": " + std::string(kind_.name()) + " has no such size; " +
                             suggestion(name, sizes));
    }

    // Presets name their main peak first; a measured machine is a CPU.
    std::string usual_dtype(const WorkloadSpec& spec) const {
        const auto unit = spec.find("unit");
        const bool any = unit == spec.end() || unit->second == "any";
        if (machine_.topology.source.empty()) return "f64";
        for (const Ceiling& c : machine_.ceilings) {
            if (c.resource == Resource::compute && (any || c.when.unit == unit->second))
                return std::string(to_text(c.when.dtype));
        }
        return "f64";
    }

    // Of sizes that are not given all are named at once, with values to begin from.
    void check_complete(const WorkloadSpec& spec) const {
        std::vector<std::string> missing;
        std::string example;
        for (const WorkloadKey& key : kind_.keys()) {
            if (!key.fallback.empty() || spec.contains(key.name)) continue;
            missing.push_back(key.name + (key.help == key.name ? "" : " (" + key.help + ")"));
            example += (example.empty() ? "" : ",") + key.name + "=" + example_of(key.name);
        }
        if (missing.empty()) return;
        throw InputError(prefix() + joined(missing) + (missing.size() == 1 ? " is" : " are") +
                         " needed: give " + example + " or other values, or --sweep over one of them");
    }

    Workload make(const WorkloadSpec& spec) const {
        check_complete(spec);
        const Workload w = guarded([&] { return kind_.make(spec); });
        const TrafficProfile& traffic = w.work.traffic;
        const double declared = traffic.declared ? traffic.sum_beyond(Bytes(0.0)).value : 0.0;
        const double bytes = traffic.reads.value + traffic.writes.value + w.work.exchanged.value + declared;
        if (!std::isfinite(w.flops.value) || !std::isfinite(bytes) || !std::isfinite(w.footprint.value))
            throw InputError(prefix() +
                             "its operations or bytes are beyond all numbers; choose smaller sizes");
        if (w.flops.value <= 0.0 && (bytes <= 0.0 || !kind_.may_lack_flops()))
            throw InputError(prefix() + (kind_.name() == "work"
                                             ? "there is nothing to do: give flops=1e12, bytes=1e9 or both"
                                             : "there is nothing to do: a size is 0; sizes are numbers above "
                                               "0"));
        return w;
    }

    // Where the peak of arithmetic is not known because it was always disturbed, the bound is by the rest,
    // unless the question is about that peak.
    WorkloadBound bound(const Workload& workload, bool needs_peak = false) const {
        const WorkloadBound b = guarded([&] { return bound_workload(workload, machine_); });
        if (workload.flops.value > 0.0 && b.peak <= 0.0) {
            const std::string type(to_text(workload.dtype));
            if (!needs_peak && is_peak_disturbed(workload) && b.bound.binding >= 0) return b;
            const int probed = probed_threads(machine_, workload.dtype), all = machine_.topology.threads;
            if (probed > 0 && probed < all) {
                throw InputError(
                    fmt::format("{} was measured with {} of its {} threads, and nothing is known of "
                                "all: {} measures them",
                                machine_.id, probed, all, suggested("machine")));
            }
            if (probed > 0) {
                throw EnvironmentError(fmt::format(
                    "the peak of {0} arithmetic of {1} is not known: other processes ran whenever "
                    "it was probed. {2} on an idle machine probes again; or give it by --set {3}peak.{0}=…",
                    type, machine_.id, suggested("machine"), set_));
            }
            throw InputError(machine_.id + " states no peak of " + type +
                             (workload.unit.empty() ? "" : " of the " + workload.unit + " unit") +
                             "; it has " + peaks_text(machine_) +
                             ". Choose one of them by dtype=…, or give one by --set " + set_ + "peak." +
                             type + "=…");
        }
        return b;
    }

    // Whether all threads' arithmetic was probed: then it is for want of quiet that nothing is known of it.
    bool is_peak_disturbed(const Workload& workload) const {
        const int probed = probed_threads(machine_, workload.dtype);
        return probed > 0 && probed >= machine_.topology.threads;
    }

    SweepPoint point(WorkloadSpec spec, const std::string& size, double value) const {
        spec[size] = exact(value);
        const Workload w = make(spec);
        return {value, bound(w), w.flops.value};
    }

    std::optional<CriticalSize> critical(const WorkloadSpec& spec, const std::string& size) const {
        WorkloadSpec whole = spec;
        whole.emplace(size, "1");
        check_complete(whole);
        return guarded([&] { return solve_critical_size(kind_, spec, size, machine_); });
    }

    const WorkloadKind& kind() const { return kind_; }
    Machine& machine() { return machine_; }

private:
    std::string prefix() const { return std::string(kind_.name()) + ": "; }

    template <typename Call>
    auto guarded(Call&& call) const -> decltype(call()) {
        try {
            return call();
        } catch (const WorkloadError& error) {
            throw InputError(prefix() + error.key + ": " + error.message);
        }
    }

    const WorkloadKind& kind_;
    Machine machine_;
    std::string set_;
};

// Where nothing crosses, the same side binds everywhere: asked at a size in the middle.
SolvedSize solved(const Evaluation& evaluation, const WorkloadSpec& spec, const std::string& size) {
    SolvedSize s{size, evaluation.critical(spec, size), ""};
    if (s.critical) return s;
    const SweepPoint somewhere = evaluation.point(spec, size, 1e3);
    if (const Term* term = binding_term(somewhere.bound.bound)) s.binding = to_text(term->kind);
    return s;
}

// Sizes of a source are whole, and of no size that does not fit into this machine anything can be said: a
// curve through whole sizes alone, and no search for where it bends.
Sweep swept(const Evaluation& evaluation, const WorkloadSpec& spec, const SweepValues& values,
            bool whole_sizes) {
    Sweep sweep;
    sweep.size = values.size;
    for (const double value : values.values)
        sweep.points.push_back(evaluation.point(spec, values.size, value));
    if (!whole_sizes) sweep.critical = evaluation.critical(spec, values.size);
    std::vector<double> dense = dense_between(values.values, kCurvePoints);
    if (sweep.critical && sweep.critical->value > dense.front() && sweep.critical->value < dense.back())
        dense.insert(std::upper_bound(dense.begin(), dense.end(), sweep.critical->value),
                     sweep.critical->value);
    if (whole_sizes) {
        for (double& value : dense) value = std::round(value);
        dense.erase(std::unique(dense.begin(), dense.end()), dense.end());
    }
    for (const double value : dense) sweep.curve.push_back(evaluation.point(spec, values.size, value));
    return sweep;
}

// The keys that both the workload and the family know, each with the value that the workload takes.
ProblemSpec with_fallbacks(const WorkloadKind& kind, const Registry& registry, const WorkloadSpec& spec) {
    ProblemSpec filled = spec;
    filled.erase("state");
    const Family* family = registry.find(kind.name());
    if (family == nullptr) return filled;
    for (const WorkloadKey& key : kind.keys()) {
        std::string value = key.fallback;
        for (auto at = spec.find(value); at != spec.end() && at->second != value; at = spec.find(value))
            value = at->second;
        for (const ProblemKey& known : family->keys()) {
            if (known.name == key.name && !value.empty()) filled.emplace(key.name, value);
        }
    }
    return filled;
}

// The link to a host: the one asked for, else PCIe, else the only one that the machine states.
const Ceiling& host_link(const Machine& machine, const std::string& asked) {
    const Ceiling* best = nullptr;
    std::set<std::string> names;
    for (const Ceiling& c : machine.ceilings) {
        if (c.resource != Resource::link) continue;
        names.insert(c.when.unit);
        if (!asked.empty() && c.when.unit != asked) continue;
        const bool nearer = best == nullptr || (c.when.unit == "pcie" && best->when.unit != "pcie") ||
                            (c.when.unit == best->when.unit && c.max > best->max);
        if (nearer) best = &c;
    }
    const bool only = asked.empty() && names.size() > 1 && best != nullptr && best->when.unit != "pcie";
    if (best == nullptr || only)
        throw InputError("--host: " + machine.id +
                         (only ? " has several links and none is called pcie; choose one by link=NAME"
                               : " states no link to a host; give its rate by --set link.bandwidth=…"));
    return *best;
}

// Texts of --set: those of the machine, and those of the host without what says so.
struct SetTexts {
    std::vector<std::string> machine, host;
};

SetTexts set_texts(const BoundQuestion& question) {
    SetTexts texts;
    for (const std::string& text : question.set) {
        if (!text.starts_with(kOfHost)) {
            texts.machine.push_back(text);
            continue;
        }
        if (!question.host)
            throw InputError("--set " + text +
                             ": there is no host; name one by --host, or leave out the word host");
        texts.host.push_back(text.substr(kOfHost.size()));
    }
    return texts;
}

// Messages name the paths as they were given.
std::vector<MachineOverride> set_of_host(Machine& host, const std::vector<std::string>& texts,
                                         const Workload& workload) {
    constexpr std::string_view kFlag = "--set ";
    try {
        std::vector<MachineOverride> set = apply_overrides(host, texts, {workload.dtype, "", ""});
        for (MachineOverride& change : set) change.path.insert(0, kOfHost);
        return set;
    } catch (const InputError& error) {
        std::string what = error.what();
        if (what.starts_with(kFlag)) what.insert(kFlag.size(), kOfHost);
        throw InputError(what);
    }
}

OffloadAnswer offload(BoundAnswer& a, const Machine& host, const WorkloadKind& kind,
                      const std::vector<std::string>& set) {
    if (a.workload.devices > 1.0)
        throw InputError("--host: the work is split between " + exact(a.workload.devices) +
                         " devices; sending is worked out for one, so leave links and shard away");
    Evaluation there(kind, machine_of(host, ""), std::string(kOfHost));
    Workload same = a.workload;
    same.unit.clear();  // units and links are the device's
    same.link.clear();
    OffloadAnswer o;
    for (MachineOverride& change : set_of_host(there.machine(), set, same))
        a.set.push_back(std::move(change));
    o.on_host = there.bound(same, true);
    o.host = there.machine();
    const Ceiling& link = host_link(a.machine, a.workload.link);
    o.link = link.when.unit.empty() ? "its link" : link.when.unit;
    o.each_way = BytesPerSecond(link.max);
    o.source = link.source;
    o.times.on_host = o.on_host.bound.seconds_lower;
    o.times.on_device = a.bound.bound.seconds_lower;
    o.times.in = a.workload.work.traffic.reads;
    o.times.out = a.workload.work.traffic.writes;
    o.times.to_device = o.times.from_device = o.each_way;
    return o;
}

}  // namespace

const WorkloadKind& workload_named(const std::string& name) {
    if (const WorkloadKind* kind = find_workload(name)) return *kind;
    std::vector<std::string> names;
    for (const WorkloadKind* kind : workload_kinds()) names.emplace_back(kind->name());
    throw InputError("there is no family '" + name + "' to bound; " + suggestion(name, names));
}

BoundAnswer answer(const BoundQuestion& question, const Machine& machine, const Registry& registry) {
    const bool declared = is_declared(question.family);
    if (declared && !question.solve.empty())
        throw InputError(
            "--solve " + question.solve +
            ": a source is bounded at whole sizes, whose arrays fit into this machine; --sweep " +
            question.solve + "=16:65536:x2 shows where its sides cross");
    const std::unique_ptr<WorkloadKind> of_source =
        declared ? declared_workload(registry, question.family, machine) : nullptr;
    Evaluation evaluation(declared ? *of_source : workload_named(question.family), machine_of(machine, ""));
    BoundAnswer a;
    a.family = question.family;
    a.spec = question.spec;
    const SetTexts set = set_texts(question);
    IdleKeys idle = take_idle_keys(registry, question.family, a.spec);
    a.idle = std::move(idle.taken);
    a.idle_text = std::move(idle.text);
    const ProblemSpec counted = count_problem(registry, question.family, a.spec);
    evaluation.check_keys(a.spec);
    if (!declared && !a.spec.contains("dtype")) {
        a.spec["dtype"] = evaluation.usual_dtype(a.spec);
        a.dtype_by_default = !evaluation.machine().topology.source.empty();
    }
    const SweepValues values = question.sweep.empty() ? SweepValues{} : sweep_from(question.sweep);
    if (!question.solve.empty()) evaluation.check_size("--solve", question.solve);
    if (!question.sweep.empty()) evaluation.check_size("--sweep", values.size);
    const auto open = [&](const std::string& size) { return !size.empty() && !a.spec.contains(size); };

    // What is asked for decides which of the machine's values a path of --set means: any size will do.
    WorkloadSpec like = a.spec;
    if (open(question.solve)) like[question.solve] = "1";
    if (open(values.size)) like[values.size] = exact(values.values.back());
    const Workload asked = evaluation.make(like);
    a.set = apply_overrides(evaluation.machine(), set.machine, {asked.dtype, asked.unit, asked.link});
    const bool needs_peak = !question.solve.empty() || question.host.has_value();
    const WorkloadBound first = evaluation.bound(asked, needs_peak);
    a.peak_was_disturbed = asked.flops.value > 0.0 && first.peak <= 0.0;

    if (!question.solve.empty()) {
        WorkloadSpec rest = a.spec;
        if (open(values.size) && values.size != question.solve) rest[values.size] = like[values.size];
        a.solve = solved(evaluation, rest, question.solve);
        if (a.solve->critical && open(question.solve)) like[question.solve] = exact(a.solve->critical->value);
    }
    if (!question.sweep.empty()) a.sweep = swept(evaluation, like, values, declared);
    a.workload = evaluation.make(like);
    a.bound = evaluation.bound(a.workload);
    const bool open_size = open(question.solve) || open(values.size);
    ProblemSpec problem = declared          ? declared_problem(*of_source, question.family, like)
                          : counted.empty() ? with_fallbacks(evaluation.kind(), registry, like)
                                            : counted;
    problem.insert(a.idle.begin(), a.idle.end());
    if (!open_size) {
        a.problem_roof = problem_roof(registry, declared ? "external" : question.family, problem,
                                      a.workload.work.traffic.state, evaluation.machine());
    }
    a.spec = like;
    a.spec.insert(a.idle.begin(), a.idle.end());
    a.machine = evaluation.machine();
    WorkloadSpec other = like;
    other["state"] = to_text(a.workload.work.traffic.state == State::warm ? State::cold : State::warm);
    const Bound otherwise = evaluation.bound(evaluation.make(other)).bound;
    a.state_matters = otherwise.seconds_lower.value != a.bound.bound.seconds_lower.value ||
                      otherwise.seconds_serial.value != a.bound.bound.seconds_serial.value;
    if (a.bound.hierarchy.levels.size() > 1) a.levels = a.bound.hierarchy.levels;
    if (question.host) a.offload = offload(a, *question.host, evaluation.kind(), set.host);
    return a;
}

}  // namespace rooftune
