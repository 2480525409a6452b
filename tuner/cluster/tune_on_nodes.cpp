#include "tuner/cluster/tune_on_nodes.h"

#include <sched.h>

#include "kernels/runtime/error.h"
#include "tuner/base/clock.h"
#include "tuner/base/interrupt.h"
#include "tuner/base/si.h"
#include "tuner/cluster/cluster_names.h"
#include "tuner/cluster/kept_job.h"
#include "tuner/cluster/node_talk.h"

namespace rooftune {
namespace {

constexpr double kStep = 0.5;     // seconds: how soon Ctrl-C is seen
constexpr double kToStop = 60.0;  // seconds that nodes have to end with what they have
constexpr double kToLeave = 5.0;
constexpr double kLinesEvery = 1.0;

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

class Run {
public:
    Run(const JobList& list, const std::vector<ProblemSketch>& sketches, const TuneOptions& options,
        const ClusterOptions& cluster, NodesObserver& observer)
        : observer_(observer),
          names_(names_of(cluster)),
          kept_(list, sketches, options, names_.size(),
                [&](const std::string& text) { observer.notice(text); }),
          coordinator_(
              list, sketches,
              {.audit = options.audit, .patience = options.patience, .most_behind = cluster.most_behind},
              [&](const std::string& text) {
                  if (!replaying_) observer.notice(text);
              }),
          talk_(names_, list, options, cluster, coordinator_, kept_, observer),
          links_(names_, cluster, {}, talk_) {
        talk_.speak_by(links_);
        for (const std::string& name : names_) coordinator_.add_node(name);
        const std::size_t ended = kept_.replay(coordinator_);
        replaying_ = false;
        if (ended > 0)
            observer_.notice("goes on from an interrupted run, in which " +
                             format_plural(static_cast<std::int64_t>(ended), "task") +
                             (ended == 1 ? " has" : " have") + " ended; --fresh begins anew");
    }

    ClusterOutcome run() {
        while (!coordinator_.finished() && !interrupted()) step();
        const bool cut_short = interrupted();
        if (cut_short) stop();
        links_.no_more_starts();
        links_.end(kToLeave);
        kept_.commit();
        return outcome(cut_short);
    }

private:
    void step() {
        links_.step(kStep);
        kept_.commit();
        const double now = monotonic_seconds();
        talk_.give_out(now);
        kept_.write_sets(coordinator_, false);
        if (now - lines_told_ < kLinesEvery) return;
        lines_told_ = now;
        observer_.nodes(talk_.lines());
    }

    void stop() {
        links_.no_more_starts();
        talk_.stop();
        const double until = monotonic_seconds() + kToStop;
        while (coordinator_.has_tasks_running() && links_.any_up() && monotonic_seconds() < until) {
            links_.step(kStep);
            kept_.commit();
        }
    }

    ClusterOutcome outcome(bool cut_short) {
        ClusterOutcome found;
        found.nodes = coordinator_.nodes();
        found.complete = !cut_short;
        for (std::size_t c = 0; c < coordinator_.classes(); ++c)
            found.complete = coordinator_.plan(c).finished() && found.complete;
        if (!found.complete) coordinator_.stop();
        if (coordinator_.classes() == 0 && !cut_short) {
            std::string text;
            for (const NodeView& node : found.nodes) text += "\n  " + node.name + ": " + node.why;
            throw EnvironmentError("no node took part:" + text);
        }
        kept_.write_sets(coordinator_, true);
        for (std::size_t c = 0; c < coordinator_.classes(); ++c) {
            ClassOutcome of_class{coordinator_.roofs(c), {}, kept_.outcome_of(coordinator_, c)};
            for (const NodeView& node : found.nodes) {
                if (node.of_class == c) of_class.nodes.push_back(node.name);
            }
            found.classes.push_back(std::move(of_class));
        }
        if (found.complete) kept_.remove_journal();
        return found;
    }

    NodesObserver& observer_;
    bool replaying_ = true;
    std::vector<std::string> names_;
    KeptJob kept_;
    Coordinator coordinator_;
    NodeTalk talk_;
    NodeLinks links_;
    double lines_told_ = 0.0;
};

}  // namespace

ClusterOutcome tune_on_nodes(const JobList& list, const std::vector<ProblemSketch>& sketches,
                             const TuneOptions& options, const ClusterOptions& cluster,
                             NodesObserver& observer) {
    const Modest modest;
    return Run(list, sketches, options, cluster, observer).run();
}

}  // namespace rooftune
