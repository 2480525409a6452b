#include "tuner/cluster/kept_job.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"
#include "tuner/base/atomic_file.h"
#include "tuner/base/clock.h"
#include "tuner/base/text_hash.h"
#include "tuner/cluster/job_words.h"
#include "tuner/formats/machine_file.h"
#include "tuner/formats/result_json.h"
#include "tuner/formats/tuned_config.h"

namespace rooftune {
namespace {

namespace fs = std::filesystem;

// Each ended task is in the journal at once; the set is written when it was not a moment ago, and at most so
// rarely that writing takes a twentieth of the time.
constexpr double kWriteEvery = 5.0, kWriteShare = 20.0;
// A table of more is no table.
constexpr std::size_t kMostResults = 500;

std::string config_key(const TuneResult& r) {
    return r.machine_id + "\n" + r.digest + "\n" + std::to_string(r.threads) + "\n" + r.state + "\n" +
           r.backend;
}

std::string short_hash(const std::string& text) {
    TextHash hash;
    hash.add(text);
    return hash.text().substr(0, 8);
}

bool is_cut_short(const TuneResult* result) {
    return result && result->certificate.stopped_by == "interrupted";
}

}  // namespace

KeptJob::KeptJob(const JobList& list, const std::vector<ProblemSketch>& sketches, const TuneOptions& options,
                 std::size_t nodes, const Notice& notice)
    : list_(list), sketches_(sketches), options_(options), out_(output_folder(options.common)), runs_(nodes) {
    const std::string results = results_folder(options.common);
    make_folder(results);
    make_folder(out_.string());
    check_writable(out_.string());
    store_.emplace((fs::path(results) / "rooftune.db").string());
    for (const std::string& text : store_->notices()) notice(text);
    journal_.emplace((out_ / (list.name + ".nodes.jsonl")).string(), job_identity(list, sketches, options),
                     options.fresh);
    if (!journal_->set_aside().empty())
        notice("what an interrupted run of another job with this name had come to is kept in " +
               journal_->set_aside());
}

std::size_t KeptJob::replay(Coordinator& coordinator) {
    const std::string file = list_.name + ".nodes.jsonl";
    std::size_t ended = 0;
    std::optional<Json> its_result;
    Ended place;
    journal_->each([&](JournalPlace at, const Json& json) {
        StrictObject line(json, file);
        const auto c = static_cast<std::size_t>(line.count("class"));
        if (line.has("machine")) {
            coordinator.replay_class(parse_machine(line.text("machine"), file));
            ends_of(c);
            return;
        }
        if (c >= coordinator.classes()) line.fail("class", "a class that is known");
        if (line.has("result")) {
            its_result = line.value("result");
            place.result = at;
        } else if (line.has("death")) {
            coordinator.replay_death(c, static_cast<std::size_t>(line.count("place")), line.text("death"));
        } else if (!line.has("cut_short")) {
            const SetTask task = journal_task(line.value("task"), list_, file);
            EndWords words = end_from(line.value("end"));
            place.end = at;
            if (!line.has("has_result")) {
                place.result.reset();
            } else if (!its_result) {
                line.fail("has_result", "a line before it with the result");
            } else {
                words.result = std::exchange(its_result, std::nullopt);
            }
            check_end(task, words);
            if (!coordinator.plan(c).could_be(task))
                line.fail("task", "a task of this job; --fresh drops the file");
            std::optional<TuneResult> result;
            if (words.result) result = result_from(StrictObject(*words.result, file, "/end/result"));
            if (!words.machine.empty()) coordinator.replay_class(parse_machine(words.machine, file));
            take_end(c, task, words, result ? &*result : nullptr, place,
                     [&](const SetTaskEnd& end) { return coordinator.plan(c).replay(task, end); });
            // The run may have died before it wrote them.
            if (result && !fs::exists(out_ / (words.stem + ".json")))
                write_result(*result, coordinator.roofs(c), words.stem);
            ++ended;
        }
    });
    return ended;
}

void KeptJob::add_class(std::size_t of_class, const Machine& rose) {
    ends_of(of_class);
    journal_->add({{"class", of_class}, {"machine", machine_text(rose)}});
}

void KeptJob::add_death(std::size_t of_class, std::size_t place, const std::string& variant) {
    journal_->add({{"class", of_class}, {"place", place}, {"death", variant}});
}

void KeptJob::add_record(std::size_t node, RecordWords words) {
    const std::string key = words.key.canonical();
    auto at = runs_[node].find(key);
    if (at == runs_[node].end()) {
        const JobId job = store_->job(words.key);
        at = runs_[node].emplace(key, std::pair{job, store_->start_run(job)}).first;
    }
    pending_.push_back(
        {at->second.first, std::move(words.variant), std::move(words.record), at->second.second});
}

void KeptJob::commit() {
    store_->add_all(pending_);
    pending_.clear();
}

void KeptJob::end_runs(std::size_t node, const TuneResult* result) {
    commit();
    if (result && runs_[node].size() == 1)
        store_->finish_run(runs_[node].begin()->second.second, json_text(to_json(*result)));
    runs_[node].clear();
}

void KeptJob::check_end(const SetTask& task, const EndWords& words) {
    const auto fail = [](const std::string& what) {
        throw InputError(std::string(kMessageName) + ": at /end: " + what);
    };
    if (words.better && *words.better >= task.offered_by.size()) fail("there is no such offer");
    if (words.left_out && !task.nearest_best) fail("nothing was to be left out");
    const bool tunes = task.kind == SetTask::Kind::tune;
    if (tunes && !words.result && words.why.empty()) fail("neither a result nor a reason");
    if (!tunes && words.result) fail("a comparison has no result");
    if (!words.result) return;
    if (!words.warm_start) fail("a result without what it teaches");
    static_cast<void>(warm_start_from(*words.warm_start));
    // It is the name of files in the user's folder.
    constexpr std::size_t kLongest = 200;
    const bool is_name = !words.stem.empty() && words.stem.size() <= kLongest && words.stem.front() != '.' &&
                         words.stem.find('/') == std::string::npos;
    if (!is_name) fail("its files have no plain name");
}

KeptJob::Ended KeptJob::add_end(std::size_t of_class, const SetTask& task, const EndWords& words,
                                const TuneResult* result) {
    EndWords others = words;
    others.result.reset();
    Json line = {{"class", of_class}, {"task", journal_json(task)}, {"end", end_json(others)}};
    // Whoever goes on from here tunes it again.
    if (is_cut_short(result)) line["cut_short"] = true;
    if (!words.result) return {journal_->add(line)};
    // A line of its own: it is the largest part, and what teaches others is read without it.
    line["has_result"] = true;
    const auto [at, end] = journal_->add({{"class", of_class}, {"result", *words.result}}, line);
    return {end, at};
}

void KeptJob::write_result(TuneResult& result, const Machine& roofs, const std::string& stem) {
    // An agent that wrote none found the config of before no worse.
    if (result.config_file.empty()) return;
    write_result_files(result, roofs, out_.string(), stem);
    if (configs_) (*configs_)[config_key(result)] = result.config_file;
}

bool KeptJob::is_of(const TuneResult& result, std::size_t place, const Machine& roofs) const {
    return result.family == list_.jobs[place].family->name() && result.digest == sketches_[place].digest &&
           result.machine_id == roofs.id;
}

std::map<std::size_t, KeptJob::Ended>& KeptJob::ends_of(std::size_t of_class) {
    if (ends_.size() <= of_class) ends_.resize(of_class + 1);
    return ends_[of_class];
}

bool KeptJob::has_end(std::size_t of_class, std::size_t place) const {
    return of_class < ends_.size() && ends_[of_class].contains(place);
}

Json KeptJob::end_of(std::size_t of_class, std::size_t place) const {
    return journal_->at(ends_[of_class].at(place).end)["end"];
}

Json KeptJob::result_of(std::size_t of_class, std::size_t place) const {
    return journal_->at(ends_[of_class].at(place).result.value())["result"];
}

const TunedWinner& KeptJob::winner_of(std::size_t of_class, std::size_t place) const {
    return ends_[of_class].at(place).winner;
}

TuneResult KeptJob::read_result(std::size_t of_class, std::size_t place) const {
    return result_from(StrictObject(result_of(of_class, place), kMessageName, "/end/result"));
}

void KeptJob::read_configs() {
    configs_.emplace();
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(out_, ignored)) {
        if (entry.path().extension() != ".json") continue;
        try {
            const TunedConfig config = read_tuned_config(entry.path().string());
            (*configs_)[config_key(config.result)] = entry.path().string();
        } catch (const std::exception&) {
            continue;  // a set, or another's file
        }
    }
}

std::optional<Json> KeptJob::config_of(const Machine& roofs, std::size_t place) {
    if (!configs_) read_configs();
    const Job& job = list_.jobs[place];
    TuneResult like;
    like.machine_id = roofs.id;
    like.digest = sketches_[place].digest;
    like.threads = options_.common.threads > 0 ? options_.common.threads : roofs.topology.threads;
    like.state = job.state.empty() ? options_.common.state : job.state;
    like.backend = to_text(backend_of(job, options_.common));
    const auto at = configs_->find(config_key(like));
    std::error_code gone;
    if (at == configs_->end() || like.digest.empty() || !fs::exists(at->second, gone)) return std::nullopt;
    return read_json_file(at->second);
}

fs::path KeptJob::file_of(const Coordinator& coordinator, std::size_t of_class) const {
    // The first kind of nodes has the name that the job has on one machine.
    JobList named;
    named.name = list_.name;
    if (of_class > 0) named.name += "_" + short_hash(coordinator.roofs(of_class).id);
    return set_file(named, options_);
}

static TunedSet set_of(Coordinator& coordinator, std::size_t of_class) {
    TunedSet set = coordinator.plan(of_class).set();
    set.machine_id = coordinator.roofs(of_class).id;
    set.machine_name = coordinator.roofs(of_class).name;
    return set;
}

void KeptJob::write_sets(Coordinator& coordinator, bool at_once) {
    const double begun = monotonic_seconds();
    if (!at_once && (!changed_ || begun < write_at_)) return;
    if (list_.jobs.size() > 1) {
        for (std::size_t c = 0; c < coordinator.classes(); ++c)
            write_set(file_of(coordinator, c), set_of(coordinator, c), anything_failed_);
    }
    changed_ = false;
    const double now = monotonic_seconds();
    write_at_ = now + std::max(kWriteEvery, kWriteShare * (now - begun));
}

SetOutcome KeptJob::outcome_of(Coordinator& coordinator, std::size_t of_class) const {
    SetOutcome outcome;
    outcome.set = set_of(coordinator, of_class);
    outcome.file = file_of(coordinator, of_class).string();
    outcome.all_work = outcome.set.untuned.empty();
    if (of_class >= ends_.size() || ends_[of_class].size() > kMostResults) return outcome;
    for (const auto& [place, at] : ends_[of_class]) {
        TuneResult result = read_result(of_class, place);
        // An agent's files are on its node; here they have the same names.
        for (std::string* file : {&result.config_file, &result.header_file, &result.plot_file}) {
            if (!file->empty()) *file = (out_ / fs::path(*file).filename()).string();
        }
        outcome.results.push_back(std::move(result));
    }
    return outcome;
}

std::string KeptJob::store_name() const {
    return short_hash(fs::absolute(store_->path()).string());
}

}  // namespace rooftune
