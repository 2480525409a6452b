// The program with the fault-injecting family added: what tests/e2e runs.
#include "tuner/program/program.h"
#include "tests/support/fault_family.h"
#include "tuner/external/family.h"

int main(int argc, char** argv) {
    rooftune::Registry registry = rooftune::all_families();
    registry.add(rooftune::faults::make_fault_family());
    return rooftune::run_program(argc, argv, std::move(registry));
}
