// Our own format: a head that says what was measured where, and a line for each variant.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "kernels/contract/family.h"
#include "tuner/formats/machine_file.h"
#include "tuner/replay/export_formats.h"
#include "tuner/replay/parameters.h"
#include "tuner/replay/rooftune_file.h"

namespace rooftune {
namespace {

bool exists(const Record& record, const RecordedParameter& parameter) {
    return record.variant.contains(parameter.name);
}

Json parameters_of(const RecordedJob& job) {
    Json list = Json::array();
    for (const RecordedParameter& parameter : job.space.parameters) {
        std::vector<std::string> values = parameter.values;
        // The last one stands for no value where some variant has none: null says it here.
        const bool filled = std::any_of(job.records.begin(), job.records.end(),
                                        [&](const Record& r) { return !exists(r, parameter); });
        if (filled) values.pop_back();
        list.push_back({{"name", parameter.name}, {"values", values}});
    }
    return list;
}

Json variant_of(const RecordedJob& job, std::size_t i) {
    const Record& record = job.records[i];
    Json values = Json::array();
    for (std::size_t p = 0; p < job.space.parameters.size(); ++p) {
        const bool there = exists(record, job.space.parameters[p]);
        values.push_back(there ? Json(job.space.configurations[i].values[p]) : Json(nullptr));
    }
    Json variant{{"values", values}, {"outcome", to_text(record.outcome)}};
    if (!record.detail.empty()) variant["detail"] = record.detail;
    if (!record.slots.empty()) {
        Json seconds = Json::array(), repetitions = Json::array(), disturbed = Json::array();
        for (std::size_t s = 0; s < record.slots.size(); ++s) {
            seconds.push_back(record.slots[s].seconds);
            repetitions.push_back(record.slots[s].repetitions);
            if (record.slots[s].disturbed) disturbed.push_back(s);
        }
        variant["seconds"] = seconds;
        variant["repetitions"] = repetitions;
        if (!disturbed.empty()) variant["disturbed"] = disturbed;
    }
    if (std::isfinite(record.error)) variant["error"] = record.error;
    variant["prepare_seconds"] = record.prepare_seconds;
    variant["role"] = record.role;
    variant["at"] = record.when;
    return variant;
}

// Files by their names: a folder says nothing on another machine, and the digest tells the contents.
ProblemSpec without_folders(ProblemSpec problem) {
    for (auto& [key, value] : problem) {
        if (value.starts_with('/')) value = value.substr(value.rfind('/') + 1);
    }
    return problem;
}

}  // namespace

std::string rooftune_text(const RecordedJob& job, bool with_machine) {
    Json machine{{"id", job.key.machine_id}};
    if (with_machine) machine["model"] = parse_json(machine_to_json(job.machine.value()), "the machine");
    Json head{{"schema", kRecordsSchema},
              {"title", job.key.title},
              {"family", job.key.family},
              {"backend", job.key.backend},
              {"problem", without_folders(job.key.problem)},
              {"digest", job.key.digest},
              {"dtype", job.key.dtype},
              {"state", job.key.state},
              {"threads", job.key.threads},
              {"space_version", job.key.space_version},
              {"build", job.key.build},
              {"created", job.created},
              {"machine", machine},
              {"parameters", parameters_of(job)}};
    if (job.space.drawn != Drawn::unknown) head["drawn"] = to_text(job.space.drawn);
    std::string text = "{";
    for (const auto& [key, value] : head.items()) text += line_of(key) + ":" + line_of(value) + ",\n";
    text += "\"variants\":[";
    for (std::size_t i = 0; i < job.records.size(); ++i)
        text += (i > 0 ? ",\n" : "\n") + line_of(variant_of(job, i));
    return text + "\n]}\n";
}

}  // namespace rooftune
