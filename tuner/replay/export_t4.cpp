// T4, the results format of the auto-tuning community (J. O. Tørring and others,
// github.com/odgaard/TuningSchema). Times have the names that the published files use: "compilation", where
// the schema's own text has compilation_time but admits any. A failure's measurement is Kernel Tuner's word
// for it, as there.
#include <nlohmann/json.hpp>

#include "tuner/replay/export_formats.h"
#include "tuner/replay/formats.h"
#include "tuner/replay/parameters.h"

namespace rooftune {
namespace {

Json result_of(const RecordedJob& job, std::size_t i) {
    const RecordedConfiguration& c = job.space.configurations[i];
    const Record& record = job.records[i];
    Json runtimes = Json::array();
    for (const double seconds : c.samples) runtimes.push_back(seconds / kMillisecond);
    Json measurement{{"name", "time"}};
    if (c.seconds) {
        measurement["value"] = *c.seconds / kMillisecond;
        measurement["unit"] = "ms";
    } else {
        measurement["value"] = kernel_tuner_failure(record.outcome);
        measurement["unit"] = "";
    }
    // A time that is none is nobody's fault but the run's.
    const bool timeless = !c.seconds && !is_failure(record.outcome);
    const std::string_view invalidity = timeless ? "runtime" : t4_invalidity(record.outcome);
    return {{"timestamp", record.when},
            {"configuration", parameters_json(job.space, c)},
            {"times",
             {{"compilation", record.prepare_seconds / kMillisecond},
              {"benchmark", (c.cost - record.prepare_seconds) / kMillisecond},
              {"framework", 0},
              {"search_algorithm", 0},
              {"validation", 0},
              {"runtimes", runtimes}}},
            {"invalidity", invalidity},
            {"correctness", c.seconds ? 1 : 0},
            {"measurements", Json::array({measurement})},
            {"objectives", {"time"}}};
}

}  // namespace

std::string_view t4_invalidity(Outcome outcome) {
    switch (outcome) {
        case Outcome::wrong:
            return "correctness";
        case Outcome::timed_out:
            return "timeout";
        case Outcome::unbuildable:
            return "compile";
        case Outcome::measured:
        case Outcome::raced_out:
        case Outcome::crashed:
        case Outcome::illegal:
        case Outcome::out_of_memory:
        case Outcome::out_of_resources:
        case Outcome::environment:
            break;
    }
    return is_failure(outcome) ? "runtime" : "correct";
}

std::string t4_text(const RecordedJob& job, std::string_view version) {
    Json metadata{{"autotuner", "rooftune"},
                  {"autotuner_version", version},
                  {"device", device_name(job)},
                  {"timestamp", job.created},
                  {"timeunit", "milliseconds"}};
    if (job.key.backend.starts_with("opencl")) metadata["compute_api"] = "OpenCL";
    std::string text =
        "{\n\"schema_version\": \"1.0.0\",\n\"metadata\": " + line_of(metadata) + ",\n\"results\": [";
    for (std::size_t i = 0; i < job.records.size(); ++i)
        text += (i > 0 ? ",\n" : "\n") + line_of(result_of(job, i));
    return text + "\n]\n}\n";
}

}  // namespace rooftune
