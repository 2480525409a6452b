// What of a store is shown to people and programs: values that texts and documents are made of.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tuner/formats/tune_result.h"
#include "tuner/store/store.h"
#include "tuner/tune/gap_sentence.h"

namespace rooftune {

/// The little of a run's result that a line has room for. Read loosely, since results of older versions of
/// the program stay in the store; what a result lacks is not finite.
struct ResultGlance {
    std::map<std::string, std::string> variant;  ///< empty: no winner
    TimeInterval seconds;
    double fraction_of_problem_roof, fraction_of_roof_now;
    Gap gap;
    std::string stopped_by;
    bool failed = false;  ///< variants were tried, and none works
};
/// Nothing for a text that is no result.
std::optional<ResultGlance> glance_at(const std::string& result_json);

struct JobLine {
    JobSummary job;
    std::optional<ResultGlance> best;  ///< of its last run that measured any, or else with a result
    bool here = false;                 ///< ran on this machine
};

struct RunLine {
    RunSummary run;
    std::optional<ResultGlance> best;
};

/// A job's records of one outcome.
struct OutcomeLine {
    Outcome outcome = Outcome::measured;
    int records = 0, variants = 0;
};

struct VariantLine {
    std::string variant;  ///< as Space::to_text spells it
    TimeInterval seconds;
    std::string role, when;
    std::map<std::string, std::string> values{};
};

struct JobView {
    JobLine line;
    std::vector<OutcomeLine> outcomes;  ///< in the order of the enumeration, without those that did not occur
    std::vector<RunLine> runs;          ///< oldest first
    std::vector<VariantLine> best;      ///< fastest first
    std::vector<StoredRecord> records;  ///< all, where they are asked for
};

/// Counts and ranks a job's records: of each variant the record that counts (see replaces()), and of those
/// the measured ones with a time, fastest first, at most `most`. Of finals, which have a record a process,
/// the time is that over all their processes, as a tune tells it.
std::vector<OutcomeLine> outcomes_of(const std::vector<StoredRecord>& records);
std::vector<VariantLine> fastest_of(const std::vector<StoredRecord>& records, std::size_t most);

}  // namespace rooftune
