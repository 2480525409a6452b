// The lower end of traffic, for every family: never above what an optimal cache exchanges that is fed the
// addresses of the loops as they really run. Random problems, variants, capacities and interleavings of
// threads; the bound of every prefix of the variant as well. The same check must find profiles that are
// wrong.
#include <functional>
#include <iostream>
#include <set>
#include <string>

#include "kernels/matmul/work.h"
#include "kernels/spmv/work.h"
#include "kernels/stencil/work.h"
#include "tests/support/address_streams.h"
#include "tests/support/catch.h"
#include "tests/support/descent.h"
#include "tests/unit/matmul/support.h"
#include "tests/unit/spmv/matrices.h"
#include "tests/unit/stencil/grids.h"

using namespace rooftune;
using namespace rooftune::test;

namespace {

constexpr int kThreads = 3;
constexpr int kCases = 1000;  // of each family
constexpr double kSlack = 1.0 + 1e-9;

/// Directions in which a profile says more than what had to be exchanged.
int above(const TrafficProfile& p, const Exchanged& least, Bytes w) {
    return (p.reads_beyond(w).value > least.reads * kSlack) +
           (p.writes_beyond(w).value > least.writes * kSlack) +
           (p.sum_beyond(w).value > (least.reads + least.writes) * kSlack);
}

struct Wrong {
    const char* name;
    std::function<TrafficProfile(TrafficProfile)> of;
};
const std::vector<Wrong>& wrong_profiles() {
    static const std::vector<Wrong> list{
        {"a tenth more reads", [](TrafficProfile p) { return p.reads = 1.1 * p.reads, p; }},
        {"a tenth more writes", [](TrafficProfile p) { return p.writes = 1.1 * p.writes, p; }},
        {"a warm start taken for a cold one", [](TrafficProfile p) { return p.state = State::cold, p; }},
        {"one pass more", [](TrafficProfile p) { return p.passes += 1.0, p; }},
        {"no capacity at the end", [](TrafficProfile p) { return p.writes += Bytes(512.0), p; }},
    };
    return list;
}

/// Counts what was looked at and what was found, over the cases of one family.
struct Tally {
    int cases = 0, checks = 0, violations = 0, tight = 0;
    std::vector<int> caught = std::vector<int>(wrong_profiles().size(), 0);

    /// One variant: its stream against its profile and those of all prefixes, at random capacities.
    void look(const std::string& text, const Stream& stream, int granule, const Space& space,
              const Variant& v, const WorkModel& cold, const WorkModel& warm, std::mt19937& random,
              double words_held = -1.0) {
        ++cases;
        const OptimalCache cache(stream, granule);
        for (const bool is_warm : {false, true}) {
            const WorkModel& model = is_warm ? warm : cold;
            const Work work = model.work(v);
            const double footprint = (work.traffic.reads + work.traffic.writes).value + granule;
            for (int i = 0; i < 3; ++i) {
                std::uniform_real_distribution<double> exponent(0.0, 1.1);
                const auto w =
                    static_cast<std::int64_t>(i == 0 ? granule : std::pow(footprint, exponent(random)));
                const Exchanged least = cache.least(w, is_warm);
                const Bytes capacity(static_cast<double>(w / granule * granule));
                PartialVariant partial;
                check(text, model.work(partial).traffic, least, capacity);
                for (int p = 0; p < space.size(); ++p) {
                    partial.fix(p, v[p]);
                    check(text, model.work(partial).traffic, least, capacity);
                }
                TrafficProfile exact = work.traffic;
                if (words_held >= 0.0) {
                    exact.held = Bytes(words_held * exact.element_bytes);
                    check(text, exact, least, capacity);
                }
                tight += exact.sum_beyond(capacity).value > 0.9 * (least.reads + least.writes) &&
                         least.reads + least.writes > 0.0;
                for (std::size_t n = 0; n < caught.size(); ++n)
                    caught[n] += above(wrong_profiles()[n].of(exact), least, capacity) > 0;
            }
        }
    }

    void check(const std::string& text, const TrafficProfile& p, const Exchanged& least, Bytes w) {
        ++checks;
        if (above(p, least, w) == 0) return;
        if (++violations > 5) return;
        FAIL_CHECK(text << ", beyond " << w.value << " bytes, " << to_text(p.state) << ": reads "
                        << p.reads_beyond(w).value << " of " << least.reads << ", writes "
                        << p.writes_beyond(w).value << " of " << least.writes << ", sum "
                        << p.sum_beyond(w).value);
    }

    void conclude(const char* family, bool several_passes) const {
        std::cout << "traffic of " << family << ": " << cases << " cases, " << checks << " checks, "
                  << violations << " above an optimal cache, " << tight << " within a tenth of it\n";
        CHECK(cases >= kCases);
        CHECK(violations == 0);
        CHECK(tight > cases / 10);  // the bound is not idle
        for (std::size_t n = 0; n < caught.size(); ++n) {
            INFO(family << ": " << wrong_profiles()[n].name << ", caught " << caught[n]);
            if (several_passes || n != 3) CHECK(caught[n] > cases / 10);
        }
    }
};

/// Bytes that each thread reads, or writes, of what no other one touches in the same phases.
std::vector<Exchanged> alone(const Run& run, std::size_t first, std::size_t last) {
    const std::size_t threads = run.phases.front().size();
    std::unordered_map<std::int64_t, int> readers, writers;  // bit set of threads
    std::set<std::int64_t> made;                             // written before they were read: not brought in
    std::unordered_map<std::int64_t, int> bytes;
    for (std::size_t p = first; p < last; ++p) {
        for (std::size_t t = 0; t < threads; ++t) {
            for (const Access& a : run.phases[p][t]) {
                bytes[a.address] = a.bytes;
                if (a.write) {
                    writers[a.address] |= 1 << t;
                    if (readers.count(a.address) == 0) made.insert(a.address);
                } else if (made.count(a.address) == 0) {
                    readers[a.address] |= 1 << t;
                }
            }
        }
    }
    std::vector<Exchanged> own(threads);
    for (std::size_t t = 0; t < threads; ++t) {
        for (const auto& [address, who] : readers)
            if (who == 1 << t) own[t].reads += bytes[address];
        for (const auto& [address, who] : writers)
            if (who == 1 << t) own[t].writes += bytes[address];
    }
    return own;
}

/// Whether some thread has as much to itself as the profile of the heaviest one says.
bool somebody_has(const std::vector<Exchanged>& own, const TrafficProfile& heaviest) {
    return std::any_of(own.begin(), own.end(), [&](const Exchanged& e) {
        return e.reads * kSlack >= heaviest.reads.value && e.writes * kSlack >= heaviest.writes.value;
    });
}

int between(std::mt19937& random, int least, int most) {
    return least + static_cast<int>(random() % static_cast<unsigned>(most - least + 1));
}

}  // namespace

TEST_CASE("stencil: the least traffic is never above what an optimal cache exchanges") {
    std::mt19937 random(31);
    const Target target = stencil_test::target_of({128, 256, 512}, kThreads);
    Tally tally;
    while (tally.cases < kCases) {
        stencil::Grid g;
        g.nx = between(random, 1, 6);
        g.ny = between(random, 1, 7);
        g.nz = between(random, 1, 7);
        g.points = random() % 2 == 0 ? 7 : 27;
        g.steps = random() % 2 == 0 ? 1 : between(random, 2, 5);
        g.dtype = random() % 2 == 0 ? DType::f64 : DType::f32;
        g.boundary = random() % 3 == 0 ? stencil::Boundary::periodic : stencil::Boundary::dirichlet;
        const Space space = stencil::make_space(g, target);
        const auto cold = stencil::make_work_model(g, space, State::cold);
        const auto warm = stencil::make_work_model(g, space, State::warm);
        for (const Variant& v : some_variants(space, 0, 12, static_cast<unsigned>(random()))) {
            const stencil::Choice choice = stencil::decode(space, v, g);
            const Run run = stencil_run(g, choice);
            const std::string text = space.to_text(v) + " on " + std::to_string(g.nx) + " x " +
                                     std::to_string(g.ny) + " x " + std::to_string(g.nz);
            tally.look(text, merged(run, &random), static_cast<int>(g.element()), space, v, *cold, *warm,
                       random);
            const TrafficProfile heaviest = warm->work(v).heaviest_traffic;
            for (std::size_t p = 0; p < run.phases.size(); ++p) {
                INFO(text);
                CHECK(somebody_has(alone(run, p, p + 1), heaviest));
            }
        }
    }
    tally.conclude("stencil", true);
}

TEST_CASE("stencil: what neighbours read of a thread's slab is not its own to bring in") {
    const stencil::Grid g = stencil_test::grid_of(400, 9, 12, 7, 1, DType::f64, stencil::Boundary::periodic);
    const Target target = stencil_test::target_of({128, 256, 512}, kThreads);
    const Space space = stencil::make_space(g, target);
    const auto model = stencil::make_work_model(g, space, State::cold);
    int smaller = 0;
    for (const Variant& v : some_variants(space, 0, 6, 5)) {
        const stencil::Choice choice = stencil::decode(space, v, g);
        TrafficProfile heaviest = model->work(v).heaviest_traffic;
        const std::vector<Exchanged> own = alone(stencil_run(g, choice), 0, 1);
        INFO(space.to_text(v));
        CHECK(somebody_has(own, heaviest));
        // Blocks that are dealt out in turn count by their mean, which somebody may well have.
        if (choice.cut.threads == 1 || choice.cut.partition == stencil::Partition::cyclic) continue;
        smaller += heaviest.reads < heaviest.writes;
        heaviest.reads = heaviest.writes;
        CHECK_FALSE(somebody_has(own, heaviest));
    }
    CHECK(smaller > 0);
}

TEST_CASE("matmul: the least traffic is never above what an optimal cache exchanges") {
    std::mt19937 random(32);
    const Target target = matmul_test::target_of({128, 256, 512}, kThreads);
    Tally tally;
    while (tally.cases < kCases) {
        const auto size = [&] { return std::to_string(between(random, 1, 15)); };
        std::string text = "m=" + size() + ",n=" + size() + ",k=" + size();
        if (random() % 2 == 0) text += ",dtype=f32";
        if (random() % 3 == 0) text += ",beta=1";
        if (random() % 3 == 0) text += ",transa=yes";
        if (random() % 3 == 0) text += ",transb=yes";
        const auto problem = matmul::MatmulProblem::load(matmul_test::spec_of(text));
        const Space space = matmul::make_space(*problem, target);
        const auto cold = matmul::make_work_model(*problem, space, State::cold);
        const auto warm = matmul::make_work_model(*problem, space, State::warm);
        for (const Variant& v : some_variants(space, 0, 12, static_cast<unsigned>(random()))) {
            const matmul::Choice c = matmul::decode(space, v, *problem);
            const Run run = matmul_run(*problem, c);
            // Sums of a tile and one step's operands are in registers, of every thread.
            const double mr = c.naive ? 1.0 : c.tile.mr;
            const double nr = c.naive ? 1.0 : static_cast<double>(c.nr);
            const double held = c.threads * (mr * nr + mr + nr);
            tally.look(space.to_text(v) + " of " + text, merged(run, &random),
                       static_cast<int>(size_of(problem->dtype())), space, v, *cold, *warm, random, held);
            INFO(text << ' ' << space.to_text(v));
            CHECK(somebody_has(alone(run, 0, run.phases.size()), cold->work(v).heaviest_traffic));
        }
    }
    tally.conclude("matmul", false);
}

TEST_CASE("spmv: the least traffic is never above what an optimal cache exchanges") {
    std::mt19937 random(33);
    const Target target = spmv_test::target_of({128, 256, 512}, kThreads);
    Tally tally;
    while (tally.cases < kCases) {
        const int rows = between(random, 1, 26);
        const bool far = random() % 8 == 0;
        const int cols = between(random, 1, 30);
        const double density = 0.02 + 0.3 * static_cast<double>(random() % 100) / 100.0;
        spmv::Csr matrix =
            spmv_test::random_matrix(rows, cols, static_cast<unsigned>(random()),
                                     [&](std::int64_t i) { return i % 3 == 0 ? density : density / 3; });
        if (far) {
            // Spread over more columns than 16 bits reach: several segments a row.
            for (std::uint32_t& c : matrix.column) c *= 7001;
            matrix.cols = 1 + (cols - 1) * 7001;
        }
        const DType dtype = random() % 2 == 0 ? DType::f64 : DType::f32;
        const auto analysis =
            std::make_shared<const spmv::Analysis>(spmv::analyse(matrix.view(), dtype, kThreads));
        const Space space = spmv::make_space(analysis, target);
        const auto cold = spmv::make_work_model(analysis, space, target, State::cold);
        const auto warm = spmv::make_work_model(analysis, space, target, State::warm);
        for (const Variant& v : some_variants(space, 0, 12, static_cast<unsigned>(random()))) {
            const spmv::Choice c = spmv::decode(space, v, dtype);
            const Run run = spmv_run(matrix.view(), c, dtype);
            const std::string text =
                space.to_text(v) + " of " + std::to_string(rows) + " x " + std::to_string(matrix.cols);
            tally.look(text, merged(run, &random), c.format.index_bits / 8, space, v, *cold, *warm, random);
            INFO(text);
            CHECK(somebody_has(alone(run, 0, 1), cold->work(v).heaviest_traffic));
        }
    }
    tally.conclude("spmv", false);
}

TEST_CASE("lines: no family's least traffic is above what an optimal cache of lines exchanges") {
    std::mt19937 random(34);
    int checked = 0;
    const auto look = [&](const Stream& stream, const WorkModel& model, const Variant& v) {
        const OptimalCache cache(stream, 64);
        for (const std::int64_t w : {64, 512, 2048, 16384}) {
            CHECK(above(model.work(v).traffic, cache.least(w, true), Bytes(static_cast<double>(w))) == 0);
            ++checked;
        }
    };
    const stencil::Grid g = stencil_test::grid_of(13, 6, 7, 7, 2);
    const Space grids = stencil::make_space(g, stencil_test::target_of({256}, 2));
    const auto of_grids = stencil::make_work_model(g, grids, State::warm);
    for (const Variant& v : some_variants(grids, 0, 20, 1))
        look(merged(stencil_run(g, stencil::decode(grids, v, g)), &random), *of_grids, v);
    const auto problem = matmul::MatmulProblem::load(matmul_test::spec_of("m=19,n=21,k=17"));
    const Space products = matmul::make_space(*problem, matmul_test::target_of({256}, 2));
    const auto of_products = matmul::make_work_model(*problem, products, State::warm);
    for (const Variant& v : some_variants(products, 0, 20, 1))
        look(merged(matmul_run(*problem, matmul::decode(products, v, *problem)), &random), *of_products, v);
    const spmv::Csr matrix = spmv_test::random_matrix(60, 70, 3, [](std::int64_t) { return 0.1; });
    const auto analysis = std::make_shared<const spmv::Analysis>(spmv::analyse(matrix.view(), DType::f64, 2));
    const Target of_spmv = spmv_test::target_of({256}, 2);
    const Space formats = spmv::make_space(analysis, of_spmv);
    const auto of_formats = spmv::make_work_model(analysis, formats, of_spmv, State::warm);
    for (const Variant& v : some_variants(formats, 0, 20, 1)) {
        const Run run = spmv_run(matrix.view(), spmv::decode(formats, v, DType::f64), DType::f64);
        look(merged(run, &random), *of_formats, v);
    }
    CHECK(checked > 150);
}
