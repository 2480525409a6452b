// A variant on a program's own vectors: right, and nothing beyond them is touched but what it says.
#include "kernels/spmv/product.h"

#include <algorithm>
#include <limits>
#include <random>
#include <set>
#include <vector>

#include "kernels/runtime/error.h"
#include "kernels/runtime/lent_threads.h"
#include "kernels/spmv/family.h"
#include "kernels/spmv/oracle.h"
#include "tests/support/catch.h"
#include "tests/support/descent.h"
#include "tests/support/fenced.h"
#include "tests/unit/spmv/matrices.h"

using namespace rooftune;
using namespace rooftune::spmv;
using namespace rooftune::spmv_test;
using test::Fence;
using test::Fenced;

namespace {

template <typename T>
double error_of_product(Product& product, const CsrView& a, DType dtype, std::int64_t overhang, Fence fence) {
    Fenced<T> x(static_cast<std::size_t>(a.cols + overhang), fence),
        y(static_cast<std::size_t>(a.rows), fence);
    double error = 0.0;
    for (const std::uint64_t seed : {1U, 2U}) {
        for (std::int64_t j = 0; j < a.cols; ++j)
            x[static_cast<std::size_t>(j)] = static_cast<T>(input_element(seed, j));
        std::fill_n(y.data(), y.size(), std::numeric_limits<T>::quiet_NaN());
        product.run(x.data(), y.data());
        const Oracle oracle = make_oracle(a, dtype, seed);
        for (std::size_t i = 0; i < y.size(); ++i) {
            error =
                std::max(error, error_of(static_cast<double>(y[i]), oracle.expected[i], oracle.tolerance[i]));
        }
    }
    return error;
}

}  // namespace

TEST_CASE("spmv: a product of a program's own vectors touches nothing beyond them but its overhang") {
    Target target;
    target.width_bits = usable_widths();
    target.threads = 2;
    Team team(two_cpus());
    std::mt19937 random(7);
    int overhanging = 0, variants = 0;
    for (Named& named : awkward_matrices()) {
        for (const DType dtype : {DType::f64, DType::f32}) {
            const auto problem = SpmvProblem::from(named.matrix, dtype, {}, named.name);
            const auto family = make_spmv_family();
            const Space space = family->space(*problem, target);
            int wrong = 0;
            for (const Variant& v : test::some_variants(space, 0, 48, static_cast<unsigned>(random()))) {
                const Choice choice = decode(space, v, dtype);
                const std::int64_t overhang = Product::overhang(choice.format, named.matrix.cols);
                overhanging += overhang > 0;
                ++variants;
                Product product(place_matrix(problem->matrix(), dtype, choice, 1, team), choice,
                                kernel_of(space, v, target, dtype), team);
                for (const Fence fence : {Fence::before, Fence::after}) {
                    const double error =
                        dtype == DType::f64
                            ? error_of_product<double>(product, problem->matrix(), dtype, overhang, fence)
                            : error_of_product<float>(product, problem->matrix(), dtype, overhang, fence);
                    if (error > 1.0 && ++wrong <= 3)
                        FAIL_CHECK(named.name << ": " << error << ": " << space.to_text(v));
                }
            }
            CHECK(wrong == 0);
        }
    }
    CHECK(variants > 400);
    CHECK(overhanging > 8);
}

namespace {

// A program's threads that take the shares one after the other, the last first.
struct LastFirst final : LentThreads {
    void run(int shares, void (*body)(void*, int), void* context) override {
        for (int share = shares - 1; share >= 0; --share) body(context, share);
    }
    bool at_once(int shares) const override { return shares <= 1; }
};

// Bit by bit: on the team's threads twice, and on lent ones in another order.
template <typename T>
bool same_each_time(Product& product, const CsrView& a) {
    std::vector<T> x(static_cast<std::size_t>(a.cols));
    for (std::int64_t j = 0; j < a.cols; ++j)
        x[static_cast<std::size_t>(j)] = static_cast<T>(input_element(3, j));
    const auto answer = [&] {
        std::vector<T> y(static_cast<std::size_t>(a.rows), std::numeric_limits<T>::quiet_NaN());
        product.run(x.data(), y.data());
        return y;
    };
    const std::vector<T> first = answer(), again = answer();
    LastFirst threads;
    const Lending lending(&threads);
    return again == first && answer() == first;
}

}  // namespace

TEST_CASE("spmv: rows that threads share are right by every kernel, and the same each time") {
    Target target;
    target.width_bits = usable_widths();
    target.threads = 5;
    // Heads of several threads that add to one row, and threads that have nothing else.
    Team team(std::vector<int>(5, usable_cpus().front()), Team::Caller::free);
    const Named named = awkward_matrices().back();
    REQUIRE(named.name == "one long row");
    int tried = 0, wrong = 0;
    for (const DType dtype : {DType::f64, DType::f32}) {
        const auto problem = SpmvProblem::from(named.matrix, dtype, {}, named.name);
        const Space space = make_spmv_family()->space(*problem, target);
        space.each({}, [&](const Variant& v) {
            const Choice choice = decode(space, v, dtype);
            if (choice.partition != Partition::split || choice.prefetch > 128) return true;
            ++tried;
            Product product(place_matrix(problem->matrix(), dtype, choice, 1, team), choice,
                            kernel_of(space, v, target, dtype), team);
            const double error =
                dtype == DType::f64
                    ? error_of_product<double>(product, problem->matrix(), dtype, 0, Fence::after)
                    : error_of_product<float>(product, problem->matrix(), dtype, 0, Fence::after);
            const auto same = [&] {
                return dtype == DType::f64 ? same_each_time<double>(product, problem->matrix())
                                           : same_each_time<float>(product, problem->matrix());
            };
            if ((error > 1.0 || !same()) && ++wrong <= 3) FAIL_CHECK(space.to_text(v) << ": " << error);
            return true;
        });
    }
    CHECK(wrong == 0);
    CHECK(tried > 100);
    const Layout layout = make_layout(named.matrix.view(), {});
    int heads_alone = 0;
    for (const ThreadRange& range : ranges_of(layout, 5, Partition::split))
        heads_alone += !range.head.empty() && range.g0 == range.g1;
    CHECK(heads_alone >= 2);
}

TEST_CASE("spmv: the overhang is what completes the last block column") {
    FormatKey key;
    key.format = Format::bcsr;
    key.block = {2, 4};
    CHECK(Product::overhang(key, 8) == 0);
    CHECK(Product::overhang(key, 9) == 3);
    CHECK(Product::overhang(key, 1) == 3);
    key.format = Format::sell;
    CHECK(Product::overhang(key, 9) == 0);
}

namespace {

/// Whether the values as stored are those of the matrix when it is converted anew.
template <typename T>
bool same_values(const PlacedMatrix& a, const PlacedMatrix& b) {
    const auto* left = static_cast<const T*>(a.arguments().values);
    const auto* right = static_cast<const T*>(b.arguments().values);
    const auto count = static_cast<std::size_t>(a.bytes().values) / sizeof(T);
    return a.bytes().values == b.bytes().values && std::equal(left, left + count, right);
}

}  // namespace

TEST_CASE("spmv: new values for a pattern lie where a conversion puts them, in every format") {
    Target target;
    target.width_bits = usable_widths();
    target.threads = 2;
    Team team(two_cpus());
    int tried = 0, rows_again = 0;
    for (Named& named : awkward_matrices()) {
        for (const DType dtype : {DType::f64, DType::f32}) {
            const auto problem = SpmvProblem::from(named.matrix, dtype, {}, named.name);
            Csr other = named.matrix;
            for (std::size_t k = 0; k < other.value.size(); ++k)
                other.value[k] = static_cast<double>(k % 97) - 48.0;
            CsrView pattern = other.view();
            pattern.value = {};
            const std::vector<float> narrow(other.value.begin(), other.value.end());
            const Space space = make_spmv_family()->space(*problem, target);
            std::set<FormatKey> formats;
            for (const Variant& v : test::some_variants(space, 0, 64, 3)) {
                const Choice choice = decode(space, v, dtype);
                if (!formats.insert(choice.format).second) continue;
                INFO(named.name << ": " << space.to_text(v));
                const auto placed = place_matrix(problem->matrix(), dtype, choice, 1, team);
                const auto anew = place_matrix(other.view(), dtype, choice, 1, team);
                if (tried % 2 == 0) {
                    placed->set_values(pattern, other.value.data(), team);
                } else {
                    placed->set_values(pattern, narrow.data(), team);
                }
                CHECK((dtype == DType::f64 ? same_values<double>(*placed, *anew)
                                           : same_values<float>(*placed, *anew)));
                CHECK(placed->values(pattern, team) == other.value);
                CHECK(placed->intact());
                if (choice.format.format == Format::csr) {
                    const Csr again = placed->pattern(other.cols);
                    CHECK(again.row_begin == other.row_begin);
                    CHECK(again.column == other.column);
                    CHECK(again.cols == other.cols);
                    ++rows_again;
                }
                ++tried;
            }
        }
    }
    CHECK(tried > 200);
    CHECK(rows_again > 20);
}
