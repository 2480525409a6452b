#include "tuner/formats/tuned_set.h"

#include <limits>
#include <nlohmann/json.hpp>

#include "tuner/base/atomic_file.h"
#include "tuner/formats/fields.h"
#include "tuner/formats/json_values.h"
#include "tuner/formats/result_json.h"
#include "tuner/formats/schema_kind.h"

namespace rooftune {
namespace {

void left_out_fields(Fields& f, LeftOut& l, std::size_t problems, std::size_t self) {
    f("nearest", l.nearest);
    const auto nearest = static_cast<std::size_t>(l.nearest);
    f.require(nearest < problems && nearest != self, "nearest",
              "the place of another problem of the group, counted from 0");
    f("distance", l.distance);
    f("variant", l.variant);
    f("changed", l.changed);
    f("works", l.works);
    if (l.works) {
        f.inside("time_over_best", [&](Fields& time) {
            time("median", l.ratio.median);
            time("low", l.ratio.low, 0.0, l.ratio.median);
            time("high", l.ratio.high, l.ratio.median);
            time("slots", l.ratio.slots);
        });
    } else {
        f.null("time_over_best", "null, because the variant does not work");
    }
    f.positive_or_null("default_over_best", l.default_ratio);
}

/// `self` is the place of this problem among those of its group.
void problem_fields(Fields& f, TunedProblem& p, const TunedGroup& group, std::size_t self) {
    f("problem", p.problem);
    f("title", p.title);
    f("digest", p.digest);
    f("features", p.features);
    f.require(p.features.size() == group.features.size(), "features",
              "as many numbers as the rule has features, " + std::to_string(group.features.size()));
    f("variant", p.best);
    f.require(!p.best.empty(), "variant", "a variant");
    f("default_variant", p.fallback);
    f("seconds", p.seconds);
    f("stopped_by", p.stopped_by);
    f.number_or_null("gap", p.gap, std::numeric_limits<double>::infinity());
    f.inside("audit", [&](Fields& audit) {
        audit("measured", p.audited);
        audit("violations", p.violations);
        audit("regrets", p.regrets);
    });
    f("config", p.config);
    if (f.known("left_out", p.left_out.has_value())) {
        if (f.reading()) p.left_out.emplace();
        f.inside("left_out",
                 [&](Fields& l) { left_out_fields(l, *p.left_out, group.problems.size(), self); });
    }
}

void rule_fields(Fields& f, TunedGroup& g) {
    std::string text = rule_text();
    f("text", text);
    f.require(text == rule_text(), "text", "the rule of this version, \"" + rule_text() + "\"");
    // Name and scale stand side by side in the file, and in columns where they are used.
    std::vector<std::pair<std::string, double>> features;
    for (std::size_t i = 0; i < g.features.size(); ++i) features.emplace_back(g.features[i], g.scales[i]);
    f.each("features", features, [](Fields& feature, std::pair<std::string, double>& value) {
        feature("name", value.first);
        feature("scale", value.second, std::numeric_limits<double>::min());
    });
    g.features.clear();
    g.scales.clear();
    for (const auto& [name, scale] : features) {
        g.features.push_back(name);
        g.scales.push_back(scale);
    }
    f("reach", g.reach);
}

}  // namespace

static void fields(Fields& f, TunedGroup& g) {
    f("family", g.family);
    f("space_version", g.space_version);
    f.one_of("dtype", g.dtype, {"f32", "f64"});
    f.one_of("backend", g.backend, {"cpu", "opencl"});
    f("device", g.device);
    f.one_of("state", g.state, {"warm", "cold"});
    f("threads", g.threads, 1);
    f.inside("rule", [&](Fields& rule) { rule_fields(rule, g); });
    std::size_t place = 0;
    f.each("problems", g.problems,
           [&](Fields& p, TunedProblem& problem) { problem_fields(p, problem, g, place++); });
}

static void fields(Fields& f, UntunedProblem& u) {
    f("family", u.family);
    f("problem", u.problem);
    f("why", u.why);
}

static void fields(Fields& f, TunedSet& set) {
    f.schema(kTunedSetSchema, "tune again");
    f("created", set.created);
    f("fingerprint", set.machine_id);
    f("machine", set.machine_name);
    f("compiler", set.compiler);
    f("kernels_build", set.kernels_build);
    f("complete", set.complete);
    f("groups", set.groups);
    f("untuned", set.untuned);
}

std::string rule_text() {
    return "Take the variant of the problem with the least distance, the square root of the sum of "
           "((feature - its feature) / scale)^2, if that is at most the reach; where the variant does not "
           "exist "
           "for the new problem, take the nearest that does. Beyond the reach take the default variant.";
}

Json to_json(const TunedSet& set) {
    Json document;
    write_fields(document, set);
    return document;
}

TunedSet tuned_set_from(const Json& document, const std::string& file) {
    return read_fields<TunedSet>(StrictObject(document, file));
}

TunedSet read_tuned_set(const std::string& path) {
    return tuned_set_from(read_json_file(path), path);
}

bool is_tuned_set(const std::string& path) {
    return claims_to_be(read_json_file(path), kTunedSetSchema);
}

void write_tuned_set(const std::string& path, const TunedSet& set) {
    write_atomically(path, json_text(to_json(set)));
}

}  // namespace rooftune
