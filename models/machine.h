// A machine: its topology and its ceilings. Pure data; files are read and written by tuner/formats.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/loads_besides.h"
#include "models/units.h"
#include "models/vocabulary.h"

namespace rooftune {

/// What a ceiling limits, and the unit of its rate.
enum class Resource {
    compute,    ///< flop/s; op/s of integer types
    bandwidth,  ///< byte/s, reads and writes together
    gather,     ///< element/s of indexed loads
    strided,    ///< element/s of loads a fixed stride apart; ranks only
    latency,    ///< load/s, each of them needing the one before (pointer chase), one thread
    issue,      ///< instruction/s of one thread; of gathers element/s
    clock,      ///< Hz of one thread
    window,     ///< instructions: size of the reorder window (a capacity, not a rate)
    local,      ///< byte/s of a work-group's local memory; ranks only
    transfer,   ///< byte/s between the host's memory and a device's; outside the time of a kernel
    launch,     ///< launch/s of an empty kernel, one after the other; outside the device's own clock
    link,       ///< byte/s in one direction of the links between two devices
    joint,      ///< byte/s of walks while the core loads from its first-level cache besides; second tier only
};

/// Whether software prefetched: either way (the faster of the two), not at all, or always.
enum class Prefetch { any, off, on };

/// The conditions under which a ceiling was measured. A field at its zero value is not a condition.
struct Conditions {
    DType dtype = DType::f64;  ///< compute and gather only
    int width_bits = 0;        ///< vector width; for scalar code the element's own bits
    Mix mix = Mix::none;
    int chains = 0;   ///< independent dependence chains a thread (compute)
    int threads = 1;  ///< 0: not a condition, the rate is the whole machine's (presets)
    /// Distinct bytes over all threads together (bandwidth, gather, latency); of strides the bytes that they
    /// span. 0: not a condition, beyond any cache (presets).
    Bytes footprint{0.0};
    int streams = 0;          ///< concurrent streams a thread (bandwidth)
    bool huge_pages = false;  ///< memory asked for with MADV_HUGEPAGE
    /// Id of the OpenCL device that this was measured on; empty: the processing units themselves. On a
    /// device `threads` counts compute units (of a rate per compute unit it is 1).
    std::string device{};
    /// Compute: the unit, where a machine has several ("matrix", "vector"). Link: its name ("ici", "pcie").
    std::string unit{};
    bool sparse = false;  ///< compute: counts the products that structured sparsity leaves out
    Bytes stride{0.0};    ///< strided: distance between one element and the next
    Prefetch prefetch = Prefetch::any;
    bool shared = false;     ///< all threads read the same data: bytes are counted once a thread
    bool remote = false;     ///< memory of another NUMA node than the threads'
    LoadsBesides besides{};  ///< joint

    bool operator==(const Conditions&) const = default;
};

/// The highest rates of a ceiling on different occasions: minutes in which it was probed and in which enough
/// windows were undisturbed to say anything. How much these differ tells how far the true one may lie above.
struct Occasions {
    int count = 0;                  ///< those that tell something, the latest among them where it does
    double latest = 0.0;            ///< of the undisturbed windows of the latest
    std::vector<double> highest{};  ///< of those before that tell something, descending, at most two
    std::string since{};            ///< UTC date and time of the first probe of the latest, ISO 8601
    int windows = 0;                ///< undisturbed windows of the latest

    /// Whether the latest had enough windows to count.
    bool latest_tells() const;
    /// The second highest of all that tell something; 0 for fewer than two.
    double second() const;
    bool operator==(const Occasions&) const = default;
};

/// A highest rate of one resource under stated conditions. `max` over all windows is the rate that
/// bounds; the quantiles tell how far the machine's own noise reaches below it.
struct Ceiling {
    Resource resource = Resource::compute;
    Conditions when;
    double max = 0.0;
    double p95 = 0.0;
    double median = 0.0;
    int windows = 0;     ///< short measurements behind the numbers
    std::string seen;    ///< UTC date and time of the last probe, ISO 8601
    std::string source;  ///< "probe", or where a preset's value was published
    std::string note{};  ///< for people: a footnote of the source; empty when there is none
    bool excludes =
        true;  ///< false: conditions that a kernel could evade; ranks only. See models/conditions.h
    /// Of the windows those in which nobody took a processor away; negative: not counted, as in older files.
    int undisturbed = -1;
    std::vector<double>
        top{};  ///< the highest rates of the undisturbed ones, descending, at most kTopWindows

    Occasions occasions{};

    /// How far the true highest rate may lie above `max`, as a share of it. From three occasions on what the
    /// highest of them is ahead of the second: records of a machine's rates come in steps of that size. At
    /// least, and with fewer occasions, kMarginOf…, at most kMostMargin. Published rates have 3 %. A quantile
    /// of the windows says nothing here: of four windows the 95th percentile is the maximum.
    double margin() const;
    /// Whether the maximum is the machine's and not what another process left of it: enough windows were
    /// undisturbed, and the fastest of them agree with it. Published rates are, and so is what was not
    /// counted.
    bool saturated() const;
    bool operator==(const Ceiling&) const = default;
};

/// What saturated() asks for. A stolen core halves what two threads reach, for as long as it lasts; three
/// windows that nobody disturbed and that differ by less than 3 % are no accident.
inline constexpr int kUndisturbedWindows = 5;
inline constexpr std::size_t kTopWindows = 3;
inline constexpr double kTopAgreement = 0.03;
/// The same of walks, among which memory's rates differ by several percent where nobody disturbs them. What a
/// stolen core takes, or a host that puts two processors on one core, is a third and more.
inline constexpr double kTopAgreementOfWalks = 0.10;

/// Occasions that a margin of their own needs, windows that each needs, and the seconds that lie between the
/// beginnings of two at least.
inline constexpr int kOccasionsOfMargin = 3;
inline constexpr int kWindowsOfOccasion = 3;
inline constexpr int kSecondsOfOccasion = 60;

/// Margins at least: of rates of a core, and of walks, which share a memory with others. The largest and the
/// smallest of five models of one machine differed by 2 to 6 % at the median walk beyond the caches, and by
/// up to 16 % at one in twenty (results/machine_repeats.md). No margin makes up for a memory that is in
/// another state for an hour: that is what probes during the run, audits and alarms are for.
inline constexpr double kMarginOfCores = 0.03;
inline constexpr double kMarginOfWalks = 0.05;
/// At most: a record that is further ahead is another state of the machine (a neighbour went away), which it
/// has seen the best of, and not noise of the best.
inline constexpr double kMostMargin = 0.10;

/// One cache level. Sizes are of one instance; 0 where unknown. Both are kept because a virtual
/// machine often reports its host's cache.
struct CacheLevel {
    int level = 0;
    Bytes reported{0.0};
    Bytes probed{0.0};
    int shared_by = 1;  ///< processing units sharing one instance
    bool operator==(const CacheLevel&) const = default;
};

struct Topology {
    std::string cpu;  ///< model name as reported
    std::string vendor;
    int family = 0, model = 0, stepping = 0;
    int cores = 1;
    int threads = 1;  ///< processing units this process may use
    int numa_nodes = 1;
    Bytes memory{0.0};            ///< 0: not known
    std::string hypervisor;       ///< empty on bare metal
    std::vector<int> width_bits;  ///< vector widths usable here, ascending: 128, 256, 512
    std::vector<CacheLevel> caches;
    std::string source{};  ///< of a preset: where all this was published; empty: the system said so
    bool operator==(const Topology&) const = default;
};

/// An OpenCL device, as it describes itself.
struct Device {
    std::string id;        ///< hash of name, driver, platform and compute units
    std::string name;      ///< for people
    std::string platform;  ///< platform's name
    std::string driver;    ///< driver's version
    bool is_cpu = false;   ///< runs on the processing units of this machine
    int compute_units = 1;
    int max_work_group = 1;   ///< work items
    Bytes local_memory{0.0};  ///< of a work-group
    Bytes global_memory{0.0};
    bool f64 = false;      ///< has double precision
    int float_lanes = 1;   ///< preferred vector width, f32 elements
    int double_lanes = 1;  ///< preferred vector width, f64 elements; 0 without f64
    bool operator==(const Device&) const = default;
};

struct Machine {
    std::string id;    ///< fingerprint, or the preset's name
    std::string name;  ///< for people
    Topology topology;
    std::vector<Device> devices;  ///< OpenCL devices whose ceilings were measured
    std::vector<Ceiling> ceilings;
    bool operator==(const Machine&) const = default;
};

std::string_view to_text(Resource r);
std::optional<Resource> resource_from(std::string_view text);
/// Unit of a resource's rate: "flop/s", "byte/s", "element/s", "load/s", "instruction/s", "Hz",
/// "instruction".
std::string_view unit_of(Resource r);
/// The same of one ceiling: "op/s" where compute counts integer operations.
std::string_view unit_of(const Ceiling& c);
std::string_view to_text(Prefetch p);
std::optional<Prefetch> prefetch_from(std::string_view text);
/// Whether the element type is one of this resource's conditions.
bool has_dtype(Resource r);
/// One line that names a ceiling for people: "DRAM-side load, 64 MiB, 4 streams, 2 threads".
std::string describe(const Ceiling& c);
/// The same where it stands for several times as many threads as it was measured on: "2 × (compute fma …)".
/// `rate` is what a bound took it for.
std::string describe(const Ceiling& c, double rate);

/// The machine as a backend meets it: for the CPU the ceilings without a device; for a device its own,
/// and for one that is a CPU the native ones as well, since its kernels run on the same cores, so that
/// a roof is the maximum of the two (contract 6). An empty id means the CPU.
Machine machine_of(const Machine& machine, const std::string& device);

/// Merges a fresh probe into the machine: a ceiling with the same resource and conditions keeps the
/// larger maximum (a stored maximum never falls) and the larger 95th percentile, and takes the newer
/// date and median; windows add up, and so does what is known of the undisturbed ones. A probe of another
/// minute than the last one is an occasion of its own.
void merge(Machine& machine, const Ceiling& fresh);

}  // namespace rooftune
