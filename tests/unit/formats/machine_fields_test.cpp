// That the list of a machine file has every member of its structs, and that each comes back.
#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/support/golden.h"
#include "tests/support/schema_check.h"
#include "tests/unit/formats/members.h"
#include "tuner/formats/machine_file.h"
#include "tuner/formats/strict_json.h"

namespace rooftune::test {
namespace {

/// Every field set, which no machine has: a device with matrix units whose memory is another node's.
Machine full_machine() {
    Machine m{"some-id", "Some machine", {}, {}, {}};
    m.topology = {.cpu = "Some CPU",
                  .vendor = "Some vendor",
                  .family = 6,
                  .model = 143,
                  .stepping = 8,
                  .cores = 4,
                  .threads = 9,
                  .numa_nodes = 2,
                  .memory = Bytes(3e10),
                  .hypervisor = "Some VM",
                  .width_bits = {128, 512},
                  .caches = {{3, Bytes(3e7), Bytes(2e7), 5}},
                  .source = "a data sheet"};
    m.devices = {
        {"d1", "Some GPU", "Some platform", "1.2", true, 7, 256, Bytes(65536.0), Bytes(8e9), true, 4, 2}};
    Ceiling c;
    c.resource = Resource::compute;
    c.when = {.dtype = DType::f32,
              .width_bits = 512,
              .mix = Mix::fma,
              .chains = 12,
              .threads = 3,
              .footprint = Bytes(1e6),
              .streams = 4,
              .huge_pages = true,
              .device = "d1",
              .unit = "matrix",
              .sparse = true,
              .stride = Bytes(64.0),
              .prefetch = Prefetch::off,
              .shared = true,
              .remote = true};
    c.max = 1e12;
    c.p95 = 9e11;
    c.median = 8e11;
    c.windows = 30;
    c.undisturbed = 20;
    c.top = {1e12, 9.9e11, 9.8e11};
    c.occasions = {.count = 4,
                   .latest = 9.7e11,
                   .highest = {1e12, 9.6e11},
                   .since = "2024-05-31T17:02:00Z",
                   .windows = 7};
    c.seen = "2024-05-31T17:03:00Z";
    c.source = "probe";
    c.note = "as measured";
    c.excludes = false;
    Ceiling walk = c;  // what others do not have
    walk.resource = Resource::joint;
    walk.when = {.mix = Mix::load,
                 .threads = 2,
                 .footprint = Bytes(1e6),
                 .besides = {.vectors = 7, .crossing = 3, .scalars = 2, .gathered = 5}};
    m.ceilings = {c, walk};
    return m;
}

}  // namespace

TEST_CASE("machine file: each member of each struct is a key, and comes back", "[machine_file]") {
    const std::string text = machine_to_json(full_machine());
    const Json json = parse_json(text, "m.json");
    check_golden("documents/machine.json", text);
    CHECK(SchemaCheck("configs/schema").faults(json, "machine.schema.json").empty());
    CHECK(members<Machine>() == keys(json, {""}) - 1);  // "schema" is no field
    CHECK(members<Topology>() == keys(json, {"/topology"}));
    CHECK(members<CacheLevel>() == keys(json, {"/topology/caches/0"}));
    CHECK(members<Device>() == keys(json, {"/devices/0"}));
    CHECK(members<Conditions>() - 1 + members<LoadsBesides>() ==
          keys(json, {"/ceilings/0/when", "/ceilings/1/when"}) - 3);  // mix, threads and footprint of both
    CHECK(members<Occasions>() == keys(json, {"/ceilings/0/occasions"}));
    CHECK(members<Ceiling>() == keys(json, {"/ceilings/0"}) - 1);  // "unit" follows from the resource
    CHECK(parse_machine(text, "m.json") == full_machine());
    CHECK(machine_to_json(parse_machine(text, "m.json")) == text);
}

}  // namespace rooftune::test
