#include "tuner/engine/result_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>

#include "models/opportunities.h"
#include "tuner/engine/explanation.h"
#include "tuner/formats/reference_time.h"
#include "tuner/measure/statistics.h"
#include "tuner/search/enumerate/bound_source.h"

namespace rooftune {
namespace {

double intensity_of(const ResultContext& context, const Variant& variant) {
    const Work work = context.model->work(variant);
    const double bytes = work.traffic.passes * (work.traffic.reads.value + work.traffic.writes.value);
    return bytes > 0.0 ? context.problem->flops_nominal() / bytes : 0.0;
}

std::string size_text(double bytes) {
    char text[32];
    if (bytes >= 1 << 20) {
        std::snprintf(text, sizeof text, "%.3g MiB", bytes / (1 << 20));
    } else {
        std::snprintf(text, sizeof text, "%.3g KiB", bytes / (1 << 10));
    }
    return text;
}

void add_points(const ResultContext& context, const SearchResult& found, TuneResult& result) {
    const double flops = context.problem->flops_nominal();
    const Roofs roofs(found.machine);
    const BoundModel model(roofs, found.demoted);
    const BoundSource source{context.space, context.model, &model};
    const auto add = [&](const Variant& variant, const TimeInterval& seconds, const char* kind) {
        const double intensity = intensity_of(context, variant);
        if (seconds.median <= 0.0 || intensity <= 0.0) return;
        PlotPoint point{context.space->to_text(variant), intensity, flops / seconds.median, kind};
        if (seconds.low > 0.0) {
            point.low = flops / seconds.high;
            point.high = flops / seconds.low;
        }
        if (const double lower = source.lower(variant); lower > 0.0) point.bound = flops / lower;
        if (const auto binding = source.binding(variant)) point.binding = to_text(*binding);
        result.points.push_back(std::move(point));
    };
    for (const Node& node : found.excluded_sample) add(node.partial, {.median = node.lower}, "excluded");
    for (const Observation& o : found.observations) {
        if (is_failure(o.record.outcome) || o.record.slots.empty()) continue;
        // Those whose time is told elsewhere have a point with that time, and no other.
        if (o.variant == context.naive || o.variant == context.fallback || o.variant == found.best) continue;
        TimeInterval seconds = interval_of(o.record.slots);
        // Of a few slots only the median is told: they were too few for an interval.
        if (o.record.outcome != Outcome::measured) seconds.low = 0.0;
        add(o.variant, seconds, "measured");
    }
    add(context.naive, reference_time(result, Reference::naive), "naive");
    add(context.fallback, reference_time(result, Reference::fallback), "default");
    if (found.best) add(*found.best, found.seconds, "winner");
}

// "2 unbuildable, like UNROLL=3: g++: mine.cpp:7:3: error: …"
std::vector<std::string> failures_of(const ResultContext& context, const SearchResult& found) {
    std::map<Outcome, std::pair<int, const Observation*>> kinds;
    for (const Observation& o : found.observations) {
        if (!is_failure(o.record.outcome)) continue;
        auto& [count, first] = kinds[o.record.outcome];
        if (count++ == 0) first = &o;
    }
    std::vector<std::string> failures;
    for (const auto& [outcome, its] : kinds) {
        const std::string variant = context.space->to_text(its.second->variant);
        failures.push_back(
            fmt::format("{} {}{}{}", its.first, to_text(outcome), variant.empty() ? "" : ", like " + variant,
                        its.second->record.detail.empty() ? "" : ": " + its.second->record.detail));
    }
    return failures;
}

// What binds the problem and the winner, with what is known of it.
std::vector<CeilingReport> binding_ceilings(const ResultContext& context, const SearchResult& found) {
    const Roofs roofs(found.machine);
    const BoundModel model(roofs, found.demoted);
    const BoundSource source{context.space, context.model, &model};
    std::vector<CeilingReport> all;
    const auto add = [&](const char* of, const PartialVariant& partial) {
        const Bound bound = source.explain(partial);
        if (bound.binding < 0) return;
        const int index = bound.terms[static_cast<std::size_t>(bound.binding)].ceiling;
        if (index < 0) return;
        const Ceiling& c = found.machine.ceilings[static_cast<std::size_t>(index)];
        all.push_back({of, describe(c), std::string(unit_of(c)), c.max, c.p95, c.median, c.seen});
    };
    add("problem", PartialVariant{});
    add("winner", *found.best);
    return all;
}

// Where the bytes of a traffic term came from when its ceiling was probed.
std::string level_of(const Term& term, const Machine& machine, const Traits& traits) {
    if (term.ceiling < 0) return "";
    const Conditions& when = machine.ceilings[static_cast<std::size_t>(term.ceiling)].when;
    const auto is_processor = [&](const Device& d) { return d.id == when.device && d.is_cpu; };
    if (!when.device.empty() && std::none_of(machine.devices.begin(), machine.devices.end(), is_processor))
        return "device memory";
    const int threads = runs_on_one_thread(term.kind) ? 1 : traits.threads;
    // Of more threads' footprint, what these had.
    const double part = when.threads > threads ? static_cast<double>(threads) / when.threads : 1.0;
    // What is beyond a capacity is not in the level that has just this capacity.
    const Bytes beyond = term.beyond * (1.0 + 1e-9);
    return level_holding(machine.topology, threads, std::max(beyond, part * when.footprint));
}

}  // namespace

BoundReport report_of(const Bound& bound, const Machine& machine, const Traits& traits) {
    BoundReport report;
    report.seconds_lower = bound.seconds_lower.value;
    report.seconds_serial = bound.seconds_serial.value;
    for (const Term& term : bound.terms) {
        TermReport t;
        t.kind = to_text(term.kind);
        t.amount = term.amount;
        t.rate = term.rate;
        t.seconds = term.seconds.value;
        t.beyond = term.beyond.value;
        Mix mix = Mix::none;
        if (term.ceiling >= 0) {
            const Ceiling& ceiling = machine.ceilings[static_cast<std::size_t>(term.ceiling)];
            t.ceiling = describe(ceiling, rate_of_walk(term, ceiling));
            mix = ceiling.when.mix;
        }
        t.opportunity = opportunity_of(term.kind, mix);
        t.demoted = term.demoted;
        if (bottleneck_of(term.kind) == Bottleneck::memory) t.level = level_of(term, machine, traits);
        report.terms.push_back(t);
    }
    if (bound.binding >= 0) report.binding = report.terms[static_cast<std::size_t>(bound.binding)].kind;
    return report;
}

std::vector<PlotCeiling> plot_ceilings(const Machine& machine, DType dtype, int threads, Bytes footprint) {
    const Roofs roofs(machine);
    std::vector<PlotCeiling> lines;
    double last = 0.0;
    std::vector<int> widths{static_cast<int>(8 * size_of(dtype))};
    widths.insert(widths.end(), machine.topology.width_bits.begin(), machine.topology.width_bits.end());
    for (const int width : widths) {
        const Roof roof = roofs.compute(dtype, width, threads);
        if (!roof || roof.rate <= 1.02 * last) continue;
        last = roof.rate;
        const std::string label = width == widths.front() ? "scalar" : std::to_string(width) + " bit";
        lines.push_back({std::string(to_text(dtype)) + " " + label, false, roof.rate});
    }
    // One line where B* has fallen by a quarter since the last, and one at the problem's own size.
    double above = 0.0;
    const std::vector<BandwidthStep>& steps = roofs.bandwidth(threads);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const bool own = steps[i].from <= footprint.value &&
                         (i + 1 == steps.size() || steps[i + 1].from > footprint.value);
        if (steps[i].both <= 0.0) continue;
        if (i == 0 || steps[i].both < 0.75 * above || own) {
            if (!lines.empty() && lines.back().bandwidth && steps[i].both > 0.9 * lines.back().rate) {
                lines.back().label += own ? " (this problem)" : "";
            } else {
                lines.push_back({"from " + size_text(steps[i].from) + (own ? " (this problem)" : ""), true,
                                 steps[i].both});
                above = steps[i].both;
            }
        }
    }
    return lines;
}

TuneResult build_result(const ResultContext& context, const SearchResult& found) {
    TuneResult result;
    result.family = context.family->name();
    result.problem = context.problem->spec();
    result.title = context.problem->title();
    result.facts = context.problem->facts();
    result.digest = context.problem->digest();
    result.pattern = context.problem->pattern_digest();
    result.dtype = to_text(context.problem->dtype());
    result.state = to_text(context.state);
    result.threads = context.threads;
    result.backend = to_text(context.backend);
    result.device = context.device;
    result.machine_id = found.machine.id;
    result.machine_name = found.machine.name;
    result.space_version = context.space->version();
    result.naive = context.space->to_map(context.naive);
    result.fallback = context.space->to_map(context.fallback);
    result.flops_nominal = context.problem->flops_nominal();
    result.problem_roof_seconds = found.problem_roof.value;
    result.certificate = found.certificate;
    const Work whole = context.model->work(PartialVariant{});
    result.ceilings = plot_ceilings(found.machine, context.problem->dtype(), context.threads,
                                    whole.traffic.reads + whole.traffic.writes);
    result.failures = failures_of(context, found);
    result.accused = found.accused;
    result.convergence = found.convergence;
    result.grown = found.grown;
    result.edges = found.edges;
    result.naive_seconds = found.naive_seconds;
    result.default_seconds = found.default_seconds;
    result.finals_seconds = found.finals_took;
    result.seconds = found.seconds;
    if (found.best) result.best = context.space->to_map(*found.best);
    add_points(context, found, result);
    if (!found.best) return result;

    result.bound = report_of(found.bound, found.machine, context.model->traits(*found.best));
    result.explanation = explanation_of(context, found);
    if (found.seconds.median > 0.0) {
        result.fraction_of_variant_bound = found.bound.seconds_lower.value / found.seconds.median;
        result.fraction_of_problem_roof = found.problem_roof.value / found.seconds.median;
        if (found.roof_now > 0.0)
            result.fraction_of_roof_now = result.fraction_of_problem_roof / found.roof_now;
    }
    result.naive_ratio = found.naive_ratio;
    result.default_ratio = found.default_ratio;
    // An audit may have found a faster one after the finals, and no time was left for others.
    if (found.runner_up && found.runner_up->winner == *found.best) {
        result.runner_up = context.space->to_map(found.runner_up->variant);
        result.runner_up_ratio = found.runner_up->ratio;
        result.runner_up_seconds = found.runner_up->seconds;
    }
    if (context.backend == Backend::cpu) {
        const Traits traits = context.model->traits(*found.best);
        result.needs = {traits.width_bits, traits.threads};
    }
    result.binding_ceilings = binding_ceilings(context, found);
    result.speedup_over_naive = found.naive_ratio.median;
    result.speedup_over_default = found.default_ratio.median;
    result.verified_error = found.best_record.error;
    result.verified_by = context.problem->verified_by();
    result.prepare_seconds = found.best_record.prepare_seconds;
    return result;
}

}  // namespace rooftune
