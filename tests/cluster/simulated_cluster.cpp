#include "tests/cluster/simulated_cluster.h"

#include <time.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <queue>
#include <random>
#include <set>
#include <string_view>
#include <utility>

#include "tests/cluster/simulated_inputs.h"

namespace rooftune::test {
namespace {

constexpr double kGather = 0.02, kStep = 0.5;  // seconds, as NodeLinks and a run over nodes have them
constexpr double kHelps = 4.0;                 // seconds that a helper takes for a variant
constexpr double kDrift = 1e-4;                // by which clocks of nodes go wrong
constexpr double kRisenShare = 0.01;           // of the tunes, after which a ceiling is higher
constexpr double kBetterShare = 0.02;          // of the comparisons that another's winner is faster in
constexpr double kBestShare = 0.05;            // of the records that are the best of their task so far
constexpr double kSlow = 0.6, kNoise = 0.04;   // of ceilings of slow nodes, and between nodes
constexpr double kProbesAgain = 4.0;           // seconds
constexpr std::size_t kWinners = 50, kOrdersHeld = 16;

class Simulation {
public:
    Simulation(const SimulatedSettings& settings, SimulatedTraffic* traffic)
        : settings_(settings),
          traffic_(traffic),
          random_(settings.seed),
          list_(simulated_jobs(settings.problems)),
          sketches_(simulated_sketches(settings)),
          coordinator_(list_, sketches_, {}, [this](const std::string& text) { hear(text); }),
          agents_(settings.nodes) {
        for (int kind = 0; kind < settings_.kinds; ++kind) machines_.push_back(simulated_machine(kind));
        if (settings_.problems > 0) {
            for (std::size_t i = 0; i < settings_.killers; ++i) killers_.insert(whole(settings_.problems));
        }
        for (std::size_t i = 0; i < agents_.size(); ++i) {
            coordinator_.add_node("node" + std::to_string(i));
            agents_[i].kind = static_cast<int>(i) % settings_.kinds;
            // The first of each kind is a good one.
            agents_[i].slow = i >= machines_.size() && share() < settings_.slow_share;
            agents_[i].drift = 1.0 + kDrift * (2.0 * share() - 1.0);
            outcome_.slow += agents_[i].slow;
            push(settings_.join_seconds * share(), Event::start, i);
        }
    }

    SimulatedOutcome run() {
        double now = 0.0;
        while (!coordinator_.finished()) {
            // Whatever comes within a moment is taken together.
            const double next = events_.empty() ? now + kStep : events_.top().at;
            now = std::min(std::max(now, next) + kGather, now + kStep);
            const double before = outcome_.cpu_decisions - outcome_.cpu_setup;
            while (!events_.empty() && events_.top().at <= now) {
                const Event event = events_.top();
                events_.pop();
                if (event.life == agents_[event.node].life) happens(event, now);
            }
            tell_all(now);
            const double step = outcome_.cpu_decisions - outcome_.cpu_setup - before;
            outcome_.cpu_worst_step = std::max(outcome_.cpu_worst_step, step);
        }
        outcome_.makespan = now;
        finish();
        return outcome_;
    }

private:
    struct Event {
        enum Kind { start, model, record, fatal, end, death, lost, helped };
        double at;
        std::uint64_t number;  ///< equal times: the earlier one first
        Kind kind;
        std::size_t node;
        std::uint64_t life;  ///< of the agent; it means nothing to the next one
        bool operator<(const Event& other) const {
            return at != other.at ? at > other.at : number > other.number;
        }
    };
    struct Agent {
        int kind = 0;
        bool slow = false, alive = false;
        double drift = 1.0;
        std::uint64_t life = 0;
        int helpers_told = 0;
        std::optional<Assignment> task{};
        double begun = 0.0, ends_at = 0.0;
        std::optional<double> up_since{}, free_since{};
    };
    // CPU time until its end, as the coordinator's.
    class Timed {
    public:
        explicit Timed(Simulation& simulation)
            : simulation_(simulation), classes_(simulation.coordinator_.classes()), begun_(cpu_seconds()) {}
        ~Timed() {
            const double took = cpu_seconds() - begun_;
            SimulatedOutcome& outcome = simulation_.outcome_;
            outcome.cpu_decisions += took;
            if (simulation_.coordinator_.classes() != classes_) outcome.cpu_setup += took;
        }
        Timed(const Timed&) = delete;
        Timed& operator=(const Timed&) = delete;

    private:
        Simulation& simulation_;
        std::size_t classes_;
        double begun_;
    };
    // Time since which several nodes are in a state, all together.
    struct Spent {
        double sum = 0.0, since = 0.0;
        double nodes = 0.0;
        void enter(std::optional<double>& at, double now) {
            if (at) return;
            at = now;
            since += now;
            nodes += 1.0;
        }
        void leave(std::optional<double>& at, double now) {
            if (!at) return;
            sum += now - *at;
            since -= *at;
            nodes -= 1.0;
            at.reset();
        }
        double until(double now) const { return sum + nodes * now - since; }
    };

    double share() { return std::uniform_real_distribution<double>(0.0, 1.0)(random_); }
    std::size_t whole(std::size_t below) {
        return std::uniform_int_distribution<std::size_t>(0, below - 1)(random_);
    }
    void push(double at, Event::Kind kind, std::size_t node) {
        events_.push({at, next_event_++, kind, node, agents_[node].life});
    }

    void happens(const Event& event, double now) {
        const std::size_t node = event.node;
        switch (event.kind) {
            case Event::start: {
                const Timed timed(*this);
                coordinator_.starts(node);
                agents_[node].alive = true;
                push(now + settings_.model_seconds * (0.8 + 0.4 * share()), Event::model, node);
                if (settings_.death_hours > 0.0) {
                    std::exponential_distribution<double> lasts(1.0 / (3600.0 * settings_.death_hours));
                    push(now + lasts(random_), Event::death, node);
                }
                break;
            }
            case Event::model:
                tells_ceilings(node, now);
                break;
            case Event::record:
                tells_record(node, now);
                break;
            case Event::fatal: {
                const Timed timed(*this);
                coordinator_.begins(node, killer());
            }
                [[fallthrough]];
            case Event::death:
                dies(node, event.kind == Event::death && share() < 0.5, now);
                break;
            case Event::lost: {
                const Timed timed(*this);
                coordinator_.lost(node, "it was killed by signal 9");
                push(now + settings_.back_seconds, Event::start, node);
                break;
            }
            case Event::end:
                ends(node, now);
                break;
            case Event::helped: {
                const Timed timed(*this);
                coordinator_.returns(node);
                break;
            }
        }
    }

    void tells_ceilings(std::size_t node, double now) {
        Agent& agent = agents_[node];
        Machine machine = machines_[static_cast<std::size_t>(agent.kind)];
        for (Ceiling& c : machine.ceilings)
            c.p95 = c.median = c.max *= (agent.slow ? kSlow : 1.0) * (1.0 - kNoise * share());
        ++outcome_.models;
        if (traffic_) traffic_->model(machine);
        {
            const Timed timed(*this);
            coordinator_.models(node, machine, now);
        }
        if (agent.slow) return;
        up_.enter(agent.up_since, now);
        if (!agent.task) free_.enter(agent.free_since, now);
    }

    void tells_record(std::size_t node, double now) {
        ++outcome_.records;
        if (traffic_) traffic_->record();
        const Agent& agent = agents_[node];
        {
            const Timed timed(*this);
            coordinator_.begins(node, "");
            if (share() < kBestShare) coordinator_.best(node, simulated_winner(whole(kWinners)));
            coordinator_.begins(node, "simd=512,tile=8x3,unroll=" + std::to_string(whole(1000)));
        }
        std::optional<std::size_t> helper;
        if (agent.helpers_told > 0) {
            const Timed timed(*this);
            helper = coordinator_.lend_to(node);
        }
        if (helper) {
            ++outcome_.helped;
            if (agents_[*helper].alive) push(now + kHelps, Event::helped, *helper);
        }
        if (const double next = now + between_records(); next < agent.ends_at)
            push(next, Event::record, node);
    }

    double between_records() {
        const double rate =
            std::min(settings_.most_results, settings_.results / static_cast<double>(settings_.nodes));
        return (0.5 + share()) / rate;
    }

    void dies(std::size_t node, bool silently, double now) {
        ++outcome_.deaths;
        Agent& agent = agents_[node];
        ++agent.life;
        agent.alive = false;
        agent.task.reset();
        up_.leave(agent.up_since, now);
        free_.leave(agent.free_since, now);
        push(silently ? now + settings_.silence_seconds : now, Event::lost, node);
    }

    void ends(std::size_t node, double now) {
        Agent& agent = agents_[node];
        const Assignment assignment = std::move(*agent.task);
        const SetTask& task = assignment.task;
        agent.task.reset();
        done_seconds_ += now - agent.begun;
        free_.enter(agent.free_since, now);
        const double took = agent.drift * (now - agent.begun);
        SetTaskEnd end;
        TuneResult before;
        std::optional<Machine> rose;
        if (task.nearest_best) end.left_out = left_out();
        if (task.kind == SetTask::Kind::tune) {
            result_.problem = task.job.problem;
            result_.title = "product " + result_.problem.at("m");
            result_.best = simulated_winner(whole(kWinners));
            result_.budget_seconds = task.job.budget.seconds;
            result_.elapsed_seconds = took;
            end.result = &result_;
            if (task.goes_on) {
                before = result_;
                before.elapsed_seconds = 0.0;
                end.before = &before;
            }
            if (share() < kRisenShare) rose = risen_ceiling(agent.kind);
        } else {
            end.spent_seconds = took;
            end.loading_seconds = 0.2;
            if (!task.offers.empty() && share() < kBetterShare) end.better = whole(task.offers.size());
        }
        const std::size_t c = *coordinator_.nodes()[node].of_class;
        if (traffic_) traffic_->end(assignment, c, end.result);
        const Timed timed(*this);
        coordinator_.ends(node, end, rose ? &*rose : nullptr);
    }

    Machine risen_ceiling(int kind) {
        Machine& machine = machines_[static_cast<std::size_t>(kind)];
        Ceiling& c = machine.ceilings[whole(machine.ceilings.size())];
        c.max *= 1.001;
        Machine rose = machine;
        rose.ceilings = {c};
        return rose;
    }

    LeftOut left_out() {
        LeftOut left_out;
        left_out.works = true;
        left_out.ratio = share() < kBetterShare ? TimeInterval{0.9, 0.88, 0.92, 0.88, 10}
                                                : TimeInterval{1.05, 1.02, 1.08, 1.02, 10};
        left_out.variant = simulated_winner(whole(kWinners));
        return left_out;
    }

    static std::string killer() { return "simd=512,tile=8x3,unroll=666"; }

    // A run sends each order before it asks for the next one: few are held at a time.
    void tell_all(double now) {
        for (std::size_t node = 0; node < agents_.size();) {
            orders_.clear();
            {
                const Timed timed(*this);
                for (; node < agents_.size() && orders_.size() < kOrdersHeld; ++node) {
                    const NodeState state = coordinator_.nodes()[node].state;
                    if (state == NodeState::away || state == NodeState::starting) continue;
                    Order order = coordinator_.order(node, now);
                    if (order.any()) orders_.emplace_back(node, std::move(order));
                }
            }
            for (auto& [told, order] : orders_) carry_out(told, std::move(order), now);
        }
        const Timed timed(*this);
        // A run tells whoever works how many may help.
        for (std::size_t node = 0; node < agents_.size(); ++node) {
            if (coordinator_.nodes()[node].state == NodeState::working)
                agents_[node].helpers_told = coordinator_.helpers_of(node);
        }
    }

    void carry_out(std::size_t node, Order order, double now) {
        // Nobody knows yet that it is silent for good.
        if (!agents_[node].alive) return;
        if (order.probe) push(now + kProbesAgain, Event::model, node);
        if (order.roofs) outcome_.ceilings_told += order.roofs->ceilings.size();
        if (order.roofs && traffic_) traffic_->roofs(*order.roofs);
        if (order.task) begins(node, std::move(*order.task), now);
    }

    void begins(std::size_t node, Assignment assignment, double now) {
        Agent& agent = agents_[node];
        const SetTask& task = assignment.task;
        if (traffic_) traffic_->task(assignment, *coordinator_.nodes()[node].of_class);
        free_.leave(agent.free_since, now);
        double seconds = settings_.compare_seconds * (0.8 + 0.4 * share());
        if (task.kind == SetTask::Kind::tune) {
            // A problem takes as long whoever is at it.
            std::mt19937_64 own(settings_.seed * 1'000'003 + task.place);
            std::lognormal_distribution<double> lasts(std::log(settings_.tune_seconds),
                                                      settings_.tune_spread);
            seconds = lasts(own) * (task.goes_on ? 0.3 : 1.0);
            push(now + between_records(), Event::record, node);
            if (!task.goes_on && assignment.attempt == 0) given(now);
        } else {
            ++outcome_.compares;
        }
        if (task.kind == SetTask::Kind::tune) ++outcome_.tunes;
        outcome_.again += task.goes_on;
        const auto& banned = assignment.banned;
        const bool is_fatal = killers_.contains(task.place) && task.kind == SetTask::Kind::tune &&
                              std::find(banned.begin(), banned.end(), killer()) == banned.end();
        agent.helpers_told = 0;
        agent.begun = now;
        agent.ends_at = now + (is_fatal ? 0.4 : 1.0) * seconds;
        push(agent.ends_at, is_fatal ? Event::fatal : Event::end, node);
        agent.task = std::move(assignment);
    }

    void given(double now) {
        outcome_.last_given = now;
        outcome_.idle_share = free_.until(now) / up_.until(now);
        outcome_.results = static_cast<double>(outcome_.records) / now;
    }

    void hear(const std::string& text) {
        static constexpr std::string_view kToldSlow = " measures nothing that decides";
        if (const std::size_t at = text.find(kToldSlow); at != std::string::npos)
            named_.insert(std::stoul(text.substr(4, at - 4)));
        outcome_.notices += 1;
        outcome_.quarantined += text.starts_with("quarantined");
    }

    // Each problem is among the winners of each kind once, or among those that have none, with a reason.
    void finish() {
        for (std::size_t c = 0; c < coordinator_.classes(); ++c) {
            std::vector<int> found(list_.jobs.size(), 0);
            const auto see = [&](const ProblemSpec& problem) { ++found[std::stoul(problem.at("m")) - 1]; };
            const TunedSet set = coordinator_.plan(c).set();
            if (traffic_) traffic_->set(set);
            for (const TunedGroup& group : set.groups) {
                outcome_.winners += group.problems.size();
                for (const TunedProblem& p : group.problems) see(p.problem);
            }
            for (const UntunedProblem& p : set.untuned) {
                if (!p.why.empty()) see(p.problem);
                outcome_.given_up += p.why.find("were lost with it") != std::string::npos;
            }
            outcome_.untuned += set.untuned.size();
            outcome_.wrong += static_cast<std::size_t>(
                std::count_if(found.begin(), found.end(), [](int times) { return times != 1; }));
        }
        double good = 0.0;
        for (std::size_t i = 0; i < agents_.size(); ++i) {
            good += agents_[i].slow ? 0.0 : 1.0;
            if (named_.contains(i)) ++(agents_[i].slow ? outcome_.named : outcome_.misnamed);
        }
        outcome_.ideal = done_seconds_ / good;
    }

    SimulatedSettings settings_;
    SimulatedTraffic* traffic_;
    SimulatedOutcome outcome_;
    std::mt19937_64 random_;
    JobList list_;
    std::vector<ProblemSketch> sketches_;
    Coordinator coordinator_;
    std::vector<Agent> agents_;
    std::vector<Machine> machines_;  ///< by kind: the best that there is
    std::set<std::size_t> killers_, named_;
    std::priority_queue<Event> events_;
    std::uint64_t next_event_ = 0;
    std::vector<std::pair<std::size_t, Order>> orders_;
    Spent up_, free_;
    TuneResult result_ = simulated_result();
    double done_seconds_ = 0.0;
};

}  // namespace

double cpu_seconds() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

SimulatedOutcome simulate(const SimulatedSettings& settings, SimulatedTraffic* traffic) {
    return Simulation(settings, traffic).run();
}

}  // namespace rooftune::test
