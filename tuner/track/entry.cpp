#include "tuner/track/entry.h"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "tuner/formats/fields.h"

namespace rooftune::track {
namespace {

// As in a comparison of two configs: probes err by less.
constexpr double kMostOfAttainable = 1.03;
constexpr double kLeastFactor = 1e-9, kMostFactor = 1e9;
constexpr std::size_t kDigits = 12;

// Not 0, which would make a rate of infinity.
constexpr double kLeastKnown = std::numeric_limits<double>::min();

/// Stricter than a tune's: what was measured here took time and has slots.
void measured_fields(Fields& f, TimeInterval& t) {
    f("median", t.median, kLeastKnown);
    f("low", t.low, kLeastKnown, t.median);
    f("high", t.high, t.median);
    f("min", t.min, kLeastKnown, t.low);
    f("slots", t.slots, 1);
}

}  // namespace

static void fields(Fields& f, LadderStep& step) {
    f("name", step.name);
    f("factor", step.factor, kLeastFactor, kMostFactor);
    f("low", step.low, kLeastFactor, kMostFactor);
    f("high", step.high, kLeastFactor, kMostFactor);
    f.require(step.low <= step.high, "low", "a number that is at most \"high\"");
}

static void fields(Fields& f, Entry& e) {
    f.schema(kEntrySchema);
    f("revision", e.revision);
    f("revision_date", e.revision_date);
    f("at", e.at);
    f("note", e.note);
    f.inside("machine", [&](Fields& machine) {
        machine("id", e.machine);
        machine("name", e.machine_name);
    });
    std::string key = kernel_key(e);
    f("kernel", key);
    f("family", e.family);
    f("title", e.title);
    f("digest", e.digest);
    f("dtype", e.dtype);
    f("backend", e.backend);
    f("state", e.state);
    f("threads", e.threads, 1);
    f("config", e.config);
    f("variant", e.variant);
    f("build", e.build);
    f("outcome", e.outcome);
    f("detail", e.detail);
    if (f.known("seconds", e.seconds.slots > 0))
        f.inside("seconds", [&](Fields& seconds) { measured_fields(seconds, e.seconds); });
    f.require(!e.measured() || e.seconds.slots > 0, "seconds",
              "an object with the time, because the outcome is \"measured\"");
    f("processes", e.processes);
    f.positive_or_null("flops", e.flops, kLeastKnown);
    f.positive_or_null("problem_roof_seconds", e.problem_roof_seconds, kLeastKnown);
    f.positive_or_null("roof_now_seconds", e.roof_now_seconds, kLeastKnown);
    double fraction = e.fraction_of_roof_now();
    f.positive_or_null("fraction_of_roof_now", fraction, kLeastKnown);
    if (f.has("steps", !e.steps.empty())) f("steps", e.steps);
    if (f.has("baseline", !e.baseline.empty())) f("baseline", e.baseline);
    // As text, so that a version of it that nobody reads any more does not take the entry.
    if (f.has("tuned_config", !e.tuned_config.empty())) f("tuned_config", e.tuned_config);
    if (f.has("environment", !e.environment.compiler.empty())) f("environment", e.environment);
    if (f.reading()) {
        e.environment.machine = e.machine;
        e.environment.build = e.build;
    }
    f.require(key == kernel_key(e), "kernel", "\"" + kernel_key(e) + "\", as the other keys say");
}

std::string kernel_key(const Entry& e) {
    return fmt::format("{} ({}, {}, {}, {}) {}", e.title, e.dtype, e.state, e.backend,
                       e.threads == 1 ? std::string("1 thread") : fmt::format("{} threads", e.threads),
                       e.digest.substr(0, kDigits));
}

bool is_implausible(const Entry& e) {
    return e.measured() && e.problem_roof_seconds > kMostOfAttainable * e.seconds.median;
}

Json to_json(const Entry& entry) {
    Json document;
    write_fields(document, entry);
    return document;
}

Entry entry_from(const Json& document, const std::string& from) {
    return read_fields<Entry>(StrictObject(document, from));
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
        if (step.is_null("factor")) continue;
        Fields f(std::move(step));
        fields(f, steps.emplace_back());
    }
    if (steps.empty()) object.fail("steps", "at least one step with a factor");
    return steps;
}

}  // namespace rooftune::track
