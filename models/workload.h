// A workload: what a kernel must compute and move, stated by formulas alone. No kernel of ours is behind
// it, so it can be bounded on any machine, a preset as well as a measured one. All sizes are real numbers:
// a critical size is solved for, and a limit is approached by a size of 1e12.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/bound.h"
#include "models/hierarchy.h"
#include "models/traffic_parts.h"

namespace rooftune {

/// Sizes and choices as a user writes them: "m" → "240", "dtype" → "bf16".
using WorkloadSpec = std::map<std::string, std::string>;

struct WorkloadKey {
    std::string name;
    std::string help;
    std::string fallback;  ///< value when absent; empty: the key is needed
    bool size = false;     ///< a real number >= 0 that can be solved for and swept
};

struct Workload {
    std::string title;               ///< "matmul 240 × 4096 × 4096, bf16"
    DType dtype = DType::f64;        ///< that the operations are done in
    Operations flops{0.0};           ///< of all devices together
    Work work;                       ///< the least of one device
    std::vector<TrafficPart> extra;  ///< of one device: what probably comes on top of the least traffic
    Bytes footprint{0.0};            ///< that one device must hold
    double devices = 1.0;
    std::string unit;     ///< compute unit asked for ("matrix", "vector"); empty: the fastest
    std::string link;     ///< link asked for ("ici", "pcie"); empty: the fastest
    bool sparse = false;  ///< rates with structured sparsity count as well
};

/// What is wrong with a workload's spec: the key and what was expected of it.
struct WorkloadError {
    std::string key;
    std::string message;
};

class WorkloadKind {
public:
    virtual ~WorkloadKind() = default;
    virtual std::string_view name() const = 0;
    virtual std::string_view summary() const = 0;
    virtual std::vector<WorkloadKey> keys() const = 0;
    /// Whether moving bytes alone is work: of a formula without operations a size is 0.
    virtual bool may_lack_flops() const { return false; }
    /// Throws WorkloadError. Keys that keys() does not name have been refused before.
    virtual Workload make(const WorkloadSpec& spec) const = 0;
};

/// All kinds: work, elementwise, dot, matmul, batched matmul, stencil, spmv, lbmhd, chain.
const std::vector<const WorkloadKind*>& workload_kinds();
const WorkloadKind* find_workload(std::string_view name);

/// Bytes that it moves at least, in both directions, whatever the caches. What is declared of
/// bytes beyond a cache is another number for each cache, and none of these.
Bytes least_bytes(const Workload& workload);

/// A workload on a machine. `Term::ceiling` is an index into the machine's ceilings as they were handed over.
struct WorkloadBound {
    Bound bound;                     ///< of one device; all work side by side, so also of all together
    double attainable = 0.0;         ///< flop/s of all devices together, at T_lower; 0: nothing bounds
    double attainable_serial = 0.0;  ///< the same without any overlap: the rounded roof
    double intensity = 0.0;          ///< flop/byte against the least traffic, one device; 0: none moved
    double intensity_low = 0.0;      ///< flop/byte with the probable extra traffic
    double peak = 0.0;               ///< flop/s of one device in this element type; 0: not known
    double bandwidth = 0.0;          ///< byte/s of its memory, both directions; 0: not known
    bool peak_is_estimate = false;   ///< the peak comes from ceilings that only rank: no bound of arithmetic
    double ridge = 0.0;              ///< flop/byte: peak over bandwidth; 0 where either is not known
    std::optional<double> memory_share;  ///< footprint over the memory of the machine, where that is known
    HierarchyUse hierarchy;              ///< the same traffic level by level, nearest first
};

/// The machine is taken as one backend meets it (`machine_of`), with all of its threads. Throws WorkloadError
/// when the unit, the link or the sparsity asked for is not among its ceilings: the message names those that
/// are.
WorkloadBound bound_workload(const Workload& workload, const Machine& machine);

/// The value of one size at which the compute term equals the largest of all others, searched over
/// [1e-3, 1e15]: above or below it the kernel is compute bound, as `compute_bound_above` says. nullopt
/// when one side binds everywhere. Where they cross more than once, the largest crossing. `size` needs no
/// value in the spec. Throws WorkloadError like make(), and where `size` is no size of this kind.
struct CriticalSize {
    double value = 0.0;
    bool compute_bound_above = true;
};
std::optional<CriticalSize> solve_critical_size(const WorkloadKind& kind, WorkloadSpec spec,
                                                const std::string& size, const Machine& machine);

}  // namespace rooftune
