#include "tuner/replay/rooftune_file.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "tuner/formats/machine_file.h"

namespace rooftune {
namespace {

// Without a reader of its own: null stands for a parameter that does not exist in this variant.
std::vector<int> indices_of(StrictObject& o, const std::vector<RecordedParameter>& parameters) {
    const Json& list = o.value("values");
    if (!list.is_array() || list.size() != parameters.size())
        o.fail("values", std::to_string(parameters.size()) + " positions, one a parameter");
    std::vector<int> indices;
    for (std::size_t p = 0; p < list.size(); ++p) {
        const auto most = static_cast<std::int64_t>(parameters[p].values.size());
        const bool inside = list[p].is_number_integer() && list[p].get<std::int64_t>() >= 0 &&
                            list[p].get<std::int64_t>() < most;
        if (!inside && !list[p].is_null())
            json_mismatch(o.file(), o.pointer_to("values") + "/" + std::to_string(p),
                          "null or a position among the values of " + parameters[p].name,
                          describe_json(list[p]));
        indices.push_back(inside ? list[p].get<int>() : -1);
    }
    return indices;
}

std::vector<Slot> slots_of(StrictObject& o) {
    std::vector<Slot> slots;
    if (!o.has("seconds")) return slots;
    const std::vector<std::int64_t> repetitions = o.integers("repetitions");
    for (const double seconds : o.numbers("seconds")) {
        if (!(seconds >= 0.0)) o.fail("seconds", "times of 0 or more");
        slots.push_back({seconds, 0, false});
    }
    if (repetitions.size() != slots.size()) o.fail("repetitions", "as many as there are seconds");
    for (std::size_t i = 0; i < slots.size(); ++i) {
        if (repetitions[i] < 0 || repetitions[i] > std::numeric_limits<int>::max())
            o.fail("repetitions", "counts");
        slots[i].repetitions = static_cast<int>(repetitions[i]);
    }
    if (!o.has("disturbed")) return slots;
    for (const std::int64_t i : o.integers("disturbed")) {
        if (i < 0 || i >= static_cast<std::int64_t>(slots.size())) o.fail("disturbed", "positions of slots");
        slots[static_cast<std::size_t>(i)].disturbed = true;
    }
    return slots;
}

Record record_of(StrictObject& o) {
    Record record;
    const std::string outcome = o.text("outcome");
    if (!outcome_from(outcome, record.outcome)) o.fail("outcome", "an outcome of a measurement");
    record.detail = o.text_or("detail", "");
    record.slots = slots_of(o);
    record.error = o.number_or("error", std::numeric_limits<double>::quiet_NaN(), 0.0);
    record.prepare_seconds = o.number_or("prepare_seconds", 0.0, 0.0);
    record.role = o.text_or("role", "");
    record.when = o.text_or("at", "");
    return record;
}

void read_variants(StrictObject& root, RecordedJob& job) {
    std::vector<RecordedParameter>& parameters = job.space.parameters;
    const std::vector<RecordedParameter> listed = parameters;
    for (StrictObject& o : root.objects("variants")) {
        std::vector<int> indices = indices_of(o, listed);
        Record record = record_of(o);
        o.finish();
        for (std::size_t p = 0; p < indices.size(); ++p) {
            const std::size_t absent = listed[p].values.size();
            if (indices[p] >= 0) {
                record.variant[listed[p].name] = listed[p].values[static_cast<std::size_t>(indices[p])];
                continue;
            }
            if (parameters[p].values.size() == absent) parameters[p].values.emplace_back(kAbsentValue);
            indices[p] = static_cast<int>(absent);
        }
        RecordedConfiguration configuration = configuration_of(record);
        configuration.values = std::move(indices);
        job.space.configurations.push_back(std::move(configuration));
        job.records.push_back(std::move(record));
    }
}

// Files of before do not say it: of what an exhaustive run measured the roles do, but what drew at random and
// what bounds led looks alike in them.
Drawn drawn_of(StrictObject& o, const std::vector<Record>& records) {
    if (!o.has("drawn")) return drawn_by(records, {}) == Drawn::whole ? Drawn::whole : Drawn::unknown;
    const std::string word = o.one_of("drawn", {"whole", "uniform", "searched", "cut_short"});
    for (const Drawn drawn : {Drawn::whole, Drawn::uniform, Drawn::searched}) {
        if (word == to_text(drawn)) return drawn;
    }
    return Drawn::cut_short;
}

}  // namespace

bool is_rooftune_records(const Json& document) {
    return document.is_object() && document.contains("schema") && document["schema"].is_string() &&
           document["schema"].get<std::string>().starts_with("rooftune/records/");
}

RecordedJob from_rooftune_records(const Json& document, const std::string& file) {
    StrictObject o(document, file);
    o.schema(kRecordsSchema);
    RecordedJob job;
    job.key.title = o.text("title");
    job.key.family = o.text("family");
    job.key.backend = o.text("backend");
    job.key.problem = o.text_map("problem");
    job.key.digest = o.text("digest");
    job.key.dtype = o.text("dtype");
    job.key.state = o.one_of("state", {"warm", "cold"});
    job.key.threads = o.small("threads", 1);
    job.key.space_version = o.small("space_version");
    job.key.build = o.text("build");
    job.created = o.text("created");
    StrictObject machine = o.object("machine");
    job.key.machine_id = machine.text("id");
    if (machine.has("model"))
        job.machine = parse_machine(machine.value("model").dump(), file + ", " + machine.pointer_to("model"));
    machine.finish();
    for (StrictObject& p : o.objects("parameters")) {
        job.space.parameters.push_back({p.text("name"), p.texts("values")});
        p.finish();
    }
    read_variants(o, job);
    job.space.drawn = drawn_of(o, job.records);
    job.space.of_records = true;
    o.finish();
    job.space.name = space_name(job);
    return job;
}

}  // namespace rooftune
