// `rooftune track report`: the histories that `track record` wrote.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "kernels/runtime/error.h"
#include "kernels/runtime/nearest.h"
#include "tuner/base/atomic_file.h"
#include "tuner/base/interrupt.h"
#include "tuner/base/notice.h"
#include "tuner/base/standard_error.h"
#include "tuner/base/standard_output.h"
#include "tuner/base/suggested.h"
#include "tuner/ceilings/probe_machine.h"
#include "tuner/command/common_flags.h"
#include "tuner/command/notices.h"
#include "tuner/formats/result_json.h"
#include "tuner/track/baselines.h"
#include "tuner/track/compare_configs.h"
#include "tuner/track/git.h"
#include "tuner/track/read_history.h"
#include "tuner/track/track_commands.h"
#include "tuner/track/track_report.h"
#include "tuner/track/track_svg.h"
#include "tuner/track/track_text.h"

namespace rooftune {
namespace {

using track::KernelReport;
using track::Series;
using track::TrackReport;

struct ReportArguments {
    CommonFlags common;
    std::vector<std::string> kernels;
    std::string machine = "this";
    std::string since, release, baseline, svg;
    bool markdown = false, confirm = false;
    CompareRules rules;
    double delta = 0.0;  ///< 0: by each machine's history
};

bool is_wanted(const Series& series, const std::vector<std::string>& kernels) {
    return kernels.empty() || std::any_of(kernels.begin(), kernels.end(), [&](const std::string& text) {
               return series.kernel.find(text) != std::string::npos ||
                      series.entries.front().family.find(text) != std::string::npos;
           });
}

// The series that were asked for; an InputError that says what there is, where there are none.
std::vector<Series> chosen(std::vector<Series> all, const ReportArguments& a, const std::string& here) {
    std::vector<Series> wanted;
    std::set<std::string> machines, kernels;
    const std::string machine = a.machine == "this" ? here : a.machine;
    for (Series& series : all) {
        machines.insert(series.machine);
        if (a.machine != "all" && series.machine != machine) continue;
        kernels.insert(series.kernel);
        if (is_wanted(series, a.kernels)) wanted.push_back(std::move(series));
    }
    if (!wanted.empty()) return wanted;
    const auto list = [](const std::set<std::string>& names) {
        return listed(std::vector<std::string>(names.begin(), names.end()));
    };
    if (kernels.empty())
        throw InputError("--machine " + a.machine + ": has no history; there is one of " + list(machines) +
                         " (--machine all shows each)");
    throw InputError("--kernel leaves no history; there are: " + list(kernels));
}

class Reporter {
public:
    Reporter(const ReportArguments& arguments, const Registry& registry)
        : a_(arguments), registry_(&registry) {
        if (a_.common.json && a_.markdown)
            throw InputError("--json and --markdown both want standard output; give one");
        if (a_.delta > 0.0) a_.rules.delta = a_.delta;
    }

    int run() {
        TrackReport report;
        report.machine = new_machine().id;
        report.release = a_.release;
        report.baseline = a_.baseline;
        const std::string path = (std::filesystem::path(results_folder(a_.common)) / "rooftune.db").string();
        const auto told = [this](const std::string& text) { notice(text); };
        std::vector<Series> all = track::series_of(track::read_history(path, told));
        const track::Since start = since(all);
        for (Series& series : chosen(std::move(all), a_, report.machine)) {
            KernelReport k;
            k.delta = delta_for(a_.common, a_.rules, series.machine);
            k.summary = track::summarise(series, k.delta, release_in(series));
            k.shown_from = track::begin_of(series, start);
            k.series = std::move(series);
            if (k.shown_from < k.series.entries.size()) report.kernels.push_back(std::move(k));
        }
        if (report.kernels.empty()) throw InputError("--since " + a_.since + ": nothing was recorded since");
        check_release(report);
        check_baseline(report);
        if (!a_.svg.empty()) check_can_be_written(a_.svg);
        if (a_.confirm) confirm(report);
        if (interrupted()) return 130;
        if (a_.common.json) {
            print(json_text(to_json(report)));
        } else if (a_.markdown) {
            print(track_report_text(report, true));
        } else {
            print_page(track_report_text(report, false));
        }
        if (!a_.svg.empty()) write_atomically(a_.svg, track_svg(report));
        const int status = exit_status(report);
        return status == 0 && unmeasured_ ? 3 : status;
    }

private:
    void notice(const std::string& text) const { notices(a_.common.quiet)(text); }

    // A name that none of these histories has is a mistake; one of them may lack it.
    // Of some kernels only, the text says who has no entry of it.
    void check_release(const TrackReport& report) const {
        if (a_.release.empty()) return;
        // The newest of each kernel before those of others, each once.
        constexpr std::size_t kMost = 10;
        std::vector<std::string> revisions;
        for (const KernelReport& k : report.kernels) {
            if (k.summary.release) return;
            const auto& entries = k.series.entries;
            for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
                const std::string name = short_revision(entry->revision);
                if (entry->measured() &&
                    std::find(revisions.begin(), revisions.end(), name) == revisions.end())
                    revisions.push_back(name);
            }
        }
        const std::size_t more = revisions.size() - std::min(kMost, revisions.size());
        revisions.resize(revisions.size() - more);
        throw InputError("--release " + a_.release +
                         ": no history that is shown was measured at that revision; there " +
                         (revisions.size() == 1 ? "is " : "are ") +
                         (revisions.empty() ? std::string("none") : listed(revisions)) +
                         (more > 0 ? " and " + std::to_string(more) + " older" : ""));
    }

    void check_baseline(const TrackReport& report) const {
        if (a_.baseline.empty()) return;
        std::set<std::string> names;
        for (const KernelReport& k : report.kernels) {
            for (const auto& [name, at] : track::baselines_of(k.series.entries)) names.insert(name);
        }
        if (names.contains(a_.baseline)) return;
        throw InputError("--baseline " + a_.baseline + ": no history that is shown has that name; there is " +
                         (names.empty() ? std::string("none")
                                        : listed(std::vector<std::string>(names.begin(), names.end()))) +
                         " (" + suggested("track record --baseline NAME") + " makes one)");
    }

    // The hash of what a tag or a branch names in the checkout that this is run in.
    static std::optional<std::string> hash_of(const std::string& revision) {
        const track::Git git;
        return git.there() ? git.resolve(revision) : std::nullopt;
    }

    // The release as the history has it.
    std::string release_in(const Series& series) const {
        if (a_.release.empty()) return "";
        const std::span<const Series> alone(&series, 1);
        if (const auto recorded = track::recorded_as(alone, a_.release)) return *recorded;
        return hash_of(a_.release).value_or(a_.release);
    }

    // Of all histories, those included that are not shown: a kernel that was not recorded at a revision is
    // shown from its date on.
    track::Since since(const std::vector<Series>& all) const {
        if (a_.since.empty()) return {};
        if (const auto there = track::since_of(all, a_.since)) return *there;
        const auto hash = hash_of(a_.since);
        if (!hash)
            throw InputError("--since " + a_.since +
                             ": is no revision of any history, no commit here, and no date like 2026-05-31");
        const auto there = track::since_of(all, *hash);
        return there ? *there : track::Since{"", track::Git().commit(*hash).date};
    }

    // The newest suspect of each kernel, afresh: the two variants in this build, interleaved.
    void confirm(TrackReport& report) {
        for (KernelReport& k : report.kernels) {
            const std::vector<track::Suspect> suspects = k.suspects();
            if (suspects.empty() || interrupted()) continue;
            const track::Suspect& suspect = suspects.back();
            const track::Confirmation how = track::confirmation_of(k.series, suspect);
            if (k.series.machine != report.machine) {
                notice(k.series.kernel + ": was recorded on another machine; confirm it there");
            } else if (!suspect.variant_changed) {
                notice(k.series.kernel + ": " + how.why + (how.command.empty() ? "" : ": " + how.command));
            } else {
                try {
                    k.confirmed = compared(k.series.entries[suspect.before], k.series.entries[suspect.at],
                                           report.machine);
                } catch (const InputError& error) {
                    // One kernel's config that is gone does not take the report.
                    notice(k.series.kernel + ": cannot be compared: " + error.what());
                } catch (const EnvironmentError& error) {
                    if (interrupted()) return;
                    // Also with --quiet: it is why the exit status is 3.
                    tell(k.series.kernel + ": cannot be compared: " + error.what());
                    unmeasured_ = true;
                }
            }
        }
    }

    std::optional<track::Comparison> compared(const track::Entry& before, const track::Entry& after,
                                              const std::string& here) const {
        track::ConfigPair pair;
        pair.base = {after.config, read_tuned_config(after.config)};
        pair.candidate = pair.base;
        pair.base.config.result.best = before.variant;
        pair.candidate.config.result.best = after.variant;
        CommonFlags common = a_.common;
        if (after.backend == "cpu") common.threads = after.threads;
        MeasuringScreen screen("comparing", "pair", 1, common.quiet);
        screen.expects({cost_of_variants({before.seconds.median}, {after.seconds.median})});
        screen.next(after.title);
        return compare_configs(pair, common, a_.rules, here, *registry_, screen);
    }

    ReportArguments a_;
    const Registry* registry_;
    bool unmeasured_ = false;  ///< what --confirm asked for, of some kernel
};

}  // namespace

void add_track_report(Command& track, const Registry& registry) {
    auto a = std::make_shared<ReportArguments>();
    Command app = track.command(
        "report",
        "Histories: attainable over time, gains since the first entry, the best ever, and where it changed");
    app.footer(
        "Changes are for triage: entries were measured at different times. --confirm, or the command that is "
        "shown "
        "with\n"
        "each, compares afresh, interleaved.\n"
        "Exit status: 0 done; 1 --confirm found REGRESSED; 2 bad usage or input; 3 --confirm was INVALID or "
        "could not measure.");
    app.flag("--json", a->common.json, "One JSON document on standard output (configs/schema)");
    app.flag("--quiet", a->common.quiet, "No progress bar and no notices");
    app.flag("--markdown", a->markdown, "Markdown on standard output");
    app.option("--svg", a->svg, "Write a plot of the fractions of attainable to this file");
    app.option("--kernel", a->kernels,
               "Only kernels whose name or family contains one of these; several may be given");
    app.option("--machine", a->machine, "this, all, or the fingerprint of one").shows_default();
    app.option("--since", a->since, "Show entries from this revision or date on");
    app.option("--release", a->release, "A revision to compare the latest entry with");
    app.option("--baseline", a->baseline,
               "A name that was recorded, to compare the latest entry with (for a verdict: `rooftune compare "
               "--baseline NAME`)");
    app.option("--delta", a->delta,
               "Changes below this fraction of the time are not suspected (default: what the machine's noise "
               "asks for)")
        .range(1e-6, 1.0);
    app.flag(
        "--confirm", a->confirm,
        "Compare the variants before and after the newest change of each kernel afresh, on this machine");
    app.option("--limit", a->rules.limit, "With --confirm: seconds that one turn of an arm may take")
        .positive()
        .shows_default();
    app.option("--results", a->common.results,
               "Folder of the store (default: the one that `rooftune tune` uses)");
    app.runs([a, &registry] { return Reporter(*a, registry).run(); });
}

}  // namespace rooftune
