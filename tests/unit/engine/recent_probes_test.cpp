#include "tuner/engine/recent_probes.h"

#include "tests/support/catch.h"
#include "tests/support/toy.h"

using namespace rooftune;

namespace {

Ceiling load(double footprint, int threads = 1) {
    Conditions when;
    when.mix = Mix::load;
    when.threads = threads;
    when.footprint = Bytes(footprint);
    return toy::ceiling(Resource::bandwidth, when, 1e10);
}

Ceiling peak(int width) {
    Conditions when;
    when.mix = Mix::fma;
    when.width_bits = width;
    return toy::ceiling(Resource::compute, when, 1e9);
}

}  // namespace

TEST_CASE("recent probes stand for the same conditions at the same or a little larger footprint") {
    RecentProbes recent;
    CHECK(recent.missing({load(1e6)}, 0.0).size() == 1);
    recent.add({load(1e6), peak(512)}, 0.0);
    CHECK(recent.missing({load(1e6), load(1.3e6), peak(512)}, 10.0).empty());
    // A larger footprint's rate is no upper bound for a smaller one, and half the footprint is too far.
    CHECK(recent.missing({load(0.99e6)}, 10.0).size() == 1);
    CHECK(recent.missing({load(2e6)}, 10.0).size() == 1);
    CHECK(recent.missing({load(1e6, 2)}, 10.0).size() == 1);
    CHECK(recent.missing({peak(256)}, 10.0).size() == 1);
}

TEST_CASE("recent probes grow old, and what could not be probed stands for nothing") {
    RecentProbes recent;
    Ceiling failed = load(1e6);
    failed.max = 0.0;
    recent.add({failed}, 0.0);
    CHECK(recent.missing({load(1e6)}, 1.0).size() == 1);
    recent.add({load(1e6)}, 0.0);
    CHECK(recent.missing({load(1e6)}, 299.0).empty());
    CHECK(recent.missing({load(1e6)}, 301.0).size() == 1);
}
