#include "tuner/machine/audit/likwid_peer.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "kernels/runtime/cpu.h"
#include "kernels/runtime/error.h"
#include "tuner/base/find_program.h"
#include "tuner/machine/audit/tool.h"

namespace rooftune::audit {
namespace {

constexpr const char* kLikwidName = "likwid-bench";

/// One of its kernels, without the suffix of an instruction set.
struct Kernel {
    std::string name;
    DType dtype;
    int reads, writes;  ///< elements for each index
    int arrays;
    Mix like;
    bool fma = false;    ///< its AVX form has a twin with FMA
    bool often = false;  ///< in every pass
};

// Each run costs it a second and a half before it begins, so few of its hundred kernels, in turns.
const std::vector<Kernel>& kernels() {
    static const std::vector<Kernel> all{
        {"load", DType::f64, 1, 0, 1, Mix::load, false, true},
        {"store", DType::f64, 0, 1, 1, Mix::store},
        {"store_mem", DType::f64, 0, 1, 1, Mix::nt_store},
        {"update", DType::f64, 1, 1, 1, Mix::update},
        {"copy", DType::f64, 1, 1, 2, Mix::copy},
        {"copy_mem", DType::f64, 1, 1, 2, Mix::nt_copy},
        {"stream", DType::f64, 2, 1, 3, Mix::two_loads_store, true},
        {"triad", DType::f64, 3, 1, 4, Mix::none, true},
        {"ddot", DType::f64, 2, 0, 2, Mix::load},
        {"stream_sp", DType::f32, 2, 1, 3, Mix::two_loads_store, true},
        {"sum_sp", DType::f32, 1, 0, 1, Mix::load},
    };
    return all;
}

std::string suffix(bool fma) {
    const std::vector<int> widths = usable_widths();
    const int widest = widths.empty() ? 128 : widths.back();
    if (widest < 256) return "_sse";
    return std::string(widest >= 512 ? "_avx512" : "_avx") + (fma ? "_fma" : "");
}

Case walk(const Kernel& kernel, const Place& place, const PeerSetting& setting) {
    const auto element = static_cast<double>(size_of(kernel.dtype));
    Case c;
    c.peer = kLikwidName;
    c.kernel = kernel.name + suffix(kernel.fma);
    c.level = place.level;
    c.dtype = kernel.dtype;
    c.threads = place.threads;
    const double elements = place.footprint.value / (element * kernel.arrays);
    c.least.read = Bytes(elements * element * kernel.reads);
    c.least.written = Bytes(elements * element * kernel.writes);
    c.least.footprint = place.footprint;
    c.like = kernel.like;
    // It times all its iterations as one window. Longer ones than ours: each of its threads has a clock of
    // its own, and what they do not overlap must not count for much.
    constexpr double kWindow = 0.06;
    const double moved = c.least.read.value + c.least.written.value;
    const double rate = setting.expected_rate ? setting.expected_rate(place) : 1e10;
    c.arguments = {{"iterations", std::to_string(std::llround(std::max(2.0, kWindow * rate / moved)))}};
    return c;
}

Case peak(DType dtype, int threads) {
    constexpr double kBytes = 8000.0;
    constexpr double kIterations = 2e4;
    Case c;
    c.peer = kLikwidName;
    c.kernel = std::string(dtype == DType::f32 ? "peakflops_sp" : "peakflops") + suffix(true);
    c.dtype = dtype;
    c.threads = threads;
    c.least.footprint = Bytes(kBytes * threads);
    c.least.flops = Operations(kBytes / static_cast<double>(size_of(dtype)) * 30.0 * threads);
    c.like = Mix::fma;
    c.arguments = {{"iterations", std::to_string(std::llround(kIterations))}};
    return c;
}

std::vector<Case> likwid_cases(const PeerSetting& setting) {
    std::vector<Case> result;
    int turn = 0;
    const auto add = [&](Case c, bool always) {
        if (!always) c.turn = turn++ % 3;
        result.push_back(std::move(c));
    };
    const int all = static_cast<int>(setting.cpus.size());
    for (const DType dtype : {DType::f64, DType::f32}) {
        for (const int threads : setting.thread_counts()) add(peak(dtype, threads), threads == all);
    }
    for (const Kernel& kernel : kernels()) {
        for (const Place& place : setting.places) {
            if (place.threads != all && !kernel.often) continue;
            add(walk(kernel, place, setting), kernel.often && place.threads == all);
        }
    }
    return result;
}

double number_after(const std::string& output, const std::string& label) {
    const std::size_t at = output.find(label);
    double value = 0.0;
    if (at != std::string::npos) {
        const char* from = output.data() + at + label.size();
        const char* const end = output.data() + output.size();
        while (from < end && (*from == ' ' || *from == '\t')) ++from;
        const auto [stopped, failed] = std::from_chars(from, end, value);
        if (failed == std::errc() && std::isfinite(value)) return value;
    }
    throw EnvironmentError("likwid-bench's output has no number after '" + label + "'");
}

Measurement measure_likwid(const Case& what, const std::vector<int>& cpus, double seconds) {
    // The iterations are of a window as long as usual.
    constexpr double kUsual = 0.1;
    const double wanted = std::stod(what.arguments.at("iterations")) * std::max(1.0, seconds / kUsual);
    const auto kilobytes = static_cast<std::int64_t>(what.least.footprint.value / 1000.0);
    const ToolRun run =
        run_tool({kLikwidName, "-t", what.kernel, "-i", std::to_string(std::llround(wanted)), "-W",
                  "N:" + std::to_string(kilobytes) + "kB:" + std::to_string(what.threads)});
    Measurement m;
    if (run.status != 0) {
        m.detail = "likwid-bench ended with status " + std::to_string(run.status);
        return m;
    }
    const LikwidRun found = parse_likwid(run.output);
    for (std::size_t at = run.output.find("running on hwthread "); at != std::string::npos;
         at = run.output.find("running on hwthread ", at + 1)) {
        const int cpu = std::atoi(run.output.c_str() + at + 20);
        if (std::find(cpus.begin(), cpus.end(), cpu) != cpus.end()) continue;
        m.outcome = Outcome::absent;
        m.detail =
            "likwid-bench pins itself to processor " + std::to_string(cpu) + ", not one of those chosen";
        return m;
    }
    m.outcome = Outcome::measured;
    m.windows = 1;
    m.seconds = found.seconds / found.iterations;
    // It rounds the size to whole steps of its loop.
    const double part = found.bytes / what.least.footprint.value;
    Amounts amounts;
    // What is written past the caches takes no place in them.
    const bool bypasses = what.kernel.find("_mem") != std::string::npos && what.least.read.value > 0.0;
    amounts.footprint = bypasses ? what.least.read * part : Bytes(found.bytes);
    amounts.read = what.least.read * part;
    amounts.written = what.least.written * part;
    if (what.least.flops.value > 0.0) amounts.flops = Operations(found.flops / found.iterations);
    m.amounts = amounts;
    m.detail = what.kernel;
    return m;
}

}  // namespace

LikwidRun parse_likwid(const std::string& output) {
    LikwidRun run;
    run.seconds = number_after(output, "\nTime:");
    run.iterations = number_after(output, "\nIterations per thread:");
    run.bytes = number_after(output, "\nSize (Byte):");
    run.flops = number_after(output, "\nNumber of Flops:");
    if (run.seconds <= 0.0 || run.iterations <= 0.0 || run.bytes <= 0.0)
        throw EnvironmentError("likwid-bench reports a time, size or number of iterations of zero");
    return run;
}

Peer likwid_peer() {
    Peer peer;
    peer.name = kLikwidName;
    peer.package = "likwid";
    peer.cases = likwid_cases;
    peer.find = [] {
        const std::string path = find_program(kLikwidName);
        if (path.empty()) return Found{false, "not installed"};
        // Its version stands on one line: "likwid-bench -- Version 5.2.2".
        const ToolRun run = run_tool({kLikwidName, "-v"});
        const std::size_t at = run.output.find("Version");
        std::string version =
            at == std::string::npos ? "" : run.output.substr(at, run.output.find('\n', at) - at);
        return Found{true, path + (version.empty() ? "" : ", " + version)};
    };
    peer.measure = measure_likwid;
    return peer;
}

}  // namespace rooftune::audit
