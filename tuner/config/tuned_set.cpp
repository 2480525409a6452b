#include "tuner/config/tuned_set.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "tuner/config/atomic_file.h"
#include "tuner/config/json_values.h"
#include "tuner/config/result_json.h"
#include "tuner/config/schema_kind.h"

namespace rooftune {
namespace {

Json json_of_ratio(const TimeInterval& t) {
    return {{"median", t.median}, {"low", t.low}, {"high", t.high}, {"slots", t.slots}};
}

Json json_of(const LeftOut& l) {
    return {{"nearest", l.nearest},
            {"distance", l.distance},
            {"variant", l.variant},
            {"changed", l.changed},
            {"works", l.works},
            {"time_over_best", l.works ? json_of_ratio(l.ratio) : Json(nullptr)},
            {"default_over_best", l.default_ratio > 0.0 ? finite_or_null(l.default_ratio) : Json(nullptr)}};
}

Json json_of(const TunedProblem& p) {
    return {{"problem", p.problem},
            {"title", p.title},
            {"digest", p.digest},
            {"features", p.features},
            {"variant", p.best},
            {"default_variant", p.fallback},
            {"seconds", interval_json(p.seconds)},
            {"stopped_by", p.stopped_by},
            {"gap", finite_or_null(p.gap)},
            {"audit", {{"measured", p.audited}, {"violations", p.violations}, {"regrets", p.regrets}}},
            {"config", p.config},
            {"left_out", p.left_out ? json_of(*p.left_out) : Json(nullptr)}};
}

Json json_of(const TunedGroup& g) {
    Json features = Json::array(), problems = Json::array();
    for (std::size_t i = 0; i < g.features.size(); ++i)
        features.push_back({{"name", g.features[i]}, {"scale", g.scales[i]}});
    for (const TunedProblem& p : g.problems) problems.push_back(json_of(p));
    return {{"family", g.family},
            {"space_version", g.space_version},
            {"dtype", g.dtype},
            {"backend", g.backend},
            {"device", g.device},
            {"state", g.state},
            {"threads", g.threads},
            {"rule", {{"text", rule_text()}, {"features", std::move(features)}, {"reach", g.reach}}},
            {"problems", std::move(problems)}};
}

TimeInterval interval_from(StrictObject object, bool with_min) {
    TimeInterval t;
    t.median = object.number("median", 0.0);
    t.low = object.number("low", 0.0, t.median);
    t.high = object.number("high", t.median);
    if (with_min) t.min = object.number("min", 0.0);
    t.slots = object.small("slots");
    object.finish();
    return t;
}

LeftOut left_out_from(StrictObject object, std::size_t problems, std::size_t self) {
    LeftOut l;
    l.nearest = object.small("nearest");
    const auto nearest = static_cast<std::size_t>(l.nearest);
    if (nearest >= problems || nearest == self)
        object.fail("nearest", "the place of another problem of the group, counted from 0");
    l.distance = object.number("distance", 0.0);
    l.variant = object.text_map("variant");
    l.changed = object.small("changed");
    l.works = object.flag("works");
    if (l.works) {
        l.ratio = interval_from(object.object("time_over_best"), false);
    } else if (!object.is_null("time_over_best")) {
        object.fail("time_over_best", "null, because the variant does not work");
    }
    l.default_ratio = object.is_null("default_over_best") ? 0.0 : object.number("default_over_best", 0.0);
    object.finish();
    return l;
}

TunedProblem problem_from(StrictObject object, std::size_t features, std::size_t problems, std::size_t self) {
    TunedProblem p;
    p.problem = object.text_map("problem");
    p.title = object.text("title");
    p.digest = object.text("digest");
    p.features = object.numbers("features");
    if (p.features.size() != features)
        object.fail("features", "as many numbers as the rule has features, " + std::to_string(features));
    p.best = object.text_map("variant");
    if (p.best.empty()) object.fail("variant", "a variant");
    p.fallback = object.text_map("default_variant");
    p.seconds = interval_from(object.object("seconds"), true);
    p.stopped_by = object.text("stopped_by");
    p.gap = object.is_null("gap") ? std::numeric_limits<double>::infinity() : object.number("gap", 0.0);
    StrictObject audit = object.object("audit");
    p.audited = audit.small("measured");
    p.violations = audit.small("violations");
    p.regrets = audit.small("regrets");
    audit.finish();
    p.config = object.text("config");
    if (!object.is_null("left_out")) p.left_out = left_out_from(object.object("left_out"), problems, self);
    object.finish();
    return p;
}

TunedGroup group_from(StrictObject object) {
    TunedGroup g;
    g.family = object.text("family");
    g.space_version = object.small("space_version");
    g.dtype = object.one_of("dtype", {"f32", "f64"});
    g.backend = object.one_of("backend", {"cpu", "opencl"});
    g.device = object.text("device");
    g.state = object.one_of("state", {"warm", "cold"});
    g.threads = object.small("threads", 1);
    StrictObject rule = object.object("rule");
    if (rule.text("text") != rule_text())
        rule.fail("text", "the rule of this version, \"" + rule_text() + "\"");
    for (StrictObject& feature : rule.objects("features")) {
        g.features.push_back(feature.text("name"));
        g.scales.push_back(feature.number("scale", std::numeric_limits<double>::min()));
        feature.finish();
    }
    g.reach = rule.number("reach", 0.0);
    rule.finish();
    std::vector<StrictObject> problems = object.objects("problems");
    for (std::size_t i = 0; i < problems.size(); ++i)
        g.problems.push_back(problem_from(problems[i], g.features.size(), problems.size(), i));
    object.finish();
    return g;
}

}  // namespace

std::string rule_text() {
    return "Take the variant of the problem with the least distance, the square root of the sum of "
           "((feature - its feature) / scale)^2, if that is at most the reach; where the variant does not "
           "exist "
           "for the new problem, take the nearest that does. Beyond the reach take the default variant.";
}

Json to_json(const TunedSet& set) {
    Json groups = Json::array(), untuned = Json::array();
    for (const TunedGroup& g : set.groups) groups.push_back(json_of(g));
    for (const UntunedProblem& u : set.untuned)
        untuned.push_back({{"family", u.family}, {"problem", u.problem}, {"why", u.why}});
    return {
        {"schema", kTunedSetSchema},   {"created", set.created},      {"fingerprint", set.machine_id},
        {"machine", set.machine_name}, {"compiler", set.compiler},    {"kernels_build", set.kernels_build},
        {"complete", set.complete},    {"groups", std::move(groups)}, {"untuned", std::move(untuned)}};
}

TunedSet tuned_set_from(const Json& document, const std::string& file) {
    StrictObject object(document, file);
    refuse_older(object, kTunedSetSchema);
    object.schema(kTunedSetSchema);
    TunedSet set;
    set.created = object.text("created");
    set.machine_id = object.text("fingerprint");
    set.machine_name = object.text("machine");
    set.compiler = object.text("compiler");
    set.kernels_build = object.text("kernels_build");
    set.complete = object.flag("complete");
    for (StrictObject& group : object.objects("groups")) set.groups.push_back(group_from(group));
    for (StrictObject& entry : object.objects("untuned")) {
        set.untuned.push_back({entry.text("family"), entry.text_map("problem"), entry.text("why")});
        entry.finish();
    }
    object.finish();
    return set;
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
