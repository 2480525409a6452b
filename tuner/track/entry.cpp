#include "tuner/track/entry.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace rooftune::track {
namespace {

// As in a comparison of two configs: probes err by less.
constexpr double kMostOfAttainable = 1.03;
constexpr double kLeastFactor = 1e-9, kMostFactor = 1e9;
constexpr std::size_t kDigits = 12;

Json known(double value) {
    return std::isfinite(value) && value > 0.0 ? Json(value) : Json(nullptr);
}

double or_zero(StrictObject& object, std::string_view key) {
    return object.is_null(key) ? 0.0 : object.number(key, std::numeric_limits<double>::min());
}

LadderStep step_from(StrictObject& object) {
    LadderStep step;
    step.name = object.text("name");
    step.factor = object.number("factor", kLeastFactor, kMostFactor);
    step.low = object.number("low", kLeastFactor, kMostFactor);
    step.high = object.number("high", kLeastFactor, kMostFactor);
    if (step.low > step.high) object.fail("low", "a number that is at most \"high\"");
    return step;
}

Json to_json(const std::vector<LadderStep>& steps) {
    Json list = Json::array();
    for (const LadderStep& s : steps)
        list.push_back({{"name", s.name}, {"factor", s.factor}, {"low", s.low}, {"high", s.high}});
    return list;
}

TimeInterval seconds_from(StrictObject object) {
    constexpr double kLeast = std::numeric_limits<double>::min();
    TimeInterval t;
    t.median = object.number("median", kLeast);
    t.low = object.number("low", kLeast, t.median);
    t.high = object.number("high", t.median);
    t.min = object.number("min", kLeast, t.low);
    t.slots = object.small("slots", 1);
    object.finish();
    return t;
}

}  // namespace

std::string kernel_key(const Entry& e) {
    return fmt::format("{} ({}, {}, {}, {}) {}", e.title, e.dtype, e.state, e.backend,
                       e.threads == 1 ? std::string("1 thread") : fmt::format("{} threads", e.threads),
                       e.digest.substr(0, kDigits));
}

bool is_implausible(const Entry& e) {
    return e.measured() && e.problem_roof_seconds > kMostOfAttainable * e.seconds.median;
}

Json to_json(const Entry& e) {
    Json json = {{"schema", kEntrySchema},
                 {"revision", e.revision},
                 {"revision_date", e.revision_date},
                 {"at", e.at},
                 {"note", e.note},
                 {"machine", {{"id", e.machine}, {"name", e.machine_name}}},
                 {"kernel", kernel_key(e)},
                 {"family", e.family},
                 {"title", e.title},
                 {"digest", e.digest},
                 {"dtype", e.dtype},
                 {"backend", e.backend},
                 {"state", e.state},
                 {"threads", e.threads},
                 {"config", e.config},
                 {"variant", e.variant},
                 {"build", e.build},
                 {"outcome", e.outcome},
                 {"detail", e.detail}};
    const TimeInterval& t = e.seconds;
    json["seconds"] =
        t.slots > 0
            ? Json{{"median", t.median}, {"low", t.low}, {"high", t.high}, {"min", t.min}, {"slots", t.slots}}
            : Json(nullptr);
    json["processes"] = e.processes;
    json["flops"] = known(e.flops);
    json["problem_roof_seconds"] = known(e.problem_roof_seconds);
    json["roof_now_seconds"] = known(e.roof_now_seconds);
    json["fraction_of_roof_now"] = known(e.fraction_of_roof_now());
    if (!e.steps.empty()) json["steps"] = to_json(e.steps);
    return json;
}

Entry entry_from(const Json& document, const std::string& from) {
    StrictObject object(document, from);
    object.schema(kEntrySchema);
    Entry e;
    e.revision = object.text("revision");
    e.revision_date = object.text("revision_date");
    e.at = object.text("at");
    e.note = object.text("note");
    StrictObject machine = object.object("machine");
    e.machine = machine.text("id");
    e.machine_name = machine.text("name");
    machine.finish();
    const std::string key = object.text("kernel");
    e.family = object.text("family");
    e.title = object.text("title");
    e.digest = object.text("digest");
    e.dtype = object.text("dtype");
    e.backend = object.text("backend");
    e.state = object.text("state");
    e.threads = object.small("threads", 1);
    e.config = object.text("config");
    e.variant = object.text_map("variant");
    e.build = object.text("build");
    e.outcome = object.text("outcome");
    e.detail = object.text("detail");
    if (!object.is_null("seconds")) e.seconds = seconds_from(object.object("seconds"));
    if (e.measured() && e.seconds.slots == 0)
        object.fail("seconds", "an object with the time, because the outcome is \"measured\"");
    e.processes = object.small("processes");
    e.flops = or_zero(object, "flops");
    e.problem_roof_seconds = or_zero(object, "problem_roof_seconds");
    e.roof_now_seconds = or_zero(object, "roof_now_seconds");
    or_zero(object, "fraction_of_roof_now");
    if (object.has("steps")) {
        for (StrictObject& step : object.objects("steps")) {
            e.steps.push_back(step_from(step));
            step.finish();
        }
    }
    object.finish();
    if (key != kernel_key(e)) object.fail("kernel", "\"" + kernel_key(e) + "\", as the other keys say");
    return e;
}

std::vector<LadderStep> read_ladder_steps(const std::string& path, const std::string& digest) {
    const Json document = read_json_file(path);
    StrictObject object(document, path);
    if (object.text("digest") != digest)
        object.fail("digest",
                    "\"" + digest + "\", the problem that is recorded (this is another problem's ladder)");
    std::vector<LadderStep> steps;
    // The document says more about itself and about each step; only these are kept.
    for (StrictObject& step : object.objects("steps")) {
        if (!step.is_null("factor")) steps.push_back(step_from(step));
    }
    if (steps.empty()) object.fail("steps", "at least one step with a factor");
    return steps;
}

}  // namespace rooftune::track
