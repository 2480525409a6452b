#include "tuner/tune/tune_nodes.h"

#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"
#include "tuner/base/joined.h"
#include "tuner/base/plain_name.h"
#include "tuner/base/standard_output.h"
#include "tuner/cluster/job_words.h"
#include "tuner/cluster/tune_on_nodes.h"
#include "tuner/command/nodes_screen.h"
#include "tuner/engine/prepare_jobs.h"
#include "tuner/formats/result_json.h"
#include "tuner/tune/short_summary.h"
#include "tuner/tune/summary.h"
#include "tuner/tune/tuned_set_text.h"

namespace rooftune {
namespace {

// Prints results as they come.
class Screen final : public NodesScreen {
public:
    Screen(const CommonFlags& flags, bool verbose)
        : NodesScreen(flags.quiet), json_(flags.json), verbose_(verbose) {}
    void result(const TuneResult& result, const Machine&) override {
        if (json_) return;
        clear();
        print_page((first_ ? "" : "\n") + (verbose_ ? summary_text(result) : short_summary(result)));
        first_ = false;
    }

private:
    bool json_, verbose_, first_ = true;
};

std::string class_heading(const ClassOutcome& c) {
    return "# " + c.machine.name + " (" + joined(c.nodes) + ")\n\n";
}

}  // namespace

int tune_job_on_nodes(JobList list, const TuneOptions& options, const ClusterOptions& cluster,
                      const CommonFlags& flags, bool verbose) {
    if (!options.common.machine.empty())
        throw InputError("--machine is of a tune on this machine; nodes measure their own ceilings");
    for (const Job& job : list.jobs) {
        if (job.family->runs_in_this_process())
            throw InputError("functions of this program are measured in it, not on nodes");
    }
    Screen screen(flags, verbose);
    const auto notice = [&](const std::string& text) { screen.notice(text); };
    const std::vector<ProblemSketch> sketches = check_jobs(list.jobs, options, false, notice);
    // Of what stays loaded here nothing reaches a node.
    for (Job& job : list.jobs) job.loaded.reset();
    const bool is_set = list.jobs.size() != 1;
    if (!is_set) list.name = plain_name(job_title(list.jobs.front()));
    const ClusterOutcome found = tune_on_nodes(list, sketches, options, cluster, screen);
    screen.clear();
    bool all_work = found.complete;
    std::vector<TuneResult> results;
    for (const ClassOutcome& c : found.classes) {
        all_work = all_work && c.outcome.all_work;
        results.insert(results.end(), c.outcome.results.begin(), c.outcome.results.end());
        if (flags.json || !is_set) continue;
        std::string text = found.classes.size() > 1 ? class_heading(c) : "";
        if (c.outcome.results.size() > 1)
            text += (verbose ? several_table(c.outcome.results) : short_table(c.outcome.results)) + "\n";
        print_page("\n" + text + tuned_set_text(c.outcome.set, c.outcome.file));
    }
    if (flags.json) {
        for (TuneResult& result : results) result.next = advice(result);
        print(json_text(to_json(results)));
    }
    return all_work ? 0 : 1;
}

}  // namespace rooftune
