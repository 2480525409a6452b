// Plans on threads of the program's own: the answers of run(), by any number of threads, and errors instead
// of waiting for ever.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "kernels/matmul/family.h"
#include "kernels/matmul/product.h"
#include "kernels/runtime/error.h"
#include "kernels/runtime/lent_threads.h"
#include "kernels/spmv/family.h"
#include "kernels/spmv/problem.h"
#include "kernels/stencil/family.h"
#include "tests/support/catch.h"
#include "tests/support/child.h"
#include "tests/support/several_threads.h"
#include "tests/unit/plans/tuned_folder.h"
#include "tests/unit/plans/whole_numbers.h"
#include "tuner/plans/executor_threads.h"
#include "tuner/plans/rooftune.h"
#include "tuner/plans/sparse_matrix_inside.h"

using namespace rooftune;
using namespace rooftune::test;
using Catch::Contains;

namespace {

// With rows that are empty, the first and the last among them.
SparseMatrix some_matrix(std::int64_t rows, std::int64_t cols) {
    std::mt19937 random(7);
    std::vector<std::int64_t> begin{0};
    std::vector<std::int32_t> column;
    std::vector<double> value;
    for (std::int64_t i = 0; i < rows; ++i) {
        for (std::int64_t j = 0; j < cols && i % 4 != 0 && i + 1 < rows; ++j) {
            if (random() % 5 != 0) continue;
            column.push_back(static_cast<std::int32_t>(j));
            value.push_back(static_cast<double>(1 + random() % 5));
        }
        begin.push_back(static_cast<std::int64_t>(column.size()));
    }
    return {rows, cols, begin.data(), column.data(), value.data()};
}

PlanOptions on_threads(int threads) {
    PlanOptions options;
    options.threads = threads;
    return options;
}

int most_threads() {
    return std::min(2, Workers(0).size());
}

// An executor that takes the shares one after the other, the last first: with it whoever waits for another
// share waits for ever.
struct OneByOne {
    int calls = 0;
    void operator()(int n, PlanPart part) {
        ++calls;
        for (int i = n - 1; i >= 0; --i) part(i);
    }
};

// One with a thread for each.
struct OneEach {
    void operator()(int n, PlanPart part) const {
        at_once(n, [&](int i) { part(i); });
    }
};

// Whether `run_part` by 1 to 4 threads and `run_by` by executors leave in `answer` what `run` leaves there.
template <typename T, typename Run, typename RunPart, typename RunBy>
void check_ways(std::vector<T>& answer, Run&& run, RunPart&& run_part, RunBy&& run_by) {
    const std::vector<T> before = answer;
    run();
    const std::vector<T> expected = answer;
    for (int n = 1; n <= 4; ++n) {
        INFO(n << " parts");
        for (int round = 0; round < 3; ++round) {
            answer = before;
            const auto thrown = at_once(n, [&](int part) { run_part(part, n); });
            CHECK(thrown == std::vector<std::string>(static_cast<std::size_t>(n)));
            CHECK(answer == expected);
        }
    }
    answer = before;
    run_by(OneByOne());
    CHECK(answer == expected);
    answer = before;
    run_by(OneEach());
    CHECK(answer == expected);
    answer = before;
    run();
    CHECK(answer == expected);
}

// A folder with a config of this many threads, of another variant than the default one.
template <typename Problem_>
Tuned tuned_for(const TemporaryFolder& folder, const Family& family, const Problem_& problem, int threads,
                unsigned seed) {
    const Target target = target_on(this_machine().topology, usable_widths(), threads);
    const Space space = family.space(problem, target);
    TunedConfig config =
        config_of(family, problem, unusual_variant(family, problem, space, target, seed), space);
    config.result.threads = threads;
    write_tuned_config(folder.file("a.json"), config);
    return load_tuned(folder.path());
}

template <typename T>
void check_spmv(SpmvPlan<T> plan) {
    INFO(plan.choice().variant << ": " << plan.choice().why);
    const std::vector<T> x = whole_numbers<T>(static_cast<std::size_t>(plan.cols()), 4);
    std::vector<T> y(static_cast<std::size_t>(plan.rows()), T{-77});
    check_ways(
        y, [&] { plan.run(x.data(), y.data()); },
        [&](int part, int n) { plan.run_part(part, n, x.data(), y.data()); },
        [&](auto executor) { plan.run(executor, x.data(), y.data()); });
}

template <typename T>
void check_matmul(MatmulPlan<T> plan) {
    INFO(plan.choice().variant << ": " << plan.choice().why);
    const MatmulShape& s = plan.shape();
    const std::vector<T> a = whole_numbers<T>(static_cast<std::size_t>(s.m * s.k), 1),
                         b = whole_numbers<T>(static_cast<std::size_t>(s.k * s.n), 2);
    std::vector<T> c = whole_numbers<T>(static_cast<std::size_t>(s.m * s.n), 3);
    check_ways(
        c, [&] { plan.run(a.data(), b.data(), c.data()); },
        [&](int part, int n) { plan.run_part(part, n, a.data(), b.data(), c.data()); },
        [&](auto executor) { plan.run(executor, a.data(), b.data(), c.data()); });
}

template <typename T>
void check_stencil(StencilPlan<T> plan) {
    INFO(plan.choice().variant << ": " << plan.choice().why);
    const StencilShape& s = plan.shape();
    std::vector<T> grid = whole_numbers<T>(static_cast<std::size_t>(s.nx * s.ny * s.nz), 5);
    const auto at = [&](std::int64_t x, std::int64_t y, std::int64_t z) {
        return static_cast<std::size_t>((z * s.ny + y) * s.nx + x);
    };
    // Runs twice, from the grid that the vector holds and into it.
    const auto by = [&](auto&& run) {
        plan.fill([&](std::int64_t x, std::int64_t y, std::int64_t z) {
            const bool inside = x >= 0 && x < s.nx && y >= 0 && y < s.ny && z >= 0 && z < s.nz;
            return inside ? static_cast<double>(grid[at(x, y, z)]) : 1.0;
        });
        run();
        run();
        for (std::int64_t z = 0; z < s.nz; ++z)
            for (std::int64_t y = 0; y < s.ny; ++y)
                std::copy_n(std::as_const(plan).row(y, z), s.nx,
                            grid.begin() + static_cast<std::ptrdiff_t>(at(0, y, z)));
    };
    const std::vector<T> before = grid;
    by([&] { plan.run(); });
    const std::vector<T> expected = grid;
    for (int n = 1; n <= 4; ++n) {
        grid = before;
        by([&] {
            CHECK(at_once(n, [&](int part) { plan.run_part(part, n); }) ==
                  std::vector<std::string>(static_cast<std::size_t>(n)));
        });
        INFO(n << " parts");
        CHECK(grid == expected);
    }
    grid = before;
    by([&] { plan.run(OneByOne()); });
    CHECK(grid == expected);
    grid = before;
    by([&] { plan.run(OneEach()); });
    CHECK(grid == expected);
}

}  // namespace

TEST_CASE("lent threads: spmv by its default and by tuned variants, on one thread and on two") {
    const SparseMatrix matrix = some_matrix(53, 41);
    const auto family = make_spmv_family();
    for (const int threads : {1, most_threads()}) {
        check_spmv(spmv_plan<double>(Tuned(), matrix, on_threads(threads)));
        check_spmv(spmv_plan<float>(Tuned(), matrix, on_threads(threads)));
        const auto problem = spmv::SpmvProblem::from(matrix.inside().csr, DType::f64, {}, "some matrix");
        for (unsigned seed = 1; seed <= 12; ++seed) {
            const TemporaryFolder folder;
            SpmvPlan<double> plan = spmv_plan<double>(tuned_for(folder, *family, *problem, threads, seed),
                                                      matrix, on_threads(threads));
            CHECK(plan.choice().from == PlanChoice::From::tuned);
            check_spmv(std::move(plan));
        }
    }
}

TEST_CASE("lent threads: matrices without entries or rows") {
    const std::int32_t zeros[] = {0, 0, 0, 0};
    const SparseMatrix empty(3, 2, zeros, zeros, static_cast<const double*>(nullptr));
    check_spmv(spmv_plan<double>(Tuned(), empty));
    SpmvPlan<float> none =
        spmv_plan<float>(Tuned(), SparseMatrix(0, 0, zeros, zeros, static_cast<const double*>(nullptr)));
    none.run_part(0, 2, nullptr, nullptr);
    none.run_part(1, 2, nullptr, nullptr);
    none.run(OneByOne(), nullptr, nullptr);
}

TEST_CASE("lent threads: products by their default and by tuned variants, on one thread and on two") {
    const auto family = make_matmul_family();
    const MatmulShape shape{37, 29, 31, 1.0, 1.0};
    const auto problem = family->problem({{"m", "37"}, {"n", "29"}, {"k", "31"}, {"beta", "1"}});
    for (const int threads : {1, most_threads()}) {
        check_matmul(matmul_plan<double>(Tuned(), shape, on_threads(threads)));
        check_matmul(matmul_plan<float>(Tuned(), {5, 1, 3}, on_threads(threads)));
        for (unsigned seed = 1; seed <= 12; ++seed) {
            const TemporaryFolder folder;
            MatmulPlan<double> plan = matmul_plan<double>(tuned_for(folder, *family, *problem, threads, seed),
                                                          shape, on_threads(threads));
            CHECK(plan.choice().from == PlanChoice::From::tuned);
            check_matmul(std::move(plan));
        }
    }
}

TEST_CASE("lent threads: a product whose threads pack together, on threads that do not run at once") {
    const auto problem = matmul::MatmulProblem::load({{"m", "61"}, {"n", "45"}, {"k", "70"}, {"beta", "1"}});
    const auto family = make_matmul_family();
    const Target target = cpu_target(usable_widths(), 4);
    const Space space = family->space(*problem, target);
    Team team(std::vector<int>(4, usable_cpus().front()), Team::Caller::free);
    const std::vector<double> a = whole_numbers<double>(61 * 70, 1), b = whole_numbers<double>(70 * 45, 2),
                              c = whole_numbers<double>(61 * 45, 3);
    int together = 0;
    for (const Variant& variant : some_variants(space, 0, 60, 11)) {
        INFO(space.to_text(variant));
        const matmul::Choice choice = matmul::decode(space, variant, *problem);
        matmul::Product<double> product(*problem, choice, choose_isa(target.width_bits), team);
        std::vector<double> expected = c, found = c;
        product.run(a.data(), b.data(), expected.data());
        OneByOne executor;
        const PlanExecution execution = PlanExecution::by(executor);
        ExecutorThreads threads(execution, product.threads());
        {
            const Lending lending(&threads);
            product.run(a.data(), b.data(), found.data());
        }
        CHECK(found == expected);
        together += executor.calls > 1 ? 1 : 0;
    }
    CHECK(together > 5);
}

TEST_CASE("lent threads: stencils of several steps, sweeps and boundaries, on one thread and on two") {
    const auto family = make_stencil_family();
    for (const int threads : {1, most_threads()}) {
        for (const bool periodic : {false, true}) {
            const StencilShape shape{21, 10, 9, 7, 5, periodic, {0.5, 0.25, 0.0, 0.0}};
            check_stencil(stencil_plan<double>(Tuned(), shape, on_threads(threads)));
            check_stencil(stencil_plan<float>(
                Tuned(), {11, 3, 4, 27, 2, periodic, {0.25, 0.125, 0.0625, 0.03125}}, on_threads(threads)));
            const auto problem = family->problem({{"nx", "21"},
                                                  {"ny", "10"},
                                                  {"nz", "9"},
                                                  {"steps", "5"},
                                                  {"boundary", periodic ? "periodic" : "dirichlet"}});
            for (unsigned seed = 1; seed <= 8; ++seed) {
                const TemporaryFolder folder;
                StencilPlan<double> plan = stencil_plan<double>(
                    tuned_for(folder, *family, *problem, threads, seed), shape, on_threads(threads));
                CHECK(plan.choice().from == PlanChoice::From::tuned);
                check_stencil(std::move(plan));
            }
        }
    }
}

TEST_CASE("lent threads: an executor that leaves a part out, repeats one or invents one is told so") {
    if (most_threads() < 2) return;
    SpmvPlan<double> plan = spmv_plan<double>(Tuned(), some_matrix(40, 40), on_threads(2));
    REQUIRE(plan.choice().threads == 2);
    const std::vector<double> x(40, 1.0);
    std::vector<double> y(40), expected(40);
    plan.run(x.data(), expected.data());
    const auto run = [&](auto executor) { plan.run(executor, x.data(), y.data()); };
    CHECK_THROWS_WITH(run([](int, PlanPart part) { part(0); }), Contains("1 of 2 parts were done;"));
    CHECK_THROWS_WITH(run([](int, PlanPart) {}), Contains("0 of 2 parts were done;"));
    CHECK_THROWS_WITH(run([](int n, PlanPart part) {
                          for (int i = 0; i < n; ++i) part(0);
                      }),
                      Contains("1 of 2 parts were done, and called one twice"));
    CHECK_THROWS_WITH(run([](int n, PlanPart part) {
                          for (int i = -1; i <= n; ++i) part(i);
                      }),
                      Contains("2 of 2 parts were done, and called one twice or one that there is not"));
    CHECK_THROWS_WITH(run([](int, PlanPart) { throw InputError("of the executor"); }),
                      Contains("of the executor"));
    run(OneByOne());
    CHECK(y == expected);
}

TEST_CASE("lent threads: new values are where the plan's own threads put them, in every format") {
    const auto family = make_spmv_family();
    const SparseMatrix matrix = some_matrix(320, 200);
    const std::int64_t count = matrix.given();
    REQUIRE(count > 8192);  // fewer are looked at by one thread
    const std::vector<double> first = whole_numbers<double>(static_cast<std::size_t>(count), 8),
                              second = whole_numbers<double>(static_cast<std::size_t>(count), 9);
    const std::vector<double> x = whole_numbers<double>(200, 4);
    const auto problem = spmv::SpmvProblem::from(matrix.inside().csr, DType::f64, {}, "some matrix");
    int together = 0;
    for (const int threads : {1, most_threads()}) {
        for (unsigned seed = 0; seed <= 8; ++seed) {
            const TemporaryFolder folder;
            const Tuned tuned = seed == 0 ? Tuned() : tuned_for(folder, *family, *problem, threads, seed);
            SpmvPlan<double> plan = spmv_plan<double>(tuned, matrix, on_threads(most_threads()));
            INFO(plan.choice().variant << ": " << plan.choice().why);
            const auto product = [&] {
                std::vector<double> y(320);
                plan.run(x.data(), y.data());
                return y;
            };
            plan.update_values(second.data(), count);
            const std::vector<double> expected = product();
            OneByOne one_by_one;
            for (int round = 0; round < 2; ++round) {
                plan.update_values(first.data(), count);
                CHECK(product() != expected);
                if (round == 0) plan.update_values(one_by_one, second.data(), count);
                if (round == 1) plan.update_values(OneEach(), second.data(), count);
                CHECK(product() == expected);
            }
            together += one_by_one.calls;
            std::vector<double> bad = first;
            bad[7] = std::numeric_limits<double>::quiet_NaN();
            CHECK_THROWS_WITH(plan.update_values(OneByOne(), bad.data(), count),
                              Contains("the value of entry 7 is not finite"));
            CHECK(product() == expected);
            CHECK_THROWS_WITH(plan.update_values(OneByOne(), first.data(), count - 1), Contains("made of"));
            if (most_threads() < 2) continue;
            // What is left out when the values are looked at leaves the plan as it was; when they are put in
            // their places, it is told, and they can be given again.
            CHECK_THROWS_WITH(plan.update_values([](int, PlanPart part) { part(0); }, first.data(), count),
                              Contains("1 of 2 parts were done"));
            CHECK(product() == expected);
            const std::vector<double> of_rows = whole_numbers<double>(320, 5);
            const auto transposed = [&] {
                std::vector<double> y(200);
                plan.run_transposed(1.0, of_rows.data(), 0.0, y.data());
                return y;
            };
            const std::vector<double> expected_transposed = transposed();
            int calls = 0;
            const auto second_call = [&](int n, PlanPart part) {
                for (int i = 0; i < (calls == 0 ? n : 1); ++i) part(i);
                ++calls;
            };
            CHECK_THROWS_WITH(plan.update_values(second_call, first.data(), count),
                              Contains("1 of 2 parts were done"));
            CHECK(calls == 2);
            plan.update_values(OneEach(), second.data(), count);
            CHECK(product() == expected);
            CHECK(transposed() == expected_transposed);
        }
    }
    CHECK((together > 0 || most_threads() < 2));
}

TEST_CASE("lent threads: what is wrong with the arrays is told to every part, and the plan goes on") {
    const int threads = most_threads();
    SpmvPlan<double> plan = spmv_plan<double>(Tuned(), some_matrix(40, 40), on_threads(threads));
    std::vector<double> x(40, 1.0), y(40), expected(40);
    plan.run(x.data(), expected.data());
    for (const std::string& text :
         at_once(threads, [&](int part) { plan.run_part(part, threads, x.data(), x.data()); }))
        CHECK_THAT(text, Contains("spmv: x and y overlap"));
    CHECK_THROWS_WITH(plan.run(OneByOne(), static_cast<const double*>(nullptr), y.data()),
                      Contains("null pointer"));
    CHECK_THROWS_AS(plan.run_part(2, 2, x.data(), y.data()), InputError);
    at_once(threads, [&](int part) { plan.run_part(part, threads, x.data(), y.data()); });
    CHECK(y == expected);
    SpmvPlan<double> moved = std::move(plan);
    CHECK_THROWS_WITH(plan.run_part(0, 1, x.data(), y.data()), Contains("moved"));
    MatmulPlan<double> product = matmul_plan<double>(Tuned(), {4, 4, 4}, on_threads(1));
    CHECK_THROWS_WITH(product.run_part(0, 1, x.data(), y.data(), y.data()), Contains("B and C overlap"));
}

TEST_CASE("lent threads: plans that share workers run within each other, and beside each other") {
    const int threads = most_threads();
    const SparseMatrix matrix = some_matrix(64, 64);
    SpmvPlan<double> outer = spmv_plan<double>(Tuned(), matrix, on_threads(threads)),
                     inner = spmv_plan<double>(Tuned(), matrix, on_threads(threads));
    const std::vector<double> x = whole_numbers<double>(64, 3);
    std::vector<double> expected(64), y(64), z(64);
    outer.run(x.data(), expected.data());
    // As oneTBB does it: who waits in one loop takes up a piece of another.
    outer.run(
        [&](int n, PlanPart part) {
            for (int i = 0; i < n; ++i) {
                inner.run(OneByOne(), x.data(), z.data());
                inner.run(x.data(), z.data());
                part(i);
            }
        },
        x.data(), y.data());
    CHECK(y == expected);
    if (threads > 1) CHECK(z == expected);
    // run() and runs on lent threads of one plan follow each other.
    std::atomic<int> wrong{0};
    at_once(2, [&](int i) {
        std::vector<double> mine(64);
        for (int run = 0; run < 200; ++run) {
            if (i == 0) {
                outer.run(x.data(), mine.data());
            } else {
                outer.run(OneByOne(), x.data(), mine.data());
            }
            if (mine != expected) wrong.fetch_add(1);
        }
    });
    CHECK(wrong.load() == 0);
}

TEST_CASE("lent threads: a plan of the parent's runs in a child of fork() on the child's threads") {
    SpmvPlan<double> plan = spmv_plan<double>(Tuned(), some_matrix(40, 40), on_threads(most_threads()));
    const std::vector<double> x(40, 1.0);
    std::vector<double> expected(40);
    plan.run(x.data(), expected.data());
    const pid_t child = ::fork();
    if (child == 0)
        end_child([&] {
            std::vector<double> y(40), z(40);
            at_once(2, [&](int part) { plan.run_part(part, 2, x.data(), y.data()); });
            plan.run(OneEach(), x.data(), z.data());
            return y == expected && z == expected;
        });
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
}
