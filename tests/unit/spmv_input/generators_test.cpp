// Generated matrices against closed forms, and what generators refuse.
#include <cmath>
#include <set>

#include "kernels/spmv/generators.h"
#include "kernels/spmv/grids.h"
#include "kernels/spmv/random_matrices.h"
#include "planted_files.h"

namespace rooftune::spmv::test {
namespace {

std::string refusal(const ProblemSpec& spec, double available_bytes = 0x1p34) {
    try {
        generate(spec, available_bytes);
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

bool is_symmetric(const CsrView& a) {
    for (std::int64_t row = 0; row < a.rows; ++row) {
        for (std::int64_t k = a.row_begin[static_cast<std::size_t>(row)];
             k < a.row_begin[static_cast<std::size_t>(row) + 1]; ++k) {
            const auto at = static_cast<std::size_t>(k);
            if (std::abs(value_at(a, a.column[at], row) - a.value[at]) > 1e-15) return false;
        }
    }
    return true;
}

/// Largest |A x|.
double residual(const CsrView& a, const std::vector<double>& x) {
    double worst = 0.0;
    for (std::int64_t row = 0; row < a.rows; ++row) {
        double sum = 0.0;
        for (std::int64_t k = a.row_begin[static_cast<std::size_t>(row)];
             k < a.row_begin[static_cast<std::size_t>(row) + 1]; ++k) {
            sum += a.value[static_cast<std::size_t>(k)] * x[a.column[static_cast<std::size_t>(k)]];
        }
        worst = std::max(worst, std::abs(sum));
    }
    return worst;
}

bool same(const Csr& a, const Csr& b) {
    return a.rows == b.rows && a.cols == b.cols && a.row_begin == b.row_begin && a.column == b.column &&
           a.value == b.value;
}

}  // namespace

TEST_CASE("Poisson matrices have the closed-form number of entries", "[generators]") {
    for (const auto& [nx, ny, nz] :
         {Grid{1, 1, 1}, Grid{5, 1, 1}, Grid{1, 4, 3}, Grid{2, 2, 2}, Grid{7, 5, 3}, Grid{3, 31, 17}}) {
        INFO(nx << " x " << ny << " x " << nz);
        const std::int64_t n = nx * ny * nz;
        const Csr star = poisson({nx, ny, nz}, Reach::star, 6.0);
        CHECK(star.rows == n);
        CHECK(star.view().stored() == 7 * n - 2 * (nx * ny + ny * nz + nx * nz));
        CHECK(static_cast<double>(star.view().stored()) ==
              poisson_stored(static_cast<double>(nx), static_cast<double>(ny), static_cast<double>(nz),
                             Reach::star));
        const Csr box = poisson({nx, ny, nz}, Reach::box, 26.0);
        CHECK(box.view().stored() == (3 * nx - 2) * (3 * ny - 2) * (3 * nz - 2));
        CHECK(is_well_formed(star.view()));
        CHECK(is_well_formed(box.view()));
        CHECK(is_symmetric(star.view()));
        CHECK(is_symmetric(box.view()));
    }
    const Csr flat = generate({{"gen", "poisson5"}, {"nx", "6"}, {"ny", "4"}}).matrix;
    CHECK(flat.view().stored() == 5 * 24 - 2 * (6 + 4));
    CHECK(value_at(flat.view(), 7, 7) == 4.0);
    CHECK(value_at(flat.view(), 7, 1) == -1.0);
    CHECK(value_at(flat.view(), 7, 6) == -1.0);
    CHECK(value_at(flat.view(), 5, 6) == 0.0);
}

TEST_CASE("the elasticity matrix is symmetric and rigid motions cost no energy", "[generators]") {
    const Grid grid{4, 3, 5};
    const Csr a = elasticity(grid);
    CHECK(a.rows == 180);
    CHECK(a.view().stored() == 9 * (3 * 4 - 2) * (3 * 3 - 2) * (3 * 5 - 2));
    CHECK(is_well_formed(a.view()));
    CHECK(is_symmetric(a.view()));
    // Three translations and three rotations span the null space of a free body.
    for (int motion = 0; motion < 6; ++motion) {
        std::vector<double> u;
        for (std::int64_t node = 0; node < 60; ++node) {
            const double at[3] = {static_cast<double>(node % 4), static_cast<double>(node / 4 % 3),
                                  static_cast<double>(node / 12)};
            double displacement[3] = {0.0, 0.0, 0.0};
            if (motion < 3) {
                displacement[motion] = 1.0;
            } else {
                displacement[(motion + 1) % 3] = at[(motion + 2) % 3];
                displacement[(motion + 2) % 3] = -at[(motion + 1) % 3];
            }
            u.insert(u.end(), displacement, displacement + 3);
        }
        CHECK(residual(a.view(), u) < 1e-13);
    }
    // Stretching is no rigid motion.
    std::vector<double> stretched;
    for (std::int64_t node = 0; node < 60; ++node)
        stretched.insert(stretched.end(), {static_cast<double>(node % 4), 0.0, 0.0});
    CHECK(residual(a.view(), stretched) > 0.1);
}

TEST_CASE("banded matrices", "[generators]") {
    for (const auto& [n, band] :
         {std::pair<std::int64_t, std::int64_t>{1, 0}, {10, 0}, {10, 3}, {10, 9}, {9000, 2}}) {
        const Csr a = banded(n, band, 1);
        INFO(n << ", " << band);
        CHECK(a.view().stored() == n * (2 * band + 1) - band * (band + 1));
        CHECK(static_cast<double>(a.view().stored()) ==
              banded_stored(static_cast<double>(n), static_cast<double>(band)));
        CHECK(is_well_formed(a.view()));
    }
}

TEST_CASE("random matrices have the row length asked for, whatever the density", "[generators]") {
    for (const std::int64_t per_row : {1, 7, 25, 26, 60, 99, 100}) {
        const Csr a = uniform_random(50, 100, per_row, 3);
        INFO(per_row);
        CHECK(a.view().stored() == 50 * per_row);
        CHECK(is_well_formed(a.view()));
    }
    // Every column is equally likely: 100 000 draws over 10 columns, 5 standard deviations.
    for (const std::int64_t per_row : {1, 5}) {
        const Csr a = uniform_random(100'000 / per_row, 10, per_row, 4);
        std::vector<double> drawn(10, 0.0);
        for (const std::uint32_t column : a.column) drawn[column] += 1.0;
        for (const double count : drawn) CHECK(std::abs(count - 10'000.0) < 500.0);
    }
    CHECK(same(uniform_random(9000, 50, 3, 8), uniform_random(9000, 50, 3, 8)));
    CHECK_FALSE(same(uniform_random(50, 50, 3, 8), uniform_random(50, 50, 3, 9)));
}

TEST_CASE("R-MAT matrices are skewed, without repeated entries, and repeatable", "[generators]") {
    const Csr a = rmat(12, 16, 1);
    CHECK(a.rows == 4096);
    CHECK(a.cols == 4096);
    CHECK(is_well_formed(a.view()));
    CHECK(a.view().stored() < 16 * 4096);
    CHECK(a.view().stored() > 8 * 4096);
    std::int64_t longest = 0;
    std::int64_t upper_half = 0;
    for (std::int64_t row = 0; row < a.rows; ++row) {
        longest = std::max(longest, a.view().row_length(row));
        if (row < 2048) upper_half += a.view().row_length(row);
    }
    CHECK(longest > 10 * 16);
    // Probability 0.76 before repeated edges are dropped, which are mostly up there.
    CHECK(upper_half > a.view().stored() * 6 / 10);
    CHECK(upper_half < a.view().stored() * 8 / 10);
    CHECK(same(a, rmat(12, 16, 1)));
    CHECK_FALSE(same(a, rmat(12, 16, 2)));
}

TEST_CASE("specs come back complete, titles are short", "[generators]") {
    const Generated grid =
        generate({{"gen", "poisson7"}, {"nx", "+3"}, {"nz", "2"}, {"seed", "9"}, {"dtype", "f32"}});
    CHECK(grid.spec == ProblemSpec{{"gen", "poisson7"}, {"nx", "3"}, {"ny", "3"}, {"nz", "2"}});
    CHECK(grid.title == "poisson7 3x3x2");
    CHECK(generate({{"gen", "poisson7"}, {"nx", "3"}, {"nz", "2e0"}}).spec == grid.spec);
    const Generated drawn = generate({{"gen", "random"}, {"rows", "4"}, {"per_row", "2"}});
    CHECK(drawn.spec ==
          ProblemSpec{{"gen", "random"}, {"rows", "4"}, {"cols", "4"}, {"per_row", "2"}, {"seed", "1"}});
    CHECK(drawn.title == "random rows=4,cols=4,per_row=2");
    std::set<std::string> keys;
    for (const ProblemKey& key : generator_keys()) CHECK(keys.insert(key.name).second);
    CHECK(keys == std::set<std::string>{"nx", "ny", "nz", "n", "band", "rows", "cols", "per_row", "scale",
                                        "edge_factor"});
}

TEST_CASE("sizes that cannot be are refused before anything is allocated", "[generators]") {
    const auto grid = [](const std::string& nx) { return ProblemSpec{{"gen", "poisson27"}, {"nx", nx}}; };
    CHECK(refusal(grid("0")) == "spmv gen=poisson27: nx=0 is too small; give 1 or more");
    CHECK(refusal(grid("-5")) == "spmv gen=poisson27: nx=-5 is too small; give 1 or more");
    CHECK(refusal(grid("1e-3")) ==
          "spmv gen=poisson27: nx=1e-3 is not an integer; give a whole number of at least 1");
    CHECK(refusal(grid("99999999999999999999")) ==
          "spmv gen=poisson27: nx=99999999999999999999 does not fit 64 bits; give a smaller number");
    CHECK_THAT(refusal(grid("1000")), Catch::Contains("(1000000000 x 1000000000, 26946035992 entries) needs "
                                                      "about 323.5 GiB of memory and 16.0 GiB are free"));
    CHECK_THAT(refusal(grid("9223372036854775807")), Catch::Contains("GiB of memory and 16.0 GiB are free"));
    CHECK_THAT(
        refusal(grid("431"), 1e15),
        Catch::Contains("has 2151685171 stored entries (about 25.8 GiB of memory) and at most 2147483647"));
    CHECK_THAT(refusal({{"gen", "random"}, {"rows", "1"}, {"cols", "4294967296"}, {"per_row", "1"}}, 1e15),
               Catch::Contains("has 4294967296 columns"));
    CHECK_THAT(refusal({{"gen", "banded"}, {"n", "4294967296"}, {"band", "0"}}, 1e15),
               Catch::Contains("has 4294967296 rows"));
    CHECK_THAT(refusal({{"gen", "rmat"}, {"scale", "9223372036854775807"}}), Catch::Contains("GiB"));
    CHECK_THAT(refusal({{"gen", "rmat"}, {"scale", "40"}}, 1e30), Catch::Contains("has 1099511627776 rows"));
    CHECK_THAT(refusal({{"gen", "elasticity3"}, {"nx", "1"}}),
               Catch::Contains("nx=1 is too small; give 2 or more"));
    CHECK_THAT(refusal({{"gen", "banded"}, {"n", "5"}, {"band", "5"}}), Catch::Contains("must be below n"));
    CHECK_THAT(refusal({{"gen", "random"}, {"rows", "5"}, {"per_row", "6"}}),
               Catch::Contains("do not fit into cols columns"));
}

TEST_CASE("names and keys that are not known are refused with the nearest", "[generators]") {
    CHECK(refusal({{"gen", "possion27"}, {"nx", "3"}}) ==
          "spmv: unknown generator gen=possion27; did you mean 'poisson27'? Known: poisson5, poisson7, "
          "poisson27, elasticity3, banded, random, rmat, suite:dense2, suite:pdb1HYS, suite:consph, "
          "suite:cant, suite:pwtk, suite:rma10, suite:qcd5_4, suite:shipsec1, suite:mac_econ_fwd500, "
          "suite:mc2depi, suite:cop20k_A, suite:scircuit, suite:webbase-1M, suite:rail4284");
    CHECK(refusal({{"gen", "poisson5"}, {"nx", "3"}, {"nz", "3"}}) ==
          "spmv gen=poisson5: it takes no key 'nz'; did you mean 'nx'? Known: nx, ny");
    CHECK(refusal({{"gen", "rmat"}, {"edge_factor", "3"}}) ==
          "spmv gen=rmat: the key 'scale' is missing; its keys: scale, edge_factor, seed");
}

}  // namespace rooftune::spmv::test
