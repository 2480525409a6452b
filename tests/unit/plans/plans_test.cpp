// Plans answer rightly, whichever variant they took: against plain loops written here.
#include <algorithm>
#include <cmath>
#include <random>
#include <thread>
#include <vector>

#include "kernels/matmul/family.h"
#include "kernels/runtime/error.h"
#include "kernels/spmv/family.h"
#include "kernels/spmv/problem.h"
#include "kernels/stencil/family.h"
#include "tests/support/catch.h"
#include "tests/unit/plans/tuned_folder.h"
#include "tests/unit/plans/whole_numbers.h"
#include "tests/unit/spmv/matrices.h"
#include "tuner/plans/rooftune.h"
#include "tuner/plans/sparse_matrix_inside.h"

using namespace rooftune;
using namespace rooftune::test;
using Catch::Contains;

namespace {

PlanOptions one_thread_plan() {
    PlanOptions options;
    options.threads = 1;
    return options;
}

template <typename T>
void check_matmul(const Tuned& tuned, const MatmulShape& s, PlanChoice::From from) {
    MatmulPlan<T> plan = matmul_plan<T>(tuned, s, one_thread_plan());
    INFO(plan.choice().variant << ": " << plan.choice().why);
    CHECK(plan.choice().from == from);
    const auto size = [](std::int64_t a, std::int64_t b) { return static_cast<std::size_t>(a * b); };
    // One element into a cache line: no alignment is promised.
    std::vector<T> a = whole_numbers<T>(size(s.m, s.k) + 1, 1), b = whole_numbers<T>(size(s.k, s.n) + 1, 2),
                   c = whole_numbers<T>(size(s.m, s.n) + 1, 3);
    std::vector<T> expected = c;
    for (std::int64_t i = 0; i < s.m; ++i) {
        for (std::int64_t j = 0; j < s.n; ++j) {
            T sum = 0;
            for (std::int64_t p = 0; p < s.k; ++p) {
                sum += a[1 + static_cast<std::size_t>(s.transpose_a ? p * s.m + i : i * s.k + p)] *
                       b[1 + static_cast<std::size_t>(s.transpose_b ? j * s.k + p : p * s.n + j)];
            }
            T& to = expected[1 + static_cast<std::size_t>(i * s.n + j)];
            to = static_cast<T>(s.alpha) * sum + static_cast<T>(s.beta) * to;
        }
    }
    plan.run(a.data() + 1, b.data() + 1, c.data() + 1);
    CHECK(c == expected);
    CHECK(plan.shape().m == s.m);
}

template <typename T>
void check_spmv(SpmvPlan<T>& plan, const SparseMatrix& matrix) {
    const spmv::CsrView& csr = matrix.inside().csr;
    const std::vector<T> x = whole_numbers<T>(static_cast<std::size_t>(csr.cols) + 1, 4);
    for (int run = 0; run < 2; ++run) {
        std::vector<T> y(static_cast<std::size_t>(csr.rows) + 1, T{-77});
        std::vector<T> expected = y;
        for (std::int64_t i = 0; i < csr.rows; ++i) {
            T sum = 0;
            for (std::int64_t k = csr.row_begin[static_cast<std::size_t>(i)];
                 k < csr.row_begin[static_cast<std::size_t>(i) + 1]; ++k) {
                const auto at = static_cast<std::size_t>(k);
                sum += static_cast<T>(csr.value[at]) * x[1 + csr.column[at]];
            }
            expected[1 + static_cast<std::size_t>(i)] = sum;
        }
        plan.run(x.data() + 1, y.data() + 1);
        INFO(plan.choice().variant);
        CHECK(y == expected);
    }
}

SparseMatrix whole_matrix(std::int64_t rows, std::int64_t cols, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<std::int64_t> begin{0};
    std::vector<std::int32_t> column;
    std::vector<double> value;
    for (std::int64_t i = 0; i < rows; ++i) {
        for (std::int64_t j = 0; j < cols; ++j) {
            if (random() % 5 != 0) continue;
            column.push_back(static_cast<std::int32_t>(j));
            value.push_back(static_cast<double>(1 + random() % 5));
        }
        begin.push_back(static_cast<std::int64_t>(column.size()));
    }
    return {rows, cols, begin.data(), column.data(), value.data()};
}

// Steps of a stencil whose numbers stay exact: whole numbers times powers of two.
template <typename T>
void check_stencil(const Tuned& tuned, StencilShape s, int runs) {
    StencilPlan<T> plan = stencil_plan<T>(tuned, s, one_thread_plan());
    INFO(plan.choice().variant << ": " << plan.choice().why);
    const std::int64_t width = s.nx + 2, height = s.ny + 2;
    const auto at = [&](std::int64_t x, std::int64_t y, std::int64_t z) {
        return static_cast<std::size_t>(((z + 1) * height + y + 1) * width + x + 1);
    };
    std::vector<double> now = whole_numbers<double>(static_cast<std::size_t>(width * height * (s.nz + 2)), 6);
    plan.fill([&](std::int64_t x, std::int64_t y, std::int64_t z) { return now[at(x, y, z)]; });
    const auto read = [&](std::int64_t x, std::int64_t y, std::int64_t z) {
        if (!s.periodic) return now[at(x, y, z)];
        return now[at((x + s.nx) % s.nx, (y + s.ny) % s.ny, (z + s.nz) % s.nz)];
    };
    const auto compare = [&] {
        int wrong = 0;
        for (std::int64_t z = 0; z < s.nz; ++z) {
            for (std::int64_t y = 0; y < s.ny; ++y) {
                for (std::int64_t x = 0; x < s.nx; ++x) {
                    const double found = static_cast<double>(std::as_const(plan).row(y, z)[x]);
                    wrong += !(std::fabs(found - now[at(x, y, z)]) <= 1e-5);
                }
            }
        }
        CHECK(wrong == 0);
    };
    compare();
    for (int run = 0; run < runs; ++run) {
        if (run == 1) {
            // A program that changes its grid between runs, at the edges too.
            plan.row(0, 0)[0] = 3;
            plan.row(s.ny - 1, s.nz - 1)[s.nx - 1] = -2;
            now[at(0, 0, 0)] = 3.0;
            now[at(s.nx - 1, s.ny - 1, s.nz - 1)] = -2.0;
        }
        plan.run();
        for (std::int64_t step = 0; step < s.steps; ++step) {
            std::vector<double> next = now;
            for (std::int64_t z = 0; z < s.nz; ++z) {
                for (std::int64_t y = 0; y < s.ny; ++y) {
                    for (std::int64_t x = 0; x < s.nx; ++x) {
                        double sum = 0.0;
                        for (int dz = -1; dz <= 1; ++dz) {
                            for (int dy = -1; dy <= 1; ++dy) {
                                for (int dx = -1; dx <= 1; ++dx) {
                                    const int away = std::abs(dx) + std::abs(dy) + std::abs(dz);
                                    if (s.points == 7 && away > 1) continue;
                                    sum += s.coefficients[static_cast<std::size_t>(away)] *
                                           read(x + dx, y + dy, z + dz);
                                }
                            }
                        }
                        next[at(x, y, z)] = sum;
                    }
                }
            }
            now = next;
        }
        compare();
    }
}

// A folder with a config whose winner is not the default variant.
template <typename Problem_>
Tuned tuned_for(const TemporaryFolder& folder, const Family& family, const Problem_& problem, unsigned seed) {
    const Space space = family.space(problem, one_thread());
    const Variant winner = unusual_variant(family, problem, space, one_thread(), seed);
    write_tuned_config(folder.file("a.json"), config_of(family, problem, winner, space));
    return load_tuned(folder.path());
}

}  // namespace

TEST_CASE("plans: matmul of every kind of shape, by its default variant") {
    const Tuned none;
    for (const MatmulShape& s :
         {MatmulShape{1, 1, 1}, MatmulShape{17, 13, 11, -2.0, 3.0},
          MatmulShape{33, 5, 40, 1.0, 0.0, true, false}, MatmulShape{8, 70, 9, 1.0, 1.0, false, true},
          MatmulShape{21, 22, 23, 0.5, 0.0, true, true}}) {
        check_matmul<double>(none, s, PlanChoice::From::fallback);
        check_matmul<float>(none, s, PlanChoice::From::fallback);
    }
    CHECK_THROWS_AS(matmul_plan<double>(none, {-1, 1, 1}), InputError);
    CHECK_THROWS_AS(matmul_plan<double>(none, {.m = 4, .n = 4, .k = 4, .alpha = std::nan("")}), InputError);
}

TEST_CASE("plans: matmul by tuned variants") {
    const auto family = make_matmul_family();
    const auto problem = family->problem({{"m", "37"}, {"n", "29"}, {"k", "31"}, {"beta", "1"}});
    for (unsigned seed = 1; seed <= 12; ++seed) {
        const TemporaryFolder folder;
        check_matmul<double>(tuned_for(folder, *family, *problem, seed), {37, 29, 31, 1.0, 1.0},
                             PlanChoice::From::tuned);
    }
}

TEST_CASE("plans: spmv by its default and by tuned variants") {
    const SparseMatrix matrix = whole_matrix(53, 41, 9);
    SpmvPlan<double> by_default = spmv_plan<double>(Tuned(), matrix, one_thread_plan());
    CHECK(by_default.choice().from == PlanChoice::From::fallback);
    CHECK(by_default.rows() == 53);
    CHECK(by_default.cols() == 41);
    check_spmv(by_default, matrix);
    SpmvPlan<float> single = spmv_plan<float>(Tuned(), matrix, one_thread_plan());
    check_spmv(single, matrix);
    const auto family = make_spmv_family();
    const auto problem = spmv::SpmvProblem::from(matrix.inside().csr, DType::f64, {}, "some matrix");
    for (unsigned seed = 1; seed <= 16; ++seed) {
        const TemporaryFolder folder;
        SpmvPlan<double> plan =
            spmv_plan<double>(tuned_for(folder, *family, *problem, seed), matrix, one_thread_plan());
        CHECK(plan.choice().from == PlanChoice::From::tuned);
        check_spmv(plan, matrix);
    }
}

TEST_CASE("plans: a matrix of floats has the config that was tuned for its file of decimals") {
    const std::int32_t begin[] = {0, 2, 3, 5}, column[] = {0, 2, 1, 0, 2};
    const double decimal[] = {0.1, -0.7, 1e-3, 3.3, 0.9};
    float narrow[5];
    std::copy(std::begin(decimal), std::end(decimal), narrow);
    const SparseMatrix file(3, 3, begin, column, decimal), program(3, 3, begin, column, narrow);
    const auto family = make_spmv_family();
    const auto problem = spmv::SpmvProblem::from(file.inside().csr, DType::f32, {}, "a file");
    const TemporaryFolder folder;
    const Tuned tuned = tuned_for(folder, *family, *problem, 3);
    CHECK(spmv_plan<float>(tuned, file, one_thread_plan()).choice().from == PlanChoice::From::tuned);
    CHECK(spmv_plan<float>(tuned, program, one_thread_plan()).choice().from == PlanChoice::From::tuned);
    // In f64 these are other values, and another problem.
    const auto same = [&](const SparseMatrix& a, const SparseMatrix& b, DType dtype) {
        return spmv::SpmvProblem::from(a.inside().csr, dtype, {}, "a")->digest() ==
               spmv::SpmvProblem::from(b.inside().csr, dtype, {}, "b")->digest();
    };
    CHECK(same(file, program, DType::f32));
    CHECK_FALSE(same(file, program, DType::f64));
    narrow[4] = 0.90001F;
    CHECK_FALSE(same(file, SparseMatrix(3, 3, begin, column, narrow), DType::f32));
}

TEST_CASE("plans: spmv of matrices without entries, rows or columns") {
    const std::int32_t zeros[] = {0, 0, 0, 0};
    const SparseMatrix empty(3, 2, zeros, zeros, static_cast<const double*>(nullptr));
    SpmvPlan<double> plan = spmv_plan<double>(Tuned(), empty);
    const double x[] = {1.0, 2.0};
    double y[] = {7.0, 7.0, 7.0};
    plan.run(x, y);
    CHECK(y[0] == 0.0);
    CHECK(y[2] == 0.0);
    CHECK_THAT(plan.choice().why, Contains("no entries"));
    spmv_plan<float>(Tuned(), SparseMatrix(0, 0, zeros, zeros, static_cast<const double*>(nullptr)))
        .run(nullptr, nullptr);
}

TEST_CASE("plans: a value too large for f32 is refused by name") {
    const std::int32_t begin[] = {0, 1}, column[] = {0};
    const double value[] = {1e300};
    const SparseMatrix matrix(1, 1, begin, column, value);
    CHECK_THROWS_WITH(spmv_plan<float>(Tuned(), matrix), Contains("too large for f32"));
    CHECK_NOTHROW(spmv_plan<double>(Tuned(), matrix, one_thread_plan()));
}

TEST_CASE("plans: stencils of both kinds, boundaries and types, run after run") {
    for (const int points : {7, 27}) {
        for (const bool periodic : {false, true}) {
            for (const int steps : {1, 3}) {
                StencilShape s{11, 6, 5, points, steps, periodic, {0.5, 0.25, 0.0, 0.0}};
                if (points == 27) s.coefficients = {0.25, 0.125, 0.0625, 0.03125};
                check_stencil<double>(Tuned(), s, 3);
            }
        }
    }
    check_stencil<double>(Tuned(), {1, 1, 1, 7, 1, true}, 2);
    check_stencil<float>(Tuned(), {19, 3, 4, 7, 1, false, {0.5, 0.0625, 0.0, 0.0}}, 2);
    CHECK_THROWS_AS(stencil_plan<double>(Tuned(), {0, 1, 1}), InputError);
    CHECK_THROWS_WITH(stencil_plan<double>(Tuned(), {4, 4, 4, 7, 1, false, {0.1, 0.1, 0.1, 0.0}}),
                      Contains("no edge and corner"));
}

TEST_CASE("plans: a grid needs its own arrays, not what tuning it would need") {
    // 2 arrays of 10002 x 10002 x 10002 floats.
    CHECK_THROWS_WITH(stencil_plan<float>(Tuned(), {10'000, 10'000, 10'000, 7, 4}),
                      Contains("about 7.46e+03 GiB of memory and") && !Contains("to tune"));
    const std::int64_t most = std::int64_t{1} << 40;
    CHECK_THROWS_AS(stencil_plan<double>(Tuned(), {most, most, most}), InputError);
}

TEST_CASE("plans: one stencil plan run from two threads at once is run twice") {
    const StencilShape shape{40, 6, 5, 7, 1, true, {0.5, 0.0625, 0.0, 0.0}};
    StencilPlan<double> together = stencil_plan<double>(Tuned(), shape, one_thread_plan());
    StencilPlan<double> alone = stencil_plan<double>(Tuned(), shape, one_thread_plan());
    for (int round = 0; round < 50; ++round) {
        const auto value = [&](std::int64_t x, std::int64_t y, std::int64_t z) {
            return static_cast<double>((x * 7 + y * 5 + z * 3 + round) % 11);
        };
        together.fill(value);
        alone.fill(value);
        std::thread other([&] { together.run(); });
        together.run();
        other.join();
        alone.run();
        alone.run();
        bool same = true;
        for (std::int64_t z = 0; z < shape.nz; ++z)
            for (std::int64_t y = 0; y < shape.ny; ++y)
                same = same && std::equal(together.row(y, z), together.row(y, z) + shape.nx, alone.row(y, z));
        REQUIRE(same);
    }
}

TEST_CASE("plans: stencils by tuned variants, several steps in a pass and several passes in a run") {
    const auto family = make_stencil_family();
    for (const bool periodic : {false, true}) {
        const auto problem = family->problem({{"nx", "21"},
                                              {"ny", "10"},
                                              {"nz", "9"},
                                              {"steps", "5"},
                                              {"boundary", periodic ? "periodic" : "dirichlet"}});
        for (unsigned seed = 1; seed <= 12; ++seed) {
            const TemporaryFolder folder;
            const Tuned tuned = tuned_for(folder, *family, *problem, seed);
            check_stencil<double>(tuned, {21, 10, 9, 7, 5, periodic, {0.5, 0.25, 0.0, 0.0}}, 2);
        }
    }
}

TEST_CASE("plans: several share their workers, move, and run from other threads") {
    const std::shared_ptr<Workers> workers = Workers::shared(GENERATE(1, 0));
    CHECK((Workers::shared(workers->size()) == workers) == (workers->size() > 1));
    CHECK_THROWS_AS(Workers(100'000), InputError);
    CHECK_THROWS_AS(Workers(-1), InputError);
    const MatmulShape shape{20, 20, 20};
    MatmulPlan<double> first = matmul_plan<double>(Tuned(), shape, {.workers = workers});
    MatmulPlan<double> second = std::move(first);
    first = matmul_plan<double>(Tuned(), shape, {.workers = workers});
    const std::vector<double> a = whole_numbers<double>(400, 1), b = whole_numbers<double>(400, 2);
    std::vector<double> by_first(400), by_second(400);
    std::thread other([&] {
        for (int i = 0; i < 200; ++i) second.run(a.data(), b.data(), by_second.data());
    });
    for (int i = 0; i < 200; ++i) first.run(a.data(), b.data(), by_first.data());
    other.join();
    CHECK(by_first == by_second);
}
