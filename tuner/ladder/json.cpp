#include "tuner/ladder/json.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tuner/config/json_values.h"
#include "tuner/config/schema_kind.h"

namespace rooftune::ladder {
namespace {

namespace fs = std::filesystem;

void put(Json& json, const std::optional<Gain>& gain) {
    json["factor"] = gain ? Json(gain->factor) : Json(nullptr);
    json["low"] = gain ? Json(gain->low) : Json(nullptr);
    json["high"] = gain ? Json(gain->high) : Json(nullptr);
    json["rounds"] = gain ? Json(gain->rounds) : Json(nullptr);
}

Json gain_json(const std::optional<Gain>& gain) {
    if (!gain) return nullptr;
    Json json = Json::object();
    put(json, gain);
    return json;
}

void put(Json& json, const Timing& time, const Result& r) {
    json["seconds"] = positive_or_null(time.median);
    json["seconds_low"] = positive_or_null(time.low);
    json["seconds_high"] = positive_or_null(time.high);
    json["flops_per_second"] =
        positive_or_null(time.median > 0.0 ? r.subject.flops_nominal / time.median : 0.0);
    json["fraction"] = positive_or_null(r.fraction(time));
}

const char* to_text(StepState state) {
    switch (state) {
        case StepState::measured:
            return "measured";
        case StepState::unchanged:
            return "unchanged";
        case StepState::failed:
            return "failed";
    }
    return "failed";
}

Json worth_json(const std::optional<Worth>& worth) {
    if (!worth) return nullptr;
    Json json = Json::object();
    put(json, worth->gain);
    json["variant"] = worth->variant;
    json["adapted"] = text_or_null(worth->adapted);
    json["failure"] = text_or_null(worth->failure);
    return json;
}

Json step_json(const Step& step, const Result& r) {
    Json json = {{"name", step.name},
                 {"why", step.why},
                 {"parameters", step.parameters},
                 {"state", to_text(step.state)},
                 {"over", step.over}};
    put(json, step.gain);
    put(json, step.time, r);
    json["variant"] = step.variant;
    json["change"] = step.change;
    json["adapted"] = text_or_null(step.adapted);
    json["failure"] = text_or_null(step.failure);
    json["worth"] = worth_json(step.worth);
    return json;
}

// --- and back -------------------------------------------------------------------------------------

double positive_from(StrictObject& o, std::string_view key) {
    return o.is_null(key) ? 0.0 : o.number(key, 0.0);
}

std::string text_from(StrictObject& o, std::string_view key) {
    return o.is_null(key) ? "" : o.text(key);
}

std::optional<Gain> gain_in(StrictObject& o) {
    const bool none = o.is_null("factor");
    for (const char* key : {"low", "high", "rounds"}) {
        if (o.is_null(key) != none) o.fail(key, none ? "null, as factor is" : "a number, as factor is");
    }
    if (none) return std::nullopt;
    Gain gain{o.number("factor", 0.0), o.number("low", 0.0), o.number("high", 0.0), o.small("rounds")};
    if (!(gain.low <= gain.factor && gain.factor <= gain.high))
        o.fail("factor", "a number between low and high");
    return gain;
}

std::optional<Gain> gain_from(StrictObject& parent, std::string_view key) {
    if (parent.is_null(key)) return std::nullopt;
    StrictObject o = parent.object(key);
    const std::optional<Gain> gain = gain_in(o);
    o.finish();
    return gain;
}

Timing timing_in(StrictObject& o) {
    // The two that follow from the others are written for readers without them.
    positive_from(o, "flops_per_second");
    positive_from(o, "fraction");
    return {positive_from(o, "seconds"), positive_from(o, "seconds_low"), positive_from(o, "seconds_high")};
}

Step step_from(StrictObject& o) {
    Step step;
    step.name = o.text("name");
    step.why = o.text("why");
    step.parameters = o.texts("parameters");
    const std::string state = o.one_of("state", {"measured", "unchanged", "failed"});
    step.state = state == "measured"    ? StepState::measured
                 : state == "unchanged" ? StepState::unchanged
                                        : StepState::failed;
    step.over = o.text("over");
    step.gain = gain_in(o);
    if (step.gain.has_value() == (step.state == StepState::failed))
        o.fail("factor", step.gain ? "null, since the step failed" : "a number, since the step did not fail");
    step.time = timing_in(o);
    step.variant = o.text_map("variant");
    step.change = o.text("change");
    step.adapted = text_from(o, "adapted");
    step.failure = text_from(o, "failure");
    if (!o.is_null("worth")) {
        StrictObject w = o.object("worth");
        Worth worth;
        worth.gain = gain_in(w);
        worth.variant = w.text_map("variant");
        worth.adapted = text_from(w, "adapted");
        worth.failure = text_from(w, "failure");
        w.finish();
        step.worth = std::move(worth);
    }
    o.finish();
    return step;
}

Subject subject_in(StrictObject& o) {
    Subject s;
    s.family = o.text("family");
    s.problem = o.text_map("problem");
    s.title = o.text("title");
    s.digest = o.text("digest");
    s.dtype = o.text("dtype");
    s.state = o.one_of("state", {"cold", "warm"});
    s.backend = o.text("backend");
    s.device = text_from(o, "device");
    s.threads = o.small("threads", 1);
    s.space_version = o.small("space_version");
    StrictObject machine = o.object("machine");
    s.machine_id = machine.text("id");
    s.machine_name = machine.text("name");
    machine.finish();
    s.flops_nominal = o.number("flops_nominal", 0.0);
    return s;
}

}  // namespace

Json to_json(const Result& r) {
    const Subject& s = r.subject;
    Json json = {{"schema", kLadderSchema},
                 {"created", r.created},
                 {"family", s.family},
                 {"problem", s.problem},
                 {"title", s.title},
                 {"digest", s.digest},
                 {"dtype", s.dtype},
                 {"state", s.state},
                 {"backend", s.backend},
                 {"device", text_or_null(s.device)},
                 {"threads", s.threads},
                 {"space_version", s.space_version},
                 {"machine", {{"id", s.machine_id}, {"name", s.machine_name}}},
                 {"flops_nominal", s.flops_nominal},
                 {"kernels_build", r.kernels_build},
                 {"config", {{"file", r.config}, {"created", r.config_created}}},
                 {"rounds", r.rounds},
                 {"retaken", r.retaken},
                 {"interrupted", r.interrupted},
                 {"roof",
                  {{"seconds", positive_or_null(r.roof_seconds)},
                   {"seconds_now", positive_or_null(r.roof_now_seconds)},
                   {"ceiling", text_or_null(r.ceiling)}}}};
    Json bottom = {{"name", r.bottom_name}};
    put(bottom, r.bottom_time, r);
    bottom["variant"] = r.bottom;
    bottom["failure"] = text_or_null(r.bottom_failure);
    json["bottom"] = std::move(bottom);
    json["steps"] = Json::array();
    for (const Step& step : r.steps) json["steps"].push_back(step_json(step, r));
    json["whole"] = gain_json(r.whole);
    json["product"] = gain_json(r.product);
    json["agree"] = r.whole ? Json(r.agrees) : Json(nullptr);
    return json;
}

Result result_from(const Json& document, const std::string& file) {
    StrictObject o(document, file);
    o.schema(kLadderSchema);
    Result r;
    r.created = o.text("created");
    r.subject = subject_in(o);
    r.kernels_build = o.text("kernels_build");
    StrictObject config = o.object("config");
    r.config = config.text("file");
    r.config_created = config.text("created");
    config.finish();
    r.rounds = o.small("rounds");
    r.retaken = o.small("retaken");
    r.interrupted = o.flag("interrupted");
    StrictObject roof = o.object("roof");
    r.roof_seconds = positive_from(roof, "seconds");
    r.roof_now_seconds = positive_from(roof, "seconds_now");
    r.ceiling = text_from(roof, "ceiling");
    roof.finish();
    StrictObject bottom = o.object("bottom");
    r.bottom_name = bottom.text("name");
    r.bottom_time = timing_in(bottom);
    r.bottom = bottom.text_map("variant");
    r.bottom_failure = text_from(bottom, "failure");
    bottom.finish();
    for (StrictObject& step : o.objects("steps")) r.steps.push_back(step_from(step));
    r.whole = gain_from(o, "whole");
    r.product = gain_from(o, "product");
    if (r.product.has_value() != r.whole.has_value()) o.fail("product", "null exactly where whole is");
    if (o.is_null("agree") == r.whole.has_value()) o.fail("agree", "null exactly where whole is");
    r.agrees = o.is_null("agree") || o.flag("agree");
    o.finish();
    return r;
}

bool is_ladder(const std::string& path) {
    return claims_to_be(read_json_file(path), kLadderSchema);
}

std::string ladder_file_of(const std::string& config) {
    return fs::path(config).replace_extension(".ladder.json").string();
}

std::vector<LadderFile> read_ladders(const std::vector<std::string>& paths) {
    std::vector<std::string> files;
    const auto add = [&](const std::string& file) {
        const auto same = [&](const std::string& other) {
            std::error_code none;
            return other == file || fs::equivalent(other, file, none);
        };
        if (std::none_of(files.begin(), files.end(), same)) files.push_back(file);
    };
    for (const std::string& path : paths) {
        if (is_ladder(path)) add(path);
    }
    for (const std::string& path : paths) {
        const std::string beside = ladder_file_of(path);
        if (!is_ladder(path) && fs::exists(beside)) add(beside);
    }
    std::vector<LadderFile> ladders;
    for (const std::string& file : files) ladders.push_back({result_from(read_json_file(file), file), file});
    return ladders;
}

}  // namespace rooftune::ladder
