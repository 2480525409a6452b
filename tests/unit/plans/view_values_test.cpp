// Sparse plans that read the program's own values: right in every format, when they change, and never beyond
// them.
#include <algorithm>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "tests/support/fenced.h"
#include "tests/unit/plans/spmv_plans.h"

using namespace rooftune;
using namespace rooftune::test;
using Catch::Contains;

namespace {

// The values between pages that nobody may touch.
template <typename T>
class FencedValues {
public:
    FencedValues(Arrays<T>& a, Fence fence) : a_(&a), values_(a.value.size(), fence) { set(1); }
    void set(unsigned seed) {
        a_->value = whole_numbers<T>(a_->value.size(), seed);
        std::copy(a_->value.begin(), a_->value.end(), values_.data());
    }
    const T* data() const { return values_.data(); }

private:
    Arrays<T>* a_;
    Fenced<T> values_;
};

template <typename T>
void check_viewed(Arrays<T> a) {
    const SparseMatrix matrix = a.matrix();
    const auto x = whole_numbers<T>(static_cast<std::size_t>(a.cols), 5);
    const auto across = whole_numbers<T>(static_cast<std::size_t>(a.rows), 8);
    const std::vector<T> before(static_cast<std::size_t>(a.rows), T{3});
    for (const Fence fence : {Fence::before, Fence::after}) {
        FencedValues<T> values(a, fence);
        with_plans_of_all_formats<T>(matrix, [&](SpmvPlan<T>& plan) {
            INFO(plan.choice().variant);
            plan.view_values(values.data(), a.given());
            CHECK_THAT(plan.choice().variant, Contains("CSR"));
            for (const unsigned seed : {2U, 3U}) {
                values.set(seed);
                std::vector<T> y(before.size(), std::numeric_limits<T>::quiet_NaN());
                plan.run(x.data(), y.data());
                CHECK(y == a.expected(false, T{1}, x, T{0}, before));
                y = before;
                plan.run(T{2}, x.data(), T{-1}, y.data());
                CHECK(y == a.expected(false, T{2}, x, T{-1}, before));
                std::vector<T> two_x = x, two_y = before;
                two_x.insert(two_x.end(), x.begin(), x.end());
                two_y.insert(two_y.end(), before.begin(), before.end());
                const auto lx = std::max<std::int64_t>(1, a.cols), ly = std::max<std::int64_t>(1, a.rows);
                plan.run_columns(2, T{2}, two_x.data(), lx, T{-1}, two_y.data(), ly);
                CHECK(std::equal(y.begin(), y.end(), two_y.begin()));
                CHECK(std::equal(y.begin(), y.end(), two_y.begin() + a.rows));
                std::vector<T> t(static_cast<std::size_t>(a.cols));
                plan.run_transposed(T{1}, across.data(), T{0}, t.data());
                CHECK(t == a.expected(true, T{1}, across, T{0}, t));
            }
            if (a.given() > 0)
                CHECK_THROWS_WITH(plan.update_values(values.data(), a.given()), Contains("view_values"));
            CHECK_THROWS_WITH(plan.view_values(values.data(), a.given() + 1),
                              Contains("values for a matrix"));
            // Others in another place, and parts by threads of the program.
            FencedValues<T> elsewhere(a, fence);
            elsewhere.set(9);
            plan.view_values(elsewhere.data(), a.given());
            std::vector<T> y(before.size(), std::numeric_limits<T>::quiet_NaN());
            plan.run(
                [](int n, PlanPart part) {
                    for (int i = n; i-- > 0;) part(i);
                },
                x.data(), y.data());
            CHECK(y == a.expected(false, T{1}, x, T{0}, before));
        });
    }
}

// Plans of compressed rows by every kernel and cut, on two threads where there are two.
template <typename T>
std::set<std::string> check_each_kernel(Arrays<T> a) {
    const int threads = static_cast<int>(at_most_two_cpus().size());
    const SparseMatrix matrix = a.matrix();
    const auto family = make_spmv_family();
    const auto problem = spmv::SpmvProblem::from(matrix.inside().csr,
                                                 sizeof(T) == 8 ? DType::f64 : DType::f32, {}, "a matrix");
    const Target target = target_on(this_machine().topology, usable_widths(), threads);
    const Space space = family->space(*problem, target);
    const auto x = whole_numbers<T>(static_cast<std::size_t>(a.cols), 5);
    std::set<std::string> seen;
    space.each({}, [&](const Variant& v) {
        const auto values = space.to_map(v);
        if (values.at("format") != "csr" || values.at("threads") != std::to_string(threads)) return true;
        const auto cut = values.find("partition");
        if (!seen.insert(values.at("index") + " " + values.at("simd") + " " + values.at("unroll") + " " +
                         (cut == values.end() ? "" : cut->second))
                 .second)
            return true;
        TunedConfig config = config_of(*family, *problem, v, space);
        config.result.threads = threads;
        SpmvPlan<T> plan = spmv_plan<T>(tuned_by({config}), matrix, {.threads = threads});
        INFO(plan.choice().variant << ", simd " << values.at("simd") << ": " << plan.choice().why);
        CHECK(plan.choice().from == PlanChoice::From::tuned);
        for (const Fence fence : {Fence::before, Fence::after}) {
            FencedValues<T> program(a, fence);
            plan.view_values(program.data(), a.given());
            program.set(3);
            std::vector<T> y(static_cast<std::size_t>(a.rows), std::numeric_limits<T>::quiet_NaN());
            plan.run(x.data(), y.data());
            CHECK(y == a.expected(false, T{1}, x, T{0}, y));
        }
        return true;
    });
    return seen;
}

// Entries in the first rows only, or in one row that threads share, or in the last one.
template <typename T>
Arrays<T> long_row(std::int64_t rows, std::int64_t at, std::int64_t length) {
    Arrays<T> a;
    a.rows = rows;
    a.cols = length;
    for (std::int64_t i = 0; i < rows; ++i) {
        const std::int64_t here = i == at ? length : i % 3;
        for (std::int64_t k = 0; k < here; ++k) a.column.push_back(static_cast<std::int32_t>(k));
        a.begin.push_back(a.given());
    }
    a.value = whole_numbers<T>(a.column.size(), 4);
    return a;
}

}  // namespace

TEST_CASE("spmv plans: values that stay with the program, in every format") {
    check_viewed(random_arrays<double>(53, 41, 9, Order::ascending, 1));
    check_viewed(random_arrays<float>(41, 53, 9, Order::ascending, 2));
    // Rows in several segments, and fewer entries than a vector has.
    check_viewed(random_arrays<double>(40, 150'000, 60, Order::ascending, 3));
    check_viewed(random_arrays<double>(6, 5, 1, Order::ascending, 5));
}

TEST_CASE("spmv plans: a long row of viewed values, first, in the middle and last") {
    for (const std::int64_t at : {0, 40, 99}) {
        check_viewed(long_row<double>(100, at, 900));
        check_viewed(long_row<float>(100, at, 2000));
    }
}

TEST_CASE("spmv plans: viewed values by every kernel of compressed rows, rows whole and cut") {
    const bool several = at_most_two_cpus().size() > 1;
    const auto has = [](const std::set<std::string>& seen, const std::string& what) {
        return std::any_of(seen.begin(), seen.end(),
                           [&](const std::string& s) { return s.find(what) != std::string::npos; });
    };
    for (const std::int64_t at : {0, 40, 99}) {
        const auto of_f64 = check_each_kernel(long_row<double>(100, at, 900));
        const auto of_f32 = check_each_kernel(long_row<float>(100, at, 2000));
        for (const int width : usable_widths()) {
            for (const char* const bits : {"16 ", "32 "}) {
                CHECK(has(of_f64, bits + std::to_string(width)));
                CHECK(has(of_f32, bits + std::to_string(width)));
            }
        }
        if (several) CHECK((has(of_f64, "split") && has(of_f32, "split")));
    }
}

TEST_CASE("spmv plans: what was said of a plan before it viewed values stays readable") {
    const Arrays<double> a = random_arrays<double>(60, 50, 9, Order::ascending, 1);
    for (const TunedConfig& config : configs_of_all_formats<double>(a.matrix(), 1)) {
        SpmvPlan<double> plan = spmv_plan<double>(tuned_by({config}), a.matrix(), {.threads = 1});
        const std::string before = plan.choice().variant;
        const PlanChoice& then = plan.choice();
        plan.view_values(a.value.data(), a.given());
        if (config.result.best.at("format") != "csr") {
            CHECK(then.variant == before);
            CHECK(plan.choice().variant != before);
        }
        std::vector<double> y(60);
        const std::vector<double> x(50, 1.0);
        CHECK_THROWS_WITH(plan.run(x.data(), const_cast<double*>(a.value.data())),
                          Contains("views and y overlap"));
        CHECK_THROWS_WITH(
            plan.run_columns(1, 1.0, x.data(), 50, 0.0, const_cast<double*>(a.value.data()), 60),
            Contains("views and y overlap"));
        plan.run(x.data(), y.data());
        CHECK(y == a.expected(false, 1.0, x, 0.0, y));
    }
}

TEST_CASE("spmv plans: viewed values take no memory of the plan's") {
    const Arrays<double> a = random_arrays<double>(2000, 3000, 40, Order::ascending, 1);
    SpmvPlan<double> plan = spmv_plan<double>(Tuned(), a.matrix(), {.threads = 1});
    const std::size_t alone = plan.memory_bytes();
    plan.view_values(a.value.data(), a.given());
    const auto values = static_cast<std::size_t>(a.given()) * sizeof(double);
    CHECK(plan.memory_bytes() <= alone - values);
}

TEST_CASE("spmv plans: values that cannot be viewed are refused, and the plan is what it was") {
    const Arrays<double> a = random_arrays<double>(20, 20, 6, Order::any, 1);
    SpmvPlan<double> plan = spmv_plan<double>(Tuned(), a.matrix(), {.threads = 1});
    CHECK_THROWS_WITH(plan.view_values(a.value.data(), a.given()), Contains("use update_values()"));
    CHECK_THROWS_WITH(plan.view_values(nullptr, a.given()), Contains("value is a null pointer"));
    const auto x = whole_numbers<double>(20, 5);
    std::vector<double> y(20);
    plan.run(x.data(), y.data());
    CHECK(y == a.expected(false, 1.0, x, 0.0, y));
    SpmvPlan<double> empty =
        spmv_plan<double>(Tuned(), random_arrays<double>(3, 3, 0, Order::any, 1).matrix(), {.threads = 1});
    empty.view_values(nullptr, 0);
}
