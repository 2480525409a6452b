// A job over many nodes in virtual time: agents that are made up, and the coordinator that there is. Nothing
// is measured and nothing travels; what is decided is decided by the code that a real run has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tuner/cluster/coordinator.h"

namespace rooftune::test {

struct SimulatedSettings {
    std::size_t nodes = 1, problems = 10'000, groups = 4;
    int kinds = 1;                  ///< of nodes
    double slow_share = 0.05;       ///< of the nodes, which reach 60 % of what the others reach
    double join_seconds = 60.0;     ///< within which all of them come up
    double model_seconds = 10.0;    ///< that a node takes for its ceilings
    double tune_seconds = 60.0;     ///< the median; times are log-normal
    double tune_spread = 0.4;       ///< the standard deviation of their logarithm
    double compare_seconds = 2.0;   ///< about
    double results = 200.0;         ///< a second, over all nodes
    double most_results = 2.0;      ///< a second, of one node
    double death_hours = 24.0;      ///< from one death of a node to its next, on average; 0: none dies
    double back_seconds = 60.0;     ///< from its loss to its next start
    double silence_seconds = 35.0;  ///< until a node that says nothing any more is taken for lost
    std::size_t killers = 20;       ///< problems of which one variant takes down whoever runs it
    std::uint64_t seed = 1;
};

/// What came of it. Times are virtual seconds, but for `cpu_…`, which the coordinator took of this machine.
struct SimulatedOutcome {
    double makespan = 0.0;
    double last_given = 0.0;      ///< when the last problem was given out for its first time
    double ideal = 0.0;           ///< the makespan, had the nodes shared all that was done without a gap
    double idle_share = 0.0;      ///< until then, of the time of nodes that could have worked
    double results = 0.0;         ///< a second until then
    double cpu_decisions = 0.0;   ///< of all calls of the coordinator together
    double cpu_worst_step = 0.0;  ///< the longest time in which nobody is heard, by decisions
    double cpu_setup = 0.0;       ///< of this the calls by which a class of nodes comes to be
    std::uint64_t models = 0, tunes = 0;  ///< told by nodes, and given to them
    std::uint64_t ceilings_told = 0;      ///< of classes, to their nodes
    std::uint64_t records = 0, compares = 0, again = 0, helped = 0;
    std::uint64_t deaths = 0, quarantined = 0, given_up = 0;
    std::size_t winners = 0, untuned = 0;  ///< over all kinds
    std::size_t wrong = 0;                 ///< problems of a kind that did not end exactly once
    std::size_t slow = 0, named = 0;  ///< slow nodes, and those of them that were told to be; see `misnamed`
    std::size_t misnamed = 0;         ///< nodes that are not slow and were told to be
    std::uint64_t notices = 0;        ///< that a person was told
};

/// Hears what a real coordinator would have sent or received beside what it decides; measures what that
/// costs.
class SimulatedTraffic {
public:
    virtual ~SimulatedTraffic() = default;
    virtual void record() = 0;
    virtual void task(const Assignment& assignment, std::size_t of_class) = 0;
    virtual void roofs(const Machine& machine) = 0;
    virtual void model(const Machine& machine) = 0;
    virtual void end(const Assignment& assignment, std::size_t of_class, const TuneResult* result) = 0;
    virtual void set(const TunedSet& set) = 0;  ///< at the end
};

/// `traffic` may be null.
SimulatedOutcome simulate(const SimulatedSettings& settings, SimulatedTraffic* traffic);

/// CPU seconds of this thread.
double cpu_seconds();

}  // namespace rooftune::test
