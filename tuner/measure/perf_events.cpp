#include "tuner/measure/perf_events.h"

#include <dirent.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace rooftune {
namespace {

constexpr const char* kDevices = "/sys/bus/event_source/devices";
constexpr double kLine = 64.0;

int open_event(std::uint32_t type, std::uint64_t config, int thread, int cpu, bool user_only) {
    perf_event_attr attr{};
    attr.size = sizeof attr;
    attr.type = type;
    attr.config = config;
    attr.exclude_kernel = user_only ? 1 : 0;
    attr.exclude_hv = user_only ? 1 : 0;
    attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    return static_cast<int>(syscall(SYS_perf_event_open, &attr, thread, cpu, -1,
                                    static_cast<unsigned long>(PERF_FLAG_FD_CLOEXEC)));
}

std::vector<std::string> names_in(const std::string& folder) {
    std::vector<std::string> names;
    DIR* directory = opendir(folder.c_str());
    if (!directory) return names;
    while (const dirent* entry = readdir(directory)) {
        if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
    }
    closedir(directory);
    return names;
}

std::string text_of(const std::string& file) {
    std::ifstream in(file);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

}  // namespace

TrafficCounters::TrafficCounters() {
    if (!open_memory_controllers()) open_misses();
}

TrafficCounters::~TrafficCounters() {
    for (const Event& event : events_) close(event.descriptor);
}

// Intel's controllers count transfers of a line, one device a channel. AMD's count under names that the
// kernel does not give: likwid knows them.
bool TrafficCounters::open_memory_controllers() {
    for (const std::string& name : names_in(kDevices)) {
        if (name.rfind("uncore_imc", 0) != 0 || name.find("free_running") != std::string::npos) continue;
        const std::string device = std::string(kDevices) + "/" + name;
        const auto type = static_cast<std::uint32_t>(std::atoi(text_of(device + "/type").c_str()));
        std::istringstream mask(text_of(device + "/cpumask"));
        for (std::string cpu; std::getline(mask, cpu, ',');) {
            for (const char* event : {"cas_count_read", "cas_count_write"}) {
                const auto config = event_config(text_of(device + "/events/" + event));
                if (!config) continue;
                const int descriptor = open_event(type, *config, -1, std::atoi(cpu.c_str()), false);
                if (descriptor >= 0) events_.push_back({descriptor, kLine});
            }
        }
    }
    if (!events_.empty()) source_ = "bytes at the memory controllers, of the whole machine";
    return !events_.empty();
}

void TrafficCounters::open_misses() {
    for (const std::string& thread : names_in("/proc/self/task")) {
        const int descriptor =
            open_event(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES, std::atoi(thread.c_str()), -1, true);
        if (descriptor < 0) {
            source_ = counters_refused(errno);
            for (const Event& event : events_) close(event.descriptor);
            events_.clear();
            return;
        }
        events_.push_back({descriptor, kLine});
    }
    source_ = events_.empty() ? "no threads to count" : "last-level misses x 64 bytes";
}

std::vector<CounterReading> TrafficCounters::read_all() const {
    std::vector<CounterReading> readings;
    for (const Event& event : events_) {
        std::uint64_t numbers[3] = {0, 0, 0};
        if (read(event.descriptor, numbers, sizeof numbers) != static_cast<ssize_t>(sizeof numbers)) {
            readings.emplace_back();
            continue;
        }
        constexpr double kNano = 1e-9;
        readings.push_back({static_cast<double>(numbers[0]), kNano * static_cast<double>(numbers[1]),
                            kNano * static_cast<double>(numbers[2])});
    }
    return readings;
}

MeasuredTraffic TrafficCounters::measure(const std::function<void()>& run, int repetitions) const {
    if (!available()) return {false, 0.0, source_};
    const std::vector<CounterReading> before = read_all();
    for (int i = 0; i < repetitions; ++i) run();
    const std::vector<CounterReading> after = read_all();
    MeasuredTraffic traffic{true, 0.0, source_};
    bool counted = false;
    for (std::size_t i = 0; i < events_.size(); ++i) {
        // A thread that slept all the time had no counter, and nothing to count.
        if (const std::optional<double> count = scaled(after[i] - before[i])) {
            traffic.bytes += *count * events_[i].bytes / repetitions;
            counted = true;
        }
    }
    if (!counted) return {false, 0.0, "other programs hold all counters"};
    return traffic;
}

}  // namespace rooftune
