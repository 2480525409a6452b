// What a worker is asked for comes to it whole: a condition that was lost on the way would be probed, and
// remembered, as another ceiling.
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tuner/measure/protocol.h"

using namespace rooftune;
using nlohmann::json;

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
    c.when.besides = {.vectors = 7, .crossing = 3, .scalars = 2, .gathered = 5};
    c.max = 3.0;
    c.p95 = 2.0;
    c.median = 1.0;
    c.windows = 9;
    c.seen = "2026-01-02T03:04:05Z";
    c.source = "probe";
    c.excludes = false;
    const ProbeRequest back = message_from<ProbeRequest>(json::parse(to_text(ProbeRequest{{c}, 0.5})));
    REQUIRE(back.ceilings.size() == 1);
    CHECK(back.ceilings.front() == c);
    CHECK(back.seconds == 0.5);
}

TEST_CASE(
    "numbers that JSON has no words for arrive as what they are, and are refused where they are times") {
    Record record;
    record.variant = {{"unroll", "4"}};
    record.outcome = Outcome::wrong;
    record.error = std::numeric_limits<double>::infinity();
    record.traffic = {true, std::numeric_limits<double>::quiet_NaN(), "counters"};
    WorkerLine back = message_from<WorkerLine>(json::parse(to_text(WorkerLine{"done", "", {record}, {}})));
    REQUIRE(back.records.size() == 1);
    CHECK(back.records[0].outcome == Outcome::wrong);
    CHECK(std::isinf(back.records[0].error));
    CHECK(std::isnan(back.records[0].traffic.bytes));

    record.outcome = Outcome::measured;
    record.error = 0.25;
    record.prepare_seconds = 0.125;
    record.slots.assign(8, {1.0 / 3.0, 7, true});
    back = message_from<WorkerLine>(json::parse(to_text(WorkerLine{"done", "", {record}, {}})));
    CHECK(back.records[0].outcome == Outcome::measured);
    REQUIRE(back.records[0].slots.size() == 8);
    CHECK(back.records[0].slots[7].seconds == 1.0 / 3.0);
    CHECK(back.records[0].slots[7].repetitions == 7);
    CHECK(back.records[0].slots[7].disturbed);
    CHECK(back.records[0].error == 0.25);
    CHECK(back.records[0].prepare_seconds == 0.125);

    record.slots[2].seconds = std::numeric_limits<double>::quiet_NaN();
    back = message_from<WorkerLine>(json::parse(to_text(WorkerLine{"done", "", {record}, {}})));
    CHECK(back.records[0].outcome == Outcome::environment);
    CHECK(back.records[0].slots.empty());
}

TEST_CASE("a request to measure arrives whole, and asks for verification unless it says otherwise") {
    MeasureRequest request;
    request.variant = {{"unroll", "4"}};
    request.rules = {.batch_seconds = 0.02, .batches = 5, .abandon_above = 1.5};
    request.slots = 1;
    request.incumbent_high = 0.25;
    request.seeds = {3, 4};
    CHECK(message_from<MeasureRequest>(json::parse(to_text(request))).verify);
    request.verify = false;
    const MeasureRequest back = message_from<MeasureRequest>(json::parse(to_text(request)));
    CHECK_FALSE(back.verify);
    CHECK(back.variant == request.variant);
    CHECK(back.rules.batch_seconds == 0.02);
    CHECK(back.rules.batches == 5);
    CHECK(back.rules.abandon_above == 1.5);
    CHECK(back.slots == 1);
    CHECK(back.incumbent_high == 0.25);
    CHECK(back.seeds == std::vector<std::uint64_t>{3, 4});
}

TEST_CASE("what a worker is set up for arrives whole") {
    WorkerSetup setup;
    setup.family = "spmv";
    setup.spec = {{"gen", "poisson7"}, {"nx", "4"}};
    setup.target.backend = Backend::opencl;
    setup.target.device.id = "device";
    setup.target.width_bits = {128, 512};
    setup.target.threads = 3;
    setup.target.numa_nodes = 2;
    setup.target.slow_gathers = true;
    setup.state = State::cold;
    setup.cpus = {4, 5, 9};
    setup.shared = true;
    const WorkerSetup back = message_from<WorkerSetup>(json::parse(to_text(setup)));
    CHECK(back.family == setup.family);
    CHECK(back.spec == setup.spec);
    CHECK(back.target.backend == Backend::opencl);
    CHECK(back.target.device.id == "device");
    CHECK(back.target.width_bits == setup.target.width_bits);
    CHECK(back.target.threads == 3);
    CHECK(back.target.numa_nodes == 2);
    CHECK(back.target.slow_gathers);
    CHECK(back.state == State::cold);
    CHECK(back.cpus == setup.cpus);
    CHECK(back.shared);
}
