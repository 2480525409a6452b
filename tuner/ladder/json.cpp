#include "tuner/ladder/json.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "tuner/base/folder.h"
#include "tuner/formats/fields.h"
#include "tuner/formats/schema_kind.h"

namespace rooftune::ladder {
namespace {

namespace fs = std::filesystem;

/// The words of the states, in their order.
constexpr std::array<std::string_view, 3> kStates = {"measured", "unchanged", "failed"};

/// A gain, or null at each of its keys.
void gain_fields(Fields& f, std::optional<Gain>& gain) {
    const bool there = f.known("factor", gain.has_value());
    for (const char* key : {"low", "high", "rounds"}) {
        if (there)
            f.require(f.known(key, true), key, "a number, as factor is");
        else
            f.null(key, "null, as factor is");
    }
    if (!there) return gain.reset();
    if (f.reading()) gain.emplace();
    f("factor", gain->factor);
    f("low", gain->low);
    f("high", gain->high);
    f("rounds", gain->rounds);
    f.require(gain->low <= gain->factor && gain->factor <= gain->high, "factor",
              "a number between low and high");
}

void gain_or_null(Fields& f, std::string_view key, std::optional<Gain>& gain) {
    if (f.known(key, gain.has_value())) f.inside(key, [&](Fields& inner) { gain_fields(inner, gain); });
}

void timing_fields(Fields& f, Timing& time, const Result& r) {
    f.positive_or_null("seconds", time.median);
    f.positive_or_null("seconds_low", time.low);
    f.positive_or_null("seconds_high", time.high);
    // The two that follow from the others are written for readers without them.
    double rate = time.median > 0.0 ? r.subject.flops_nominal / time.median : 0.0;
    double fraction = r.fraction(time);
    f.positive_or_null("flops_per_second", rate);
    f.positive_or_null("fraction", fraction);
}

void step_fields(Fields& f, Step& step, const Result& r) {
    f("name", step.name);
    f("why", step.why);
    f("parameters", step.parameters);
    std::string state(kStates.at(static_cast<std::size_t>(step.state)));
    f.one_of("state", state, {kStates[0], kStates[1], kStates[2]});
    step.state = static_cast<StepState>(std::find(kStates.begin(), kStates.end(), state) - kStates.begin());
    f("over", step.over);
    gain_fields(f, step.gain);
    f.require(step.gain.has_value() != (step.state == StepState::failed), "factor",
              step.gain ? "null, since the step failed" : "a number, since the step did not fail");
    timing_fields(f, step.time, r);
    f("variant", step.variant);
    f("change", step.change);
    f.text_or_null("adapted", step.adapted);
    f.text_or_null("failure", step.failure);
    if (f.known("worth", step.worth.has_value())) {
        if (f.reading()) step.worth.emplace();
        f("worth", *step.worth);
    }
}

void subject_fields(Fields& f, Subject& s) {
    f("family", s.family);
    f("problem", s.problem);
    f("title", s.title);
    f("digest", s.digest);
    f("dtype", s.dtype);
    f.one_of("state", s.state, {"cold", "warm"});
    f("backend", s.backend);
    f.text_or_null("device", s.device);
    f("threads", s.threads, 1);
    f("space_version", s.space_version);
    f.inside("machine", [&](Fields& machine) {
        machine("id", s.machine_id);
        machine("name", s.machine_name);
    });
    f("flops_nominal", s.flops_nominal);
}

}  // namespace

static void fields(Fields& f, Worth& worth) {
    gain_fields(f, worth.gain);
    f("variant", worth.variant);
    f.text_or_null("adapted", worth.adapted);
    f.text_or_null("failure", worth.failure);
}

static void fields(Fields& f, Result& r) {
    f.schema(kLadderSchema);
    f("created", r.created);
    subject_fields(f, r.subject);
    f("kernels_build", r.kernels_build);
    f.inside("config", [&](Fields& config) {
        config("file", r.config);
        config("created", r.config_created);
        if (config.has("seconds", r.tuned_seconds > 0.0)) config("seconds", r.tuned_seconds);
    });
    f("rounds", r.rounds);
    f("retaken", r.retaken);
    f("interrupted", r.interrupted);
    f.inside("roof", [&](Fields& roof) {
        roof.positive_or_null("seconds", r.roof_seconds);
        roof.positive_or_null("seconds_now", r.roof_now_seconds);
        roof.text_or_null("ceiling", r.ceiling);
    });
    f.inside("bottom", [&](Fields& bottom) {
        bottom("name", r.bottom_name);
        timing_fields(bottom, r.bottom_time, r);
        bottom("variant", r.bottom);
        bottom.text_or_null("failure", r.bottom_failure);
    });
    f.each("steps", r.steps, [&](Fields& step, Step& value) { step_fields(step, value, r); });
    gain_or_null(f, "whole", r.whole);
    gain_or_null(f, "product", r.product);
    f.require(r.product.has_value() == r.whole.has_value(), "product", "null exactly where whole is");
    const bool judged = f.known("agree", r.whole.has_value());
    f.require(judged == r.whole.has_value(), "agree", "null exactly where whole is");
    if (judged)
        f("agree", r.agrees);
    else
        r.agrees = true;
}

Json to_json(const Result& result) {
    Json document;
    write_fields(document, result);
    return document;
}

Result result_from(const Json& document, const std::string& file) {
    return read_fields<Result>(StrictObject(document, file));
}

bool is_ladder(const std::string& path) {
    return claims_to_be(read_json_file(path), kLadderSchema);
}

std::string ladder_file_of(const std::string& config) {
    return fs::path(config).replace_extension(".ladder.json").string();
}

std::vector<LadderFile> read_ladders(const std::vector<std::string>& paths) {
    std::vector<LadderFile> ladders;
    std::set<std::string> seen;
    const auto add = [&](const std::string& file) {
        if (seen.insert(file_identity(file)).second)
            ladders.push_back({result_from(read_json_file(file), file), file});
    };
    for (const std::string& path : paths) {
        if (is_ladder(path)) add(path);
    }
    for (const std::string& path : paths) {
        const std::string beside = ladder_file_of(path);
        if (!is_ladder(path) && fs::exists(beside)) add(beside);
    }
    return ladders;
}

}  // namespace rooftune::ladder
