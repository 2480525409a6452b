#include "tuner/bound/bound_json.h"

#include <nlohmann/json.hpp>

#include "tuner/formats/json_values.h"

namespace rooftune {
namespace {

Json binding_json(const Bound& bound) {
    const Term* term = binding_term(bound);
    return term != nullptr ? Json(to_text(term->kind)) : Json(nullptr);
}

Json terms_json(const Bound& bound, const Machine& machine) {
    Json terms = Json::array();
    for (const Term& term : bound.terms) {
        const Ceiling* ceiling = ceiling_of(machine, term);
        terms.push_back({{"kind", to_text(term.kind)},
                         {"amount", term.amount},
                         {"rate", term.rate},
                         {"seconds", term.seconds.value},
                         {"beyond_bytes", term.beyond.value},
                         {"ceiling", ceiling != nullptr ? describe(*ceiling) : ""},
                         {"source", ceiling != nullptr ? ceiling->source : ""},
                         {"note", ceiling != nullptr ? ceiling->note : ""}});
    }
    return terms;
}

Json extra_json(const Workload& workload) {
    Json extra = Json::array();
    for (const TrafficPart& part : workload.extra) {
        extra.push_back({{"cause", to_text(part.cause)}, {"bytes", part.bytes.value}, {"cure", part.cure}});
    }
    return extra;
}

Json levels_json(const std::vector<LevelUse>& levels) {
    Json out = Json::array();
    for (const LevelUse& use : levels) {
        out.push_back({{"level", use.level.name},
                       {"beyond_bytes", use.level.beyond.value},
                       {"reads", use.reads.value},
                       {"writes", use.writes.value},
                       {"rate", positive_or_null(use.level.both.value)},
                       {"seconds", use.seconds.value},
                       {"intensity", positive_or_null(use.intensity.value)},
                       {"ridge", positive_or_null(use.ridge.value)},
                       {"attainable", positive_or_null(use.attainable.value)}});
    }
    return out;
}

Json set_json(const std::vector<MachineOverride>& set) {
    Json changes = Json::array();
    for (const MachineOverride& change : set) {
        changes.push_back({{"path", change.path},
                           {"value", change.value},
                           {"unit", change.unit},
                           {"was", positive_or_null(change.was)},
                           {"source", change.source}});
    }
    return changes;
}

Json solve_json(const SolvedSize& solved) {
    return {
        {"size", solved.size},
        {"value", solved.critical ? Json(solved.critical->value) : Json(nullptr)},
        {"compute_bound_above", solved.critical ? Json(solved.critical->compute_bound_above) : Json(nullptr)},
        {"binding", solved.critical ? Json(nullptr) : Json(solved.binding)},
        {"text", solved_text(solved)}};
}

Json sweep_json(const Sweep& sweep) {
    Json points = Json::array();
    for (const SweepPoint& point : sweep.points) {
        points.push_back({{"size", sweep.size},
                          {"value", point.size},
                          {"flops", point.flops},
                          {"seconds_lower", point.bound.bound.seconds_lower.value},
                          {"seconds_serial", point.bound.bound.seconds_serial.value},
                          {"attainable", positive_or_null(point.bound.attainable)},
                          {"attainable_serial", positive_or_null(point.bound.attainable_serial)},
                          {"intensity", positive_or_null(point.bound.intensity)},
                          {"binding", binding_json(point.bound.bound)}});
    }
    return points;
}

// Where the sweep crosses from one side to the other, as its text says below the table.
Json critical_json(const Sweep& sweep) {
    return {{"size", sweep.size},
            {"value", sweep.critical->value},
            {"compute_bound_above", sweep.critical->compute_bound_above}};
}

Json roof_json(const ProblemRoof& roof, const Machine& machine) {
    if (!roof.why_not.empty()) return {{"why_not", roof.why_not}};
    const double seconds = roof.bound.seconds_lower.value;
    return {{"title", roof.title},
            {"variants", roof.variants},
            {"seconds_lower", seconds},
            {"attainable", seconds > 0.0 ? positive_or_null(roof.flops / seconds) : Json(nullptr)},
            {"binding", binding_json(roof.bound)},
            {"terms", terms_json(roof.bound, machine)}};
}

Json offload_json(const OffloadAnswer& o) {
    const std::optional<double> even = o.times.break_even();
    return {{"host", {{"id", o.host.id}, {"name", o.host.name}}},
            {"link", o.link},
            {"link_rate", o.each_way.value},
            {"source", o.source},
            {"bytes_in", o.times.in.value},
            {"bytes_out", o.times.out.value},
            {"seconds_in", o.times.transfer_in().value},
            {"seconds_out", o.times.transfer_out().value},
            {"seconds_on_host", o.times.on_host.value},
            {"seconds_on_device", o.times.on_device.value},
            {"once_overlapped", o.times.overlapped(1.0).value},
            {"once_serial", o.times.serial(1.0).value},
            {"break_even_repetitions", even ? Json(*even) : Json(nullptr)}};
}

}  // namespace

Json to_json(const BoundAnswer& a) {
    const WorkloadBound& b = a.bound;
    Json spec = Json::object();
    for (const auto& [key, value] : a.spec) spec[key] = value;
    Json out{{"schema", kBoundSchema},
             {"machine", {{"id", a.machine.id}, {"name", a.machine.name}}},
             {"workload",
              {{"family", a.family},
               {"spec", spec},
               {"title", a.workload.title},
               {"dtype", to_text(a.workload.dtype)},
               {"dtype_by_default", a.dtype_by_default},
               {"state", to_text(a.workload.work.traffic.state)},
               {"devices", a.workload.devices},
               {"flops", a.workload.flops.value},
               {"least_bytes", least_bytes(a.workload).value},
               {"footprint_bytes", a.workload.footprint.value},
               {"exchanged_bytes", a.workload.work.exchanged.value},
               {"extra_traffic", extra_json(a.workload)}}},
             {"seconds_lower", b.bound.seconds_lower.value},
             {"seconds_serial", b.bound.seconds_serial.value},
             {"attainable", positive_or_null(b.attainable)},
             {"attainable_serial", positive_or_null(b.attainable_serial)},
             {"intensity", positive_or_null(b.intensity)},
             {"intensity_low", positive_or_null(b.intensity_low)},
             {"peak", positive_or_null(b.peak)},
             {"peak_is_estimate", b.peak_is_estimate},
             {"bandwidth", positive_or_null(b.bandwidth)},
             {"ridge", positive_or_null(b.ridge)},
             {"binding", binding_json(b.bound)},
             {"terms", terms_json(b.bound, a.machine)},
             {"memory_share", b.memory_share ? Json(*b.memory_share) : Json(nullptr)},
             {"set", set_json(a.set)}};
    if (!a.idle.empty()) out["idle_keys"] = a.idle_text;
    if (a.peak_was_disturbed) out["peak_was_disturbed"] = true;
    if (!a.levels.empty()) out["levels"] = levels_json(a.levels);
    if (a.solve) out["solve"] = solve_json(*a.solve);
    if (a.sweep) out["sweep"] = sweep_json(*a.sweep);
    if (a.sweep && a.sweep->critical) out["sweep_critical"] = critical_json(*a.sweep);
    if (a.problem_roof) out["problem_roof"] = roof_json(*a.problem_roof, a.machine);
    if (a.offload) out["offload"] = offload_json(*a.offload);
    if (!a.doubts.empty()) out["model_doubts"] = a.doubts;
    return out;
}

}  // namespace rooftune
