#include "tuner/formats/tuned_config.h"

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "tuner/base/atomic_file.h"
#include "tuner/base/date.h"
#include "tuner/formats/fields.h"
#include "tuner/formats/result_json.h"
#include "tuner/formats/schema_kind.h"

namespace rooftune {
namespace {

/// The keys at the top that repeat a fact of the result, for readers that look no further.
void repeated_fields(Fields& f, const TuneResult& r) {
    const Json document = to_json(r);
    const auto repeat = [&](const char* key, const Json& value) { f.follows(key, value, "\"result\""); };
    repeat("fingerprint", r.machine_id);
    for (const char* key :
         {"family", "space_version", "problem", "digest", "dtype", "backend", "device", "state", "threads"})
        repeat(key, document.at(key));
    repeat("variant", r.best);
    repeat("default_variant", r.fallback);
    repeat("seconds", document.at("best").at("seconds"));
}

}  // namespace

static void fields(Fields& f, TunedConfig& config) {
    f.schema(kTunedConfigSchema, "tune again");
    f("created", config.created);
    if (!f.reading()) repeated_fields(f, config.result);
    f("compiler", config.compiler);
    f("kernels_build", config.kernels_build);
    f.inside("result", [&](Fields& result) {
        fields(result, config.result);
        result.require(!config.result.best.empty(), "best", "a winner");
    });
    // Only now is it known what they are to say.
    if (f.reading()) repeated_fields(f, config.result);
}

TunedConfig tuned_config_of(const TuneResult& result, std::string compiler, std::string kernels_build) {
    if (result.best.empty()) throw std::invalid_argument("a tuned config needs a winner");
    return {result, utc_now(), std::move(compiler), std::move(kernels_build)};
}

Json to_json(const TunedConfig& config) {
    Json document;
    write_fields(document, config);
    return document;
}

TunedConfig tuned_config_from(const Json& document, const std::string& file) {
    return read_fields<TunedConfig>(StrictObject(document, file));
}

TunedConfig read_tuned_config(const std::string& path) {
    return tuned_config_from(read_json_file(path), path);
}

std::vector<TuneResult> read_results_or_config(const std::string& path) {
    const Json document = read_json_file(path);
    if (claims_to_be(document, kTunedConfigSchema)) return {tuned_config_from(document, path).result};
    return read_results(path);
}

void write_tuned_config(const std::string& path, const TunedConfig& config) {
    write_atomically(path, json_text(to_json(config)));
}

bool applies_to(const TunedConfig& config, std::string_view fingerprint) {
    return config.result.machine_id == fingerprint;
}

}  // namespace rooftune
