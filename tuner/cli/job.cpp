#include "tuner/cli/job.h"

#include <charconv>
#include <cmath>

#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"
#include "kernels/runtime/nearest.h"
#include "tuner/config/strict_json.h"

namespace rooftune {

Budget budget_from(const std::string& text) {
    const auto refuse = [&]() -> InputError {
        return InputError("--budget " + text +
                          ": write a time like 90s, 2m or 1h, or a number of evaluations like 200");
    };
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || !(value > 0.0) || !std::isfinite(value)) throw refuse();
    const std::string unit(end, text.data() + text.size());
    Budget budget;
    if (unit.empty()) {
        if (value != std::floor(value) || value > 1e9) throw refuse();
        budget.seconds = 0.0;
        budget.evaluations = static_cast<int>(value);
        return budget;
    }
    const double scale = unit == "s" ? 1.0 : unit == "m" || unit == "min" ? 60.0 : unit == "h" ? 3600.0 : 0.0;
    if (scale == 0.0) throw refuse();
    budget.seconds = value * scale;
    return budget;
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
            throw InputError("problem '" + item + "': expected key=value, like nx=120");
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
                     (near.empty() ? "" : "; did you mean '" + near + "'?") +
                     " `rooftune list families` shows them");
}

std::vector<Job> read_jobs(const std::string& path, const Registry& registry) {
    const Json document = read_json_file(path);
    StrictObject object(document, path);
    object.schema("rooftune/job/1");
    object.text_or("description", "");
    std::vector<Job> jobs;
    for (StrictObject& entry : object.objects("problems")) {
        Job job;
        job.family = &family_named(registry, entry.text("family"));
        job.problem = entry.text_map("problem");
        job.state = entry.text_or("state", "");
        if (!job.state.empty() && !state_from(job.state)) entry.fail("state", "\"warm\" or \"cold\"");
        job.backend = entry.text_or("backend", "");
        if (!job.backend.empty() && !backend_from(job.backend))
            entry.fail("backend", "\"cpu\" or \"opencl\"");
        job.optional = entry.flag_or("optional", false);
        const std::string budget = entry.text_or("budget", "");
        if (!budget.empty()) {
            job.budget = budget_from(budget);
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
    return jobs;
}

}  // namespace rooftune
