#include "tuner/config/result_json.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "tuner/config/explanation_json.h"
#include "tuner/config/json_values.h"

namespace rooftune {
namespace {

/// Time of the naive or default variant over the winner's.
Json json_of_rival(const std::map<std::string, std::string>& variant, const TimeInterval& ratio) {
    return {{"variant", variant},
            {"time_over_best",
             {{"median", finite_or_null(ratio.median)},
              {"low", finite_or_null(ratio.low)},
              {"high", finite_or_null(ratio.high)},
              {"slots", ratio.slots}}}};
}

Json json_of(const BoundReport& bound) {
    Json terms = Json::array();
    for (const TermReport& t : bound.terms)
        terms.push_back({{"kind", t.kind},
                         {"amount", finite_or_null(t.amount)},
                         {"rate", finite_or_null(t.rate)},
                         {"seconds", finite_or_null(t.seconds)},
                         {"ceiling", t.ceiling},
                         {"lever", t.lever},
                         {"demoted", t.demoted},
                         {"beyond", finite_or_null(t.beyond)},
                         {"level", t.level}});
    return {{"seconds_lower", finite_or_null(bound.seconds_lower)},
            {"seconds_serial", finite_or_null(bound.seconds_serial)},
            {"binding", bound.binding},
            {"terms", std::move(terms)}};
}

Json json_of(const CertificateReport& c) {
    Json excluded_by = Json::object();
    for (const auto& [term, count] : c.excluded_by) excluded_by[term] = count;
    return {{"space", c.space},
            {"excluded", c.excluded},
            {"set_aside", c.set_aside},
            {"measured", c.measured},
            {"raced_out", c.raced_out},
            {"failed", c.failed},
            {"failed_environment", c.failed_environment},
            {"unmeasured", c.unmeasured},
            {"gap", finite_or_null(c.gap)},
            {"margin", finite_or_null(c.margin)},
            {"epsilon", finite_or_null(c.epsilon)},
            {"set_aside_factor", finite_or_null(c.set_aside_factor)},
            {"stopped_by", c.stopped_by},
            {"violations", c.violations},
            {"audit",
             {{"measured", c.audit.measured},
              {"violations", c.audit.violations},
              {"regrets", c.audit.regrets},
              {"upper_limit", finite_or_null(c.audit.upper_limit)},
              {"set_aside",
               {{"measured", c.audit.set_aside.measured},
                {"wrong", c.audit.set_aside.wrong},
                {"upper_limit", finite_or_null(c.audit.set_aside.upper_limit)},
                {"ratios", c.audit.set_aside.ratios}}}}},
            {"bounds_evaluated", c.bounds_evaluated},
            {"subtrees_cut", c.subtrees_cut},
            {"excluded_by", std::move(excluded_by)},
            {"slice",
             {{"where", c.slice.where},
              {"space", c.slice.space},
              {"excluded", c.slice.excluded},
              {"set_aside", c.slice.set_aside},
              {"evaluated", c.slice.evaluated},
              {"unmeasured", c.slice.unmeasured}}}};
}

Json json_of_best(const TuneResult& r) {
    return {{"variant", r.best},
            {"seconds", interval_json(r.seconds)},
            {"flops_per_second", finite_or_null(r.flops_nominal / r.seconds.median)},
            {"fraction_of_variant_bound", finite_or_null(r.fraction_of_variant_bound)},
            {"fraction_of_problem_roof", finite_or_null(r.fraction_of_problem_roof)},
            {"fraction_of_roof_now", finite_or_null(r.fraction_of_roof_now)},
            {"speedup_over_naive", finite_or_null(r.speedup_over_naive)},
            {"speedup_over_default", finite_or_null(r.speedup_over_default)},
            {"verified", {{"error", finite_or_null(r.verified_error)}, {"tolerance", 1}}},
            {"prepare_seconds", finite_or_null(r.prepare_seconds)}};
}

Json json_of_plot(const TuneResult& r) {
    Json points = Json::array(), ceilings = Json::array();
    for (const PlotPoint& p : r.points) {
        Json point = {{"label", p.label},
                      {"intensity", finite_or_null(p.intensity)},
                      {"flops_per_second", finite_or_null(p.flops_per_second)},
                      {"kind", p.kind}};
        if (p.high > 0.0) {
            point["low"] = finite_or_null(p.low);
            point["high"] = finite_or_null(p.high);
        }
        if (p.bound > 0.0) point["bound"] = finite_or_null(p.bound);
        if (!p.binding.empty()) point["binding"] = p.binding;
        points.push_back(std::move(point));
    }
    for (const PlotCeiling& c : r.ceilings)
        ceilings.push_back(
            {{"label", c.label}, {"bandwidth", c.bandwidth}, {"rate", finite_or_null(c.rate)}});
    return {{"points", std::move(points)}, {"ceilings", std::move(ceilings)}};
}

Json json_of(const std::vector<CeilingReport>& ceilings) {
    Json all = Json::array();
    for (const CeilingReport& c : ceilings)
        all.push_back({{"of", c.of},
                       {"ceiling", c.ceiling},
                       {"unit", c.unit},
                       {"max", finite_or_null(c.max)},
                       {"p95", finite_or_null(c.p95)},
                       {"median", finite_or_null(c.median)},
                       {"seen", c.seen}});
    return all;
}

/// Column by column: a list of objects would be three times as long.
Json json_of_course(const std::vector<CoursePoint>& course) {
    Json evaluations = Json::array(), best = Json::array(), excluded = Json::array();
    for (const CoursePoint& p : course) {
        evaluations.push_back(p.evaluations);
        best.push_back(finite_or_null(p.best_seconds));
        excluded.push_back(finite_or_null(p.excluded));
    }
    return {{"evaluations", std::move(evaluations)},
            {"best_seconds", std::move(best)},
            {"excluded", std::move(excluded)}};
}

double number_or_null(StrictObject& object, std::string_view key, double when_null) {
    return object.is_null(key) ? when_null : object.number(key, 0.0);
}

std::string path_from(StrictObject& object, std::string_view key) {
    return object.is_null(key) ? std::string() : object.text(key);
}

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

TimeInterval seconds_from(StrictObject object) {
    TimeInterval t;
    t.median = object.number("median", 0.0);
    t.low = object.number("low", 0.0, t.median);
    t.high = object.number("high", t.median);
    t.min = object.number("min", 0.0);
    t.slots = object.small("slots");
    object.finish();
    return t;
}

TimeInterval ratio_from(StrictObject object) {
    TimeInterval t;
    t.median = number_or_null(object, "median", kUnknown);
    t.low = number_or_null(object, "low", kUnknown);
    t.high = number_or_null(object, "high", kUnknown);
    t.slots = object.small("slots");
    object.finish();
    return t;
}

void rival_from(StrictObject object, std::map<std::string, std::string>& variant, TimeInterval& ratio) {
    variant = object.text_map("variant");
    ratio = ratio_from(object.object("time_over_best"));
    object.finish();
}

NeedsReport needs_from(StrictObject object) {
    NeedsReport needs;
    needs.vector_bits = object.small("vector_bits", 1);
    needs.threads = object.small("threads", 1);
    object.finish();
    return needs;
}

std::vector<CeilingReport> binding_ceilings_from(std::vector<StrictObject> objects) {
    std::vector<CeilingReport> all;
    for (StrictObject& object : objects) {
        CeilingReport c;
        c.of = object.one_of("of", {"problem", "winner"});
        c.ceiling = object.text("ceiling");
        c.unit = object.text("unit");
        c.max = object.number("max", 0.0);
        c.p95 = object.number("p95", 0.0);
        c.median = object.number("median", 0.0);
        c.seen = object.text("seen");
        object.finish();
        all.push_back(std::move(c));
    }
    return all;
}

BoundReport bound_from(StrictObject object) {
    BoundReport bound;
    bound.seconds_lower = object.number("seconds_lower", 0.0);
    bound.seconds_serial = object.number("seconds_serial", 0.0);
    bound.binding = object.text("binding");
    for (StrictObject& term : object.objects("terms")) {
        TermReport t;
        t.kind = term.text("kind");
        t.amount = term.number("amount", 0.0);
        t.rate = term.number("rate", 0.0);
        t.seconds = term.number("seconds", 0.0);
        t.ceiling = term.text("ceiling");
        t.lever = term.text("lever");
        t.demoted = term.flag("demoted");
        t.beyond = term.number("beyond", 0.0);
        t.level = term.text("level");
        term.finish();
        bound.terms.push_back(std::move(t));
    }
    object.finish();
    return bound;
}

AuditReport audit_from(StrictObject object) {
    AuditReport audit;
    audit.measured = object.small("measured");
    audit.violations = object.small("violations");
    audit.regrets = object.small("regrets");
    audit.upper_limit = object.number("upper_limit", 0.0, 1.0);
    StrictObject aside = object.object("set_aside");
    audit.set_aside.measured = aside.small("measured");
    audit.set_aside.wrong = aside.small("wrong");
    audit.set_aside.upper_limit = aside.number("upper_limit", 0.0, 1.0);
    audit.set_aside.ratios = aside.numbers("ratios");
    aside.finish();
    object.finish();
    return audit;
}

CertificateReport certificate_from(StrictObject object) {
    CertificateReport c;
    c.space = object.count("space");
    c.excluded = object.count("excluded");
    c.set_aside = object.count("set_aside");
    c.measured = object.count("measured");
    c.raced_out = object.count("raced_out");
    c.failed = object.count("failed");
    c.failed_environment = object.count("failed_environment");
    c.unmeasured = object.count("unmeasured");
    const std::uint64_t sum = c.excluded + c.set_aside + c.measured + c.raced_out + c.failed + c.unmeasured;
    if (c.space != sum) object.fail("space", "the sum of the six classes, " + std::to_string(sum));
    if (c.failed_environment > c.failed)
        object.fail("failed_environment", "at most \"failed\", " + std::to_string(c.failed));
    c.gap = number_or_null(object, "gap", std::numeric_limits<double>::infinity());
    c.margin = object.number("margin", 0.0);
    c.epsilon = object.number("epsilon", 0.0);
    c.set_aside_factor = object.number("set_aside_factor", 0.0, 1.0);
    c.stopped_by = object.one_of("stopped_by", {"epsilon", "budget", "patience", "exhausted", "interrupted"});
    c.violations = object.small("violations");
    c.audit = audit_from(object.object("audit"));
    c.bounds_evaluated = object.count("bounds_evaluated");
    c.subtrees_cut = object.count("subtrees_cut");
    StrictObject excluded_by = object.object("excluded_by");
    for (const auto& [term, count] : object.value("excluded_by").items())
        c.excluded_by[term] = excluded_by.count(term);
    StrictObject slice = object.object("slice");
    c.slice.where = slice.text_map("where");
    c.slice.space = slice.count("space");
    c.slice.excluded = slice.count("excluded");
    c.slice.set_aside = slice.count("set_aside");
    c.slice.evaluated = slice.count("evaluated");
    c.slice.unmeasured = slice.count("unmeasured");
    slice.finish();
    object.finish();
    return c;
}

void best_from(StrictObject object, TuneResult& r) {
    r.best = object.text_map("variant");
    if (r.best.empty()) object.fail("variant", "at least one parameter");
    r.seconds = seconds_from(object.object("seconds"));
    number_or_null(object, "flops_per_second", kUnknown);  // follows from flops_nominal and the median
    r.fraction_of_variant_bound = number_or_null(object, "fraction_of_variant_bound", kUnknown);
    r.fraction_of_problem_roof = number_or_null(object, "fraction_of_problem_roof", kUnknown);
    r.fraction_of_roof_now = number_or_null(object, "fraction_of_roof_now", kUnknown);
    r.speedup_over_naive = number_or_null(object, "speedup_over_naive", kUnknown);
    r.speedup_over_default = number_or_null(object, "speedup_over_default", kUnknown);
    StrictObject verified = object.object("verified");
    r.verified_error = verified.number("error", 0.0, 1.0);
    verified.number("tolerance", 1.0, 1.0);
    verified.finish();
    r.prepare_seconds = object.number("prepare_seconds", 0.0);
    object.finish();
}

void plot_from(StrictObject object, TuneResult& r) {
    for (StrictObject& point : object.objects("points")) {
        PlotPoint p;
        p.label = point.text("label");
        p.intensity = point.number("intensity", 0.0);
        p.flops_per_second = point.number("flops_per_second", 0.0);
        p.kind = point.text("kind");
        p.low = point.number_or("low", 0.0, 0.0);
        p.high = point.number_or("high", 0.0, p.low);
        p.bound = point.number_or("bound", 0.0, 0.0);
        p.binding = point.text_or("binding", "");
        point.finish();
        r.points.push_back(std::move(p));
    }
    for (StrictObject& ceiling : object.objects("ceilings")) {
        PlotCeiling c;
        c.label = ceiling.text("label");
        c.bandwidth = ceiling.flag("bandwidth");
        c.rate = ceiling.number("rate", 0.0);
        ceiling.finish();
        r.ceilings.push_back(std::move(c));
    }
    object.finish();
}

std::vector<CoursePoint> course_from(StrictObject object) {
    const std::vector<std::int64_t> evaluations = object.integers("evaluations");
    const std::vector<double> best = object.numbers("best_seconds"), excluded = object.numbers("excluded");
    if (best.size() != evaluations.size())
        object.fail("best_seconds",
                    "as many numbers as \"evaluations\" has, " + std::to_string(evaluations.size()));
    if (excluded.size() != evaluations.size())
        object.fail("excluded",
                    "as many numbers as \"evaluations\" has, " + std::to_string(evaluations.size()));
    std::vector<CoursePoint> course;
    for (std::size_t i = 0; i < evaluations.size(); ++i) {
        const std::int64_t last = course.empty() ? 0 : course.back().evaluations;
        if (evaluations[i] < last || evaluations[i] > std::numeric_limits<int>::max())
            object.fail("evaluations", "counts that never fall");
        if (!(best[i] > 0.0)) object.fail("best_seconds", "times above 0");
        if (!(excluded[i] >= 0.0 && excluded[i] <= 1.0)) object.fail("excluded", "shares from 0 to 1");
        course.push_back({static_cast<int>(evaluations[i]), best[i], excluded[i]});
    }
    object.finish();
    return course;
}

}  // namespace

Json to_json(const TuneResult& r) {
    Json facts = Json::object();
    for (const auto& [name, v] : r.facts) facts[name] = finite_or_null(v);
    Json document = {{"schema", kTuneResultSchema},
                     {"family", r.family},
                     {"title", r.title},
                     {"problem", r.problem},
                     {"digest", r.digest},
                     {"dtype", r.dtype},
                     {"facts", std::move(facts)},
                     {"flops_nominal", finite_or_null(r.flops_nominal)},
                     {"machine", {{"id", r.machine_id}, {"name", r.machine_name}}},
                     {"backend", r.backend},
                     {"strategy", r.strategy},
                     {"device", r.device},
                     {"state", r.state},
                     {"threads", r.threads},
                     {"space_version", r.space_version},
                     {"best", r.best.empty() ? Json(nullptr) : json_of_best(r)},
                     {"bound", r.best.empty() ? Json(nullptr) : json_of(r.bound)},
                     {"explanation", r.best.empty() ? Json(nullptr) : to_json(r.explanation)},
                     {"problem_roof_seconds", finite_or_null(r.problem_roof_seconds)},
                     {"naive", json_of_rival(r.naive, r.naive_ratio)},
                     {"default", json_of_rival(r.fallback, r.default_ratio)},
                     {"certificate", json_of(r.certificate)},
                     {"files",
                      {{"config", text_or_null(r.config_file)},
                       {"header", text_or_null(r.header_file)},
                       {"plot", text_or_null(r.plot_file)}}},
                     {"plot", json_of_plot(r)},
                     {"resumed", r.resumed},
                     {"elapsed_seconds", finite_or_null(r.elapsed_seconds)}};
    if (!r.course.empty()) document["course"] = json_of_course(r.course);
    if (!r.runner_up.empty()) document["runner_up"] = json_of_rival(r.runner_up, r.runner_up_ratio);
    if (r.needs.vector_bits > 0)
        document["needs"] = {{"vector_bits", r.needs.vector_bits}, {"threads", r.needs.threads}};
    if (!r.binding_ceilings.empty()) document["binding_ceilings"] = json_of(r.binding_ceilings);
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

void refuse_older(StrictObject& object, std::string_view schema) {
    const Json& found = object.value("schema");
    if (!found.is_string()) return;
    const auto& text = found.get_ref<const std::string&>();
    const std::string_view name = schema.substr(0, schema.rfind('/') + 1);
    // Versions so far are one digit, so that texts of equal length compare as numbers do.
    if (!text.starts_with(name) || text.size() != schema.size() || text >= schema) return;
    json_mismatch(object.file(), object.pointer_to("schema"), "the text \"" + std::string(schema) + "\"",
                  describe_json(found) + ", which an older version of this program wrote: tune again");
}

TuneResult result_from(StrictObject object) {
    refuse_older(object, kTuneResultSchema);
    object.schema(kTuneResultSchema);
    TuneResult r;
    r.family = object.text("family");
    r.title = object.text("title");
    r.problem = object.text_map("problem");
    r.digest = object.text("digest");
    r.dtype = object.one_of("dtype", {"f32", "f64"});
    r.facts = object.number_map("facts");
    r.flops_nominal = object.number("flops_nominal", 0.0);
    StrictObject machine = object.object("machine");
    r.machine_id = machine.text("id");
    r.machine_name = machine.text("name");
    machine.finish();
    r.backend = object.one_of("backend", {"cpu", "opencl"});
    r.strategy = object.text("strategy");
    r.device = object.text("device");
    r.state = object.one_of("state", {"cold", "warm"});
    r.threads = object.small("threads", 1);
    r.space_version = object.small("space_version");
    const bool none_works = object.is_null("best");
    if (!none_works) best_from(object.object("best"), r);
    if (!none_works)
        r.bound = bound_from(object.object("bound"));
    else if (!object.is_null("bound"))
        object.fail("bound", "null beside a \"best\" that is null");
    if (!none_works)
        r.explanation = explanation_from(object.object("explanation"));
    else if (!object.is_null("explanation"))
        object.fail("explanation", "null beside a \"best\" that is null");
    r.problem_roof_seconds = object.number("problem_roof_seconds", 0.0);
    rival_from(object.object("naive"), r.naive, r.naive_ratio);
    rival_from(object.object("default"), r.fallback, r.default_ratio);
    r.certificate = certificate_from(object.object("certificate"));
    StrictObject files = object.object("files");
    r.config_file = path_from(files, "config");
    r.header_file = path_from(files, "header");
    r.plot_file = path_from(files, "plot");
    files.finish();
    plot_from(object.object("plot"), r);
    r.resumed = object.small("resumed");
    r.elapsed_seconds = object.number("elapsed_seconds", 0.0);
    if (object.has("course")) r.course = course_from(object.object("course"));
    if (object.has("runner_up")) {
        rival_from(object.object("runner_up"), r.runner_up, r.runner_up_ratio);
        if (r.runner_up.empty()) object.fail("runner_up", "a variant, or no such key");
    }
    if (object.has("needs")) r.needs = needs_from(object.object("needs"));
    if (object.has("binding_ceilings"))
        r.binding_ceilings = binding_ceilings_from(object.objects("binding_ceilings"));
    object.finish();
    return r;
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
