#include "tuner/cluster/tune_on_nodes.h"

#include <sched.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"
#include "tuner/base/atomic_file.h"
#include "tuner/base/clock.h"
#include "tuner/base/interrupt.h"
#include "tuner/base/si.h"
#include "tuner/base/text_hash.h"
#include "tuner/cluster/cluster_names.h"
#include "tuner/cluster/job_words.h"
#include "tuner/cluster/journal.h"
#include "tuner/cluster/node_links.h"
#include "tuner/formats/machine_file.h"
#include "tuner/formats/result_json.h"
#include "tuner/formats/tuned_config.h"
#include "tuner/store/store.h"

namespace rooftune {
namespace {

namespace fs = std::filesystem;

constexpr double kStep = 0.5;     // seconds: how soon Ctrl-C is seen
constexpr double kToStop = 60.0;  // seconds that nodes have to end with what they have
constexpr double kToLeave = 5.0;
constexpr double kLinesEvery = 1.0;
constexpr double kWriteEvery = 5.0;   // the set; each ended task is in the journal at once
constexpr double kWriteShare = 20.0;  // and at most so rarely that writing takes a twentieth
constexpr int kFaultsOfNode = 3;
// A search looks no further ahead: what is likely next is not certain.
constexpr std::size_t kMostHelpers = 8;
// A table of more is no table.
constexpr std::size_t kMostResults = 500;

class Run final : public NodeLinks::Handler {
public:
    Run(const JobList& list, const std::vector<ProblemSketch>& sketches, const TuneOptions& options,
        const ClusterOptions& cluster, NodesObserver& observer)
        : list_(list),
          sketches_(sketches),
          options_(options),
          cluster_(cluster),
          observer_(observer),
          names_(names_of(cluster)),
          coordinator_(
              list, sketches,
              {.audit = options.audit, .patience = options.patience, .most_behind = cluster.most_behind},
              [&](const std::string& text) {
                  if (!replaying_) observer_.notice(text);
              }),
          links_(names_, cluster, {}, *this),
          out_(output_folder(options.common)),
          texts_(names_.size(), "starting"),
          faults_(names_.size(), 0),
          runs_(names_.size()) {
        const std::string results = results_folder(options.common);
        make_folder(results);
        make_folder(out_.string());
        check_writable(out_.string());
        store_.emplace((fs::path(results) / "rooftune.db").string());
        for (const std::string& text : store_->notices()) observer_.notice(text);
        for (const std::string& name : names_) coordinator_.add_node(name);
        resume();
    }

    ClusterOutcome run() {
        while (!coordinator_.finished() && !interrupted()) step();
        const bool cut_short = interrupted();
        if (cut_short) stop();
        links_.no_more_starts();
        links_.end(kToLeave);
        commit();
        return outcome(cut_short);
    }

    void starting(std::size_t node) override {
        coordinator_.starts(node);
        texts_[node] = "starting";
    }

    void lost(std::size_t node, const std::string& why, bool for_good) override {
        commit();
        runs_[node].clear();
        if (coordinator_.nodes()[node].state == NodeState::refused) return;
        if (const auto task = coordinator_.nodes()[node].task; task && !running_[node].empty()) {
            journal_->add({{"death", running_[node]},
                           {"class", *coordinator_.nodes()[node].of_class},
                           {"place", coordinator_.assignment(node).task.place}});
        }
        running_.erase(node);
        if (const auto owner = coordinator_.nodes()[node].helps) {
            for (const std::uint64_t id : helps_[node])
                pass_on(*owner, {id, "the node that measured it is lost: " + why, {}});
        }
        helps_.erase(node);
        if (!coordinator_.has_tasks_running() && stopping_) return;
        coordinator_.lost(node, why);
        if (for_good) coordinator_.refuse(node, why);
        texts_[node] = (for_good ? "given up: " : "away: ") + why;
        if (!stopping_) observer_.notice(names_[node] + (for_good ? " is given up: " : " is lost: ") + why);
    }

    void heard(std::size_t node, const Message& message) override {
        if (message.kind == "alive") return;
        if (message.kind == "hello") return hello(node, words_of<HelloWords>(message));
        if (message.kind == "model") return model(node, words_of<ModelWords>(message));
        if (message.kind == "note") {
            observer_.notice(names_[node] + ": " + words_of<NoteWords>(message).text);
        } else if (message.kind == "failed") {
            const std::string why = words_of<NoteWords>(message).text;
            if (++faults_[node] >= kFaultsOfNode) return refuse(node, why);
            throw InputError(why);
        } else if (message.kind == "progress") {
            progress(node, words_of<ProgressWords>(message));
        } else if (message.kind == "begins") {
            const BeginsWords words = words_of<BeginsWords>(message);
            needs_task(node, message);
            running_[node] = words.variant;
            coordinator_.begins(node, words.variant);
        } else if (message.kind == "record") {
            record(node, words_of<RecordWords>(message), message);
        } else if (message.kind == "ask") {
            lend(node, words_of<AskWords>(message), message);
        } else if (message.kind == "assisted") {
            assisted(node, words_of<AssistedWords>(message));
        } else if (message.kind == "end") {
            ends(node, end_from(message.body));
        } else {
            throw InputError("an agent does not say '" + message.kind + "'");
        }
    }

private:
    void needs_task(std::size_t node, const Message& message) const {
        if (!coordinator_.nodes()[node].task && !coordinator_.nodes()[node].helps)
            throw InputError("'" + message.kind + "' of a node that has no task");
    }

    void hello(std::size_t node, const HelloWords& hello) {
        if (const std::string wrong = mismatch(hello); !wrong.empty()) return refuse(node, wrong);
        WelcomeWords welcome;
        welcome.node = names_[node];
        welcome.folder = fs::current_path().string();
        welcome.results = in_node(cluster_.results, names_[node]);
        welcome.store = store_name();
        welcome.options = options_;
        links_.send(node, message_of("welcome", welcome));
        texts_[node] = "measures its ceilings (" + hello.host + ", processors " + hello.processors + ")";
    }

    // A node's store goes with this store: another results folder begins with nothing known.
    std::string store_name() const {
        TextHash hash;
        hash.add(fs::absolute(store_->path()).string());
        return hash.text().substr(0, 8);
    }

    void refuse(std::size_t node, const std::string& why) {
        observer_.notice(names_[node] + " takes no part: " + why);
        coordinator_.refuse(node, why);
        texts_[node] = "takes no part: " + why;
        links_.give_up(node, why);
    }

    void model(std::size_t node, const ModelWords& words) {
        const Machine machine = parse_machine(words.machine, kMessageName);
        const std::size_t known = coordinator_.classes();
        const std::size_t c = coordinator_.class_of(machine);
        heavy_.resize(std::max(heavy_.size(), c + 1));
        // A class is told to the journal when it is new, and what rises later.
        const Machine rose = c == known ? machine : risen(coordinator_.roofs(c), machine);
        if (!rose.ceilings.empty()) journal_->add({{"class", c}, {"machine", machine_text(rose)}});
        coordinator_.models(node, machine, monotonic_seconds());
        texts_[node] = "waits";
    }

    void progress(std::size_t node, const ProgressWords& words) {
        needs_task(node, message_of("progress", words));
        std::string text = coordinator_.assignment(node).task.goes_on ? "goes on with " : "";
        text += title_of(coordinator_.assignment(node).task.place) + ": " + words.stage + ", " +
                format_plural(static_cast<std::int64_t>(words.evaluated), "evaluation");
        if (words.best_seconds > 0.0) text += ", best " + format_duration(words.best_seconds);
        texts_[node] = text + ", " + format_duration(words.elapsed_seconds);
    }

    std::string title_of(std::size_t place) const { return job_title(list_.jobs[place]); }

    void record(std::size_t node, RecordWords words, const Message& message) {
        needs_task(node, message);
        const std::string key = words.key.canonical();
        auto at = runs_[node].find(key);
        if (at == runs_[node].end()) {
            const JobId job = store_->job(words.key);
            at = runs_[node].emplace(key, std::pair{job, store_->start_run(job)}).first;
        }
        running_[node].clear();
        coordinator_.begins(node, "");
        const bool is_own = coordinator_.nodes()[node].task.has_value();
        if (is_own && words.record.outcome == Outcome::measured && !words.record.slots.empty()) {
            const double seconds = words.record.slots.front().seconds;
            auto& best = best_[node];
            if (best == 0.0 || seconds < best) {
                best = seconds;
                coordinator_.best(node, words.record.variant);
            }
        }
        pending_.push_back(
            {at->second.first, std::move(words.variant), std::move(words.record), at->second.second});
    }

    // What came in one step is one transaction, before anything follows from it.
    void commit() {
        store_->add_all(pending_);
        pending_.clear();
    }

    void lend(std::size_t node, const AskWords& words, const Message& message) {
        needs_task(node, message);
        const std::optional<std::size_t> helper = coordinator_.lend_to(node);
        if (!helper)
            return links_.send(node, message_of("assisted", AssistedWords{words.id, "nobody is free", {}}));
        TaskWords task;
        task.task.job = coordinator_.assignment(node).task.job;
        links_.send(*helper, {"assist", assist_json({words, task_json(task)})});
        helps_[*helper].push_back(words.id);
        texts_[*helper] =
            "helps " + names_[node] + " with " + title_of(coordinator_.assignment(node).task.place);
    }

    void assisted(std::size_t helper, const AssistedWords& words) {
        const std::optional<std::size_t> owner = coordinator_.nodes()[helper].helps;
        std::vector<std::uint64_t>& asked = helps_[helper];
        if (!owner || asked.empty() || asked.front() != words.id)
            throw InputError("'assisted' of a variant that this node was not asked for");
        asked.erase(asked.begin());
        commit();
        pass_on(*owner, words);
        coordinator_.returns(helper);
        if (!coordinator_.nodes()[helper].helps) texts_[helper] = "waits";
    }

    void pass_on(std::size_t owner, const AssistedWords& words) {
        if (coordinator_.nodes()[owner].task) links_.send(owner, message_of("assisted", words));
    }

    void ends(std::size_t node, const EndWords& words) {
        if (!coordinator_.nodes()[node].task) throw InputError("'end' of a node that has no task");
        const Assignment assignment = coordinator_.assignment(node);
        if (words.id != assignment.id) throw InputError("the end of another task than it was given");
        commit();
        best_.erase(node);
        running_.erase(node);
        std::optional<TuneResult> result;
        if (words.result) result = result_from(StrictObject(*words.result, kMessageName, "/end/result"));
        // Somebody told that node alone to end (scancel, a time limit): its problem is another's now.
        if (result && result->certificate.stopped_by == "interrupted" && !stopping_)
            throw InputError("its agent was told to end");
        if (words.environment) {
            observer_.notice(names_[node] + ": " + words.why);
            runs_[node].clear();
            if (++faults_[node] >= kFaultsOfNode) return refuse(node, words.why);
            return coordinator_.gives_back(node, words.why);
        }
        faults_[node] = 0;
        links_.is_well(node);
        const std::size_t c = *coordinator_.nodes()[node].of_class;
        Json line = {{"class", c}, {"task", journal_json(assignment.task)}, {"end", end_json(words)}};
        // Whoever goes on from here tunes it again.
        if (result && result->certificate.stopped_by == "interrupted") line["cut_short"] = true;
        const JournalPlace place = journal_->add(line);
        std::optional<Machine> rose;
        if (!words.machine.empty()) rose = parse_machine(words.machine, kMessageName);
        took_end(c, assignment.task, words, result ? &*result : nullptr, place, [&](const SetTaskEnd& end) {
            return coordinator_.ends(node, end, rose ? &*rose : nullptr);
        });
        if (result) keep(node, c, assignment.task, words, *result);
        runs_[node].clear();
        texts_[node] = "waits";
        changed_ = true;
    }

    // The same of a task that ended now and of one in the journal.
    template <class Done>
    void took_end(std::size_t c, const SetTask& task, const EndWords& words, const TuneResult* result,
                  JournalPlace place, const Done& done) {
        SetTaskEnd end;
        end.result = result;
        end.why = words.why;
        end.left_out = words.left_out;
        if (words.better) end.better = static_cast<std::size_t>(*words.better);
        if (end.better && *end.better >= task.offered_by.size())
            throw InputError("a message: at /end/better: there is no such offer");
        end.spent_seconds = words.spent_seconds;
        end.loading_seconds = words.loading_seconds;
        std::optional<TuneResult> before;
        if (task.goes_on) before = result_at(heavy_[c].at(task.place));
        end.before = before ? &*before : nullptr;
        if (done(end)) heavy_[c][task.place] = place;
        if (result && result->certificate.failed > 0) heavy_failed_ = true;
    }

    TuneResult result_at(JournalPlace place) const {
        const Json line = journal_->at(place);
        return result_from(StrictObject(line["end"]["result"], kMessageName, "/end/result"));
    }

    void keep(std::size_t node, std::size_t c, const SetTask& task, const EndWords& words,
              TuneResult result) {
        // An agent that wrote none found the config of before no worse.
        if (!result.config_file.empty())
            write_result_files(result, coordinator_.roofs(c), out_.string(), words.stem);
        if (runs_[node].size() == 1)
            store_->finish_run(runs_[node].begin()->second.second, json_text(to_json(result)));
        if (is_told(task, result)) observer_.result(result, coordinator_.roofs(c));
    }

    void step() {
        links_.step(kStep);
        commit();
        const double now = monotonic_seconds();
        for (std::size_t node = 0; node < names_.size(); ++node) tell(node, now);
        tell_of_helpers();
        if (now - lines_told_ >= kLinesEvery) {
            lines_told_ = now;
            std::vector<NodeLine> lines;
            for (std::size_t i = 0; i < names_.size(); ++i) lines.push_back({names_[i], texts_[i]});
            observer_.nodes(lines);
        }
        if (changed_ && now >= write_at_) write_sets();
    }

    void tell(std::size_t node, double now) {
        if (!links_.is_up(node)) return;
        const Order order = coordinator_.order(node, now);
        if (order.probe) links_.send(node, message_of("probe", ModelWords{machine_text(*order.probe)}));
        if (order.roofs) links_.send(node, message_of("roofs", ModelWords{machine_text(*order.roofs)}));
        if (coordinator_.nodes()[node].state == NodeState::slow) texts_[node] = "stays behind its class";
        if (order.task) links_.send(node, {"task", task_json(words_for(node, *order.task))});
    }

    // Whoever tunes looks ahead as far as others are free to measure.
    void tell_of_helpers() {
        for (std::size_t node = 0; node < names_.size(); ++node) {
            if (coordinator_.nodes()[node].state != NodeState::working) continue;
            const int free = coordinator_.helpers_of(node);
            int& told = told_free_[node];
            if (free == told) continue;
            told = free;
            links_.send(node, message_of("helpers", HelpersWords{free}));
        }
    }

    TaskWords words_for(std::size_t node, const Assignment& assignment) {
        const std::size_t c = *coordinator_.nodes()[node].of_class;
        const SetTask& task = assignment.task;
        TaskWords words;
        words.id = assignment.id;
        words.task = task;
        words.banned = assignment.banned;
        words.starts = assignment.starts;
        const auto& heavy = heavy_[c];
        for (const std::size_t near : task.near)
            words.near.push_back(journal_->at(heavy.at(near))["end"]["warm_start"]);
        if (task.goes_on || task.kind == SetTask::Kind::compare) {
            const Json own = journal_->at(heavy.at(task.place));
            words.before = own["end"]["result"];
            words.tried_by = own["end"]["warm_start"];
        }
        words.config = config_of(c, task.place);
        words.most_helpers = static_cast<int>(std::min<std::size_t>(kMostHelpers, names_.size() - 1));
        told_free_.erase(node);
        texts_[node] = (task.kind == SetTask::Kind::compare ? "compares " : "begins ") + title_of(task.place);
        return words;
    }

    // The config of this problem on nodes of this kind that the output folder has already.
    std::optional<Json> config_of(std::size_t c, std::size_t place) {
        if (!configs_) {
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
        const Machine& machine = coordinator_.roofs(c);
        TuneResult like;
        like.machine_id = machine.id;
        like.digest = sketches_[place].digest;
        like.threads = options_.common.threads > 0 ? options_.common.threads : machine.topology.threads;
        const Job& job = list_.jobs[place];
        like.state = job.state.empty() ? options_.common.state : job.state;
        like.backend = to_text(backend_of(job, options_.common));
        const auto at = configs_->find(config_key(like));
        if (at == configs_->end() || like.digest.empty()) return std::nullopt;
        std::error_code gone;
        if (!fs::exists(at->second, gone)) return std::nullopt;
        return read_json_file(at->second);
    }

    static std::string config_key(const TuneResult& r) {
        return r.machine_id + "\n" + r.digest + "\n" + std::to_string(r.threads) + "\n" + r.state + "\n" +
               r.backend;
    }

    void stop() {
        stopping_ = true;
        coordinator_.stop();
        links_.no_more_starts();
        observer_.notice("the nodes end with what they have");
        for (std::size_t node = 0; node < names_.size(); ++node) links_.send(node, {"stop", Json::object()});
        const double until = monotonic_seconds() + kToStop;
        while (coordinator_.has_tasks_running() && links_.any_up() && monotonic_seconds() < until) {
            links_.step(kStep);
            commit();
        }
    }

    void resume() {
        const fs::path file = fs::path(out_) / (list_.name + ".nodes.jsonl");
        journal_.emplace(file.string(), job_identity(list_, options_), options_.fresh);
        if (!journal_->set_aside().empty())
            observer_.notice("what an interrupted run of another job with this name had come to is kept in " +
                             journal_->set_aside());
        replaying_ = true;
        std::size_t ended = 0;
        journal_->each([&](JournalPlace place, const Json& line) {
            const std::size_t c = line.at("class").get<std::size_t>();
            if (line.contains("machine")) {
                const Machine machine = parse_machine(line["machine"].get<std::string>(), file.string());
                coordinator_.replay_class(machine);
                heavy_.resize(std::max(heavy_.size(), c + 1));
            } else if (line.contains("cut_short")) {
                return;
            } else if (line.contains("death")) {
                coordinator_.replay_death(c, line["place"].get<std::size_t>(),
                                          line["death"].get<std::string>());
            } else {
                SetTask task = journal_task(line["task"], list_, file.string());
                const EndWords words = end_from(line["end"]);
                std::optional<TuneResult> result;
                if (words.result) result = result_from(StrictObject(*words.result, file.string(), "/end"));
                if (!words.machine.empty())
                    coordinator_.replay_class(parse_machine(words.machine, file.string()));
                took_end(c, task, words, result ? &*result : nullptr, place,
                         [&](const SetTaskEnd& end) { return coordinator_.plan(c).replay(task, end); });
                ++ended;
            }
        });
        replaying_ = false;
        if (ended > 0)
            observer_.notice("goes on from an interrupted run, which had ended " +
                             format_plural(static_cast<std::int64_t>(ended), "task") +
                             "; --fresh begins anew");
    }

    fs::path file_of_class(std::size_t c) const {
        // The first kind of nodes has the name that the job has on one machine.
        JobList named;
        named.name = list_.name;
        if (c > 0) {
            TextHash hash;
            hash.add(coordinator_.roofs(c).id);
            named.name += "_" + hash.text().substr(0, 8);
        }
        return set_file(named, options_);
    }

    TunedSet set_of(std::size_t c) {
        TunedSet set = coordinator_.plan(c).set();
        set.machine_id = coordinator_.roofs(c).id;
        set.machine_name = coordinator_.roofs(c).name;
        return set;
    }

    void write_sets() {
        const double begun = monotonic_seconds();
        if (list_.jobs.size() > 1) {
            for (std::size_t c = 0; c < coordinator_.classes(); ++c)
                write_set(file_of_class(c), set_of(c), heavy_failed_);
        }
        changed_ = false;
        const double now = monotonic_seconds();
        write_at_ = now + std::max(kWriteEvery, kWriteShare * (now - begun));
    }

    ClusterOutcome outcome(bool cut_short) {
        ClusterOutcome found;
        found.nodes = coordinator_.nodes();
        bool all_done = !cut_short;
        for (std::size_t c = 0; c < coordinator_.classes(); ++c)
            all_done = coordinator_.plan(c).finished() && all_done;
        if (!all_done) coordinator_.stop();
        write_sets();
        found.complete = all_done;
        for (std::size_t c = 0; c < coordinator_.classes(); ++c) {
            ClassOutcome of_class;
            of_class.machine = coordinator_.roofs(c);
            for (const NodeView& node : found.nodes) {
                if (node.of_class == c) of_class.nodes.push_back(node.name);
            }
            of_class.outcome.set = set_of(c);
            of_class.outcome.file = file_of_class(c).string();
            if (heavy_[c].size() <= kMostResults) {
                for (const auto& [place, at] : heavy_[c]) {
                    TuneResult result = result_at(at);
                    move_files(result);
                    of_class.outcome.results.push_back(std::move(result));
                }
            }
            of_class.outcome.all_work = of_class.outcome.set.untuned.empty();
            found.classes.push_back(std::move(of_class));
        }
        if (coordinator_.classes() == 0 && !cut_short) {
            std::string text;
            for (const NodeView& node : found.nodes) text += "\n  " + node.name + ": " + node.why;
            throw EnvironmentError("no node took part:" + text);
        }
        if (all_done) journal_->remove();
        return found;
    }

    // An agent's files are on its node; here they have the same names.
    void move_files(TuneResult& result) const {
        for (std::string* file : {&result.config_file, &result.header_file, &result.plot_file}) {
            if (!file->empty()) *file = (out_ / fs::path(*file).filename()).string();
        }
    }

    const JobList& list_;
    const std::vector<ProblemSketch>& sketches_;
    const TuneOptions& options_;
    const ClusterOptions& cluster_;
    NodesObserver& observer_;
    bool replaying_ = false, stopping_ = false, changed_ = false, heavy_failed_ = false;
    std::vector<std::string> names_;
    Coordinator coordinator_;
    NodeLinks links_;
    fs::path out_;
    std::optional<Store> store_;
    std::optional<ClusterJournal> journal_;
    std::vector<std::string> texts_;
    std::vector<int> faults_;
    std::vector<std::map<std::string, std::pair<JobId, RunId>>> runs_;  ///< of the node's task
    std::vector<NewRecord> pending_;
    std::vector<std::map<std::size_t, JournalPlace>> heavy_;   ///< by class and place: result and warm start
    std::map<std::size_t, std::string> running_;               ///< node → variant
    std::map<std::size_t, double> best_;                       ///< node → seconds
    std::map<std::size_t, std::vector<std::uint64_t>> helps_;  ///< node → what it was asked, in order
    std::map<std::size_t, int> told_free_;                     ///< node → helpers that it knows of
    std::optional<std::map<std::string, std::string>> configs_;
    double lines_told_ = 0.0, write_at_ = 0.0;
};

// Where this program is on a node that measures, its turns are not to begin in the middle of a kernel's.
class Modest {
public:
    Modest() : before_(sched_getscheduler(0)) {
        const sched_param none{};
        if (before_ == SCHED_OTHER) sched_setscheduler(0, SCHED_BATCH, &none);
    }
    ~Modest() {
        const sched_param none{};
        if (before_ == SCHED_OTHER) sched_setscheduler(0, SCHED_OTHER, &none);
    }
    Modest(const Modest&) = delete;
    Modest& operator=(const Modest&) = delete;

private:
    int before_;
};

}  // namespace

ClusterOutcome tune_on_nodes(const JobList& list, const std::vector<ProblemSketch>& sketches,
                             const TuneOptions& options, const ClusterOptions& cluster,
                             NodesObserver& observer) {
    const Modest modest;
    return Run(list, sketches, options, cluster, observer).run();
}

}  // namespace rooftune
