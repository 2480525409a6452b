// The upper end of traffic: estimates against a simulated cache that replaces what was used least recently,
// fed the addresses of the loops as they run; and the parts that an estimate consists of.
#include <cmath>
#include <iostream>

#include "kernels/matmul/likely.h"
#include "kernels/matmul/work.h"
#include "kernels/spmv/likely.h"
#include "kernels/spmv/work.h"
#include "kernels/stencil/layout.h"
#include "kernels/stencil/likely.h"
#include "kernels/stencil/work.h"
#include "tests/support/address_streams.h"
#include "tests/support/catch.h"
#include "tests/support/descent.h"
#include "tests/support/full_machine.h"
#include "tests/support/places.h"
#include "tests/unit/matmul/support.h"
#include "tests/unit/spmv/matrices.h"
#include "tests/unit/stencil/grids.h"

using namespace rooftune;
using namespace rooftune::test;

namespace {

/// Bytes of a repetition after one before it.
double simulated(const Stream& stream, const CacheShape& cache) {
    LruCache lru(cache);
    lru.run(stream);
    lru.count_from_here();
    lru.run(stream);
    return lru.exchanged().reads + lru.exchanged().writes;
}

/// How far estimates are off, as factors.
struct Spread {
    int cases = 0, within = 0;
    double worst_over = 1.0, worst_under = 1.0, logs = 0.0;
    std::string outside;  ///< cases beyond the factor

    void add(double estimate, double seen, double factor, const std::string& text) {
        ++cases;
        const double ratio = estimate / seen;
        worst_over = std::max(worst_over, ratio);
        worst_under = std::min(worst_under, ratio);
        logs += std::fabs(std::log(ratio));
        within += ratio <= factor && ratio >= 1.0 / factor;
        if (!(ratio <= factor && ratio >= 1.0 / factor))
            outside +=
                "\n" + text + ": estimated " + std::to_string(estimate) + ", seen " + std::to_string(seen);
    }
    void conclude(const char* family) const {
        std::cout << "estimates of " << family << ": " << cases << " cases, " << worst_under << " to "
                  << worst_over << " of what is seen, mean factor " << std::exp(logs / cases) << "\n";
    }
};

bool near(double a, double b, double factor) {
    return a < factor * b && b < factor * a;
}

}  // namespace

TEST_CASE("stencil: estimates are within a factor of 1.5 of a simulated cache") {
    constexpr double kFactor = 1.5;
    Spread spread;
    const Target target = stencil_test::target_of({256, 512}, 1);
    for (const stencil::Grid& g :
         {stencil_test::grid_of(61, 40, 14), stencil_test::grid_of(40, 30, 12, 27),
          stencil_test::grid_of(50, 33, 10, 7, 1, DType::f32), stencil_test::grid_of(30, 40, 10, 7, 4)}) {
        const Space space = stencil::make_space(g, target);
        const auto model = stencil::make_work_model(g, space, State::warm);
        for (const Variant& v : some_variants(space, 0, 16, 3)) {
            const stencil::Choice c = stencil::decode(space, v, g);
            const Stream stream = merged(stencil_run(g, c), nullptr);
            const double arrays = 3.0 * static_cast<double>(stencil::layout_of(g, c.padding).bytes);
            for (const double capacity : {4096.0, 16384.0, 65536.0}) {
                const CacheShape cache{Bytes(capacity), Bytes(64.0), 8};
                if (near(arrays, capacity, 2.5)) continue;
                spread.add(stencil::LikelyTraffic(g, c).beyond(cache).total(), simulated(stream, cache),
                           kFactor, space.to_text(v) + " at " + std::to_string(capacity));
            }
        }
    }
    spread.conclude("stencil");
    INFO(spread.outside);
    CHECK(spread.cases > 100);
    CHECK(spread.within >= 0.9 * spread.cases);
    CHECK(spread.worst_over < 3.0);
    CHECK(spread.worst_under > 1.0 / 3.0);
}

TEST_CASE("stencil: a pitch that is a power of two costs what is said, and padding cures it") {
    // 510 doubles and the two beside them are 4096 bytes: nine rows and the result meet in one set of eight
    // ways.
    const stencil::Grid g = stencil_test::grid_of(510, 8, 5, 27);
    const CacheShape first{Bytes(32768.0), Bytes(64.0), 8};
    stencil::Choice c;
    c.width_bits = 64;
    c.cut.block_y = g.ny;
    c.cut.block_z = g.nz;
    REQUIRE(stencil::layout_of(g, 0).row_bytes == 4096);
    const TrafficAmounts pitched = stencil::LikelyTraffic(g, c).beyond(first);
    const double seen = simulated(merged(stencil_run(g, c), nullptr), first);
    CHECK(pitched.conflict > pitched.compulsory);
    CHECK(near(pitched.total(), seen, 1.5));
    c.padding = 1;
    const TrafficAmounts padded = stencil::LikelyTraffic(g, c).beyond(first);
    const double cured = simulated(merged(stencil_run(g, c), nullptr), first);
    CHECK(padded.conflict == 0.0);
    CHECK(near(padded.total(), cured, 1.5));
    CHECK(cured < 0.5 * seen);
    // Seven points have six streams, which eight ways hold.
    c.padding = 0;
    CHECK(stencil::LikelyTraffic(stencil_test::grid_of(510, 8, 5, 7), c).beyond(first).conflict == 0.0);
}

TEST_CASE("stencil: non-temporal stores save a third, in the estimate and in the simulated cache") {
    const stencil::Grid g = stencil_test::grid_of(62, 24, 24);
    stencil::Choice c;
    c.width_bits = 256;
    c.lanes = 4;
    c.cut.block_y = g.ny;
    c.cut.block_z = g.nz;
    const CacheShape cache{Bytes(131072.0), Bytes(64.0), 16};
    const double points = 8.0 * static_cast<double>(g.volume());
    const double regular = simulated(merged(stencil_run(g, c), nullptr), cache);
    CHECK(stencil::LikelyTraffic(g, c).beyond(cache).write_allocate == points);
    c.store = stencil::Store::nontemporal;
    const double past = simulated(merged(stencil_run(g, c), nullptr), cache);
    CHECK(stencil::LikelyTraffic(g, c).beyond(cache).write_allocate == 0.0);
    CHECK(regular / points == Approx(3.0).epsilon(0.25));
    CHECK(past / points == Approx(2.0).epsilon(0.25));
}

TEST_CASE("matmul: estimates are within a factor of 2 of a simulated cache") {
    constexpr double kFactor = 2.0;
    Spread spread;
    const Target target = matmul_test::target_of({256, 512}, 1);
    for (const char* text : {"m=96,n=120,k=100", "m=130,n=64,k=300,beta=1", "m=100,n=300,k=60,dtype=f32"}) {
        const auto problem = matmul::MatmulProblem::load(matmul_test::spec_of(text));
        const Space space = matmul::make_space(*problem, target);
        const auto size = static_cast<double>(size_of(problem->dtype()));
        const double all =
            size * static_cast<double>(problem->m() * problem->k() + problem->k() * problem->n() +
                                       problem->m() * problem->n());
        for (const Variant& v : some_variants(space, 0, 8, 4)) {
            const matmul::Choice c = matmul::decode(space, v, *problem);
            const Stream stream = merged(matmul_run(*problem, c), nullptr);
            for (const double capacity : {8192.0, 32768.0, 131072.0}) {
                const CacheShape cache{Bytes(capacity), Bytes(64.0), 8};
                if (near(2.0 * all, capacity, 3.0)) continue;
                spread.add(matmul::likely_amounts(*problem, c, cache).total(), simulated(stream, cache),
                           kFactor, space.to_text(v) + " at " + std::to_string(capacity));
            }
        }
    }
    spread.conclude("matmul");
    INFO(spread.outside);
    CHECK(spread.cases > 40);
    CHECK(spread.within >= 0.8 * spread.cases);
    CHECK(spread.worst_over < 3.0);
    CHECK(spread.worst_under > 1.0 / 3.0);
}

TEST_CASE("spmv: estimates are within a factor of 1.5 of a simulated cache") {
    constexpr double kFactor = 1.5;
    Spread spread;
    const auto band = [](std::int64_t rows, int width) {
        std::vector<std::vector<std::uint32_t>> list(static_cast<std::size_t>(rows));
        for (std::int64_t i = 0; i < rows; ++i) {
            for (std::int64_t j = std::max<std::int64_t>(0, i - width); j < std::min(rows, i + width); j += 3)
                list[static_cast<std::size_t>(i)].push_back(static_cast<std::uint32_t>(j));
        }
        return spmv_test::from_rows(rows, list);
    };
    for (const spmv::Csr& matrix :
         {band(4000, 12), band(3000, 400),
          spmv_test::random_matrix(3000, 3000, 1, [](std::int64_t) { return 0.003; }),
          spmv_test::random_matrix(600, 9000, 2, [](std::int64_t) { return 0.004; })}) {
        const auto analysis =
            std::make_shared<const spmv::Analysis>(spmv::analyse(matrix.view(), DType::f64, 1));
        const Space space = spmv::make_space(analysis, spmv_test::target_of({256}, 1));
        for (const Variant& v : some_variants(space, 0, 26, 5)) {
            const spmv::Choice c = spmv::decode(space, v, DType::f64);
            if (c.streams > 1) continue;  // what they share of x is not estimated
            const Stream stream = merged(spmv_run(matrix.view(), c, DType::f64), nullptr);
            const spmv::FormatSummary& format = *spmv::summary_of(*analysis, v);
            for (const double capacity : {4096.0, 16384.0, 32768.0}) {
                const CacheShape cache{Bytes(capacity), Bytes(64.0), 8};
                if (near(static_cast<double>(format.bytes.total()), capacity, 3.0)) continue;
                spread.add(spmv::likely_amounts(*analysis, format, c, cache).total(),
                           simulated(stream, cache), kFactor,
                           space.to_text(v) + " at " + std::to_string(capacity));
            }
        }
    }
    spread.conclude("spmv");
    INFO(spread.outside);
    CHECK(spread.cases > 50);
    CHECK(spread.within >= 0.9 * spread.cases);
    CHECK(spread.worst_over < 2.5);
    CHECK(spread.worst_under > 1.0 / 2.5);
}

TEST_CASE("every family: parts add up to the likely traffic, each with a cure, none below the least") {
    const Registry registry = built_in_families();
    int seen = 0;
    for (const auto& family : registry.families()) {
        int parts_of_family = 0;
        for (const ProblemSpec& spec : family->examples()) {
            const auto problem = family->problem(spec);
            for (const Backend backend : family->backends()) {
                const Target target = backend == Backend::cpu ? cpu_target({128, 256, 512}, 3)
                                                              : device_target(made_up_devices().front());
                if (backend != Backend::cpu && problem->dtype() == DType::f64 && !target.device.f64) continue;
                const Space space = family->space(*problem, target);
                for (const State state : {State::cold, State::warm}) {
                    const auto model = family->work_model(*problem, space, target, state);
                    for (const Variant& v : some_variants(space, 0, 30, 6)) {
                        for (const double capacity : {2048.0, 65536.0, 1e6, 1e9}) {
                            const CacheShape full{Bytes(capacity), Bytes(64.0), 0};
                            const std::vector<TrafficPart> parts = model->traffic_parts(v, full);
                            if (parts.empty()) continue;
                            const Bytes least = model->work(v).traffic.sum_beyond(Bytes(capacity));
                            Bytes likely[1] = {least};
                            const Bytes capacities[1] = {Bytes(capacity)};
                            model->likely_traffic(v, capacities, likely);
                            INFO(family->name() << ' ' << space.to_text(v) << " beyond " << capacity);
                            CHECK(parts.front().cause == TrafficCause::compulsory);
                            CHECK(total(parts).value >= least.value * (1.0 - 1e-12));
                            CHECK(std::max(total(parts), least).value == Approx(likely[0].value));
                            for (std::size_t i = 1; i < parts.size(); ++i) {
                                CHECK(parts[i].bytes.value > 0.0);
                                CHECK(!parts[i].cure.empty());
                            }
                            // Ways can only add.
                            CHECK(total(model->traffic_parts(v, {Bytes(capacity), Bytes(64.0), 8})).value >=
                                  total(parts).value * (1.0 - 1e-12));
                            ++parts_of_family;
                        }
                    }
                }
            }
        }
        INFO(family->name());
        CHECK(parts_of_family > 100);
        seen += parts_of_family;
    }
    CHECK(seen > 1000);
}
