#include "tuner/engine/job.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"
#include "kernels/runtime/nearest.h"
#include "tuner/formats/json_message.h"
#include "tuner/formats/strict_json.h"

namespace rooftune {

std::optional<Budget> budget_from(const std::string& text) {
    constexpr double kMost = 1e9;  // seconds or evaluations
    std::optional<double> seconds, evaluations;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t comma = std::min(text.find(',', from), text.size());
        double value = 0.0;
        const char* const last = text.data() + comma;
        const auto [end, error] = std::from_chars(text.data() + from, last, value);
        if (error != std::errc() || !(value >= 0.0 && value <= kMost)) return std::nullopt;
        const std::string unit(end, last);
        const double scale = unit == "s"                    ? 1.0
                             : unit == "ms"                 ? 1e-3
                             : unit == "m" || unit == "min" ? 60.0
                             : unit == "h"                  ? 3600.0
                                                            : 0.0;
        if (unit.empty() ? value != std::floor(value) : scale == 0.0) return std::nullopt;
        std::optional<double>& limit = unit.empty() ? evaluations : seconds;
        if (limit) return std::nullopt;
        limit = unit.empty() ? value : scale * value;
        from = comma + 1;
    }
    Budget budget;
    budget.bounds_only = seconds == 0.0 || evaluations == 0.0;
    budget.seconds = seconds.value_or(0.0);
    budget.evaluations = static_cast<int>(evaluations.value_or(0.0));
    return budget;
}

// What was meant by a word that is no key=value: a matrix, whose file has a flag of its own, or the unit of a
// time behind a space.
static std::string meant_by(const std::string& word) {
    if (word.ends_with(".mtx") || word.ends_with(".mtx.gz")) return "; did you mean --matrix " + word + "?";
    if (word.find_first_of("0123456789") == std::string::npos && budget_from("1" + word))
        return "; a time is written without a space, like --budget 10s";
    return "";
}

void add_to_spec(const std::string& piece, ProblemSpec& spec) {
    std::size_t from = 0;
    while (from <= piece.size()) {
        const std::size_t comma = std::min(piece.find(',', from), piece.size());
        const std::string item = piece.substr(from, comma - from);
        from = comma + 1;
        if (item.empty()) continue;
        const std::size_t equals = item.find('=');
        if (equals == std::string::npos || equals == 0 || equals + 1 == item.size()) {
            throw InputError("problem '" + item + "': expected key=value, like nx=120" + meant_by(item));
        }
        if (!spec.emplace(item.substr(0, equals), item.substr(equals + 1)).second) {
            throw InputError("problem key '" + item.substr(0, equals) + "' is given twice; give it once");
        }
    }
}

ProblemSpec spec_of(const std::string& text) {
    ProblemSpec spec;
    add_to_spec(text, spec);
    return spec;
}

const Family& family_named(const Registry& registry, const std::string& name) {
    if (const Family* family = registry.find(name)) return *family;
    std::vector<std::string> names;
    for (const auto& family : registry.families()) names.emplace_back(family->name());
    const std::string near = nearest(name, names);
    throw InputError("there is no family '" + name + "'" +
                     (near.empty() ? ";" : "; did you mean '" + near + "'?") +
                     " `rooftune list families` shows them");
}

void name_problem(const Registry& registry, const std::string& word, Job& job) {
    // A family that was found has no dot nor slash in its name.
    if (const Family* sources = registry.find("external");
        sources && !registry.find(word) && word.find_first_of("./") != std::string::npos) {
        if (word.ends_with(".mtx") || word.ends_with(".mtx.gz"))
            throw InputError(word + ": a matrix is a problem of the family spmv: `spmv --matrix " + word +
                             "`");
        job.family = sources;
        job.problem.emplace("source", word);
        return;
    }
    job.family = &family_named(registry, word);
}

namespace {

// An entry with a kernel of its own: the key `source` of its problem names the object in the file.
void name_kernel(StrictObject& entry, const std::vector<std::string>& kernels, const std::string& path,
                 Job& job) {
    if (job.family->name() != "external")
        json_fault(path, entry.pointer_to("kernel"),
                   "kernels of your own are of the family external; leave \"family\" out");
    if (job.problem.contains("source"))
        json_fault(
            path, entry.pointer_to("problem"),
            "\"kernel\" says what the source is, and its own key \"source\" where; leave this one out");
    std::string pointer = entry.pointer_to("kernel");
    if (entry.value("kernel").is_string()) {
        const std::string name = entry.text("kernel");
        if (std::find(kernels.begin(), kernels.end(), name) == kernels.end())
            json_fault(path, pointer,
                       "there is no kernel \"" + shortened(name) + "\" among \"kernels\"" +
                           (kernels.empty() ? ", which the file does not have; describe it there or here"
                                            : "; " + suggestion(name, kernels)));
        pointer = "/kernels/" + pointer_token(name);
    } else {
        entry.object("kernel");  // refuses what is neither
    }
    if (!path.ends_with(".json"))
        json_fault(path, entry.pointer_to("kernel"),
                   "a kernel is known by its file, whose name must end in .json; rename the job file");
    job.problem["source"] = path + "#" + pointer;
}

// Names of the kernels that entries may share.
std::vector<std::string> shared_kernels(StrictObject& file) {
    std::vector<std::string> names;
    if (!file.has("kernels")) return names;
    StrictObject kernels = file.object("kernels");
    for (const auto& [name, value] : file.value("kernels").items()) {
        kernels.object(name);
        names.push_back(name);
    }
    return names;
}

}  // namespace

JobList read_jobs(const std::string& path, const Registry& registry) {
    const Json document = read_json_file(path);
    StrictObject object(document, path);
    object.schema("rooftune/job/1");
    object.text_or("description", "");
    JobList list;
    list.name = std::filesystem::path(path).stem().string();
    if (object.has("total_budget")) {
        list.total_budget = budget_from(object.text("total_budget"));
        if (!list.total_budget) object.fail("total_budget", std::string(kBudgetForms));
    }
    const std::vector<std::string> kernels = shared_kernels(object);
    std::vector<Job>& jobs = list.jobs;
    for (StrictObject& entry : object.objects("problems")) {
        Job job;
        const bool is_own = entry.has("kernel");
        job.family =
            &family_named(registry, is_own ? entry.text_or("family", "external") : entry.text("family"));
        if (!is_own || entry.has("problem")) job.problem = entry.text_map("problem");
        if (is_own) name_kernel(entry, kernels, path, job);
        job.state = entry.text_or("state", "");
        if (!job.state.empty() && !state_from(job.state)) entry.fail("state", "\"warm\" or \"cold\"");
        job.backend = entry.text_or("backend", "");
        if (!job.backend.empty() && !backend_from(job.backend))
            entry.fail("backend", "\"cpu\" or \"opencl\"");
        job.optional = entry.flag_or("optional", false);
        if (entry.has("budget")) {
            const std::optional<Budget> budget = budget_from(entry.text("budget"));
            if (!budget) entry.fail("budget", std::string(kBudgetForms));
            job.budget = *budget;
            job.budget_given = true;
        }
        if (entry.has("constraints")) {
            for (std::string& rule : entry.texts("constraints")) {
                const std::string at =
                    entry.pointer_to("constraints") + "/" + std::to_string(job.constraints.size());
                job.constraints.push_back({std::move(rule), path + ": at " + at + ":"});
            }
        }
        entry.finish();
        jobs.push_back(std::move(job));
    }
    object.finish();
    if (jobs.empty()) throw InputError(path + ": at /problems: expected at least one problem");
    return list;
}

Job job_of(const TuneResult& tuned, const Registry& registry) {
    Job job;
    job.family = &family_named(registry, tuned.family);
    job.problem = tuned.problem;
    job.state = tuned.state;
    job.backend = tuned.backend;
    return job;
}

}  // namespace rooftune
