#include "tuner/engine/worker_program.h"

#include "tuner/ceilings/probe_machine.h"
#include "tuner/measure/worker_main.h"

namespace rooftune {
namespace {

bool served = false;

}  // namespace

std::optional<int> serve_worker(int argc, char** argv, const Registry& registry) {
    served = true;
    const std::optional<int> parent = worker_parent(argc, argv);
    if (!parent) return std::nullopt;
    return run_worker(registry, *parent,
                      [](const std::vector<Ceiling>& ceilings, Team& team, double seconds) {
                          return reprobe(ceilings, team, seconds);
                      });
}

bool can_be_worker() {
    return served;
}

}  // namespace rooftune
