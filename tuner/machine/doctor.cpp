#include "tuner/machine/doctor.h"

#include <fmt/format.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <sstream>
#include <thread>

#include "kernels/probe/compute.h"
#include "kernels/runtime/control_group.h"
#include "tuner/base/find_program.h"
#include "tuner/base/folder.h"
#include "tuner/base/hypervisor_name.h"
#include "tuner/base/si.h"
#include "tuner/base/suggested.h"
#include "tuner/measure/perf_events.h"

namespace rooftune {
namespace {

constexpr double kGiB = 1024.0 * 1024.0 * 1024.0;

Finding huge_pages(const SystemFiles& files) {
    const std::string what = "transparent huge pages";
    const std::optional<std::string> mode = files.line("/sys/kernel/mm/transparent_hugepage/enabled");
    if (!mode) {
        return {Severity::warning, what, "the kernel does not say whether it has them",
                "expect 4 KiB pages: large footprints will be bound by address translation"};
    }
    if (mode->find("[never]") != std::string::npos) {
        return {Severity::warning, what, "switched off",
                "as root: echo madvise > /sys/kernel/mm/transparent_hugepage/enabled"};
    }
    const bool always = mode->find("[always]") != std::string::npos;
    return {Severity::fine, what, always ? "always" : "on request (madvise), which kernels and probes do",
            ""};
}

Finding governor(const SystemFiles& files) {
    const std::string what = "clock frequency";
    const std::optional<std::string> name =
        files.line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
    if (!name) {
        return {Severity::note, what, "not under this system's control (no cpufreq): it may change unseen",
                "judge by the share \"of the roof as probed just now\", which is probed next to the "
                "measurements"};
    }
    if (*name == "performance") return {Severity::fine, what, "governor performance", ""};
    return {Severity::warning, what, "governor " + *name + ": the clock follows the load",
            "as root: cpupower frequency-set -g performance"};
}

// Of limits that all hold.
std::optional<double> least_number(const SystemFiles& files, const std::vector<std::string>& paths) {
    std::optional<double> least;
    for (const std::string& path : paths) {
        if (const std::optional<double> value = files.number(path))
            least = std::min(least.value_or(*value), *value);
    }
    return least;
}

ReadFile reader(const SystemFiles& files) {
    return [&files](const std::string& path) { return files.read(path); };
}

Finding processor_limit(const SystemFiles& files, const Topology& topology) {
    const std::string what = "container's processor limit";
    const std::optional<double> quota = processor_quota(reader(files));
    if (!quota) return {Severity::fine, what, "none", ""};
    const double processors = *quota;
    if (processors >= topology.threads) {
        return {Severity::fine, what,
                fmt::format("{:.3g} processors, at least as many as there are", processors), ""};
    }
    return {Severity::problem, what,
            fmt::format("{:.3g} of {} processors: threads are stopped when they have used their share",
                        processors, topology.threads),
            fmt::format("use at most {} threads (--threads), or raise the limit",
                        std::max(1, static_cast<int>(processors)))};
}

Finding memory_limit(const SystemFiles& files, const Topology& topology) {
    const std::string what = "container's memory limit";
    std::vector<std::string> paths = in_group("/sys/fs/cgroup", group_of(reader(files), ""), "memory.max");
    const auto more =
        in_group("/sys/fs/cgroup/memory", group_of(reader(files), "memory"), "memory.limit_in_bytes");
    paths.insert(paths.end(), more.begin(), more.end());
    const std::optional<double> limit = least_number(files, paths);
    // Version 1 says "none" by a number near 2^63.
    const double memory = topology.memory.value > 0.0 ? topology.memory.value : 1e18;
    if (!limit || *limit >= std::min(memory, 1e18)) return {Severity::fine, what, "none", ""};
    const Severity severity = *limit < 2.0 * kGiB ? Severity::warning : Severity::note;
    return {severity, what, fmt::format("{:.3g} GiB", *limit / kGiB),
            "probes take at most a quarter of it; problems beyond it are refused before they start"};
}

Finding swap(const SystemFiles& files) {
    const std::string what = "swap";
    std::istringstream info(files.read("/proc/meminfo").value_or(""));
    double total = 0.0;
    double free = 0.0;
    for (std::string line; std::getline(info, line);) {
        std::istringstream fields(line);
        std::string key;
        double kilobytes = 0.0;
        fields >> key >> kilobytes;
        if (key == "SwapTotal:") total = kilobytes;
        if (key == "SwapFree:") free = kilobytes;
    }
    if (total <= 0.0) return {Severity::fine, what, "none", ""};
    if (total - free < 1024.0) return {Severity::fine, what, "there, and not in use", ""};
    return {Severity::warning, what, fmt::format("{:.3g} MiB in use", (total - free) / 1024.0),
            "free some memory: a page that comes back from disk costs more than any kernel"};
}

Finding clock_source(const SystemFiles& files) {
    const std::string what = "clock source";
    const std::optional<std::string> source =
        files.line("/sys/devices/system/clocksource/clocksource0/current_clocksource");
    if (!source) return {Severity::note, what, "not said by the kernel", ""};
    const bool quick = *source == "tsc" || *source == "kvm-clock" || *source == "hyperv_clocksource_tsc_page";
    if (quick) return {Severity::fine, what, *source, ""};
    return {Severity::warning, what, *source + ": every reading is a system call",
            "boot with tsc=reliable if the processor's counter is constant; batches get longer meanwhile"};
}

Finding hypervisor(const Topology& topology) {
    if (topology.hypervisor.empty()) return {Severity::fine, "virtual machine", "no", ""};
    return {Severity::note, "virtual machine",
            "under " + hypervisor_name(topology.hypervisor) +
                ": clock and share of the memory change by the minute, caches as reported may be the host's",
            "trust probed sizes; compare programs only interleaved"};
}

// Peak of two threads over peak of one, maxima of a few windows each.
std::optional<double> measured_peak_ratio(Team& team, const Topology& topology) {
    if (team.size() < 2) return std::nullopt;
    probe::ComputeWay way{
        DType::f64, topology.width_bits.empty() ? 64 : topology.width_bits.back(), Mix::fma, 12, {}};
    if (!probe::can_compute(way)) return std::nullopt;
    double rate[2] = {0.0, 0.0};
    for (int round = 0; round < 6; ++round) {
        for (int threads = 1; threads <= 2; ++threads) {
            const probe::Window w = probe::run_window(team, probe::compute_work(way, threads), 4e-3);
            rate[threads - 1] = std::max(rate[threads - 1], w.rate);
        }
    }
    return rate[0] > 0.0 ? std::optional<double>(rate[1] / rate[0]) : std::nullopt;
}

Finding timer_finding() {
    double resolution = 1.0;
    constexpr int kReadings = 2000;
    const double begin = probe::now();
    double last = begin;
    for (int i = 0; i < kReadings; ++i) {
        const double t = probe::now();
        if (t > last) resolution = std::min(resolution, t - last);
        last = t;
    }
    return check_timer(resolution, (last - begin) / kReadings);
}

// The disk of the folder that results go to, be it there or yet to be made.
Finding disk_finding(const std::string& wanted_folder, double wanted) {
    const std::string folder = nearest_there(wanted_folder);
    std::error_code none;
    struct statvfs info {};
    if (!std::filesystem::is_directory(folder, none) || statvfs(folder.c_str(), &info) != 0) {
        return {Severity::problem, "disk",
                "results cannot go to " + wanted_folder + ": " + folder + " is not a folder that can be used",
                "name another folder with --results"};
    }
    if (::access(folder.c_str(), W_OK | X_OK) != 0)
        return {Severity::problem, "disk", folder + " cannot be written: " + std::strerror(errno),
                "name another folder with --results (what a store there holds can be read: " +
                    suggested("results list") + ")"};
    return check_disk(folder, static_cast<double>(info.f_bavail) * static_cast<double>(info.f_frsize),
                      wanted);
}

}  // namespace

std::vector<Finding> check_settings(const SystemFiles& files, const Topology& topology) {
    return {huge_pages(files),
            governor(files),
            processor_limit(files, topology),
            memory_limit(files, topology),
            swap(files),
            clock_source(files),
            hypervisor(topology)};
}

// Two threads cannot do more than twice what one does; by so much their probes may differ all the same.
constexpr double kMostOfTwo = 2.0 * 1.1;

Finding check_siblings(const Topology& topology, std::optional<double> peak_ratio, bool disturbed) {
    const std::string what = "hardware threads";
    const std::string seen =
        fmt::format("{} processing units on {} cores as reported", topology.threads, topology.cores);
    if (peak_ratio && *peak_ratio > kMostOfTwo) {
        return {Severity::note, what,
                fmt::format(
                    "{}, but two threads reach {:.2f} times the peak of one, so that these "
                    "peaks contradict each other: the probe of one was disturbed, or ran on a slower core",
                    seen, *peak_ratio),
                "ask again when the machine is idle"};
    }
    if (peak_ratio && *peak_ratio < 1.3 && disturbed) {
        return {Severity::note, what,
                seen + "; whether two threads do more than one cannot be told while others run",
                "ask again when the machine is idle"};
    }
    if (peak_ratio && *peak_ratio < 1.3) {
        return {Severity::warning, what,
                fmt::format("{}, but two threads reach only {:.2f} times the peak of one: they share a core",
                            seen, *peak_ratio),
                "use one processing unit a core (--cpus); do not count these as two cores"};
    }
    const std::string measured =
        peak_ratio ? fmt::format("; two threads reach {:.2f} times the peak of one", *peak_ratio) : "";
    if (topology.threads > topology.cores) {
        return {Severity::note, what, seen + measured, "compare with one thread a core (--threads, --cpus)"};
    }
    return {Severity::fine, what, seen + measured, ""};
}

Finding check_timer(double resolution, double cost) {
    const std::string detail =
        fmt::format("steps of {:.0f} ns, {:.0f} ns a reading", 1e9 * resolution, 1e9 * cost);
    if (resolution > 1e-6 || cost > 1e-6) {
        return {Severity::warning, "timer", detail,
                "batches of short kernels grow to a thousand steps; nothing to do"};
    }
    return {Severity::fine, "timer", detail, ""};
}

Finding check_counters(bool available, const std::string& reason) {
    if (available) return {Severity::fine, "hardware counters", "traffic is measured: " + reason, ""};
    return {Severity::note, "hardware counters",
            "none here (" + reason + "), so only the model's interval of traffic is shown",
            !find_program("likwid-perfctr").empty() ? "likwid-perfctr -g MEM may know others" : ""};
}

Finding check_disk(const std::string& folder, double free_bytes, double wanted_bytes) {
    const std::string detail = format_si(free_bytes, "B") + " free in " + folder;
    if (free_bytes < wanted_bytes) {
        return {Severity::problem, "disk", detail,
                "make " + format_si(wanted_bytes, "B") + " free, or name another folder with --results"};
    }
    return {Severity::fine, "disk", detail, ""};
}

std::vector<Finding> examine(const Topology& topology, const std::vector<int>& cpus, Team* team,
                             const DoctorOptions& options, const SystemFiles& files) {
    const LoadSnapshot before = take_snapshot(files);
    const double start = probe::now();
    std::this_thread::sleep_for(std::chrono::duration<double>(options.sample_seconds));
    const LoadSnapshot after = take_snapshot(files);
    const double seconds = probe::now() - start;
    std::vector<int> own = options.own_processes;
    own.push_back(static_cast<int>(getpid()));
    constexpr double kDisturbed = 0.1;  // of our processors' time
    const LoadReport load = compare_snapshots(before, after, cpus, own);
    std::vector<Finding> findings = check_load(load, seconds);
    findings.push_back(check_siblings(topology, team ? measured_peak_ratio(*team, topology) : std::nullopt,
                                      load.busy_share > kDisturbed || load.stolen_share > kDisturbed));
    for (Finding& f : check_settings(files, topology)) findings.push_back(std::move(f));
    const TrafficCounters counters;
    findings.push_back(check_counters(counters.available(), counters.source()));
    findings.push_back(timer_finding());
    findings.push_back(disk_finding(options.folder, options.wanted_bytes));
    std::stable_sort(findings.begin(), findings.end(),
                     [](const Finding& a, const Finding& b) { return a.severity > b.severity; });
    return findings;
}

std::string findings_text(const std::vector<Finding>& findings) {
    std::string text;
    for (const Finding& f : findings) {
        text += fmt::format("{:<8} {}: {}\n", to_text(f.severity), f.what, f.detail);
        if (!f.advice.empty()) text += fmt::format("         → {}\n", f.advice);
    }
    return text;
}

}  // namespace rooftune
