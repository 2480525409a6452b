#include "tuner/engine/machine_model.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>

#include "kernels/runtime/cpu.h"
#include "kernels/runtime/error.h"
#include "kernels/runtime/memory.h"
#include "kernels/runtime/nearest.h"
#include "kernels/runtime/team.h"
#include "tuner/base/atomic_file.h"
#include "tuner/base/clock.h"
#include "tuner/base/folder.h"
#include "tuner/base/interrupt.h"
#include "tuner/base/si.h"
#include "tuner/base/suggested.h"
#include "tuner/ceilings/findings.h"
#include "tuner/ceilings/plan_opencl.h"
#include "tuner/ceilings/probe_machine.h"
#include "tuner/engine/configs_folder.h"
#include "tuner/formats/machine_file.h"
#include "tuner/store/machine_lock.h"

namespace rooftune {
namespace {

namespace fs = std::filesystem;

// Saved as probes finish, but not after each: a write is forced to the device.
constexpr double kSaveEvery = 1.0;  // seconds

std::string file_of(const CommonOptions& options, const Machine& machine) {
    return (fs::path(results_folder(options)) / "machines" / (machine.id + ".json")).string();
}

bool is_kept(const std::string& path) {
    std::error_code none;  // a folder that cannot be looked into: writing to it says why
    return fs::exists(path, none);
}

// Ceilings that are probed beside other work come out too low, and then exclude too little or alarm later.
void warn_of_load(const std::vector<int>& cpus, const Notice& notice) {
    constexpr auto kSample = std::chrono::milliseconds(500);
    const SystemFiles files;
    const LoadSnapshot before = take_snapshot(files);
    std::this_thread::sleep_for(kSample);
    const LoadReport load =
        compare_snapshots(before, take_snapshot(files), cpus, {static_cast<int>(getpid())});
    for (const Finding& finding : check_load(load, std::chrono::duration<double>(kSample).count())) {
        if (finding.severity < Severity::warning) continue;
        notice(finding.what + ": " + finding.detail +
               "; ceilings measured now may be too low (later runs raise them)" +
               (finding.advice.empty() ? "" : "; " + finding.advice));
    }
}

bool knows(const Machine& machine, Resource resource, int threads) {
    return std::any_of(machine.ceilings.begin(), machine.ceilings.end(),
                       [&](const Ceiling& c) { return c.resource == resource && c.when.threads == threads; });
}

// Neither a tune's budget nor what it tells of its time has these seconds in it. Many processors and busy
// ones take longer than was announced; what was waited for others is told apart.
class TimeTold {
public:
    void tell(const Notice& notice) const {
        constexpr double kUsual = 15.0, kWorthTelling = 1.0;
        const double took = monotonic_seconds() - start_;
        if (took <= kUsual || interrupted()) return;
        const double waited = MachineLock::waited_seconds() - waited_;
        notice("the quick model took " + format_duration(took) +
               (waited >= kWorthTelling ? ", of which it waited " + format_duration(waited) + " for others"
                                        : ""));
    }

private:
    double start_ = monotonic_seconds(), waited_ = MachineLock::waited_seconds();
};

}  // namespace

std::string machine_path(const std::string& name, const std::string& flag) {
    std::error_code none;
    if (fs::exists(name, none)) return name;
    const fs::path presets = fs::path(home_folder()) / "configs" / "machines";
    const fs::path preset = presets / (name + ".json");
    if (name.find('/') == std::string::npos && fs::exists(preset, none)) return preset.string();
    const std::string given = flag + (flag.empty() ? "" : " ") + name;
    // Without that folder no name of a preset is known, and no list shows them.
    if (const std::string missing = missing_configs(); !missing.empty())
        throw InputError(given + ": there is no such file, and of presets nothing is known: " + missing);
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(presets, none))  // for the suggestion only
        names.push_back(entry.path().stem().string());
    const std::string near = nearest(name, names);
    throw InputError(given + ": there is no such file or preset" +
                     (near.empty() ? "; " : "; did you mean '" + near + "'? ") +
                     "`rooftune list machines` shows them");
}

Machine this_machine(const CommonOptions& options) {
    Machine here = new_machine();
    const std::string path = file_of(options, here);
    if (!is_kept(path)) return here;
    const Machine measured = read_machine_file(path);
    here.ceilings = measured.ceilings;
    here.topology.caches = measured.topology.caches;  // probed sizes are the file's
    here.devices = measured.devices;
    return here;
}

Machine machine_by_name(const CommonOptions& options, const std::string& name, const std::string& flag) {
    std::error_code none;
    if (name == "this" || name == "host") {
        if (!is_kept(file_of(options, new_machine()))) {
            throw InputError("this machine is not known yet; " + suggested("machine --quick") +
                             " measures it in about 10 s, " + suggested("machine") + " in a minute");
        }
        return this_machine(options);
    }
    const fs::path measured = fs::path(results_folder(options)) / "machines" / (name + ".json");
    if (name.find('/') == std::string::npos && fs::exists(measured, none))
        return read_machine_file(measured.string());
    return read_machine_file(machine_path(name, flag));
}

MachineModel probe_this_machine(const CommonOptions& options, const std::vector<int>& cpus, bool quick,
                                const std::function<void(double, const std::string&)>& progress) {
    MachineModel model;
    model.machine = new_machine();
    model.path = file_of(options, model.machine);
    make_folder(fs::path(model.path).parent_path().string());
    check_writable(fs::path(model.path).parent_path().string());
    if (is_kept(model.path)) {
        const Topology topology = model.machine.topology;
        model.machine = read_machine_file(model.path);
        model.machine.topology = topology;
    }
    const MachineLock lock([] { return !interrupted(); });
    Team team(cpus);
    const Topology& topology = model.machine.topology;
    const Bytes memory(available_memory());
    const int threads = static_cast<int>(cpus.size());
    const ProbePlan plan =
        quick ? quick_plan(topology, threads, memory) : full_plan(topology, threads, memory);
    double saved = monotonic_seconds();
    probe_machine(model.machine, team, plan, [&](const Ceiling& fresh, double done) {
        if (monotonic_seconds() - saved > kSaveEvery) {
            write_machine_file(model.path, model.machine);
            saved = monotonic_seconds();
        }
        if (progress) progress(done, describe(fresh));
        return !interrupted();
    });
    write_machine_file(model.path, model.machine);
    return model;
}

MachineModel machine_model(const CommonOptions& options, const std::vector<int>& cpus, const Notice& notice) {
    MachineModel model;
    if (!options.machine.empty()) {
        model.path = machine_path(options.machine);
        model.machine = read_machine_file(model.path);
        model.measured = false;
        return model;
    }
    const int threads = static_cast<int>(cpus.size());
    model.machine = new_machine();
    model.path = file_of(options, model.machine);
    if (is_kept(model.path)) {
        const Topology topology = model.machine.topology;
        model.machine = read_machine_file(model.path);
        // What the system says today; probed cache sizes are the file's.
        const std::vector<CacheLevel> caches = model.machine.topology.caches;
        model.machine.topology = topology;
        model.machine.topology.caches = caches;
        if (knows(model.machine, Resource::bandwidth, threads) &&
            knows(model.machine, Resource::compute, threads)) {
            return model;
        }
        notice("this machine is not known with " + std::to_string(threads) +
               " threads: making the quick model, about 10 s");
    } else {
        notice("this machine is not known yet: making the quick model, about 10 s (" + suggested("machine") +
               " makes the full one)");
    }
    warn_of_load(cpus, notice);
    const TimeTold time;
    MachineModel made = probe_this_machine(options, cpus, true, {});
    time.tell(notice);
    return made;
}

void refuse_preset(const MachineModel& model, const CommonOptions& options) {
    if (model.machine.topology.source.empty()) return;
    throw InputError("--machine " + options.machine + ": that is " + model.machine.name +
                     " as documents have it, no machine to measure on; `rooftune bound` answers for it, and "
                     "`tune --dry-run` ranks variants by it");
}

void probe_device(MachineModel& model, const std::vector<int>& cpus, const Device& device, bool quick,
                  const std::function<void(double, const std::string&)>& progress) {
    const MachineLock lock([] { return !interrupted(); });
    Team team(cpus);
    Machine fresh = model.machine;
    std::erase_if(fresh.devices, [&](const Device& d) { return d.id == device.id; });
    fresh.devices.push_back(device);
    const ProbePlan plan = opencl_plan(device, fresh.topology, Bytes(available_memory()), quick);
    probe_machine(fresh, team, plan, [&](const Ceiling& c, double done) {
        if (progress) progress(done, describe(c));
        return !interrupted();
    });
    model.machine.devices = fresh.devices;
    remember(model, fresh);
}

void know_device(MachineModel& model, const std::vector<int>& cpus, const Device& device,
                 const Notice& notice) {
    const auto of_device = [&](const Ceiling& c) {
        return c.when.device == device.id && c.resource == Resource::bandwidth;
    };
    if (!model.measured ||
        std::any_of(model.machine.ceilings.begin(), model.machine.ceilings.end(), of_device)) {
        return;
    }
    notice("the OpenCL device " + device.name + " is not known yet: making its quick model, about 10 s");
    const TimeTold time;
    probe_device(model, cpus, device, true, {});
    time.tell(notice);
}

namespace {

// Windows add up in a merge: what the target holds already must not count twice.
void adopt(Machine& target, const Machine& after) {
    for (const Device& device : after.devices) {
        if (std::find(target.devices.begin(), target.devices.end(), device) == target.devices.end()) {
            std::erase_if(target.devices, [&](const Device& d) { return d.id == device.id; });
            target.devices.push_back(device);
        }
    }
    for (const Ceiling& c : after.ceilings) {
        const auto same = std::find_if(
            target.ceilings.begin(), target.ceilings.end(),
            [&](const Ceiling& old) { return old.resource == c.resource && old.when == c.when; });
        if (same == target.ceilings.end()) {
            target.ceilings.push_back(c);
        } else if (!(*same == c)) {
            const double max = std::max(same->max, c.max);
            *same = c;
            same->max = max;
        }
    }
}

}  // namespace

void remember(MachineModel& model, const Machine& after) {
    if (!model.measured) return;
    adopt(model.machine, after);
    Machine merged = model.machine;
    if (is_kept(model.path)) {
        merged = read_machine_file(model.path);
        adopt(merged, model.machine);
    }
    write_machine_file(model.path, merged);
}

}  // namespace rooftune
