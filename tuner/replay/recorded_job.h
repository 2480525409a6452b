// One job's records as a recorded space: of each variant the record that counts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/machine.h"
#include "tuner/formats/strict_json.h"
#include "tuner/replay/recorded_space.h"
#include "tuner/store/store.h"

namespace rooftune {

struct RecordedJob {
    JobKey key;           ///< problem, family, backend, state, threads, space version, machine
    std::string created;  ///< UTC, ISO 8601
    RecordedSpace space;
    std::vector<Record> records;     ///< those of space.configurations, in their order
    std::optional<Machine> machine;  ///< where a file held it; bounds can be worked out from it again
};

/// Whether `fresh` takes the place of `old`, an earlier record of the same variant. The later one does, but a
/// full interval does not give way to a sample of a few slots, and a record of an exhaustive run (roles
/// "exhaustive", "heat", "settle": a batch is a heat in stores) only to another such, even to a sample of a
/// later stage or run.
bool replaces(const Record& old, const Record& fresh);

/// What the store has of a job. Failures of the environment say nothing about a variant and are left out.
/// Parameters stand in an order that every record agrees with; their values are numbers ascending, then
/// names, then kAbsentValue where the parameter does not exist in some variants.
RecordedJob recorded_job(const JobSummary& job, const std::vector<StoredRecord>& records);

/// Which variants the job's records are of, by its runs' results (JSON texts, `""` for a run without one) and
/// by the roles of the records: a job of exhaustive runs is whole where the last of them came to its end, one
/// whose every run drew at random without bounds is a uniform draw, and any other is what a search chose,
/// unless it got round to all of the space.
Drawn drawn_by(const std::vector<Record>& records, const std::vector<std::string>& results);

/// All but `values`: seconds are the median of the slots as they are quoted, the cost is preparation and
/// slots (one batch of each: more was not recorded), a failure is its outcome and detail.
RecordedConfiguration configuration_of(const Record& record);

/// What it ran on, for people: the machine's name where it is known, else its id; an OpenCL device by its
/// own.
std::string device_name(const RecordedJob& job);

/// "matmul 64×64×64, f64, warm, 2 threads on Xeon"
std::string space_name(const RecordedJob& job);

/// The value of a parameter as a number where it is spelled as one that reads back to the same text.
Json value_json(const std::string& text);

}  // namespace rooftune
