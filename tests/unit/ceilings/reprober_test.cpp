// How many windows a ceiling is probed by again when there is little time for it.
#include "kernels/probe/prober.h"
#include "kernels/runtime/cpu.h"
#include "tests/support/catch.h"
#include "tuner/ceilings/probe_machine.h"

using namespace rooftune;

TEST_CASE("without any time each way of a ceiling has a window in the first round, and then one of them") {
    Team team({usable_cpus().front()});
    Ceiling ceiling;
    ceiling.resource = Resource::bandwidth;
    ceiling.when.threads = 1;
    ceiling.when.footprint = Bytes(8388608.0);
    ceiling.when.mix = Mix::load;
    const int ways = probe::Prober(team, 128).ways({ceiling.resource, ceiling.when});
    REQUIRE(ways > 1);  // with prefetch and without, beyond a core's caches
    Reprober reprober(team);
    CHECK(reprober({ceiling}, 0.0).front().windows == ways);
    for (int times = 0; times < 3; ++times) {
        const Ceiling again = reprober({ceiling}, 0.0).front();
        CHECK(again.windows == 1);
        CHECK(again.max > 0.0);
    }
    // With time there are more of them.
    CHECK(reprober({ceiling}, 1.0).front().windows > 2);
}
