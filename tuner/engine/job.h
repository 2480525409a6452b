// A job: a problem of a family and how much to spend on it. From the command line or a job file.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/registry.h"
#include "tuner/engine/tune_options.h"
#include "tuner/formats/tune_result.h"

namespace rooftune {

/// A rule on the space, written as an expression (tuner/search/enumerate/expression.h).
struct JobConstraint {
    std::string expression;
    std::string where;  ///< where it was written, for messages: a flag, or a place in a file
};

struct Job {
    const Family* family = nullptr;
    ProblemSpec problem;
    std::string state;      ///< empty: the command line's
    std::string backend;    ///< "cpu", "opencl"; empty: the command line's
    bool optional = false;  ///< left out, with a notice, where its backend is not there
    std::vector<JobConstraint> constraints;
    Budget budget;
    bool budget_given = false;  ///< by the job file
    /// The problem where it is loaded already: it was checked before the machine was measured.
    std::shared_ptr<Problem> loaded;
    double loading_seconds = 0.0;  ///< what that took, of which the tune's budget is
};

/// "90s", "500ms", "2m", "1h", a number of evaluations, or both as "90s,200"; "0" and "0s" measure nothing.
/// Nothing for a text that is none of these. There is no unit below the millisecond: to start a worker takes
/// longer, so that it would ask for nothing.
std::optional<Budget> budget_from(const std::string& text);

/// How budgets are written, for messages.
inline constexpr std::string_view kBudgetForms =
    "a time with its unit, like 90s, 500ms, 2m or 1h, a number of evaluations, like 200 (a number without a "
    "unit is never a time), or both, like 90s,200";

/// "gen=poisson27,nx=120" pieces into keys and values; several pieces add up. Throws InputError for
/// a piece without '=' and for a key given twice.
void add_to_spec(const std::string& piece, ProblemSpec& spec);

/// The family by name. Throws InputError with the nearest known one.
const Family& family_named(const Registry& registry, const std::string& name);

/// What a word of the command line names: a family, or a kernel's source, which is a problem of the family
/// `external`. Throws InputError as family_named().
void name_problem(const Registry& registry, const std::string& word, Job& job);

/// What a tuned config was tuned for, as a job. Throws InputError for a family that is not there.
Job job_of(const TuneResult& tuned, const Registry& registry);

/// The value of a parameter list "format=csr,index=32,…".
ProblemSpec spec_of(const std::string& text);

/// What one run tunes.
struct JobList {
    std::vector<Job> jobs;
    std::optional<Budget> total_budget;  ///< of all together; empty: each has its own
    std::string name;                    ///< of the file of their winners, without its ending
};

/// Jobs of a file (configs/schema/job.schema.json). Throws InputError with file and JSON pointer.
JobList read_jobs(const std::string& path, const Registry& registry);

}  // namespace rooftune
