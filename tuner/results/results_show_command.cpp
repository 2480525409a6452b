// What the store holds: results list and results show.
#include <algorithm>
#include <charconv>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "kernels/runtime/error.h"
#include "tuner/base/joined.h"
#include "tuner/base/standard_output.h"
#include "tuner/base/suggested.h"
#include "tuner/command/common_flags.h"
#include "tuner/formats/result_json.h"
#include "tuner/replay/store_jobs.h"
#include "tuner/results/results_commands.h"
#include "tuner/results/store_json.h"
#include "tuner/results/store_text.h"
#include "tuner/results/store_view.h"

namespace rooftune {
namespace {

constexpr std::size_t kFastest = 10;
constexpr std::string_view kRun = "run:";

struct ShowArguments {
    CommonFlags common;
    std::string family, machine, what;
    bool records = false;
    bool brief = false;
};

JobLine line_of(Store& store, const JobSummary& job) {
    static const std::string here = machine_named("this");
    JobLine line{job, std::nullopt, job.key.machine_id == here};
    if (const auto last = store.last_result(job.id)) line.best = glance_at(last->result);
    if (!line.best || !line.best->variant.empty() || line.best->failed) return line;
    // The last run measured nothing, where one before it may have a winner.
    for (const RunSummary& run : store.runs(job.id)) {
        const auto earlier = glance_at(run.result);
        if (earlier && !earlier->variant.empty()) line.best = earlier;
    }
    return line;
}

std::string listed(const std::set<std::string>& words) {
    return joined(std::vector<std::string>(words.begin(), words.end()), ", ");
}

int list(const ShowArguments& a) {
    Store store(store_path(a.common), StoreUse::read);
    const std::string machine = machine_named(a.machine);
    std::vector<JobLine> lines;
    std::set<std::string> families, machines;
    for (const JobSummary& job : store.jobs()) {
        families.insert(job.key.family);
        machines.insert(job.key.machine_id);
        if (!a.family.empty() && job.key.family != a.family) continue;
        if (!machine.empty() && job.key.machine_id != machine) continue;
        lines.push_back(line_of(store, job));
    }
    print_notices(store);
    if (a.common.json) {
        print(json_text(list_json(lines, store.path())));
    } else if (!lines.empty()) {
        print_page(list_text(lines));
    } else if (families.empty()) {
        print_page("The store " + store.path() + " has no job yet; " + suggested("tune") + " adds some.\n");
    } else {
        print_page("No job of the store " + store.path() + " fits that. It has the families " +
                   listed(families) + " and the machines " + listed(machines) + ".\n");
    }
    return 0;
}

RunId run_number(const std::string& what) {
    RunId number = 0;
    const char* end = what.data() + what.size();
    const auto read = std::from_chars(what.data() + kRun.size(), end, number);
    if (read.ec != std::errc{} || read.ptr != end)
        throw InputError(what + ": expected the number of a run, like run:7; " +
                         suggested("results show JOB") + " lists a job's runs");
    return number;
}

int show_run(Store& store, const ShowArguments& a) {
    const RunId number = run_number(a.what);
    const std::vector<JobSummary> jobs = store.jobs();
    for (const RunSummary& run : store.runs()) {
        if (run.id != number) continue;
        const auto job =
            std::find_if(jobs.begin(), jobs.end(), [&](const JobSummary& j) { return j.id == run.job; });
        if (job == jobs.end()) break;
        const RunLine line{run, glance_at(run.result)};
        const JobLine of = line_of(store, *job);
        print_notices(store);
        if (a.common.json) {
            print(json_text(run_json(line, of, store.path())));
        } else {
            print_page(run_text(line, of, a.brief));
        }
        return 0;
    }
    print_notices(store);
    throw InputError(a.what + ": " + store.path() + " has no such run; " + suggested("results show JOB") +
                     " lists a job's runs");
}

int show(const ShowArguments& a) {
    Store store(store_path(a.common), StoreUse::read);
    if (a.what.starts_with(kRun)) return show_run(store, a);
    const JobSummary job =
        a.what.empty() ? newest_job(store) : find_job(store.jobs(), a.what, store.path(), true);
    const std::vector<StoredRecord> records = store.records(job.id);
    JobView view{line_of(store, job), outcomes_of(records), {}, fastest_of(records, kFastest), {}};
    for (const RunSummary& run : store.runs(job.id)) view.runs.push_back({run, glance_at(run.result)});
    if (a.records) view.records = records;
    print_notices(store);
    if (a.common.json) {
        print(json_text(job_json(view, store.path(), a.records)));
    } else {
        print_page(job_text(view));
    }
    return 0;
}

}  // namespace

void add_results_list(Command& results) {
    auto a = std::make_shared<ShowArguments>();
    Command app =
        results.command("list", "Jobs of the store, with the best of each one's last run that measured any");
    app.option("--family", a->family, "Only of this family");
    app.option("--machine", a->machine, "Only of this machine: `this`, or a fingerprint");
    app.flag("--json", a->common.json, "One JSON document on standard output");
    add_results_folder(app, a->common);
    app.runs([a] { return list(*a); });
}

void add_results_show(Command& results) {
    auto a = std::make_shared<ShowArguments>();
    Command app = results.command(
        "show",
        "One job: what it is, its records by outcome, its runs, and its fastest variants; or one run");
    app.option("what", a->what,
               "Job by its number, the first digits of its name or a part of its title, or a run as run:N "
               "(default: the job that was tuned last)");
    app.flag("--short", a->brief, "Of a run the few lines that its tune printed, in today's words");
    app.flag("--records", a->records, "Every record as well");
    app.flag("--json", a->common.json, "One JSON document on standard output");
    add_results_folder(app, a->common);
    app.runs([a] { return show(*a); });
}

}  // namespace rooftune
