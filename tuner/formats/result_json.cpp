#include "tuner/formats/result_json.h"

#include <limits>
#include <nlohmann/json.hpp>

#include "tuner/formats/explanation_json.h"
#include "tuner/formats/fields.h"
#include "tuner/formats/json_values.h"

namespace rooftune {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

/// The naive or the default variant, say, its time over the winner's, and its own, which older results lack.
void rival_fields(Fields& f, std::map<std::string, std::string>& variant, TimeInterval& ratio,
                  TimeInterval& seconds) {
    f("variant", variant);
    if (f.has("seconds", seconds.median > 0.0)) f("seconds", seconds);
    f.inside("time_over_best", [&](Fields& time) {
        time.number_or_null("median", ratio.median, kUnknown);
        time.number_or_null("low", ratio.low, kUnknown);
        time.number_or_null("high", ratio.high, kUnknown);
        time("slots", ratio.slots);
    });
}

void best_fields(Fields& f, TuneResult& r) {
    f("variant", r.best);
    f.require(!r.best.empty(), "variant", "at least one parameter");
    f("seconds", r.seconds);
    double flops_per_second = r.flops_nominal / r.seconds.median;  // written for readers without the two
    f.number_or_null("flops_per_second", flops_per_second, kUnknown);
    f.number_or_null("fraction_of_variant_bound", r.fraction_of_variant_bound, kUnknown);
    f.number_or_null("fraction_of_problem_roof", r.fraction_of_problem_roof, kUnknown);
    f.number_or_null("fraction_of_roof_now", r.fraction_of_roof_now, kUnknown);
    f.number_or_null("speedup_over_naive", r.speedup_over_naive, kUnknown);
    f.number_or_null("speedup_over_default", r.speedup_over_default, kUnknown);
    f.inside("verified", [&](Fields& verified) {
        verified("error", r.verified_error, 0.0, 1.0);
        verified.always("tolerance", 1);
        if (verified.has("by", !r.verified_by.empty())) verified("by", r.verified_by);
    });
    f("prepare_seconds", r.prepare_seconds);
}

/// Column by column: a list of objects would be three times as long.
void convergence_fields(Fields& f, std::vector<ConvergencePoint>& convergence) {
    std::vector<std::int64_t> evaluations;
    std::vector<double> best, excluded;
    for (const ConvergencePoint& p : convergence) {
        evaluations.push_back(p.evaluations);
        best.push_back(p.best_seconds);
        excluded.push_back(p.excluded);
    }
    f("evaluations", evaluations);
    f("best_seconds", best);
    f("excluded", excluded);
    if (!f.reading()) return;
    const std::string as_many =
        "as many numbers as \"evaluations\" has, " + std::to_string(evaluations.size());
    f.require(best.size() == evaluations.size(), "best_seconds", as_many);
    f.require(excluded.size() == evaluations.size(), "excluded", as_many);
    std::int64_t last = 0;
    for (std::size_t i = 0; i < evaluations.size(); last = evaluations[i++]) {
        f.require(evaluations[i] >= last && evaluations[i] <= std::numeric_limits<int>::max(), "evaluations",
                  "counts that never fall");
        f.require(best[i] > 0.0, "best_seconds", "times above 0");
        f.require(excluded[i] >= 0.0 && excluded[i] <= 1.0, "excluded", "shares from 0 to 1");
        convergence.push_back({static_cast<int>(evaluations[i]), best[i], excluded[i]});
    }
}

}  // namespace

static void fields(Fields& f, TermReport& t) {
    f("kind", t.kind);
    f("amount", t.amount);
    f("rate", t.rate);
    f("seconds", t.seconds);
    f("ceiling", t.ceiling);
    f("lever", t.opportunity);
    f("demoted", t.demoted);
    f("beyond", t.beyond);
    f("level", t.level);
}

static void fields(Fields& f, BoundReport& bound) {
    f("seconds_lower", bound.seconds_lower);
    f("seconds_serial", bound.seconds_serial);
    f("binding", bound.binding);
    f("terms", bound.terms);
}

static void fields(Fields& f, AuditedClass& audited) {
    f("measured", audited.measured);
    f("wrong", audited.wrong);
    if (f.has("drawn", true)) f("drawn", audited.drawn);
    if (f.has("drawn_wrong", true)) f("drawn_wrong", audited.drawn_wrong);
    f("upper_limit", audited.upper_limit, 0.0, 1.0);
    f("ratios", audited.ratios);
}

static void fields(Fields& f, AuditReport& audit) {
    f("measured", audit.measured);
    f("violations", audit.violations);
    f("regrets", audit.regrets);
    f("upper_limit", audit.upper_limit, 0.0, 1.0);
    if (f.has("excluded", true)) f("excluded", audit.excluded);
    f("set_aside", audit.set_aside);
}

static void fields(Fields& f, SampledClass& sampled) {
    f("population", sampled.population);
    f("drawn", sampled.drawn);
    f("faster", sampled.faster, 0, sampled.drawn);
    f("upper_limit", sampled.upper_limit, 0.0, 1.0);
    if (f.has("untimed", sampled.untimed > 0)) f("untimed", sampled.untimed, 0, sampled.drawn);
}

static void fields(Fields& f, SampledReport& sampled) {
    f("unmeasured", sampled.unmeasured);
    f("raced_out", sampled.raced_out);
    f("upper_limit", sampled.upper_limit, 0.0, 1.0);
    if (f.has("regrets", sampled.regrets > 0)) f("regrets", sampled.regrets, 0);
}

/// The ends of a gap's interval. Older results lack them, and told the gap by the upper end of the winner's.
static void gap_ends(Fields& f, double gap, double& low, double& high) {
    constexpr double kWithoutLimit = std::numeric_limits<double>::infinity();
    if (f.reading()) low = high = gap;
    if (f.has("gap_low", true)) f.number_or_null("gap_low", low, kWithoutLimit);
    if (f.has("gap_high", true)) f.number_or_null("gap_high", high, kWithoutLimit);
}

static void fields(Fields& f, SliceReport& slice) {
    f("where", slice.where);
    f("space", slice.space);
    f("excluded", slice.excluded);
    f("set_aside", slice.set_aside);
    f("evaluated", slice.evaluated);
    f("unmeasured", slice.unmeasured);
}

static void fields(Fields& f, EstimateFit& fit) {
    f("timed", fit.timed);
    f("median", fit.median);
    f("low", fit.low);
    f("high", fit.high);
}

static void fields(Fields& f, ReplacementReport& r) {
    f.number_or_null("gap", r.gap, std::numeric_limits<double>::infinity());
    gap_ends(f, r.gap, r.gap_low, r.gap_high);
    f("timed", r.timed);
    f("beaten", r.beaten);
    f("largest", r.largest);
    if (f.has("meanwhile", true)) f("meanwhile", r.meanwhile);  // which the first files with this part lack
}

static void fields(Fields& f, CertificateReport& c) {
    f("space", c.space);
    f("excluded", c.excluded);
    f("set_aside", c.set_aside);
    f("measured", c.measured);
    f("raced_out", c.raced_out);
    f("failed", c.failed);
    f("failed_environment", c.failed_environment);
    f("unmeasured", c.unmeasured);
    const std::uint64_t sum = c.excluded + c.set_aside + c.measured + c.raced_out + c.failed + c.unmeasured;
    f.require(c.space == sum, "space", "the sum of the six classes, " + std::to_string(sum));
    f.require(c.failed_environment <= c.failed, "failed_environment",
              "at most \"failed\", " + std::to_string(c.failed));
    f.number_or_null("gap", c.gap, std::numeric_limits<double>::infinity());
    gap_ends(f, c.gap, c.gap_low, c.gap_high);
    if (f.has("replacement", c.replacement.timed > 0)) f("replacement", c.replacement);
    f("margin", c.margin);
    f("epsilon", c.epsilon);
    f("set_aside_factor", c.set_aside_factor, 0.0, 1.0);
    if (f.has("estimate", c.estimate.timed > 0)) f("estimate", c.estimate);
    f.one_of("stopped_by", c.stopped_by, {"epsilon", "budget", "patience", "exhausted", "interrupted"});
    f("violations", c.violations);
    f("audit", c.audit);
    if (f.has("sampled", c.sampled.drawn() > 0)) f("sampled", c.sampled);
    f("bounds_evaluated", c.bounds_evaluated);
    f("subtrees_cut", c.subtrees_cut);
    f("excluded_by", c.excluded_by);
    f("slice", c.slice);
}

static void fields(Fields& f, PlotPoint& p) {
    f("label", p.label);
    f("intensity", p.intensity);
    f("flops_per_second", p.flops_per_second);
    f("kind", p.kind);
    const bool measured = p.high > 0.0;
    if (f.has("low", measured)) f("low", p.low);
    if (f.has("high", measured)) f("high", p.high, p.low);
    if (f.has("bound", p.bound > 0.0)) f("bound", p.bound);
    if (f.has("binding", !p.binding.empty())) f("binding", p.binding);
}

static void fields(Fields& f, PlotCeiling& c) {
    f("label", c.label);
    f("bandwidth", c.bandwidth);
    f("rate", c.rate);
}

static void fields(Fields& f, NeedsReport& needs) {
    f("vector_bits", needs.vector_bits, 1);
    f("threads", needs.threads, 1);
}

static void fields(Fields& f, CeilingReport& c) {
    f.one_of("of", c.of, {"problem", "winner"});
    f("ceiling", c.ceiling);
    f("unit", c.unit);
    f("max", c.max);
    f("p95", c.p95);
    f("median", c.median);
    f("seen", c.seen);
}

static void fields(Fields& f, ConfigBefore& before) {
    f.one_of("fate", before.fate, {"replaced", "kept"});
    f.number_or_null("gap", before.gap, std::numeric_limits<double>::infinity());
    if (f.has("gap_high", before.gap_high.has_value())) {
        double high = before.gap_high.value_or(0.0);
        f.number_or_null("gap_high", high, std::numeric_limits<double>::infinity());
        before.gap_high = high;
    }
}

static void fields(Fields& f, GrowthReport& g) {
    f("parameter", g.parameter);
    f("from", g.from);
    f("to", g.to);
}

static void fields(Fields& f, EdgeReport& e) {
    f("parameter", e.parameter);
    f("value", e.value);
    f("reason", e.reason);
}

void fields(Fields& f, TuneResult& r) {
    f.schema(kTuneResultSchema, "tune again");
    f("family", r.family);
    f("title", r.title);
    f("problem", r.problem);
    f("digest", r.digest);
    if (f.has("pattern", !r.pattern.empty())) f("pattern", r.pattern);
    f.one_of("dtype", r.dtype, {"f32", "f64"});
    f("facts", r.facts);
    f("flops_nominal", r.flops_nominal);
    f.inside("machine", [&](Fields& machine) {
        machine("id", r.machine_id);
        machine("name", r.machine_name);
    });
    f.one_of("backend", r.backend, {"cpu", "opencl"});
    f("strategy", r.strategy);
    f("device", r.device);
    f.one_of("state", r.state, {"cold", "warm"});
    f("threads", r.threads, 1);
    f("space_version", r.space_version);
    // What a winner has, or null where no variant works.
    if (f.known("best", !r.best.empty())) {
        f.inside("best", [&](Fields& best) { best_fields(best, r); });
        f("bound", r.bound);
        f("explanation", r.explanation);
    } else {
        f.null("bound", "null beside a \"best\" that is null");
        f.null("explanation", "null beside a \"best\" that is null");
    }
    f("problem_roof_seconds", r.problem_roof_seconds);
    f.inside("naive", [&](Fields& naive) { rival_fields(naive, r.naive, r.naive_ratio, r.naive_seconds); });
    f.inside("default", [&](Fields& fallback) {
        rival_fields(fallback, r.fallback, r.default_ratio, r.default_seconds);
    });
    f("certificate", r.certificate);
    f.inside("files", [&](Fields& files) {
        files.text_or_null("config", r.config_file);
        files.text_or_null("header", r.header_file);
        files.text_or_null("plot", r.plot_file);
    });
    f.inside("plot", [&](Fields& plot) {
        plot("points", r.points);
        plot("ceilings", r.ceilings);
    });
    if (f.has("config_before", !r.config_before.fate.empty())) f("config_before", r.config_before);
    f("resumed", r.resumed);
    f("elapsed_seconds", r.elapsed_seconds);
    if (f.has("budget_seconds", r.budget_seconds != 0.0)) f("budget_seconds", r.budget_seconds);
    if (f.has("finals_seconds", r.finals_seconds != 0.0)) f("finals_seconds", r.finals_seconds);
    if (f.has("setup_seconds", r.setup_seconds != 0.0)) f("setup_seconds", r.setup_seconds);
    if (f.has("waited_seconds", r.waited_seconds != 0.0)) f("waited_seconds", r.waited_seconds);
    // What older results lack.
    if (f.has("course", !r.convergence.empty()))
        f.inside("course", [&](Fields& course) { convergence_fields(course, r.convergence); });
    if (f.has("runner_up", !r.runner_up.empty())) {
        f.inside("runner_up", [&](Fields& second) {
            rival_fields(second, r.runner_up, r.runner_up_ratio, r.runner_up_seconds);
        });
        f.require(!r.runner_up.empty(), "runner_up", "a variant, or no such key");
    }
    if (f.has("needs", r.needs.vector_bits > 0)) f("needs", r.needs);
    if (f.has("binding_ceilings", !r.binding_ceilings.empty())) f("binding_ceilings", r.binding_ceilings);
    if (f.has("grown", !r.grown.empty())) f("grown", r.grown);
    if (f.has("edges", !r.edges.empty())) f("edges", r.edges);
    if (f.has("no_bounds", r.no_bounds)) f("no_bounds", r.no_bounds);
    if (f.has("model_doubts", !r.model_doubts.empty())) f("model_doubts", r.model_doubts);
    if (f.has("failures", !r.failures.empty())) f("failures", r.failures);
    if (f.has("accused", !r.accused.empty())) f("accused", r.accused);
    if (f.has("next", !r.next.empty())) f("next", r.next);
}

Json to_json(const TuneResult& result) {
    Json document;
    write_fields(document, result);
    return document;
}

Json to_json(const std::vector<TuneResult>& results) {
    if (results.size() == 1) return to_json(results.front());
    Json all = Json::array();
    for (const TuneResult& result : results) all.push_back(to_json(result));
    return {{"results", std::move(all)}};
}

std::string json_text(const Json& document) {
    return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

TuneResult result_from(StrictObject object) {
    return read_fields<TuneResult>(std::move(object));
}

std::vector<TuneResult> read_results(const std::string& path) {
    const Json document = read_json_file(path);
    StrictObject object(document, path);
    std::vector<TuneResult> all;
    if (object.has("results")) {
        for (StrictObject& element : object.objects("results"))
            all.push_back(result_from(std::move(element)));
        object.finish();
    } else {
        all.push_back(result_from(std::move(object)));
    }
    return all;
}

}  // namespace rooftune
