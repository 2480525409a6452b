// Machines as published, for tests of the theory: whole-machine rates without any other condition, as in
// configs/machines, but written here so that a test of arithmetic does not read a file.
#pragma once

#include <string>

#include "models/machine.h"

namespace rooftune::test {

inline Ceiling published(Resource resource, double rate, DType dtype = DType::f64, std::string unit = "") {
    Ceiling c;
    c.resource = resource;
    c.when.threads = 0;
    c.when.dtype = dtype;
    c.when.unit = std::move(unit);
    c.max = c.p95 = c.median = rate;
    c.source = "test";
    return c;
}

/// One peak, one memory, and what else a case adds.
inline Machine published_machine(DType dtype, double peak, double bandwidth) {
    Machine m;
    m.id = m.name = "published";
    m.ceilings = {published(Resource::compute, peak, dtype), published(Resource::bandwidth, bandwidth)};
    return m;
}

inline Machine tpu_v5e() {
    Machine m = published_machine(DType::bf16, 1.97e14, 8.2e11);
    m.ceilings.push_back(published(Resource::compute, 3.94e14, DType::int8));
    m.ceilings.push_back(published(Resource::link, 4.5e10, DType::f64, "ici"));
    m.topology.memory = Bytes(16e9);
    return m;
}

}  // namespace rooftune::test
