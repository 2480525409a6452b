// The targets on which the families of the registry are tried without running anything.
#pragma once

#include <vector>

#include "tests/support/full_machine.h"
#include "tests/support/places.h"

namespace rooftune::test {

/// CPUs with all vectors, with the narrowest alone and without any, and the made-up devices that know the
/// element type.
inline std::vector<Target> targets_of(const Family& family, DType dtype) {
    std::vector<Target> targets;
    for (const Backend backend : family.backends()) {
        if (backend == Backend::cpu) {
            targets.push_back(cpu_target({128, 256, 512}, 3, 2));
            targets.push_back(cpu_target({128}, 2));
            targets.push_back(cpu_target({}, 1));
            continue;
        }
        for (const Device& device : made_up_devices()) {
            if (dtype == DType::f32 || device.f64) targets.push_back(device_target(device));
        }
    }
    return targets;
}

}  // namespace rooftune::test
