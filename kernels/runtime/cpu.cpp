#include "kernels/runtime/cpu.h"

#include <cpuid.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string_view>
#include <utility>

#include "kernels/runtime/cpu_mask.h"
#include "kernels/runtime/error.h"
#include "kernels/runtime/hwloc_topology.h"
#include "kernels/runtime/openmp_places.h"

namespace rooftune {
namespace {

struct Leaf {
    unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
};

Leaf cpuid(unsigned leaf, unsigned subleaf = 0) {
    Leaf r;
    __cpuid_count(leaf, subleaf, r.eax, r.ebx, r.ecx, r.edx);
    return r;
}

bool bit(unsigned word, int position) {
    return ((word >> position) & 1U) != 0;
}

// The state components that the operating system saves; 0 when XGETBV itself is not enabled.
std::uint64_t enabled_state() {
    constexpr int kOsXsave = 27;
    if (!bit(cpuid(1).ecx, kOsXsave)) return 0;
    unsigned low = 0;
    unsigned high = 0;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (std::uint64_t{high} << 32) | low;
}

// Each width asks for all the features that the code built for it may use, not for one of them: a
// hypervisor can hide any.
bool sse4_usable() {
    const Leaf one = cpuid(1);
    constexpr int kSsse3 = 9, kSse41 = 19, kSse42 = 20, kAes = 25, kPclmul = 1;
    return bit(one.ecx, kSsse3) && bit(one.ecx, kSse41) && bit(one.ecx, kSse42) && bit(one.ecx, kAes) &&
           bit(one.ecx, kPclmul);
}

bool avx2_usable(unsigned highest_leaf) {
    constexpr std::uint64_t kSseAvxState = 0x6;
    if (highest_leaf < 7 || (enabled_state() & kSseAvxState) != kSseAvxState) return false;
    const Leaf one = cpuid(1);
    const Leaf seven = cpuid(7);
    const Leaf extended = cpuid(0x80000001U);
    constexpr int kFma = 12, kAvx = 28, kF16c = 29, kAvx2 = 5, kBmi1 = 3, kBmi2 = 8, kLzcnt = 5;
    return bit(one.ecx, kFma) && bit(one.ecx, kAvx) && bit(one.ecx, kF16c) && bit(seven.ebx, kAvx2) &&
           bit(seven.ebx, kBmi1) && bit(seven.ebx, kBmi2) && bit(extended.ecx, kLzcnt);
}

bool avx512_usable(unsigned highest_leaf) {
    constexpr std::uint64_t kAvx512State = 0xE6;  // SSE, AVX, opmask, upper halves, upper registers
    if (highest_leaf < 7 || (enabled_state() & kAvx512State) != kAvx512State) return false;
    const Leaf seven = cpuid(7);
    constexpr int kF = 16, kDq = 17, kCd = 28, kBw = 30, kVl = 31;
    return bit(seven.ebx, kF) && bit(seven.ebx, kDq) && bit(seven.ebx, kCd) && bit(seven.ebx, kBw) &&
           bit(seven.ebx, kVl);
}

// Tiles have a large state that Linux (5.16 and later) gives to a process only when asked. The request also
// fails where a signal stack is too small for that state.
bool tiles_granted() {
    constexpr std::uint64_t kTileState = 0x60000;  // configuration and data
    if ((enabled_state() & kTileState) != kTileState) return false;
    static const bool granted = [] {
        constexpr long kRequestPermission = 0x1023;  // ARCH_REQ_XCOMP_PERM
        constexpr long kTileData = 18;
        return syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
    }();
    return granted;
}

bool tiles_usable() {
    constexpr int kAmxTile = 24;
    constexpr unsigned kTileLeaf = 0x1D;
    if (cpuid(0).eax < kTileLeaf || !bit(cpuid(7).edx, kAmxTile)) return false;
    // The first palette: eight tiles of 16 rows of 64 bytes, which the kernels are written for.
    const Leaf palette = cpuid(kTileLeaf, 1);
    const unsigned row_bytes = palette.ebx & 0xFFFFU;
    const unsigned tiles = palette.ebx >> 16;
    const unsigned rows = palette.ecx & 0xFFFFU;
    return row_bytes == 64 && tiles >= 8 && rows == 16 && tiles_granted();
}

// The mask that this process, or this library, started with.
const std::vector<int>& cpus_at_start() {
    static const std::vector<int> cpus = CpuMask::of_thread().cpus();
    return cpus;
}

// Asked before main: a team that measures pins its first thread, usually the main one, and its mask then says
// one. A global of the program that is made before this one asks by itself.
[[maybe_unused]] const bool g_asked = !cpus_at_start().empty();

// GNU's OpenMP, where it is told to bind, pins the initial thread to its first place when it is loaded, which
// is before anything of the program runs: the mask then says one place, while the threads that it starts have
// all of them. The runtime is not asked without need, because others than GNU's bind the thread that asks.
std::vector<int> with_places_of_openmp(std::vector<int> cpus) {
    const bool binds = std::getenv("OMP_PROC_BIND") != nullptr || std::getenv("OMP_PLACES") != nullptr ||
                       std::getenv("GOMP_CPU_AFFINITY") != nullptr || std::getenv("KMP_AFFINITY") != nullptr;
    if (!binds) return cpus;
    const HwlocTopology topology = load_hwloc_topology();
    // Without those that a control group withholds.
    const hwloc_const_cpuset_t allowed = hwloc_get_root_obj(topology.get())->cpuset;
    if (static_cast<int>(cpus.size()) >= hwloc_bitmap_weight(allowed)) return cpus;
    for (const int cpu : openmp_places()) {
        if (hwloc_bitmap_isset(allowed, static_cast<unsigned>(cpu)) != 0) cpus.push_back(cpu);
    }
    std::sort(cpus.begin(), cpus.end());
    cpus.erase(std::unique(cpus.begin(), cpus.end()), cpus.end());
    return cpus;
}

int widest_allowed() {
    const char* text = std::getenv("ROOFTUNE_MAX_WIDTH");
    if (text == nullptr || *text == '\0') return 512;
    for (const int width : {128, 256, 512}) {
        if (std::to_string(width) == text) return width;
    }
    throw InputError("environment variable ROOFTUNE_MAX_WIDTH is '" + std::string(text) +
                     "'; set it to 128, 256 or 512, or unset it");
}

std::string text_of(std::initializer_list<unsigned> registers) {
    std::string text;
    for (const unsigned word : registers) {
        std::array<char, 4> bytes{};
        std::memcpy(bytes.data(), &word, bytes.size());
        text.append(bytes.data(), bytes.size());
    }
    text.erase(std::remove(text.begin(), text.end(), '\0'), text.end());
    const auto first = text.find_first_not_of(' ');
    const auto last = text.find_last_not_of(' ');
    return first == std::string::npos ? std::string() : text.substr(first, last - first + 1);
}

void identify_processor(Topology& t) {
    const Leaf zero = cpuid(0);
    t.vendor = text_of({zero.ebx, zero.edx, zero.ecx});
    const Leaf one = cpuid(1);
    const int family = static_cast<int>((one.eax >> 8) & 0xF);
    const int model = static_cast<int>((one.eax >> 4) & 0xF);
    t.family = family == 0xF ? family + static_cast<int>((one.eax >> 20) & 0xFF) : family;
    t.model = family == 0x6 || family == 0xF ? model + static_cast<int>((one.eax >> 12) & 0xF0) : model;
    t.stepping = static_cast<int>(one.eax & 0xF);
    if (cpuid(0x80000000U).eax >= 0x80000004U) {
        for (const unsigned leaf : {0x80000002U, 0x80000003U, 0x80000004U}) {
            const Leaf part = cpuid(leaf);
            std::array<char, 16> bytes{};
            std::memcpy(bytes.data(), &part, bytes.size());
            t.cpu.append(bytes.data(), strnlen(bytes.data(), bytes.size()));
        }
    }
    while (!t.cpu.empty() && t.cpu.back() == ' ') t.cpu.pop_back();
    constexpr int kHypervisor = 31;
    if (bit(one.ecx, kHypervisor)) {
        const Leaf name = cpuid(0x40000000U);
        t.hypervisor = text_of({name.ebx, name.ecx, name.edx});
        if (t.hypervisor.empty()) t.hypervisor = "unnamed";
    }
}

int count_of(hwloc_topology_t topology, hwloc_obj_type_t type) {
    return std::max(1, hwloc_get_nbobjs_by_type(topology, type));
}

void read_caches(hwloc_topology_t topology, Topology& t) {
    constexpr std::array kLevels{HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L4CACHE};
    for (std::size_t i = 0; i < kLevels.size(); ++i) {
        const hwloc_obj_t cache = hwloc_get_obj_by_type(topology, kLevels[i], 0);
        if (cache == nullptr || cache->attr == nullptr) continue;
        CacheLevel level;
        level.level = static_cast<int>(i) + 1;
        level.reported = Bytes(static_cast<double>(cache->attr->cache.size));
        level.shared_by = std::max(1, hwloc_bitmap_weight(cache->cpuset));
        t.caches.push_back(level);
    }
}

// With all processing units of that extent.
Topology topology_of(const std::string& synthetic, Extent extent) {
    const HwlocTopology topology = load_hwloc_topology(synthetic, extent);
    Topology t;
    t.threads = count_of(topology.get(), HWLOC_OBJ_PU);
    t.cores = count_of(topology.get(), HWLOC_OBJ_CORE);
    t.numa_nodes = count_of(topology.get(), HWLOC_OBJ_NUMANODE);
    t.memory = Bytes(static_cast<double>(hwloc_get_root_obj(topology.get())->total_memory));
    read_caches(topology.get(), t);
    t.width_bits = usable_widths();
    if (synthetic.empty()) {
        // Memory that a virtual machine got later is counted in no node.
        struct sysinfo system {};
        if (sysinfo(&system) == 0)
            t.memory = std::max(t.memory, Bytes(static_cast<double>(system.totalram) * system.mem_unit));
        identify_processor(t);
    } else {
        t.cpu = "synthetic " + synthetic;
        t.vendor = "synthetic";
    }
    return t;
}

}  // namespace

std::vector<int> usable_widths() {
    std::vector<int> widths;
    const unsigned highest_leaf = cpuid(0).eax;
    const int limit = widest_allowed();
    if (!sse4_usable()) return widths;
    widths.push_back(128);
    if (limit < 256 || !avx2_usable(highest_leaf)) return widths;
    widths.push_back(256);
    if (limit < 512 || !avx512_usable(highest_leaf)) return widths;
    widths.push_back(512);
    return widths;
}

bool has(Feature feature) {
    const std::vector<int> widths = usable_widths();
    const int widest = widths.empty() ? 0 : widths.back();
    if (feature == Feature::sse4) return widest >= 128;
    if (widest < 256) return false;
    const Leaf seven = cpuid(7);
    const Leaf more = seven.eax >= 1 ? cpuid(7, 1) : Leaf();
    constexpr int kAvxVnni = 4;
    if (feature == Feature::avx2) return true;
    if (feature == Feature::avx_vnni) return bit(more.eax, kAvxVnni);
    if (widest < 512) return false;
    constexpr int kVnni = 11, kFp16 = 23, kBf16 = 5, kAmxBf16 = 22, kAmxInt8 = 25;
    switch (feature) {
        case Feature::avx512_vnni:
            return bit(seven.ecx, kVnni);
        case Feature::avx512_bf16:
            return bit(more.eax, kBf16);
        case Feature::avx512_fp16:
            return bit(seven.edx, kFp16);
        case Feature::amx_bf16:
            return bit(seven.edx, kAmxBf16) && tiles_usable();
        case Feature::amx_int8:
            return bit(seven.edx, kAmxInt8) && tiles_usable();
        default:
            return true;
    }
}

std::vector<int> usable_cpus() {
    if (cpus_at_start().empty()) {
        throw EnvironmentError(
            "the affinity mask of this process cannot be read; is sched_getaffinity forbidden here?");
    }
    static const std::vector<int> cpus = with_places_of_openmp(cpus_at_start());
    return cpus;
}

int processing_units_allowed() {
    static const int number = count_of(load_hwloc_topology().get(), HWLOC_OBJ_PU);
    return number;
}

Topology read_topology(const std::string& synthetic) {
    Topology t = topology_of(synthetic, Extent::allowed);
    if (synthetic.empty()) t.threads = static_cast<int>(usable_cpus().size());
    return t;
}

bool gathers_are_slow(const Topology& topology) {
    // As processors say it, and as people who write a machine file do.
    constexpr std::array<std::string_view, 4> kSlow{"AuthenticAMD", "AMD", "HygonGenuine", "Hygon"};
    return std::find(kSlow.begin(), kSlow.end(), topology.vendor) != kSlow.end();
}

std::string fingerprint(const Topology& t) {
    std::ostringstream key;
    key << (t.vendor.empty() ? "unknown" : t.vendor) << '-' << t.family << '-' << t.model << '-'
        << t.stepping;
    key << "-c" << t.cores << 't' << t.threads << 'n' << t.numa_nodes;
    key << "-w" << (t.width_bits.empty() ? 0 : t.width_bits.back());
    for (const CacheLevel& cache : t.caches) {
        key << '-' << static_cast<long long>(cache.reported.value / 1024.0) << 'K';
        if (cache.shared_by > 1) key << 'x' << cache.shared_by;
    }
    if (!t.hypervisor.empty()) key << '-' << t.hypervisor;
    std::string text = key.str();
    // It names a file.
    for (char& c : text) {
        const bool plain =
            (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
        if (!plain) c = '_';
    }
    return text;
}

std::vector<std::string> fingerprints_here(const Topology& present, const Topology& allowed,
                                           const Topology& machine) {
    std::vector<std::string> all;
    for (const Topology* topology : {&present, &allowed, &machine}) {
        std::string one = fingerprint(*topology);
        if (std::find(all.begin(), all.end(), one) == all.end()) all.push_back(std::move(one));
    }
    return all;
}

std::vector<std::string> fingerprints_here() {
    const Topology present = read_topology();
    Topology allowed = present;
    allowed.threads = processing_units_allowed();
    return fingerprints_here(present, allowed, topology_of({}, Extent::machine));
}

}  // namespace rooftune
