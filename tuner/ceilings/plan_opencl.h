// What to probe of an OpenCL device. Pure, like plan.h: the device as it describes itself goes in.
#pragma once

#include "models/machine.h"
#include "tuner/ceilings/plan.h"

namespace rooftune {

/// The model of one device, on 1 and on all of its compute units: peak at every vector width and several
/// numbers of chains, every memory mix at footprints x2 apart, local memory, transfers, launches. `memory`:
/// bytes of the host that may be taken (a quarter of it is, where the device is a CPU). `quick`: about 6 s.
ProbePlan opencl_plan(const Device& device, const Topology& topology, Bytes memory, bool quick);

/// Bandwidth of a device at a problem's own footprint, and at half and twice of it.
ProbePlan opencl_conditions_for(const Device& device, const Topology& topology, Bytes footprint,
                                Bytes memory);

/// Largest footprint worth probing: a CPU's as for native probes; otherwise 1 GiB, which is well beyond
/// any device's caches; at most a quarter of the memory.
Bytes largest_opencl_footprint(const Device& device, const Topology& topology, Bytes memory);

}  // namespace rooftune
