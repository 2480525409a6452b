// Simulated runs as files and as what results/ shows of them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tests/cluster/simulated_cluster.h"
#include "tuner/formats/strict_json.h"

namespace rooftune::test {

struct SimulatedRun {
    struct Messages {
        std::uint64_t count = 0;
        double seconds = 0.0;  ///< of CPU
        double bytes = 0.0;
    };
    SimulatedSettings settings;
    SimulatedOutcome outcome;
    double memory = 0.0;                         ///< the most that the process had, bytes
    std::map<std::string, Messages> messages{};  ///< by what they are of
};

Json to_json(const SimulatedRun& run);
SimulatedRun simulated_run_from(const Json& json);

/// Markdown.
std::string simulated_table(const std::vector<SimulatedRun>& runs);
/// The time that a job takes over the number of nodes, and what it would take if nobody ever waited.
std::string simulated_chart(const std::vector<SimulatedRun>& runs);

}  // namespace rooftune::test
