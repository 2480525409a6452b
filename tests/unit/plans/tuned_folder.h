// A folder of tuned configs as `rooftune tune` would have written them on this machine.
#pragma once

#include <string>

#include "kernels/runtime/cpu.h"
#include "kernels/runtime/kernels_build.h"
#include "tests/support/descent.h"
#include "tests/support/places.h"
#include "tests/unit/formats/example_result.h"
#include "tests/unit/formats/temporary_folder.h"
#include "tuner/formats/tuned_config.h"
#include "tuner/plans/tuned_inside.h"

namespace rooftune::test {

/// One thread, all widths of this machine.
inline Target one_thread() {
    return target_on(this_machine().topology, usable_widths(), 1);
}

/// A variant that is not the default one.
inline Variant unusual_variant(const Family& family, const Problem& problem, const Space& space,
                               const Target& target, unsigned seed = 5) {
    const Variant usual = family.default_variant(problem, space, target);
    for (const Variant& v : some_variants(space, 0, 8, seed)) {
        if (v != usual) return v;
    }
    return usual;
}

/// The config of a problem that was tuned here, on one thread, with this winner.
inline TunedConfig config_of(const Family& family, const Problem& problem, const Variant& winner,
                             const Space& space) {
    TuneResult r = example_result();
    r.family = family.name();
    r.problem = problem.spec();
    r.title = problem.title();
    r.digest = problem.digest();
    r.pattern = problem.pattern_digest();
    r.dtype = to_text(problem.dtype());
    r.backend = "cpu";
    r.device.clear();
    r.state = "warm";
    r.threads = 1;
    r.machine_id = this_machine().fingerprint;
    r.space_version = space.version();
    r.best = space.to_map(winner);
    TunedConfig config = tuned_config_of(r, compiler_name(), kernels_build());
    config.created = "2026-03-04T05:06:07Z";
    return config;
}

}  // namespace rooftune::test
