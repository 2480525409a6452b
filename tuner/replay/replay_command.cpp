// Strategies on recorded spaces: replay.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"
#include "kernels/runtime/nearest.h"
#include "tuner/base/atomic_file.h"
#include "tuner/base/progress.h"
#include "tuner/base/standard_error.h"
#include "tuner/base/standard_output.h"
#include "tuner/base/suggested.h"
#include "tuner/engine/options.h"
#include "tuner/replay/commands.h"
#include "tuner/replay/replay_svg.h"
#include "tuner/replay/replay_text.h"
#include "tuner/replay/store_jobs.h"
#include "tuner/store/store_files.h"

namespace rooftune {
namespace {

struct ReplayArguments {
    std::vector<std::string> files;
    std::vector<std::string> strategies;
    std::string job, svg, results;
    ReplayRules rules;
    bool json = false, quiet = false;
};

std::vector<const StrategyKind*> chosen_strategies(const std::vector<std::string>& names) {
    std::vector<const StrategyKind*> chosen;
    std::vector<std::string> known;
    for (const StrategyKind& kind : strategy_kinds()) known.emplace_back(kind.name);
    for (const std::string& name : names) {
        if (name == "all") continue;
        const StrategyKind* kind = find_strategy(name);
        if (kind == nullptr)
            throw InputError("--strategy " + name + ": there is none; " + suggestion(name, known));
        chosen.push_back(kind);
    }
    if (chosen.empty()) {
        for (const StrategyKind& kind : strategy_kinds()) chosen.push_back(&kind);
    }
    return chosen;
}

// Without a file the store is meant.
std::vector<std::string> files_of(const ReplayArguments& a) {
    if (!a.files.empty()) return a.files;
    CommonOptions options;
    options.results = a.results;
    const std::string store = (std::filesystem::path(results_folder(options)) / "rooftune.db").string();
    check_store_exists(store, suggested("tune") +
                                  " makes one. Name files of recorded spaces, or the store's "
                                  "folder with --results");
    return {store};
}

std::vector<RecordedSpace> spaces_of(const ReplayArguments& a) {
    if (!a.job.empty() && std::none_of(a.files.begin(), a.files.end(), is_store_file))
        throw InputError("--job " + a.job +
                         ": only a rooftune.db holds several jobs, and no file here is one");
    std::vector<RecordedSpace> spaces;
    std::vector<std::string> notices;
    for (const std::string& file : a.files) spaces.push_back(read_recorded_space(file, a.job, &notices));
    for (const std::string& text : notices) tell(text);
    return spaces;
}

int replay_files(const ReplayArguments& a) {
    const std::vector<const StrategyKind*> strategies = chosen_strategies(a.strategies);
    // All are read before time is spent on the first.
    const std::vector<RecordedSpace> spaces = spaces_of(a);
    std::vector<Replay> replays;
    Progress progress(a.quiet);
    ProgressState state;
    state.budget_evaluations = spaces.size() * strategies.size() * static_cast<std::uint64_t>(a.rules.runs);
    for (std::size_t i = 0; i < spaces.size(); ++i) {
        replays.push_back(replay(spaces[i], strategies, a.rules, [&](int runs) {
            state.phase = spaces[i].name;
            state.measured = i * strategies.size() * static_cast<std::uint64_t>(a.rules.runs) +
                             static_cast<std::uint64_t>(runs);
            progress.update(state);
        }));
        replays.back().file = a.files[i];
    }
    progress.clear();
    const bool any_score =
        std::any_of(replays.begin(), replays.end(), [](const Replay& r) { return r.no_score.empty(); });
    if (!a.svg.empty() && !any_score) {
        // Also with --quiet: what was asked for is missing.
        tell(a.svg + ": not written, since it would show curves of a score, and no strategy has one here");
    } else if (!a.svg.empty()) {
        write_atomically(a.svg, replay_svg(replays, a.rules));
        if (!a.quiet) tell("wrote " + std::filesystem::absolute(a.svg).string());
    }
    if (a.json) {
        print(replay_json(replays, a.rules).dump(1) + "\n");
    } else {
        print_page(replay_text(replays, a.rules));
    }
    return 0;
}

}  // namespace

void add_replay_command(Command& program) {
    auto a = std::make_shared<ReplayArguments>();
    Command app = program.command(
        "replay",
        "Strategies of search on a space that was measured before: how soon does each find the best?");
    app.footer(
        "Reads Kernel Tuner caches (also ones that were never closed), T4, KTT's output and what\n"
        "`rooftune export --format rooftune` wrote, plain or gzip, and jobs of a rooftune.db.\n"
        "Examples:\n"
        "  rooftune replay A100.json.gz\n"
        "  rooftune replay */*.json.gz --strategy genetic --strategy random --runs 20 --svg curves.svg\n"
        "  rooftune replay --job 3                           of the store that `rooftune tune` fills");
    app.option("files", a->files, "Recorded spaces (default: the store of the results folder)");
    std::string names;
    for (const StrategyKind& kind : strategy_kinds()) names += std::string(kind.name) + ", ";
    app.option("--strategy", a->strategies, names + "or all (the default); may be given several times")
        .one_value_each();
    app.option("--job", a->job,
               "Job of a rooftune.db: its number, the first digits of its hash or a part of its title");
    app.option("--svg", a->svg, "Write the curves of the score over the time spent as a plot");
    app.option("--runs", a->rules.runs, "Runs of each strategy (default 100)").range(1, 100000);
    app.option("--seed", a->rules.seed, "Seed of the runs (default 1)");
    const Option json = app.flag("--json", a->json, "One JSON document (configs/schema/replay.schema.json)");
    app.flag("--trajectories", a->rules.keep_runs,
             "With --json: also what each run evaluated, for other programs that score runs")
        .needs(json);
    app.flag("--quiet", a->quiet, "No progress bar");
    app.option(
        "--results", a->results,
        "Folder of the store that is read where no file is named (default: the one that `rooftune tune` "
        "uses)");
    app.runs([a] {
        a->files = files_of(*a);
        return replay_files(*a);
    });
}

}  // namespace rooftune
