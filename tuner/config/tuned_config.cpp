#include "tuner/config/tuned_config.h"

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "tuner/config/atomic_file.h"
#include "tuner/config/date.h"
#include "tuner/config/result_json.h"
#include "tuner/config/schema_kind.h"

namespace rooftune {
namespace {

/// The keys at the top that repeat a fact of the result, in the order of the file.
Json repeated_facts(const TuneResult& r) {
    const Json document = to_json(r);
    Json facts = Json::object();
    facts["fingerprint"] = r.machine_id;
    for (const char* key :
         {"family", "space_version", "problem", "digest", "dtype", "backend", "device", "state", "threads"})
        facts[key] = document.at(key);
    facts["variant"] = r.best;
    facts["default_variant"] = r.fallback;
    facts["seconds"] = document.at("best").at("seconds");
    return facts;
}

/// Equal as sets of keys and values; `==` of ordered objects also asks for the same order.
bool same(const Json& a, const Json& b) {
    if (!a.is_object() || !b.is_object()) return a == b;
    if (a.size() != b.size()) return false;
    for (const auto& [key, value] : a.items()) {
        const auto other = b.find(key);
        if (other == b.end() || !same(value, *other)) return false;
    }
    return true;
}

}  // namespace

TunedConfig tuned_config_of(const TuneResult& result, std::string compiler, std::string kernels_build) {
    if (result.best.empty()) throw std::invalid_argument("a tuned config needs a winner");
    return {result, utc_now(), std::move(compiler), std::move(kernels_build)};
}

Json to_json(const TunedConfig& config) {
    Json document = {{"schema", kTunedConfigSchema}, {"created", config.created}};
    document.update(repeated_facts(config.result));
    document["compiler"] = config.compiler;
    document["kernels_build"] = config.kernels_build;
    document["result"] = to_json(config.result);
    return document;
}

TunedConfig tuned_config_from(const Json& document, const std::string& file) {
    StrictObject object(document, file);
    refuse_older(object, kTunedConfigSchema);
    object.schema(kTunedConfigSchema);
    TunedConfig config;
    config.created = object.text("created");
    config.compiler = object.text("compiler");
    config.kernels_build = object.text("kernels_build");
    config.result = result_from(object.object("result"));
    if (config.result.best.empty()) object.object("result").fail("best", "a winner");
    const Json facts = repeated_facts(config.result);
    for (const auto& [key, value] : facts.items())
        if (!same(object.value(key), value)) object.fail(key, "what \"result\" says, " + value.dump());
    object.finish();
    return config;
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
