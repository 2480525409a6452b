// Made-up machines on which every term of the bound has a ceiling, and devices that are not there: spaces and
// work models only read descriptions.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "tests/support/toy.h"

namespace rooftune::test {

/// What is scarce on a made-up machine, so that different terms bind.
struct Scarce {
    std::string name;
    double compute = 1.0, issue = 1.0, chain = 1.0, bandwidth = 1.0;  ///< factors on the rates
};

inline std::vector<Scarce> scarce_machines() {
    return {{.name = "balanced"},
            {.name = "slow arithmetic", .compute = 1e-4},
            {.name = "slow issue", .issue = 1e-4},
            {.name = "slow chains", .chain = 1e-4},
            {.name = "slow memory", .bandwidth = 1e-4}};
}

/// All resources for each number of threads in `threads` (native ceilings, which any CPU device meets too).
inline Machine full_machine(const Scarce& scarce, const std::vector<int>& threads) {
    Machine m;
    m.id = m.name = scarce.name;
    m.topology.width_bits = {128, 256, 512};
    for (const int n : threads) {
        for (const DType dtype : {DType::f32, DType::f64}) {
            const int element = 8 * static_cast<int>(size_of(dtype));
            for (const int width : {element, 128, 256, 512}) {
                for (const Mix mix : {Mix::fma, Mix::add, Mix::mul, Mix::fma_add}) {
                    for (const int chains : {1, 8}) {
                        Conditions when;
                        when.dtype = dtype;
                        when.width_bits = width;
                        when.mix = mix;
                        when.chains = chains;
                        when.threads = n;
                        const double flops = mix == Mix::fma ? 2.0 : mix == Mix::fma_add ? 1.5 : 1.0;
                        const double a_second = chains == 1 ? 0.8e9 * scarce.chain : 6e9 * scarce.compute;
                        m.ceilings.push_back(
                            toy::ceiling(Resource::compute, when, a_second * flops * (width / element) * n));
                    }
                }
            }
        }
        for (double footprint = 4096.0; footprint < 4e9; footprint *= 4.0) {
            for (const Mix mix : {Mix::load, Mix::update, Mix::nt_copy, Mix::two_loads_store}) {
                Conditions when;
                when.mix = mix;
                when.threads = n;
                when.footprint = Bytes(footprint);
                when.streams = 1;
                const double rate = (2e11 / (1.0 + footprint / 1e5) + 1e10) * n;
                m.ceilings.push_back(toy::ceiling(Resource::bandwidth, when,
                                                  rate * (mix == Mix::load ? 1.0 : 0.7) * scarce.bandwidth));
            }
        }
    }
    for (const Mix mix : {Mix::loads, Mix::gathers, Mix::fmas, Mix::mixed}) {
        Conditions when;
        when.mix = mix;
        m.ceilings.push_back(
            toy::ceiling(Resource::issue, when, (mix == Mix::mixed ? 1.2e10 : 6e9) * scarce.issue));
    }
    for (const int width : {128, 256, 512}) {
        Conditions when;
        when.mix = Mix::loads;
        when.width_bits = width;
        m.ceilings.push_back(toy::ceiling(Resource::issue, when, 1e12 / width * scarce.issue));
        when.mix = Mix::split_loads;
        m.ceilings.push_back(toy::ceiling(Resource::issue, when, 4e11 / width * scarce.issue));
    }
    for (double footprint = 4096.0; footprint < 4e9; footprint *= 4.0) {
        for (const Mix mix : {Mix::load, Mix::copy, Mix::nt_copy}) {
            for (const int besides : {3, 6, 24}) {
                Conditions when;
                when.mix = mix;
                when.threads = *std::max_element(threads.begin(), threads.end());
                when.footprint = Bytes(footprint);
                when.streams = 1;
                const double rate = (2e11 / (1.0 + footprint / 1e5) + 1e10) * when.threads * scarce.bandwidth;
                const auto add = [&](const LoadsBesides& loads, double each) {
                    when.besides = loads;
                    m.ceilings.push_back(toy::ceiling(Resource::joint, when, rate / (1.0 + each * besides)));
                };
                add({.vectors = besides}, 0.2);
                add({.vectors = besides, .crossing = 2}, 0.25);
                if (mix != Mix::load) continue;
                add({.gathered = besides}, 0.3);
                add({.scalars = besides}, 0.1);
            }
        }
    }
    m.ceilings.push_back(toy::ceiling(Resource::window, {}, 224.0));
    return m;
}

/// A CPU as OpenCL shows it, a GPU, and a GPU without double precision.
inline std::vector<Device> made_up_devices() {
    Device cpu;
    cpu.id = "made-up-cpu";
    cpu.name = "made-up CPU";
    cpu.is_cpu = true;
    cpu.compute_units = 2;
    cpu.max_work_group = 4096;
    cpu.local_memory = Bytes(512.0 * 1024);
    cpu.global_memory = Bytes(8e9);
    cpu.f64 = true;
    cpu.float_lanes = 16;
    cpu.double_lanes = 8;
    Device gpu;
    gpu.id = "made-up-gpu";
    gpu.name = "made-up GPU";
    gpu.compute_units = 132;
    gpu.max_work_group = 1024;
    gpu.local_memory = Bytes(48.0 * 1024);
    gpu.global_memory = Bytes(8e10);
    gpu.f64 = true;
    gpu.double_lanes = 1;
    Device small = gpu;
    small.id = "made-up-small";
    small.name = "made-up GPU without f64";
    small.compute_units = 8;
    small.max_work_group = 256;
    small.local_memory = Bytes(32.0 * 1024);
    small.f64 = false;
    small.double_lanes = 0;
    return {cpu, gpu, small};
}

}  // namespace rooftune::test
