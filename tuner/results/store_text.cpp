#include "tuner/results/store_text.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "kernels/runtime/error.h"
#include "tuner/base/joined.h"
#include "tuner/base/si.h"
#include "tuner/base/suggested.h"
#include "tuner/base/table.h"
#include "tuner/base/text_width.h"
#include "tuner/chart/phrases.h"
#include "tuner/formats/result_json.h"
#include "tuner/formats/setting_words.h"
#include "tuner/tune/short_call.h"
#include "tuner/tune/short_summary.h"
#include "tuner/tune/summary.h"

namespace rooftune {
namespace {

constexpr const char* kNone = "–";

std::string time_of(const std::optional<ResultGlance>& best) {
    if (!best) return kNone;
    if (best->variant.empty()) return best->failed ? "no variant works" : "no winner";
    return std::isfinite(best->seconds.median) ? format_seconds(best->seconds.median) : kNone;
}

std::string share_of(double fraction) {
    return std::isfinite(fraction) && fraction > 0.0 ? format_percent(fraction) : kNone;
}

TableCell time_cell(const TimeInterval& t) {
    return {format_seconds_interval(t.median, t.low, t.high), t.median};
}

std::string threads_of(int threads) {
    return format_plural(threads, "thread");
}

std::string machine_of(const JobLine& line) {
    return line.job.key.machine_id + (line.here ? " (this one)" : "");
}

std::string end_of(const RunLine& line) {
    if (line.run.ended.empty()) return "runs, or was killed";
    if (!line.best) return line.run.result.empty() ? "without a result" : "with a result of another version";
    return line.best->stopped_by.empty() ? "with a result" : line.best->stopped_by;
}

// In the one spelling that can be pasted back; as the store has it where it has no more (an older record).
std::string spelt(const StoredRecord& stored) {
    return stored.record.variant.empty() ? stored.variant : variant_assignment(stored.record.variant);
}

Table records_table(const std::vector<StoredRecord>& records) {
    Table table({{"record", Align::right},
                 {"at", Align::left},
                 {"run", Align::right},
                 {"role", Align::left},
                 {"outcome", Align::left},
                 {"slots", Align::right},
                 {"least time", Align::right},
                 {"variant", Align::left},
                 {"detail", Align::left}});
    for (const StoredRecord& stored : records) {
        double least = NAN;
        for (const Slot& slot : stored.record.slots) least = std::fmin(least, slot.seconds);
        table.add({std::to_string(stored.id), stored.record.when,
                   stored.run ? std::to_string(*stored.run) : kNone, stored.record.role,
                   std::string(to_text(stored.record.outcome)), std::to_string(stored.record.slots.size()),
                   std::isfinite(least) ? format_seconds(least) : kNone, spelt(stored),
                   cut_to_width(stored.record.detail, 60)});
    }
    return table;
}

// What problems are called where these columns are left out: jobs that would look alike differ in threads, or
// else in a build, a rule or the machine, which no column has room for, and are told by their last run.
std::vector<std::string> called(const std::vector<JobLine>& jobs, const std::set<std::string>& out) {
    std::vector<std::string> names;
    for (const JobLine& line : jobs) {
        const JobKey& key = line.job.key;
        const bool settings = out.contains("backend") || out.contains("state");
        names.push_back(key.title + (settings ? setting_words(key.backend, key.state) : ""));
    }
    const auto tell_apart = [&](const char* column, const auto& word_of) {
        if (!out.contains(column)) return;
        std::map<std::string, std::set<std::string>> words;
        for (std::size_t i = 0; i < jobs.size(); ++i) words[names[i]].insert(word_of(jobs[i]));
        const std::vector<std::string> before = names;
        for (std::size_t i = 0; i < jobs.size(); ++i) {
            if (words[before[i]].size() > 1) names[i] += ", " + word_of(jobs[i]);
        }
    };
    tell_apart("threads", [](const JobLine& line) { return threads_of(line.job.key.threads); });
    tell_apart("last run", [](const JobLine& line) {
        return line.job.last_run.empty() ? std::string("never run to its end") : line.job.last_run;
    });
    return names;
}

// With problems called so.
Table list_table(const std::vector<JobLine>& jobs, const std::vector<std::string>& names) {
    Table table({{"job", Align::right},
                 {"name", Align::left, 1},
                 {"family", Align::left, 4},
                 {"problem", Align::left},
                 {"machine", Align::left, 2},
                 {"backend", Align::left, 6},
                 {"state", Align::left, 6},
                 {"threads", Align::right, 7},
                 {"records", Align::right, 5},
                 {"runs", Align::right, 3},
                 {"last run", Align::left, 9},
                 {"best", Align::right},
                 {"of problem roof", Align::right, 8}});
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        const JobLine& line = jobs[i];
        const JobSummary& job = line.job;
        table.add({std::to_string(job.id), job.key.hash(), job.key.family, names[i], machine_of(line),
                   job.key.backend, job.key.state, std::to_string(job.key.threads),
                   std::to_string(job.records), std::to_string(job.runs),
                   job.last_run.empty() ? kNone : job.last_run, time_of(line.best),
                   line.best ? share_of(line.best->fraction_of_problem_roof) : kNone});
    }
    return table;
}

std::string size_of(std::int64_t bytes) {
    return format_si(static_cast<double>(bytes), "B");
}

}  // namespace

std::string list_text(const std::vector<JobLine>& jobs, int columns) {
    Table table = list_table(jobs, called(jobs, {}));
    std::vector<std::string> left_out = table.left_out(columns);
    // What is told beside a title for columns that are left out may take the room of others.
    for (std::size_t before = 0; before != left_out.size();) {
        before = left_out.size();
        table = list_table(jobs, called(jobs, {left_out.begin(), left_out.end()}));
        left_out = table.left_out(columns);
    }
    const auto is_out = [&](const char* header) {
        return std::find(left_out.begin(), left_out.end(), header) != left_out.end();
    };
    std::string text = table.to_text(columns), below;
    const bool one_machine = std::all_of(jobs.begin(), jobs.end(), [&](const JobLine& line) {
        return line.job.key.machine_id == jobs.front().job.key.machine_id;
    });
    if (is_out("machine") && one_machine && !jobs.empty()) {
        left_out.erase(std::find(left_out.begin(), left_out.end(), "machine"));
        below += (jobs.front().here ? std::string("All are of this machine")
                                    : "All are of the machine " + machine_of(jobs.front())) +
                 ". ";
    }
    if (!left_out.empty())
        below += "Not shown, because the page is narrow: " + joined(left_out) + "; --json has all, and " +
                 suggested("results show JOB") + " all of one.";
    return below.empty() ? text : text + "\n" + wrap(below, std::min(columns, prose_width())) + "\n";
}

std::string job_text(const JobView& view) {
    const JobSummary& job = view.line.job;
    std::string problem;
    for (const auto& [name, value] : job.key.problem)
        problem += (problem.empty() ? "" : ",") + name + "=" + value;
    std::string text =
        wrap("Job " + std::to_string(job.id) + ", " + job.key.hash() + ": " + printable(job.key.title) +
             ", " + job.key.state + ", " + threads_of(job.key.threads) + ", " + job.key.backend + ".") +
        "\n\n";
    text += list_item("family " + job.key.family + ", problem " + printable(problem) +
                      (job.key.digest.empty() ? "" : ", digest " + job.key.digest));
    text += list_item("machine " + machine_of(view.line) + ", space version " +
                      std::to_string(job.key.space_version) + ", build of the kernels " + job.key.build);
    text +=
        list_item("made " + job.created + "; " + format_plural(job.records, "record") +
                  (job.superseded > 0 ? ", and " + std::to_string(job.superseded) + " superseded by --fresh"
                                      : std::string()));
    if (!view.outcomes.empty()) {
        Table table({{"outcome", Align::left}, {"records", Align::right}, {"variants", Align::right}});
        for (const OutcomeLine& line : view.outcomes)
            table.add({std::string(to_text(line.outcome)), std::to_string(line.records),
                       std::to_string(line.variants)});
        text += "\n" + table.to_text();
    }
    if (!view.runs.empty()) {
        Table table({{"run", Align::right},
                     {"started", Align::left},
                     {"ended", Align::left},
                     {"stopped by", Align::left},
                     {"best", Align::right},
                     {"of problem roof", Align::right},
                     {"proven gap", Align::right}});
        for (const RunLine& line : view.runs)
            table.add({std::to_string(line.run.id), line.run.started,
                       line.run.ended.empty() ? kNone : line.run.ended, end_of(line), time_of(line.best),
                       line.best ? share_of(line.best->fraction_of_problem_roof) : kNone,
                       line.best && std::isfinite(line.best->gap.value) ? gap_cell(line.best->gap) : kNone});
        text += "\n" + table.to_text();
    }
    if (!view.best.empty()) {
        Table table({{"variant", Align::left},
                     {"time", Align::left},
                     {"slots", Align::right},
                     {"role", Align::left},
                     {"at", Align::left}});
        for (const VariantLine& line : view.best)
            table.add({line.values.empty() ? line.variant : variant_assignment(line.values),
                       time_cell(line.seconds), std::to_string(line.seconds.slots), line.role, line.when});
        text +=
            "\n" +
            wrap(
                "The fastest that were measured in full, by what the store has of each last. Times of role "
                "finals are over all processes of those finals, as the tune told them; others are of other "
                "minutes, and no tune decided by comparing the two:") +
            "\n\n" + table.to_text();
    }
    if (!view.records.empty()) text += "\n" + records_table(view.records).to_text();
    if (!view.runs.empty())
        text += "\n" +
                wrap(suggested("results show run:" + std::to_string(view.runs.back().run.id)) +
                     " shows what the last run found.") +
                "\n";
    return text;
}

std::string run_text(const RunLine& line, const JobLine& job, bool brief) {
    std::string text =
        wrap("Run " + std::to_string(line.run.id) + " of job " + std::to_string(job.job.id) + " (" +
             printable(job.job.key.title) + ", " + job.job.key.state + ", " +
             threads_of(job.job.key.threads) + ", " + job.job.key.backend + ", on " + machine_of(job) +
             "): started " + line.run.started +
             (line.run.ended.empty() ? ", runs or was killed."
                                     : ", ended " + line.run.ended +
                                           ", probing before it, waiting for others and writing included.")) +
        "\n";
    if (line.run.result.empty())
        return text + "\n" + wrap("It left no result. Tuning the job again goes on from its records.") + "\n";
    try {
        const std::string name = "the result of run " + std::to_string(line.run.id);
        const Json document = parse_json(line.run.result, name);
        const TuneResult result = result_from(StrictObject(document, name));
        return brief ? short_summary(result) : text + "\n" + summary_text(result);
    } catch (const InputError& error) {
        return text + "\n" +
               wrap(std::string(error.what()) + ". " +
                    suggested("results show run:" + std::to_string(line.run.id) + " --json") +
                    " has it as it was written.") +
               "\n";
    }
}

std::string prune_text(const PruneReport& report, const std::string& command) {
    const PrunePlan& plan = report.plan;
    if (plan.empty())
        return "Nothing that may go fits that, and nothing is deleted. The last run of a job stays, with its "
               "records, "
               "unless --newest-too.\n";
    Table table({{"job", Align::right},
                 {"name", Align::left},
                 {"problem", Align::left},
                 {"records", Align::right},
                 {"runs", Align::right},
                 {"bytes", Align::right},
                 {"what stays of it", Align::left}});
    for (const PrunedJob& job : plan.jobs)
        table.add({std::to_string(job.id), job.hash, job.title + setting_words(job.backend, job.state),
                   std::to_string(job.records), std::to_string(job.runs), size_of(job.bytes),
                   job.whole ? "nothing"
                             : format_plural(job.records_left, "record") + ", " +
                                   format_plural(job.runs_left, "run")});
    std::string text = table.empty() ? "" : table.to_text() + "\n";
    const std::string all =
        format_plural(plan.record_ids.size(), "record") + ", " + format_plural(plan.run_ids.size(), "run") +
        " and " + format_plural(plan.job_ids.size(), "job") +
        (plan.history_ids.empty() ? "" : ", and " + std::to_string(plan.history_ids.size()) + " of history");
    if (!report.done)
        return text +
               wrap("That would delete " + all + ", about " + size_of(plan.bytes) +
                    ". Nothing was deleted yet; a later tune would measure again what is gone. To delete "
                    "it:") +
               "\n\n    " + command + "\n";
    text += wrap("Deleted " + all + ". The store had " + size_of(report.bytes_before) + " and has " +
                 size_of(report.bytes_after) + ".") +
            "\n";
    if (!report.not_shrunk.empty())
        text += wrap("The file could not be made smaller: " + report.not_shrunk +
                     ". Its free pages are used before it grows.") +
                "\n";
    return text;
}

std::string import_text(const ImportReport& report, const std::string& source) {
    std::string text;
    for (const std::string& left : report.left_out) text += "Left out: " + printable(left) + "\n";
    if (report.interrupted) return text + "Interrupted; nothing was imported.\n";
    Table table({{"", Align::left}, {"added", Align::right}, {"there already", Align::right}});
    const auto row = [&](const char* name, const ImportCount& count) {
        table.add({name, std::to_string(count.added), std::to_string(count.known)});
    };
    row("jobs", report.jobs);
    row("runs", report.runs);
    row("records", report.records);
    row("history", report.history);
    text += table.to_text() + "\n";
    if (report.completed_runs > 0)
        text += wrap(format_plural(report.completed_runs, "run") +
                     " that had been imported before the end now has its result.") +
                "\n";
    if (report.superseded > 0)
        text += wrap(format_plural(report.superseded, "record") + " that " +
                     (report.superseded == 1 ? "was" : "were") +
                     " thrown away there (`tune --fresh`) no longer " +
                     (report.superseded == 1 ? "counts" : "count") + " here either.") +
                "\n";
    std::string machines;
    for (const auto& [machine, jobs] : report.machines)
        machines += (machines.empty() ? "" : ", ") + machine + " (" + format_plural(jobs, "job") + ")";
    if (!report.changed())
        text += wrap("Everything of " + source + " was there already; nothing was changed.") + "\n";
    if (!machines.empty())
        text +=
            wrap("Of machines: " + machines +
                 ". A job belongs to its machine: results of two machines lie side by side and never mix. " +
                 suggested("results list") + " shows them.") +
            "\n";
    return text;
}

std::string export_text(const StoreExport& report, const std::string& file) {
    std::string text;
    for (const std::string& left : report.left_out)
        text += wrap("Left out, since it is not as it was written: " + left) + "\n";
    return text +
           wrap("Wrote " + file + " (" + size_of(report.bytes) + "): " + format_plural(report.jobs, "job") +
                ", " + format_plural(report.runs, "run") + ", " + format_plural(report.records, "record") +
                (report.history > 0 ? ", " + std::to_string(report.history) + " of history" : "") +
                ". To add it to another store:") +
           "\n\n    rooftune results import " + file + "\n";
}

std::string check_text(const StoreState& state, const std::string& path) {
    if (state.whole() && state.version == 0)
        return wrap(path + " is whole: nothing was stored in it yet.") + "\n";
    if (state.whole())
        return wrap(path + " is whole: version " + std::to_string(state.version) + ", " +
                    format_plural(state.jobs, "job") + ", " + format_plural(state.runs, "run") + ", " +
                    format_plural(state.records, "record") +
                    (state.superseded > 0 ? " (" + std::to_string(state.superseded) + " superseded)" : "") +
                    ", " + std::to_string(state.history) + " of history, " + size_of(state.bytes) +
                    ". Every row is as it was written.") +
               "\n";
    std::string text = path + " is not whole:\n\n";
    for (const std::string& damage : state.damage) text += list_item(printable(damage));
    for (const std::string& lost : state.lost) text += list_item(printable(lost));
    for (const RowFault& fault : state.faults) text += list_item(printable(fault.text()));
    if (state.more_faults > 0) text += list_item("and " + std::to_string(state.more_faults) + " more");
    text += "\n";
    if (!state.damage.empty() || !state.lost.empty())
        return text +
               wrap("Nothing was changed. If another copy is whole, put it here now. Else " +
                    suggested("results check --repair") +
                    " keeps this file aside, takes over every row that is whole, and says what is "
                    "lost; "
                    "other commands do the same when they meet the damage.") +
               "\n";
    return text +
           wrap("Such rows are left out wherever the store is read, and the rest is whole. " +
                suggested("results prune --damaged") + " deletes them; if another copy has them, " +
                suggested("results import FILE") + " then adds them again.") +
           "\n";
}

}  // namespace rooftune
