#include "tuner/ceilings/plan_opencl.h"

#include <algorithm>
#include <cmath>

namespace rooftune {
namespace {

using probe::Target;

constexpr double kDeviceMiB = 1024.0 * 1024.0;
// One of an accelerator's many units has a small share of its bandwidth: hundreds of walks over a gigabyte
// would take most of the time, and tell nothing new beyond the caches. What is probed at a smaller footprint
// bounds a larger one.
constexpr double kLargestOfOneUnit = 128.0 * kDeviceMiB;

Target on(const Device& device, Resource resource, int units, Mix mix) {
    Target t;
    t.resource = resource;
    t.when.mix = mix;
    t.when.threads = units;
    t.when.device = device.id;
    return t;
}

std::vector<int> one_and_all_units(const Device& device) {
    return device.compute_units > 1 ? std::vector<int>{1, device.compute_units} : std::vector<int>{1};
}

void add_device_compute(ProbePlan& plan, const Device& device, const std::vector<int>& chains) {
    for (const DType dtype : {DType::f64, DType::f32}) {
        if (dtype == DType::f64 && !device.f64) continue;
        for (const int units : one_and_all_units(device)) {
            std::vector<Target> group;
            for (const int lanes : {1, 2, 4, 8, 16}) {
                for (const int n : chains) {
                    Target t = on(device, Resource::compute, units, Mix::fma);
                    t.when.dtype = dtype;
                    t.when.width_bits = lanes * 8 * static_cast<int>(size_of(dtype));
                    t.when.chains = n;
                    group.push_back(t);
                }
            }
            plan.groups.push_back(std::move(group));
        }
    }
}

void add_footprint(ProbePlan& plan, const Device& device, Bytes footprint, int units) {
    std::vector<Target> group;
    for (const Mix mix : {Mix::load, Mix::update, Mix::two_loads_store, Mix::store}) {
        Target t = on(device, Resource::bandwidth, units, mix);
        t.when.footprint = footprint;
        group.push_back(t);
    }
    plan.groups.push_back(std::move(group));
}

void add_rest(ProbePlan& plan, const Device& device) {
    std::vector<Target> group;
    for (const int units : one_and_all_units(device))
        group.push_back(on(device, Resource::local, units, Mix::load));
    group.push_back(on(device, Resource::launch, 1, Mix::none));
    for (const Mix mix : {Mix::to_device, Mix::from_device}) {
        for (const double size : {4.0 * kDeviceMiB, 64.0 * kDeviceMiB}) {
            Target t = on(device, Resource::transfer, 1, mix);
            t.when.footprint = Bytes(size);
            group.push_back(t);
        }
    }
    plan.groups.push_back(std::move(group));
}

}  // namespace

Bytes largest_opencl_footprint(const Device& device, const Topology& topology, Bytes memory) {
    if (device.is_cpu)
        return largest_footprint(topology, device.compute_units, std::min(memory, device.global_memory));
    double last = 1024.0 * kDeviceMiB;
    while (last > device.global_memory.value / 4.0 && last > 64.0 * 1024.0) last /= 2.0;
    return Bytes(last);
}

ProbePlan opencl_plan(const Device& device, const Topology& topology, Bytes memory, bool quick) {
    ProbePlan plan;
    plan.rounds = quick ? 4 : 20;
    plan.deadline = Seconds(quick ? 5.0 : 40.0);
    // Not a single chain: many work items a compute unit hide what one costs, so that its rate would not
    // be that of dependent steps.
    // On a CPU every program takes a fair part of a second to build, and the native probes stand behind
    // these.
    const std::vector<int> few = device.is_cpu ? std::vector<int>{8} : std::vector<int>{4, 8};
    add_device_compute(plan, device, quick ? few : std::vector<int>{2, 4, 8, 12, 16});
    std::vector<Bytes> sizes =
        footprints(largest_opencl_footprint(device, topology, memory), quick ? 2.0 : std::sqrt(2.0));
    std::reverse(sizes.begin(), sizes.end());  // memory is placed once, for the largest
    for (const Bytes size : sizes) {
        for (const int units : one_and_all_units(device)) {
            if (units < device.compute_units && !device.is_cpu && size.value > kLargestOfOneUnit) continue;
            add_footprint(plan, device, size, units);
        }
    }
    add_rest(plan, device);
    return plan;
}

ProbePlan opencl_conditions_for(const Device& device, const Topology& topology, Bytes footprint,
                                Bytes memory) {
    ProbePlan plan;
    plan.rounds = 3;
    plan.deadline = Seconds(1.5);
    const Bytes last = largest_opencl_footprint(device, topology, Bytes(memory.value * 2.0));
    double before = 0.0;
    for (const double factor : {2.0, 1.0, 0.5}) {
        const double size =
            std::round(std::clamp(footprint.value * factor, 4096.0, last.value) / 1024.0) * 1024.0;
        if (size == before) continue;
        before = size;
        for (const int units : one_and_all_units(device)) {
            if (units < device.compute_units && !device.is_cpu && size > kLargestOfOneUnit) continue;
            add_footprint(plan, device, Bytes(size), units);
        }
    }
    return plan;
}

}  // namespace rooftune
