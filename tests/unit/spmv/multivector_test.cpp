// Several vectors at once: right by every kernel of every instruction set, in both orders, for any number of
// them, and nothing beyond or between them is touched.
#include "kernels/spmv/multivector.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

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

// Expected answers for vectors of input_element(seed, …), made when they are asked for.
class Oracles {
public:
    Oracles(const CsrView& a, DType dtype) : a_(&a), dtype_(dtype) {}
    const Oracle& of(std::int64_t vector) {
        const auto seed = static_cast<std::uint64_t>(vector % 5 + 1);
        if (!made_.count(seed)) made_.emplace(seed, make_oracle(*a_, dtype_, seed));
        return made_.at(seed);
    }
    static double element(std::int64_t vector, std::int64_t i) {
        return input_element(static_cast<std::uint64_t>(vector % 5 + 1), i);
    }

private:
    const CsrView* a_;
    DType dtype_;
    std::map<std::uint64_t, Oracle> made_;
};

struct Order {
    bool side_by_side;
    std::int64_t gap;  ///< elements between lines
    Fence fence;
};

// The largest error against its tolerance; infinity where a gap was written.
template <typename T>
double worst_error(MultivectorProduct& product, const CsrView& a, Oracles& oracles, std::int64_t count,
                   const Order& order) {
    constexpr T kGap = T{77};
    const auto line = [&](std::int64_t length) { return (order.side_by_side ? count : length) + order.gap; };
    const auto extent = [&](std::int64_t length) {
        const std::int64_t lines = order.side_by_side ? length : count;
        return static_cast<std::size_t>(
            lines == 0 || line(length) == order.gap ? 0 : lines * line(length) - order.gap);
    };
    const auto at = [&](std::int64_t length, std::int64_t vector, std::int64_t i) {
        return static_cast<std::size_t>(order.side_by_side ? i * line(length) + vector
                                                           : vector * line(length) + i);
    };
    const auto strides = [&](auto* first, std::int64_t length) {
        return Vectors<std::remove_pointer_t<decltype(first)>>{first, order.side_by_side ? line(length) : 1,
                                                               order.side_by_side ? 1 : line(length)};
    };
    Fenced<T> x(extent(a.cols), order.fence), y(extent(a.rows), order.fence);
    std::fill_n(x.data(), x.size(), std::numeric_limits<T>::quiet_NaN());
    std::fill_n(y.data(), y.size(), kGap);
    std::size_t written = 0;
    for (std::int64_t v = 0; v < count; ++v) {
        for (std::int64_t j = 0; j < a.cols; ++j)
            x[at(a.cols, v, j)] = static_cast<T>(Oracles::element(v, j));
        for (std::int64_t i = 0; i < a.rows; ++i, ++written)
            y[at(a.rows, v, i)] = std::numeric_limits<T>::quiet_NaN();
    }
    product.run(count, T{1}, strides(static_cast<const T*>(x.data()), a.cols), T{0},
                strides(y.data(), a.rows));
    double error = 0.0;
    for (std::int64_t v = 0; v < count; ++v) {
        const Oracle& oracle = oracles.of(v);
        for (std::int64_t i = 0; i < a.rows; ++i) {
            const auto row = static_cast<std::size_t>(i);
            const T is = y[at(a.rows, v, i)];
            error = std::max(error,
                             error_of(static_cast<double>(is), oracle.expected[row], oracle.tolerance[row]));
            y[at(a.rows, v, i)] = kGap;
        }
    }
    const bool gaps_are_whole = std::all_of(y.data(), y.data() + y.size(), [](T v) { return v == kGap; });
    return gaps_are_whole ? error : std::numeric_limits<double>::infinity();
}

std::vector<Isa> sets_here() {
    std::vector<Isa> sets;
    std::vector<int> widths;
    for (const int width : usable_widths()) {
        widths.push_back(width);
        if (sets.empty() || sets.back() != choose_isa(widths)) sets.push_back(choose_isa(widths));
    }
    return sets;
}

}  // namespace

TEST_CASE("spmv: several vectors at once, by every kernel, in both orders") {
    Target target;
    target.width_bits = usable_widths();
    target.threads = 2;
    Team team(two_cpus());
    std::mt19937 random(11);
    const auto any = [&](int most) { return static_cast<int>(random() % static_cast<unsigned>(most)); };
    // Each kernel: format, height of a block or chunk, bits of an index, type, number of vectors.
    std::set<std::tuple<int, int, int, int, int>> seen;
    for (Named& named : awkward_matrices()) {
        for (const DType dtype : {DType::f64, DType::f32}) {
            const auto problem = SpmvProblem::from(named.matrix, dtype, {}, named.name);
            const CsrView& a = problem->matrix();
            const Space space = make_spmv_family()->space(*problem, target);
            Oracles oracles(a, dtype);
            int wrong = 0;
            // Vectors of these take longer to make than to multiply.
            const bool large = a.rows + a.cols > 5000;
            std::set<std::tuple<int, int, int>> tried;
            for (const Variant& v :
                 test::some_variants(space, 0, large ? 10 : 400, static_cast<unsigned>(random()))) {
                const Choice choice = decode(space, v, dtype);
                const FormatKey& format = choice.format;
                if (!tried.insert({static_cast<int>(format.format), format.group_rows(), format.index_bits})
                         .second)
                    continue;
                const auto matrix = place_matrix(a, dtype, choice, 1, team);
                for (const Isa isa : sets_here()) {
                    MultivectorProduct product(matrix, a.cols, choice, isa, team);
                    for (const int vectors : kVectorCounts) {
                        // All of the kernel's vectors or some, and now and then a second pass.
                        const std::int64_t count = any(4) == 0 ? 16 + vectors : vectors - any(vectors / 2);
                        const Order order{any(2) == 0, any(2) * (1 + any(9)),
                                          any(2) == 0 ? Fence::before : Fence::after};
                        const double error = dtype == DType::f64
                                                 ? worst_error<double>(product, a, oracles, count, order)
                                                 : worst_error<float>(product, a, oracles, count, order);
                        seen.insert({static_cast<int>(format.format), format.group_rows(), format.index_bits,
                                     static_cast<int>(dtype), vectors});
                        if (!(error <= 1.0) && ++wrong <= 3)
                            FAIL_CHECK(named.name << ": " << error << ": " << count << " vectors, "
                                                  << (order.side_by_side ? "side by side" : "in columns")
                                                  << ", gap " << order.gap << ": " << space.to_text(v));
                    }
                    CHECK(matrix->intact());
                }
            }
            CHECK(wrong == 0);
        }
    }
    // Heights: 1 of rows, 2, 3, 4, 6 and 8 of blocks, 4 to 64 of chunks.
    CHECK(seen.size() == (1 + 5 + 5) * 2 * 2 * std::size(kVectorCounts));
}

TEST_CASE("spmv: vectors side by side that are written past the caches") {
    // A few entries over so many columns that sixteen vectors of them take 38 MB.
    constexpr std::uint32_t kColumns = 300'001;
    const Csr rows = from_rows(kColumns, {{0, 7, kColumns / 2}, {}, {kColumns / 2 - 1, kColumns - 1}});
    const CsrView a = rows.view();
    Team team(two_cpus());
    Choice choice;
    choice.threads = 2;
    const auto matrix = place_matrix(a, DType::f64, choice, 1, team);
    Oracles oracles(a, DType::f64);
    for (const Isa isa : sets_here()) {
        MultivectorProduct product(matrix, a.cols, choice, isa, team);
        CHECK(worst_error<double>(product, a, oracles, 16, {false, 0, Fence::after}) <= 1.0);
        CHECK(product.memory_bytes() >= std::size_t{32} << 20);
    }
}
