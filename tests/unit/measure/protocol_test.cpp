// What a worker is asked for comes to it whole: a condition that was lost on the way would be probed, and
// remembered, as another ceiling.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tuner/measure/protocol.h"

using namespace rooftune;

TEST_CASE("a ceiling goes to a worker and back with every condition") {
    Ceiling c;
    c.resource = Resource::strided;
    c.when.dtype = DType::bf16;
    c.when.width_bits = 256;
    c.when.mix = Mix::update;
    c.when.chains = 3;
    c.when.threads = 7;
    c.when.footprint = Bytes(12345.0);
    c.when.streams = 4;
    c.when.huge_pages = true;
    c.when.device = "device";
    c.when.unit = "matrix";
    c.when.sparse = true;
    c.when.stride = Bytes(4160.0);
    c.when.prefetch = Prefetch::on;
    c.when.shared = true;
    c.when.remote = true;
    c.max = 3.0;
    c.p95 = 2.0;
    c.median = 1.0;
    c.windows = 9;
    c.seen = "2026-01-02T03:04:05Z";
    c.source = "probe";
    c.excludes = false;
    const ProbeRequest back = probe_from(to_json(ProbeRequest{{c}, 0.5}));
    REQUIRE(back.ceilings.size() == 1);
    CHECK(back.ceilings.front() == c);
    CHECK(back.seconds == 0.5);
}
