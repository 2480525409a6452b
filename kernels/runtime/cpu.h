// What this process may use of the CPU: vector widths that both the processor and the operating
// system support, and the processing units it may run on.
#pragma once

#include <string>
#include <vector>

#include "models/machine.h"

namespace rooftune {

/// Vector widths usable here, ascending (128, 256, 512 bits). CPUID and XCR0 are checked. The
/// environment variable ROOFTUNE_MAX_WIDTH (128, 256 or 512) masks wider ones, for tests.
std::vector<int> usable_widths();

/// Instruction sets that probes ask for one by one, beside the widths.
enum class Feature {
    sse4,
    avx2,         ///< with FMA and the conversions of f16
    avx512,       ///< F, DQ, CD, BW and VL
    avx_vnni,     ///< products of bytes added into 32 bits, in the encoding of AVX2
    avx512_vnni,  ///< the same in that of AVX-512
    avx512_bf16,  ///< products of bf16 added into f32
    avx512_fp16,  ///< arithmetic in f16
    amx_int8,     ///< products of tiles of bytes
    amx_bf16,     ///< products of tiles of bf16
};

/// Whether processor and operating system let this process use the instructions. ROOFTUNE_MAX_WIDTH masks
/// those of wider vectors (AMX counts as 512 bits). The first question about AMX asks the operating system
/// for the tiles' state, once and for all threads of the process; where it refuses, the answer is no.
bool has(Feature feature);

/// Operating-system indices of the processing units in the affinity mask that this process started with, and
/// in the places of its OpenMP runtime, ascending (a team that measures pins its caller: the mask of the
/// moment is narrower). Throws EnvironmentError where the mask cannot be read.
std::vector<int> usable_cpus();

/// How many processing units the control group of this process leaves it, whatever its affinity mask.
int processing_units_allowed();

/// Topology from hwloc and /proc; probed cache sizes are left 0. `synthetic` (hwloc's notation,
/// "numa:2 core:4 pu:1") describes another machine, for tests; empty means this one.
/// Throws EnvironmentError when hwloc cannot load it.
Topology read_topology(const std::string& synthetic = {});

/// Whether an instruction that gathers takes longer than as many loads and the shuffles that join them. Told
/// by the vendor: measured on a Zen 4, which gathers one element a cycle from the fastest pattern and loads
/// three words (docs/decisions.md, 2026-11-29), and taken for all of AMD's. Intel's were not measured.
bool gathers_are_slow(const Topology& topology);

/// Hard and performance key of a machine in one short text: vendor, family-model-stepping, threads,
/// widths, caches, hypervisor. Readings that change (MHz, microcode date) are left out.
std::string fingerprint(const Topology& topology);

/// Fingerprints under which something may have been tuned on this machine, each once: as this process sees
/// it, which comes first; with all processing units that the control group allows, whatever the affinity
/// mask; and the whole machine's. Throws what read_topology() throws.
std::vector<std::string> fingerprints_here();
/// The same of these.
std::vector<std::string> fingerprints_here(const Topology& present, const Topology& allowed,
                                           const Topology& machine);

}  // namespace rooftune
