// Where functions of a program are tuned for a test.
#pragma once

#include <chrono>
#include <cstdlib>

#include "tests/support/toy.h"
#include "tests/unit/formats/temporary_folder.h"
#include "tuner/formats/machine_file.h"
#include "tuner/tune/kernel.h"

namespace rooftune::test {

/// A results folder; the machine is not measured, and nobody else's measurements are waited for.
struct Guest {
    test::TemporaryFolder folder;
    KernelOptions options;

    Guest() {
        setenv("ROOFTUNE_LOCK", (folder / "lock").c_str(), 1);
        options.results = folder / "results";
        // Rates that no machine has: nothing beats its bound, and nothing is probed.
        Machine machine = toy::machine();
        for (Ceiling& c : machine.ceilings) c.max = c.p95 = c.median = 1000.0 * c.max;
        options.machine = folder / "machine.json";
        write_machine_file(options.machine, machine);
        // So many times what it takes that a busy machine leaves nothing unmeasured; finals take a share of
        // it.
        options.budget = std::chrono::seconds(4);
        options.audit = 0;
    }
    ~Guest() { unsetenv("ROOFTUNE_LOCK"); }
};

}  // namespace rooftune::test
