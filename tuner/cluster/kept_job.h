// What a job over nodes keeps: records in the store, ended tasks in the journal, winners in their files.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tuner/base/notice.h"
#include "tuner/cluster/coordinator.h"
#include "tuner/cluster/journal.h"
#include "tuner/cluster/words.h"
#include "tuner/engine/tune_set.h"
#include "tuner/store/store.h"

namespace rooftune {

class KeptJob {
public:
    /// Opens store and journal. `nodes`: how many take part. The references must outlive it. Throws
    /// EnvironmentError.
    KeptJob(const JobList& list, const std::vector<ProblemSketch>& sketches, const TuneOptions& options,
            std::size_t nodes, const Notice& notice);

    /// Tells the coordinator what an earlier run of the same job has come to; how many tasks that are.
    std::size_t replay(Coordinator& coordinator);

    /// A class that is new, or whose roofs rose.
    void add_class(std::size_t of_class, const Machine& rose);
    void add_death(std::size_t of_class, std::size_t place, const std::string& variant);

    /// A record of a task of this node. It is in the store after commit().
    void add_record(std::size_t node, RecordWords words);
    /// All at once, before anything follows from them.
    void commit();
    /// The node's task is over; with a result its run has it.
    void end_runs(std::size_t node, const TuneResult* result);

    /// Writes down how a task ended, and has `done` take it (Coordinator::ends or SetPlan::replay), which
    /// says whether its result is the problem's now. Throws InputError for an end that cannot be of this
    /// task.
    template <class Done>
    void end_task(std::size_t of_class, const SetTask& task, const EndWords& words, const TuneResult* result,
                  const Done& done) {
        check_end(task, words);
        const Ended at = add_end(of_class, task, words, result);
        take_end(of_class, task, words, result, at, done);
    }

    /// Writes config, header and plot of a result into the output folder.
    /// In `result` is then where they lie.
    void write_result(TuneResult& result, const Machine& roofs, const std::string& stem);

    /// The end of a problem's task, as words without its result; there must be one, here and below.
    Json end_of(std::size_t of_class, std::size_t place) const;
    Json result_of(std::size_t of_class, std::size_t place) const;
    const TunedWinner& winner_of(std::size_t of_class, std::size_t place) const;
    bool has_end(std::size_t of_class, std::size_t place) const;
    /// The tuned config that the output folder has of a problem on nodes with these roofs.
    std::optional<Json> config_of(const Machine& roofs, std::size_t place);

    /// Writes the sets if they changed, unless that was a moment ago. `at_once`: in any case.
    void write_sets(Coordinator& coordinator, bool at_once);
    /// What nodes of a class found, with the results of as many problems as a page can show.
    SetOutcome outcome_of(Coordinator& coordinator, std::size_t of_class) const;

    /// Whether a result is of this problem as it is known here, on nodes with these roofs.
    bool is_of(const TuneResult& result, std::size_t place, const Machine& roofs) const;

    /// Tells what belongs to this store from what belongs to others.
    std::string store_name() const;
    /// The job has come to its end: nothing is to be gone on from.
    void remove_journal() { journal_->remove(); }

private:
    /// Where the journal has a task's end, and its result.
    struct Ended {
        JournalPlace end = 0;
        std::optional<JournalPlace> result{};
        TunedWinner winner{};
    };
    static void check_end(const SetTask& task, const EndWords& words);
    Ended add_end(std::size_t of_class, const SetTask& task, const EndWords& words, const TuneResult* result);
    template <class Done>
    void take_end(std::size_t of_class, const SetTask& task, const EndWords& words, const TuneResult* result,
                  Ended at, const Done& done) {
        std::optional<TuneResult> before;
        if (task.goes_on) before = read_result(of_class, task.place);
        SetTaskEnd end;
        end.result = result;
        end.before = before ? &*before : nullptr;
        end.why = words.why;
        end.is_left_out = words.skipped;
        end.left_out = words.left_out;
        if (words.better) end.better = static_cast<std::size_t>(*words.better);
        end.spent_seconds = words.spent_seconds;
        end.loading_seconds = words.loading_seconds;
        if (result) at.winner = rooftune::winner_of(*result);
        if (done(end)) ends_of(of_class)[task.place] = std::move(at);
        anything_failed_ = anything_failed_ || (result && result->certificate.failed > 0);
        changed_ = true;
    }
    std::map<std::size_t, Ended>& ends_of(std::size_t of_class);
    TuneResult read_result(std::size_t of_class, std::size_t place) const;
    std::filesystem::path file_of(const Coordinator& coordinator, std::size_t of_class) const;
    void read_configs();

    const JobList& list_;
    const std::vector<ProblemSketch>& sketches_;
    const TuneOptions& options_;
    std::filesystem::path out_;
    std::optional<Store> store_;
    std::optional<ClusterJournal> journal_;
    std::vector<std::map<std::string, std::pair<JobId, RunId>>> runs_;  ///< by node, of its task
    std::vector<NewRecord> pending_;
    std::vector<std::map<std::size_t, Ended>> ends_;  ///< by class and place
    std::optional<std::map<std::string, std::string>> configs_;
    bool changed_ = false, anything_failed_ = false;
    double write_at_ = 0.0;
};

}  // namespace rooftune
