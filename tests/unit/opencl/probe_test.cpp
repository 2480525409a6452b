// Probes of OpenCL devices and their plan.
#include <algorithm>
#include <cmath>

#include "kernels/probe/prober.h"
#include "kernels/runtime/memory.h"
#include "kernels/runtime/opencl.h"
#include "tests/support/catch.h"
#include "tests/support/devices.h"
#include "tests/support/places.h"
#include "tuner/ceilings/plan_opencl.h"
#include "tuner/ceilings/probe_machine.h"

using namespace rooftune;
using namespace rooftune::test;
using Probed = probe::Target;

namespace {

Device planted_device(bool f64, int units) {
    Device device;
    device.id = "planted";
    device.compute_units = units;
    device.max_work_group = 256;
    device.global_memory = Bytes(16e9);
    device.local_memory = Bytes(65536.0);
    device.f64 = f64;
    return device;
}

Probed on(const Device& device, Resource resource, Mix mix, int units) {
    Probed target;
    target.resource = resource;
    target.when.mix = mix;
    target.when.threads = units;
    target.when.device = device.id;
    return target;
}

int count(const ProbePlan& plan, Resource resource) {
    int n = 0;
    for (const auto& group : plan.groups)
        n += static_cast<int>(std::count_if(group.begin(), group.end(),
                                            [&](const Probed& t) { return t.resource == resource; }));
    return n;
}

}  // namespace

TEST_CASE("opencl plan: every target names its device; no double precision where there is none", "[opencl]") {
    const Topology topology;
    for (const bool quick : {true, false}) {
        for (const bool f64 : {true, false}) {
            const Device device = planted_device(f64, 20);
            const ProbePlan plan = opencl_plan(device, topology, Bytes(8e9), quick);
            CHECK(plan.targets() > 50);
            for (const auto& group : plan.groups) {
                REQUIRE_FALSE(group.empty());
                for (const Probed& t : group) {
                    CHECK(t.when.device == "planted");
                    CHECK((t.when.threads == 1 || t.when.threads == 20));
                    CHECK((f64 || t.resource != Resource::compute || t.when.dtype == DType::f32));
                    CHECK(t.when.footprint.value <= device.global_memory.value / 4.0);
                }
            }
            CHECK(count(plan, Resource::local) == 2);
            CHECK(count(plan, Resource::launch) == 1);
            CHECK(count(plan, Resource::transfer) == 4);
        }
    }
    CHECK(opencl_plan(planted_device(true, 1), topology, Bytes(8e9), true).targets() <
          opencl_plan(planted_device(true, 2), topology, Bytes(8e9), true).targets());
    CHECK(largest_opencl_footprint(planted_device(true, 2), topology, Bytes(1e9)).value == std::exp2(30));
}

TEST_CASE("opencl plan: conditions for a footprint surround it", "[opencl]") {
    const ProbePlan plan =
        opencl_conditions_for(planted_device(true, 4), Topology(), Bytes(1048576.0), Bytes(8e9));
    std::vector<double> sizes;
    for (const auto& group : plan.groups) sizes.push_back(group.front().when.footprint.value);
    CHECK(*std::min_element(sizes.begin(), sizes.end()) == 524288.0);
    CHECK(*std::max_element(sizes.begin(), sizes.end()) == 2097152.0);
    CHECK(std::count(sizes.begin(), sizes.end(), 1048576.0) == 2);
}

TEST_CASE("opencl probe: a device that is not here has no ways", "[opencl]") {
    Team team(two_cpus());
    probe::Prober prober(team, 128);
    CHECK(prober.ways(on(planted_device(true, 2), Resource::bandwidth, Mix::load, 1)) == 0);
    Reprober reprober(team);
    Ceiling ceiling;
    ceiling.resource = Resource::launch;
    ceiling.when.device = "planted";
    ceiling.max = 1.0;
    const std::vector<Ceiling> fresh = reprober({ceiling}, 0.1);
    CHECK(fresh.at(0).max == 0.0);
}

TEST_CASE("opencl probe: every resource gives a rate, on one and on all units", "[opencl]") {
    const std::vector<Device> devices = devices_or_warn();
    if (devices.empty()) return;
    const Device& device = devices[0];
    Team team(two_cpus());
    probe::Prober prober(team, 512);
    std::vector<Probed> targets;
    for (const int units : {1, device.compute_units}) {
        for (const Mix mix : {Mix::load, Mix::update, Mix::two_loads_store, Mix::store}) {
            for (const double footprint : {4096.0, 100000.0, 1048576.0}) {
                targets.push_back(on(device, Resource::bandwidth, mix, units));
                targets.back().when.footprint = Bytes(footprint);
            }
        }
        targets.push_back(on(device, Resource::compute, Mix::fma, units));
        targets.back().when.dtype = DType::f32;
        targets.back().when.width_bits = 128;
        targets.back().when.chains = 8;
        targets.push_back(on(device, Resource::local, Mix::load, units));
    }
    targets.push_back(on(device, Resource::launch, Mix::none, 1));
    for (const Mix mix : {Mix::to_device, Mix::from_device}) {
        targets.push_back(on(device, Resource::transfer, mix, 1));
        targets.back().when.footprint = Bytes(1048576.0);
    }
    for (const Probed& target : targets) {
        Ceiling named;
        named.resource = target.resource;
        named.when = target.when;
        INFO(describe(named));
        REQUIRE(prober.ways(target) > 0);
        for (int way = 0; way < prober.ways(target); ++way) {
            const probe::Window window = prober.run(target, way, 1e-3, 0.0);
            CHECK(window.seconds >= 0.7e-3);  // however few repetitions it begins with
            CHECK(std::isfinite(window.rate));
            CHECK(window.rate > 0.0);
            CHECK(window.seconds > 0.0);
        }
    }
    prober.warm(targets[0]);
    prober.release();
    CHECK(prober.run(targets[0], 0, 1e-3, 1e9).rate > 0.0);
}

TEST_CASE("opencl probe: conditions that a device cannot meet have no ways", "[opencl]") {
    const std::vector<Device> devices = devices_or_warn();
    if (devices.empty()) return;
    const Device& device = devices[0];
    Team team(two_cpus());
    probe::Prober prober(team, 512);
    Probed target = on(device, Resource::bandwidth, Mix::load, device.compute_units + 1);
    target.when.footprint = Bytes(4096.0);
    CHECK(prober.ways(target) == 0);
    target.when.threads = 1;
    CHECK(prober.ways(target) > 0);
    target.when.footprint = Bytes(1e15);
    CHECK(prober.ways(target) == 0);
    target.when.footprint = Bytes(2.0);
    CHECK(prober.ways(target) == 0);
    target.when.footprint = Bytes(4096.0);
    target.when.mix = Mix::nt_copy;
    CHECK(prober.ways(target) == 0);
    Probed compute = on(device, Resource::compute, Mix::fma, 1);
    compute.when.dtype = DType::f32;
    compute.when.chains = 4;
    compute.when.width_bits = 96;
    CHECK(prober.ways(compute) == 0);
    CHECK(prober.ways(on(device, Resource::gather, Mix::none, 1)) == 0);
}

TEST_CASE("opencl probe: ceilings name their device, and what is outside a kernel excludes nothing",
          "[opencl]") {
    const std::vector<Device> devices = devices_or_warn();
    if (devices.empty()) return;
    Team team(two_cpus());
    Machine machine = new_machine();
    machine.devices = devices;
    ProbePlan plan = opencl_plan(devices[0], machine.topology, Bytes(available_memory()), true);
    plan.groups.erase(plan.groups.begin(), plan.groups.end() - 1);  // local memory, launches, transfers
    Probed bandwidth = on(devices[0], Resource::bandwidth, Mix::load, 1);
    bandwidth.when.footprint = Bytes(65536.0);
    plan.groups.push_back({bandwidth});
    plan.rounds = 1;
    probe_machine(machine, team, plan);
    REQUIRE(machine.ceilings.size() >= 6);
    for (const Ceiling& c : machine.ceilings) {
        CHECK(c.when.device == devices[0].id);
        CHECK(c.max > 0.0);
        CHECK(c.excludes == (c.resource == Resource::bandwidth));
    }
}
