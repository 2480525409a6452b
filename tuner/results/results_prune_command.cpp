// Deleting from the store: results prune. Without --yes it only says what would go.
#include <memory>
#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"
#include "kernels/runtime/kernels_build.h"
#include "tuner/base/standard_output.h"
#include "tuner/command/common_flags.h"
#include "tuner/formats/result_json.h"
#include "tuner/replay/store_jobs.h"
#include "tuner/results/results_commands.h"
#include "tuner/results/store_json.h"
#include "tuner/results/store_text.h"

namespace rooftune {
namespace {

struct PruneArguments {
    CommonFlags common;
    PruneWish wish;
    std::string job, machine, build;
    bool yes = false;
};

// The command that does what was asked, to be copied; words with blanks are quoted for a shell.
std::string command_of(const PruneArguments& a) {
    std::string text = "rooftune results prune";
    const auto add = [&](const char* flag, const std::string& value) {
        if (value.empty()) return;
        const bool plain = value.find_first_not_of(
                               "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                               "-_./:+,=@%") == std::string::npos;
        std::string word;
        for (const char c : value) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
        text += std::string(" ") + flag + " " + (plain ? value : "'" + word + "'");
    };
    if (a.wish.superseded) text += " --superseded";
    if (a.wish.damaged) text += " --damaged";
    add("--job", a.job);
    add("--family", a.wish.family);
    add("--machine", a.machine);
    add("--build", a.build);
    add("--before", a.wish.before);
    if (a.wish.newest_too) text += " --newest-too";
    add("--results", a.common.results);
    return text + " --yes";
}

PruneWish wish_of(const PruneArguments& a, Store& store) {
    PruneWish wish = a.wish;
    if (!wish.before.empty()) check_prune_date(wish.before);
    if (wish.superseded && wish.damaged)
        throw InputError("results prune: --superseded and --damaged are two things; prune twice");
    if (!wish.superseded && !wish.damaged && a.job.empty() && wish.family.empty() && a.machine.empty() &&
        a.build.empty() && wish.before.empty())
        throw InputError(
            "results prune: say what may go: --superseded, --damaged, --job, --family, --machine, --build or "
            "--before; several of these narrow it");
    if (!a.job.empty()) wish.job = find_job(store.jobs(), a.job, store.path(), true).id;
    if (a.machine == "other")
        wish.not_machine = machine_named("this");
    else
        wish.machine = machine_named(a.machine);
    if (a.build == "other")
        wish.not_build = kernels_build();
    else
        wish.build = a.build == "this" ? kernels_build() : a.build;
    return wish;
}

int prune(const PruneArguments& a) {
    Store store(store_path(a.common), a.yes ? StoreUse::write : StoreUse::read);
    const PruneWish wish = wish_of(a, store);
    print_notices(store);
    PruneReport report;
    report.plan = store.prune_plan(wish);
    if (a.yes && !report.plan.empty()) report = store.prune(wish);
    if (a.common.json) {
        print(json_text(prune_json(report, store.path())));
    } else {
        print_page(prune_text(report, command_of(a)));
    }
    return 0;
}

}  // namespace

void add_results_prune(Command& results) {
    auto a = std::make_shared<PruneArguments>();
    Command app =
        results.command("prune", "Says what would be deleted by these conditions; with --yes, deletes it");
    app.footer(
        "Conditions narrow each other. The last run of each job with a result stays, with the records "
        "measured in "
        "it,\nunless --newest-too; a job of which nothing is left goes. Nothing is deleted while another "
        "process "
        "uses the\nstore. History (`rooftune track`) stays.\n"
        "Examples:\n"
        "  rooftune results prune --superseded\n"
        "  rooftune results prune --build other --before 2024-01-01 --yes");
    app.flag("--superseded", a->wish.superseded, "Only records from before a `tune --fresh`");
    app.flag("--damaged", a->wish.damaged, "Only rows that are not as they were written (`results check`)");
    app.option("--job", a->job,
               "Of this job, by its number, the first digits of its name or part of its title");
    app.option("--family", a->wish.family, "Of this family");
    app.option("--machine", a->machine, "Of this machine: `this`, `other` (all but this), or a fingerprint");
    app.option("--build", a->build,
               "Of this build of the kernels: `this`, `other` (all but this program's), or as `results show` "
               "has it");
    app.option("--before", a->wish.before, "Older than this date (UTC), like 2024-05-31");
    app.flag("--newest-too", a->wish.newest_too, "Also the last run of each job");
    app.flag("--yes", a->yes, "Delete it");
    app.flag("--json", a->common.json, "One JSON document on standard output");
    add_results_folder(app, a->common);
    app.runs([a] { return prune(*a); });
}

}  // namespace rooftune
