// `rooftune track record`: measures tuned configs again and appends what it saw to their histories.
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"
#include "tuner/base/date.h"
#include "tuner/base/interrupt.h"
#include "tuner/base/standard_error.h"
#include "tuner/base/standard_output.h"
#include "tuner/ceilings/probe_machine.h"
#include "tuner/command/common_flags.h"
#include "tuner/command/notices.h"
#include "tuner/formats/result_json.h"
#include "tuner/formats/setting_words.h"
#include "tuner/store/store.h"
#include "tuner/track/baselines.h"
#include "tuner/track/git.h"
#include "tuner/track/measuring_screen.h"
#include "tuner/track/pairing.h"
#include "tuner/track/read_history.h"
#include "tuner/track/track_commands.h"
#include "tuner/track/track_measure.h"
#include "tuner/track/track_text.h"

namespace rooftune {
namespace {

using track::Entry;

struct RecordArguments {
    CommonFlags common;
    std::vector<std::string> configs, kernels;
    std::string revision, note, ladder, baseline;
    double seconds = 5.0;
};

// Seconds that loading, verifying and probing take besides.
constexpr double kBesides = 5.0;

constexpr std::string_view kRecordSchema = "rooftune/track-record/1";

struct Revision {
    std::string name, date;  ///< empty date: that of the measurement
};

Revision revision_of(const std::string& given) {
    const track::Git git;
    if (!given.empty()) {
        const auto hash = git.there() ? git.resolve(given) : std::nullopt;
        return {given, hash ? git.commit(*hash).date : ""};
    }
    const auto head = git.there() ? git.resolve("HEAD") : std::nullopt;
    if (!head)
        throw InputError(
            "this folder is in no git checkout with a commit; name what is measured with --revision, like "
            "--revision v1.2");
    // Files that differ were not written when the commit was.
    if (git.is_dirty()) return {*head + "-dirty", ""};
    return {*head, git.commit(*head).date};
}

std::vector<ConfigFile> configs_of(const RecordArguments& a, const Notice& notice) {
    std::vector<std::string> places = a.configs;
    if (places.empty()) places.push_back(results_folder(a.common));
    std::vector<ConfigFile> files;
    for (const std::string& place : places) {
        for (ConfigFile& file : track::side_at(place, notice)) files.push_back(std::move(file));
    }
    // Paired with itself, a side keeps what --kernels asks for.
    std::vector<ConfigFile> wanted;
    for (ConfigFile& file : files) {
        if (!track::pair_up({file}, {file}, a.kernels).pairs.empty()) wanted.push_back(std::move(file));
    }
    if (wanted.empty()) throw InputError("--kernels leaves none of the tuned configs");
    return wanted;
}

class Recorder {
public:
    Recorder(const RecordArguments& arguments, const Registry& registry)
        : a_(arguments),
          registry_(&registry),
          revision_(revision_of(a_.revision)),
          configs_(configs_of(a_, notices(a_.common.quiet))),
          store_((std::filesystem::path(results_folder(a_.common)) / "rooftune.db").string()),
          screen_("recording", "tuned config", configs_.size(), a_.common.quiet) {
        // Short kernels have all their rounds before their time is over.
        screen_.expects(
            std::vector<Cost>(configs_.size(), Cost{.before = a_.seconds + kBesides, .at_most = true}));
        if (!a_.baseline.empty()) check_history();
        if (a_.ladder.empty()) return;
        if (configs_.size() > 1)
            throw InputError("--ladder " + a_.ladder + ": has the steps of one kernel, and " +
                             std::to_string(configs_.size()) +
                             " would be recorded; name the config that it belongs to");
        steps_ = track::read_ladder_steps(a_.ladder, configs_.front().config.result.digest);
    }

    int run() {
        for (const std::string& text : store_.notices()) notice(text);
        const std::string here = new_machine().id;
        for (std::size_t i = 0; i < configs_.size() && !interrupted(); ++i) {
            screen_.next(track::name_of(configs_[i].config.result).title +
                         track::name_of(configs_[i].config.result).setting);
            std::optional<Entry> entry;
            try {
                entry = measured(configs_[i], here);
            } catch (const InputError& error) {
                // Of several one must not take the others' entries.
                if (configs_.size() == 1) throw;
                leave_out(configs_[i], error);
            } catch (const EnvironmentError& error) {
                if (configs_.size() == 1) throw;
                if (interrupted()) break;
                leave_out(configs_[i], error);
                invalid_ = true;
            }
            // A store that fails is no kernel's fault, and ends the run.
            if (entry) keep(std::move(*entry), configs_[i].config);
        }
        screen_.clear();
        show();
        return status();
    }

private:
    void notice(const std::string& text) { screen_.notice(text); }

    // Also with --quiet: it is why the exit status is not 0.
    void leave_out(const ConfigFile& config, const std::exception& error) {
        screen_.clear();
        rooftune::tell(std::string(error.what()) + "; it is left out");
        const track::KernelName kernel = track::name_of(config.config.result);
        left_out_.push_back({kernel.title + kernel.setting, error.what()});
    }

    // What is stale says no for itself alone; where nothing else was there to record it is bad input.
    int status() const {
        if (failed_) return 1;
        if (invalid_) return 3;
        return left_out_.empty() ? 0 : entries_.empty() ? 2 : 1;
    }

    std::optional<Entry> measured(const ConfigFile& file, const std::string& here) {
        return measure_entry(file, a_.common, a_.seconds, here, *registry_, screen_);
    }

    // Who has the name so far. Entries of another version are no reason not to record.
    void check_history() {
        history_ = track::readable_history(store_, [this](const std::string& text) { notice(text); });
    }

    // The entry gets the name, and the config to be run again.
    void name(Entry& entry, const TunedConfig& config) {
        const std::string kernel = entry.title + setting_words(entry.backend, entry.state);
        if (!entry.measured()) {
            notice(kernel + ": was not measured, and is no baseline " + a_.baseline);
            return;
        }
        if (const Entry* before = track::holder_of(history_, a_.baseline, entry)) {
            notice(kernel + ": " + track::baseline_phrase(*before) +
                   " was so far; the name moves to this entry");
        }
        entry.baseline = a_.baseline;
        entry.tuned_config = to_json(config).dump(-1, ' ', false, Json::error_handler_t::replace);
        history_.push_back(entry);
    }

    void keep(Entry entry, const TunedConfig& config) {
        entry.revision = revision_.name;
        entry.revision_date = revision_.date.empty() ? entry.at : revision_.date;
        entry.note = a_.note;
        entry.steps = steps_;
        if (!a_.baseline.empty()) name(entry, config);
        HistoryEntry row;
        row.machine = entry.machine;
        row.kernel = kernel_key(entry);
        row.revision = entry.revision;
        row.at = entry.at;
        row.entry = json_text(to_json(entry));
        // At once: what comes next may fail.
        store_.add_history({row});
        invalid_ = invalid_ || entry.outcome == "invalid";
        failed_ = failed_ || (!entry.measured() && entry.outcome != "invalid");
        entries_.push_back(std::move(entry));
    }

    void show() const {
        if (!a_.common.json) {
            print_page(track_record_text(entries_, store_.path(), left_out_));
            return;
        }
        Json document = {{"schema", kRecordSchema}, {"store", store_.path()}, {"entries", Json::array()}};
        for (const Entry& entry : entries_) {
            Json shown = to_json(entry);
            shown.erase("tuned_config");
            document["entries"].push_back(std::move(shown));
        }
        if (!left_out_.empty()) document["left_out"] = Json::array();
        for (const track::NotRecorded& one : left_out_)
            document["left_out"].push_back({{"kernel", one.kernel}, {"reason", one.reason}});
        print(json_text(document));
    }

    RecordArguments a_;
    const Registry* registry_;
    Revision revision_;
    std::vector<ConfigFile> configs_;
    Store store_;
    MeasuringScreen screen_;
    std::vector<track::LadderStep> steps_;
    std::vector<Entry> entries_;
    std::vector<Entry> history_;  ///< with --baseline: what was recorded before, and the named ones of now
    std::vector<track::NotRecorded> left_out_;
    bool failed_ = false;
    bool invalid_ = false;  ///< impossible, or not measured at all
};

}  // namespace

void add_track_record(Command& track, const Registry& registry) {
    auto a = std::make_shared<RecordArguments>();
    Command app = track.command(
        "record", "Measures tuned configs again and appends the result to the kernels' histories");
    app.footer(
        "Example, each night or behind each optimisation:\n"
        "  rooftune track record --note 'packs B once for all threads'\n"
        "  rooftune track record --revision v1.2 --baseline v1.2\n"
        "Exit status: 0 recorded; 1 a variant failed or answered wrongly, which is recorded as that, or a "
        "config of\n"
        "several is stale and left out; 2 bad usage or input; 3 the machine could not measure, or a time was "
        "impossible.");
    add_common(app, a->common);
    app.option("configs", a->configs,
               "Tuned configs, or results folders with some (default: all of the results folder)");
    app.option(
        "--revision", a->revision,
        "What is measured (default: the commit of the git checkout that this folder is in, with -dirty "
        "behind it where files differ)");
    app.option("--note", a->note, "What was done since the last entry, for the report");
    app.option(
        "--baseline", a->baseline,
        "Name what is recorded, and keep its tuned configs: `rooftune compare --baseline NAME` runs them "
        "again beside those of now. A name that is given again moves");
    app.option("--ladder", a->ladder, "Output of `rooftune ladder --json` to keep the steps of");
    app.option("--kernels", a->kernels,
               "Only tuned configs whose title or family contains one of these; several may be given");
    app.option("--seconds", a->seconds, "Time to spend on each kernel").positive().shows_default();
    app.runs([a, &registry] {
        if (!a->baseline.empty()) track::check_baseline_name(a->baseline, "--baseline");
        return Recorder(*a, registry).run();
    });
}

}  // namespace rooftune
