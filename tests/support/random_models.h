// Machines, work and traits at random, for properties of the bound that hold for all of them.
#pragma once

#include <cmath>
#include <random>

#include "models/bound.h"

namespace rooftune::test {

class RandomModels {
public:
    explicit RandomModels(unsigned seed) : random_(seed) {}

    double real(double low, double high) {
        return std::exp(std::uniform_real_distribution<double>(std::log(low), std::log(high))(random_));
    }
    int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }
    bool chance(double p) { return std::uniform_real_distribution<double>(0.0, 1.0)(random_) < p; }
    template <typename T, std::size_t N>
    T pick(const T (&list)[N]) {
        return list[static_cast<std::size_t>(below(static_cast<int>(N)))];
    }

    DType dtype() {
        static constexpr DType kTypes[] = {DType::f64, DType::f32, DType::bf16};
        return pick(kTypes);
    }

    Ceiling ceiling() {
        static constexpr Resource kResources[] = {
            Resource::compute,   Resource::compute,   Resource::compute, Resource::bandwidth,
            Resource::bandwidth, Resource::bandwidth, Resource::gather,  Resource::issue,
            Resource::window,    Resource::link,      Resource::joint};
        static constexpr Mix kCompute[] = {Mix::fma, Mix::add, Mix::mul, Mix::div, Mix::fma_add};
        static constexpr Mix kMemory[] = {Mix::load, Mix::update, Mix::nt_store, Mix::nt_copy, Mix::none};
        static constexpr Mix kIssue[] = {Mix::loads, Mix::split_loads, Mix::gathers, Mix::fmas, Mix::mixed};
        static constexpr int kThreads[] = {0, 1, 1, 2, 2, 4};
        static constexpr int kWidths[] = {64, 128, 256, 512};
        Ceiling c;
        c.resource = pick(kResources);
        c.when.threads = pick(kThreads);
        c.max = c.p95 = c.median = real(1e8, 1e11);
        c.source = "random";
        switch (c.resource) {
            case Resource::compute:
                c.when.dtype = dtype();
                c.when.width_bits = pick(kWidths);
                c.when.mix = pick(kCompute);
                c.when.chains = chance(0.3) ? 1 : 8;
                break;
            case Resource::bandwidth:
                c.when.mix = pick(kMemory);
                c.when.streams = 1 + below(3);
                c.when.footprint = Bytes(footprint());
                break;
            case Resource::gather:
                c.excludes = false;
                c.when.dtype = dtype();
                c.when.footprint = Bytes(footprint());
                break;
            case Resource::issue:
                c.when.mix = pick(kIssue);
                c.when.threads = 1;
                if (c.when.mix == Mix::split_loads || (c.when.mix == Mix::loads && chance(0.6)))
                    c.when.width_bits = pick(kWidths);
                break;
            case Resource::window:
                c.max = real(32.0, 600.0);
                break;
            case Resource::joint:
                c.excludes = false;
                c.when.mix = chance(0.5) ? Mix::load : chance(0.5) ? Mix::copy : Mix::nt_copy;
                c.when.footprint = Bytes(footprint());
                switch (below(3)) {
                    case 0:
                        c.when.besides.vectors = 1 + below(12);
                        if (chance(0.5)) c.when.besides.crossing = 1 + below(c.when.besides.vectors);
                        break;
                    case 1:
                        c.when.besides.scalars = 1 + below(20);
                        break;
                    default:
                        c.when.besides.gathered = 1 + below(12);
                }
                break;
            default:
                break;
        }
        if (chance(0.15)) c.excludes = false;
        return c;
    }

    Machine machine() {
        Machine m;
        m.id = m.name = "random";
        m.topology.threads = 4;
        const int n = 1 + below(40);
        for (int i = 0; i < n; ++i) m.ceilings.push_back(ceiling());
        return m;
    }

    Work work() {
        Work w;
        const auto amount = [&] { return chance(0.25) ? 0.0 : real(1.0, 1e12); };
        const auto in_core = [&](InCore& c) {
            c.ops = Operations(amount());
            c.fused = Operations(chance(0.5) ? 0.0 : real(0.0, 1.0) * c.ops.value);
            c.added = Operations(chance(0.5) ? 0.0 : real(1e-3, 1.0) * (c.ops - c.fused).value);
            c.instructions = Operations(amount());
            c.loads = Operations(amount());
            c.fmas = Operations(amount());
            c.split_loads = Operations(chance(0.5) ? 0.0 : amount());
            c.gathered = Operations(chance(0.5) ? 0.0 : amount());
            c.wide_loads = Operations(chance(0.5) ? 0.0 : real(1e-3, 1.0) * c.loads.value);
        };
        const auto traffic = [&](TrafficProfile& t) {
            t.reads = Bytes(amount());
            t.writes = Bytes(amount());
            t.passes = chance(0.5) ? 1.0 : real(1.0, 50.0);
            t.state = chance(0.5) ? State::cold : State::warm;
            if (chance(0.3)) {
                t.products = amount();
                t.results = real(1.0, 1e6);
                t.held = Bytes(real(1e3, 1e6));
            }
        };
        in_core(w.total);
        in_core(w.heaviest);
        traffic(w.traffic);
        traffic(w.heaviest_traffic);
        w.exchanged = Bytes(amount());
        w.chain_steps = Operations(amount());
        w.chain_repeats = chance(0.5) ? 1.0 : real(1.0, 100.0);
        w.chain_instructions = Operations(amount());
        return w;
    }

    Traits traits() {
        static constexpr int kThreads[] = {1, 2, 3, 4, 8};
        static constexpr int kWidths[] = {64, 128, 256, 512, 1024};
        Traits t;
        t.dtype = dtype();
        t.width_bits = pick(kWidths);
        t.threads = pick(kThreads);
        t.load_bits = pick(kWidths);
        return t;
    }

private:
    double footprint() {
        static constexpr double kSizes[] = {0.0, 4096.0, 32768.0, 1e6, 1e7, 1e9};
        return pick(kSizes);
    }

    std::mt19937 random_;
};

}  // namespace rooftune::test
