// What the problems of a job are tuned in: who comes next, who teaches whom, what is tried once all are
// tuned. Pure decisions over what tunes answered, for one machine that takes one task after the other and for
// many nodes that take several at once.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tuner/base/notice.h"
#include "tuner/choose/features.h"
#include "tuner/engine/job.h"
#include "tuner/engine/total_budget.h"
#include "tuner/formats/tuned_set.h"

namespace rooftune {

/// What must be known of all problems before the first is tuned.
struct ProblemSketch {
    std::string group;  ///< equal for problems between which the rule holds
    std::vector<std::string> names;
    FeatureVector features;
    std::string digest;  ///< of its content
};

/// One thing to do on one machine.
struct SetTask {
    enum class Kind {
        tune,     ///< tune_job() with `job` and `options`
        compare,  ///< look_back() with the rest
    };
    using Values = std::map<std::string, std::string>;

    Kind kind = Kind::tune;
    std::size_t place = 0;  ///< of the problem in the job
    Job job;                ///< with the budget that it has
    /// Places of the problems whose warm starts teach this one, the nearest first.
    std::vector<std::size_t> near{};
    bool goes_on = false;  ///< from the result that there is of `place`
    // Of the options of a tune what differs from those of the job:
    int audit = 0, patience = 0;
    double finals_seconds = 0.0;

    // A comparison of the winner that there is with those of others:
    std::vector<Values> offers{};          ///< to be tried, unless the search of `place` knows them all
    std::optional<Values> nearest_best{};  ///< to be left out with, where no offer is better
    double seconds_left = 0.0;             ///< of its budget
    double loading_seconds = 0.0;          ///< that loading it took, where it was loaded for this before
    double reserve_seconds = 0.0;          ///< not to be spent on offers

    // For SetPlan alone:
    std::size_t group = 0;
    std::size_t index = 0;                  ///< of the problem among those of its group that are tuned
    std::vector<std::size_t> offered_by{};  ///< of each offer
    std::size_t nearest = 0;                ///< whose winner `nearest_best` is
    bool may_go_on = false;
    std::size_t from = 0;  ///< goes_on: whose winner was faster
};

/// What became of it.
struct SetTaskEnd {
    const TuneResult* result = nullptr;  ///< tune: null where it failed
    const TuneResult* before = nullptr;  ///< tune that goes on: the result it went on from
    std::string why{};                   ///< tune, compare: what stood in the way
    bool is_left_out = false;            ///< tune: it may be, since what it needs is not there
    // compare:
    std::optional<std::size_t> better{};  ///< of the offers
    std::optional<LeftOut> left_out{};
    double spent_seconds = 0.0;
    double loading_seconds = 0.0;  ///< 0: it was not loaded
};

class SetPlan {
public:
    /// All must outlive it. `notice` hears what becomes of problems.
    SetPlan(const JobList& list, const std::vector<ProblemSketch>& sketches, int audit, int patience,
            Notice notice);

    /// What a machine that is free is to do; nothing where all that can be done now has been given out. What
    /// is given out ends with done() or give_back().
    std::optional<SetTask> next();

    /// Whether nothing is left to do and nothing is being done.
    bool finished() const { return running_ == 0 && !has_more(); }

    /// Whether the task's result and warm start replace those that there are of its problem.
    bool done(const SetTask& task, const SetTaskEnd& end);

    /// What an earlier run of the same job did, in the order in which it did it: a task that ended so. As
    /// done(), of a task that need not be given out any more.
    bool replay(const SetTask& task, const SetTaskEnd& end);

    /// The machine is lost: the task is given out once more, before others.
    void give_back(const SetTask& task);

    /// Whether such a task could be of this plan as it stands now.
    bool could_be(const SetTask& task) const;

    /// Nothing more is given out.
    void stop() { stopped_ = true; }

    /// Problems and groups so far; `complete` where nothing was left out by stop(), and no group is empty.
    TunedSet set() const;
    /// Changes whenever set() does.
    int version() const { return version_; }
    /// Problems that have had their turn.
    std::size_t tuned() const { return tuned_; }

private:
    // What of a tuned problem is not in the file.
    struct Sibling {
        std::size_t place = 0;
        double seconds_left = 0.0;   ///< of its budget
        SetTask::Values tried{};     ///< the neighbour's winner that it was left out with
        double loading = 0.0;        ///< seconds that it took to be loaded once more
        double default_ratio = 0.0;  ///< the default variant's time over the winner's
        int looked_back = 0;         ///< passes in which it was compared
    };
    struct Group {
        std::vector<std::size_t> order;  ///< places in the job
        std::size_t begun = 0;           ///< of the order
        int running = 0;
        int pass = 0;                 ///< of looking back
        std::size_t looked_back = 0;  ///< problems in this pass
        std::deque<SetTask> first{};  ///< tasks before others
        std::vector<Sibling> siblings{};
        std::vector<FeatureVector> features{};  ///< parallel to them, and to the problems of the set
        std::vector<std::size_t> all{};         ///< 0, 1, … as many
    };

    void make_groups();
    bool has_more() const;
    bool has_more(const Group& group) const;
    std::optional<SetTask> next_of(std::size_t group);
    std::optional<SetTask> tune_next(std::size_t group);
    std::optional<SetTask> look_back_next(std::size_t group);
    std::optional<SetTask> look_back_at(std::size_t group, std::size_t i, bool may_go_on);
    void go_on(std::size_t group, std::size_t i, std::size_t from);
    bool goes_on(const Sibling& sibling) const;
    std::vector<std::size_t> neighbours(std::size_t group, const FeatureVector& features,
                                        std::optional<std::size_t> other_than, std::size_t how_many) const;
    std::vector<std::size_t> places_of(std::size_t group, const std::vector<std::size_t>& indices) const;
    bool tuned(const SetTask& task, const SetTaskEnd& end);
    void compared(const SetTask& task, const SetTaskEnd& end);
    LeftOut placed(LeftOut left_out, const TunedGroup& group, std::size_t nearest,
                   const FeatureVector& features, double default_ratio) const;
    void fail(const Job& job, const std::string& why);

    const JobList& list_;
    const std::vector<ProblemSketch>& sketches_;
    int audit_, patience_;
    Notice notice_;
    TotalBudget total_;
    TunedSet set_;
    std::vector<Group> groups_;  ///< parallel to those of the set
    int running_ = 0;
    bool stopped_ = false;
    bool has_none_ = false;  ///< next() found nothing, and nothing has ended since
    int version_ = 0;
    std::size_t tuned_ = 0;
    std::vector<bool> begun_;  ///< by place: given out, or known from an earlier run
};

}  // namespace rooftune
