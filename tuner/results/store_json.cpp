#include "tuner/results/store_json.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "tuner/formats/json_values.h"

namespace rooftune {
namespace {

constexpr double kNotKnown = std::numeric_limits<double>::quiet_NaN();
constexpr Gap kNoGap{kNotKnown, kNotKnown, kNotKnown};

Json json_of(const std::optional<ResultGlance>& best) {
    if (!best || best->variant.empty()) return nullptr;
    return {{"variant", best->variant},
            {"seconds", interval_json(best->seconds)},
            {"fraction_of_problem_roof", finite_or_null(best->fraction_of_problem_roof)},
            {"fraction_of_roof_now", finite_or_null(best->fraction_of_roof_now)}};
}

Json json_of(const JobLine& line) {
    const JobSummary& job = line.job;
    return {{"job", job.id},
            {"name", job.key.hash()},
            {"family", job.key.family},
            {"problem", job.key.problem},
            {"title", job.key.title},
            {"digest", job.key.digest},
            {"dtype", job.key.dtype},
            {"backend", job.key.backend},
            {"state", job.key.state},
            {"threads", job.key.threads},
            {"machine", job.key.machine_id},
            {"this_machine", line.here},
            {"space_version", job.key.space_version},
            {"build", job.key.build},
            {"created", job.created},
            {"records", job.records},
            {"superseded", job.superseded},
            {"runs", job.runs},
            {"last_run", text_or_null(job.last_run)},
            {"best", json_of(line.best)}};
}

Json json_of(const RunLine& line) {
    const bool seen = line.best.has_value();
    Json document{{"run", line.run.id},
                  {"started", line.run.started},
                  {"ended", text_or_null(line.run.ended)},
                  {"stopped_by", seen ? text_or_null(line.best->stopped_by) : Json(nullptr)},
                  {"best", json_of(line.best)}};
    for (const auto& [key, value] : gap_values(seen ? line.best->gap : kNoGap))
        document[key] = finite_or_null(value);
    return document;
}

Json json_of(const StoredRecord& stored) {
    Json slots = Json::array();
    for (const Slot& slot : stored.record.slots)
        slots.push_back({{"seconds", finite_or_null(slot.seconds)},
                         {"repetitions", slot.repetitions},
                         {"disturbed", slot.disturbed}});
    return {{"record", stored.id},
            {"run", stored.run ? Json(*stored.run) : Json(nullptr)},
            {"at", stored.record.when},
            {"role", stored.record.role},
            {"outcome", to_text(stored.record.outcome)},
            {"detail", stored.record.detail},
            {"variant", stored.record.variant},
            {"error", finite_or_null(stored.record.error)},
            {"prepare_seconds", finite_or_null(stored.record.prepare_seconds)},
            {"slots", std::move(slots)}};
}

Json json_of(const ImportCount& count) {
    return {{"added", count.added}, {"known", count.known}};
}

}  // namespace

Json list_json(const std::vector<JobLine>& jobs, const std::string& store) {
    Json list = Json::array();
    for (const JobLine& line : jobs) list.push_back(json_of(line));
    return {{"schema", "rooftune/results-list/1"}, {"store", store}, {"jobs", std::move(list)}};
}

Json job_json(const JobView& view, const std::string& store, bool with_records) {
    Json outcomes = Json::array(), runs = Json::array(), best = Json::array();
    for (const OutcomeLine& line : view.outcomes)
        outcomes.push_back(
            {{"outcome", to_text(line.outcome)}, {"records", line.records}, {"variants", line.variants}});
    for (const RunLine& line : view.runs) runs.push_back(json_of(line));
    for (const VariantLine& line : view.best)
        best.push_back({{"variant", line.variant},
                        {"seconds", interval_json(line.seconds)},
                        {"role", line.role},
                        {"at", line.when}});
    Json document{
        {"schema", "rooftune/results-job/1"}, {"store", store},          {"job", json_of(view.line)},
        {"outcomes", std::move(outcomes)},    {"runs", std::move(runs)}, {"fastest", std::move(best)}};
    if (with_records) {
        Json records = Json::array();
        for (const StoredRecord& stored : view.records) records.push_back(json_of(stored));
        document["records"] = std::move(records);
    }
    return document;
}

Json run_json(const RunLine& run, const JobLine& job, const std::string& store) {
    const Json result = Json::parse(run.run.result, nullptr, false);
    return {{"schema", "rooftune/results-run/1"},
            {"store", store},
            {"job", json_of(job)},
            {"run", json_of(run)},
            {"result", result.is_object() ? result : Json(nullptr)}};
}

Json prune_json(const PruneReport& report, const std::string& store) {
    Json jobs = Json::array();
    for (const PrunedJob& job : report.plan.jobs)
        jobs.push_back({{"job", job.id},
                        {"name", job.hash},
                        {"title", job.title},
                        {"backend", job.backend},
                        {"state", job.state},
                        {"records", job.records},
                        {"runs", job.runs},
                        {"bytes", job.bytes},
                        {"records_left", job.records_left},
                        {"runs_left", job.runs_left},
                        {"whole", job.whole}});
    return {{"schema", "rooftune/results-prune/1"},
            {"store", store},
            {"deleted", report.done},
            {"jobs", std::move(jobs)},
            {"records", report.plan.record_ids.size()},
            {"runs", report.plan.run_ids.size()},
            {"history", report.plan.history_ids.size()},
            {"bytes", report.plan.bytes},
            {"store_bytes_before", report.done ? Json(report.bytes_before) : Json(nullptr)},
            {"store_bytes_after", report.done ? Json(report.bytes_after) : Json(nullptr)}};
}

Json import_json(const ImportReport& report, const std::string& source, const std::string& store) {
    return {{"schema", "rooftune/results-import/1"},
            {"store", store},
            {"source", source},
            {"imported", !report.interrupted},
            {"jobs", json_of(report.jobs)},
            {"runs", json_of(report.runs)},
            {"completed_runs", report.completed_runs},
            {"records", json_of(report.records)},
            {"superseded", report.superseded},
            {"history", json_of(report.history)},
            {"machines", report.machines},
            {"left_out", report.left_out}};
}

Json export_json(const StoreExport& report, const std::string& file, const std::string& store) {
    return {{"schema", "rooftune/results-export/1"},
            {"store", store},
            {"file", file},
            {"bytes", report.bytes},
            {"jobs", report.jobs},
            {"runs", report.runs},
            {"records", report.records},
            {"history", report.history},
            {"left_out", report.left_out}};
}

Json check_json(const StoreState& state, const std::string& store) {
    Json faults = Json::array();
    for (const RowFault& fault : state.faults)
        faults.push_back({{"table", fault.table}, {"row", fault.id}, {"what", fault.what}});
    std::vector<std::string> damage = state.damage;
    damage.insert(damage.end(), state.lost.begin(), state.lost.end());
    return {{"schema", "rooftune/results-check/1"},
            {"store", store},
            {"whole", state.whole()},
            {"version", state.version},
            {"jobs", state.jobs},
            {"runs", state.runs},
            {"records", state.records},
            {"superseded", state.superseded},
            {"history", state.history},
            {"bytes", state.bytes},
            {"damage", damage},
            {"faults", std::move(faults)},
            {"more_faults", state.more_faults}};
}

}  // namespace rooftune
