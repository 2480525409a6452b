#include <algorithm>

#include "kernels/runtime/error.h"
#include "tuner/base/clock.h"
#include "tuner/base/interrupt.h"
#include "tuner/cluster/cluster_names.h"
#include "tuner/cluster/node_links.h"
#include "tuner/cluster/tune_on_nodes.h"
#include "tuner/formats/machine_file.h"

namespace rooftune {
namespace {

constexpr double kHealthStep = 0.5;
constexpr double kToLeaveHealth = 5.0;
// A check is for now: who does not come up soon is what it is to tell.
constexpr LinkRules kHealthRules{.starts = 2};

class Health final : public LinkHandler {
public:
    Health(const ClusterOptions& cluster, const CommonOptions& common, NodesObserver& observer)
        : cluster_(cluster),
          common_(common),
          observer_(observer),
          names_(names_of(cluster)),
          nothing_{},
          coordinator_(nothing_, sketches_, {.most_behind = cluster.most_behind},
                       [&](const std::string& text) { observer_.notice(text); }),
          links_(names_, cluster, kHealthRules, *this),
          texts_(names_.size(), "starting"),
          done_(names_.size(), false),
          machines_(names_.size()) {
        for (const std::string& name : names_) coordinator_.add_node(name);
    }

    std::vector<NodeHealth> run() {
        double told = 0.0;
        while (!all_done() && !interrupted()) {
            links_.step(kHealthStep);
            const double now = monotonic_seconds();
            for (std::size_t i = 0; i < names_.size(); ++i) tell(i, now);
            if (now - told < 1.0) continue;
            told = now;
            std::vector<NodeLine> lines;
            for (std::size_t i = 0; i < names_.size(); ++i) lines.push_back({names_[i], texts_[i]});
            observer_.nodes(lines);
        }
        links_.no_more_starts();
        links_.end(kToLeaveHealth);
        std::vector<NodeHealth> all;
        for (std::size_t i = 0; i < names_.size(); ++i)
            all.push_back({coordinator_.nodes()[i], machines_[i]});
        return all;
    }

    void starting(std::size_t node) override {
        coordinator_.starts(node);
        texts_[node] = "starting";
    }
    void lost(std::size_t node, const std::string& why, bool for_good) override {
        if (done_[node]) return;
        coordinator_.lost(node, why);
        texts_[node] = why;
        if (for_good) {
            coordinator_.refuse(node, why);
            done_[node] = true;
        }
    }
    void heard(std::size_t node, const Message& message) override {
        if (message.kind == "hello") {
            const HelloWords hello = words_of<HelloWords>(message);
            if (const std::string wrong = mismatch(hello); !wrong.empty()) return links_.give_up(node, wrong);
            WelcomeWords welcome;
            welcome.node = names_[node];
            welcome.results = in_node(cluster_.results, names_[node]);
            welcome.options.common = common_;
            links_.send(node, message_of("welcome", welcome));
            texts_[node] = "measures its ceilings";
        } else if (message.kind == "model") {
            const ModelWords words = words_of<ModelWords>(message);
            machines_[node] = parse_machine(words.machine, kMessageName);
            coordinator_.models(node, machines_[node], monotonic_seconds(), words.taken_away);
            texts_[node] = "has told its ceilings";
        } else if (message.kind == "failed") {
            links_.give_up(node, words_of<NoteWords>(message).text);
        }
    }

private:
    bool all_done() const { return std::find(done_.begin(), done_.end(), false) == done_.end(); }

    // Whoever stays behind is asked once more; a node that is to get a task has told enough.
    void tell(std::size_t node, double now) {
        if (done_[node] || !links_.is_up(node) || !coordinator_.nodes()[node].of_class) return;
        const Order order = coordinator_.order(node, now);
        if (order.probe) {
            links_.send(node, message_of("probe", ModelWords{machine_text(*order.probe)}));
            texts_[node] = "is asked once more";
        }
        done_[node] = coordinator_.has_told_all(node, now);
    }

    const ClusterOptions& cluster_;
    const CommonOptions& common_;
    NodesObserver& observer_;
    std::vector<std::string> names_;
    JobList nothing_;
    std::vector<ProblemSketch> sketches_;
    Coordinator coordinator_;
    NodeLinks links_;
    std::vector<std::string> texts_;
    std::vector<bool> done_;
    std::vector<Machine> machines_;
};

}  // namespace

std::vector<NodeHealth> health_of_nodes(const ClusterOptions& cluster, const CommonOptions& common,
                                        NodesObserver& observer) {
    return Health(cluster, common, observer).run();
}

}  // namespace rooftune
