#include "tuner/cluster/job_words.h"

#include <nlohmann/json.hpp>

#include "kernels/runtime/kernels_build.h"
#include "tuner/formats/fields.h"

namespace rooftune {
namespace {

Json budget_json(const Budget& budget) {
    return {{"seconds", budget.seconds},
            {"evaluations", budget.evaluations},
            {"bounds_only", budget.bounds_only}};
}

void places(Fields& f, std::string_view key, std::vector<std::size_t>& values) {
    std::vector<std::int64_t> numbers(values.begin(), values.end());
    f(key, numbers);
    if (f.reading()) values.assign(numbers.begin(), numbers.end());
}

void place(Fields& f, std::string_view key, std::size_t& value) {
    std::uint64_t number = value;
    f(key, number);
    value = static_cast<std::size_t>(number);
}

void task_fields(Fields& f, SetTask& task) {
    std::string kind = task.kind == SetTask::Kind::tune ? "tune" : "compare";
    f.one_of("kind", kind, {"tune", "compare"});
    task.kind = kind == "tune" ? SetTask::Kind::tune : SetTask::Kind::compare;
    place(f, "place", task.place);
    place(f, "group", task.group);
    place(f, "index", task.index);
    f("goes_on", task.goes_on);
    place(f, "from", task.from);
    place(f, "nearest", task.nearest);
    if (f.has("nearest_best", task.nearest_best.has_value())) {
        if (!task.nearest_best) task.nearest_best.emplace();
        f("nearest_best", *task.nearest_best);
    }
    f("may_go_on", task.may_go_on);
    places(f, "offered_by", task.offered_by);
    f("seconds", task.job.budget.seconds);
    f("evaluations", task.job.budget.evaluations);
}

}  // namespace

Json job_identity(const JobList& list, const std::vector<ProblemSketch>& sketches,
                  const TuneOptions& options) {
    Json problems = Json::array();
    for (std::size_t i = 0; i < list.jobs.size(); ++i) {
        const Job& job = list.jobs[i];
        Json constraints = Json::array();
        for (const JobConstraint& c : job.constraints) constraints.push_back(c.expression);
        problems.push_back({{"family", job.family->name()},
                            {"problem", job.problem},
                            {"digest", sketches[i].digest},
                            {"group", sketches[i].group},
                            {"state", job.state},
                            {"backend", job.backend},
                            {"budget", budget_json(job.budget)},
                            {"constraints", constraints}});
    }
    const CommonOptions& common = options.common;
    return {{"schema", "rooftune/nodes-journal/2"},
            {"job", list.name},
            {"build", kernels_build()},
            {"total_budget", list.total_budget ? budget_json(*list.total_budget) : Json()},
            {"options",
             {{"seed", common.seed},
              {"threads", common.threads},
              {"cpus", common.cpus},
              {"state", common.state},
              {"backend", common.backend},
              {"epsilon", options.epsilon},
              {"patience", options.patience},
              {"audit", options.audit},
              {"no_bounds", options.no_bounds},
              {"exhaustive", options.exhaustive},
              {"only", options.only},
              {"strategy", options.strategy}}},
            {"problems", problems}};
}

std::string job_title(const Job& job) {
    std::string text(job.family->name());
    bool is_first = true;
    for (const auto& [key, value] : job.problem) {
        text += (is_first ? " " : ",") + key + "=" + value;
        is_first = false;
    }
    return text;
}

Json journal_json(const SetTask& task) {
    Json json;
    SetTask copy = task;
    Fields f(json);
    task_fields(f, copy);
    return json;
}

SetTask journal_task(const Json& json, const JobList& list, const std::string& file) {
    SetTask task;
    Fields f(StrictObject(json, file, "/task"));
    task_fields(f, task);
    f.finish();
    f.require(task.place < list.jobs.size(), "place", "the place of a problem of the job");
    const Budget budget = task.job.budget;
    task.job = list.jobs[task.place];
    task.job.budget.seconds = budget.seconds;
    task.job.budget.evaluations = budget.evaluations;
    return task;
}

}  // namespace rooftune
