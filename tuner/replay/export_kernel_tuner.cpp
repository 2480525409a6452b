// Kernel Tuner takes a cache for closed only when it ends in "}", newline, "}" (util.correct_open_cache), and
// then cuts these three characters off to append to it: the layout here is not a matter of taste.
#include <nlohmann/json.hpp>

#include "kernels/contract/family.h"
#include "tuner/replay/export_formats.h"
#include "tuner/replay/formats.h"
#include "tuner/replay/parameters.h"

namespace rooftune {
namespace {

// What names an entry: its values with commas between, as Python spells them.
std::string key_of(const Json& parameters) {
    std::string key;
    for (const auto& [name, value] : parameters.items())
        key += (key.empty() ? "" : ",") + (value.is_string() ? value.get<std::string>() : value.dump());
    return key;
}

// Kernel Tuner wants whole numbers, three at most, and compares them when a cache is used again.
Json problem_size(const ProblemSpec& problem) {
    constexpr std::size_t kMost = 3;
    Json sizes = Json::array();
    for (const char* key : {"nx", "ny", "nz", "m", "n", "k"}) {
        const auto at = problem.find(key);
        if (at == problem.end() || sizes.size() == kMost) continue;
        const Json value = value_json(at->second);
        if (value.is_number_integer()) sizes.push_back(value);
    }
    return sizes.empty() ? Json::array({1}) : sizes;
}

Json entry_of(const RecordedJob& job, std::size_t i, Json entry) {
    const RecordedConfiguration& c = job.space.configurations[i];
    const Record& record = job.records[i];
    if (c.seconds) {
        entry["time"] = *c.seconds / kMillisecond;
        Json samples = Json::array();
        for (const double seconds : c.samples) samples.push_back(seconds / kMillisecond);
        entry["times"] = samples;
    } else {
        entry["time"] = kernel_tuner_failure(record.outcome);
    }
    entry["compile_time"] = record.prepare_seconds / kMillisecond;
    entry["verification_time"] = 0;
    entry["benchmark_time"] = (c.cost - record.prepare_seconds) / kMillisecond;
    entry["strategy_time"] = 0;
    entry["framework_time"] = 0;
    entry["timestamp"] = record.when;
    return entry;
}

}  // namespace

std::string_view kernel_tuner_failure(Outcome outcome) {
    return outcome == Outcome::unbuildable ? "CompilationFailedConfig" : "RuntimeFailedConfig";
}

std::string kernel_tuner_text(const RecordedJob& job) {
    Json keys = Json::array(), values = Json::object();
    for (const RecordedParameter& p : job.space.parameters) {
        keys.push_back(p.name);
        values[p.name] = Json::array();
        for (const std::string& text : p.values) values[p.name].push_back(value_json(text));
    }
    std::string text = "{\n\"device_name\": " + line_of(device_name(job)) +
                       ",\n\"kernel_name\": " + line_of(job.key.title) +
                       ",\n\"problem_size\": " + line_of(problem_size(job.key.problem)) +
                       ",\n\"tune_params_keys\": " + line_of(keys) +
                       ",\n\"tune_params\": " + line_of(values) + ",\n\"objective\": \"time\",\n\"cache\": {";
    for (std::size_t i = 0; i < job.records.size(); ++i) {
        const Json parameters = parameters_json(job.space, job.space.configurations[i]);
        text += (i > 0 ? ",\n" : "\n") + line_of(key_of(parameters)) + ": " +
                line_of(entry_of(job, i, parameters));
    }
    return text + "}\n}\n";
}

}  // namespace rooftune
