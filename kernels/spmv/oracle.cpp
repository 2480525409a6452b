#include "kernels/spmv/oracle.h"

#include <cmath>
#include <limits>
#include <vector>

namespace rooftune::spmv {
namespace {

/// n·u/(1 − n·u).
double gamma(double n, double u) {
    return n * u / (1.0 - n * u);
}

template <typename T, typename Wide>
Oracle reference(const CsrView& a, std::uint64_t seed) {
    constexpr double kUnit = std::numeric_limits<T>::epsilon() / 2.0;
    constexpr double kWideUnit = static_cast<double>(std::numeric_limits<Wide>::epsilon()) / 2.0;
    constexpr double kDoubleUnit = std::numeric_limits<double>::epsilon() / 2.0;
    constexpr double kLeast = std::numeric_limits<T>::denorm_min();
    std::vector<T> x(static_cast<std::size_t>(a.cols));
    for (std::size_t j = 0; j < x.size(); ++j)
        x[j] = static_cast<T>(input_element(seed, static_cast<std::int64_t>(j)));
    Oracle oracle;
    oracle.expected.reserve(static_cast<std::size_t>(a.rows));
    oracle.tolerance.reserve(static_cast<std::size_t>(a.rows));
    for (std::size_t i = 0; i < static_cast<std::size_t>(a.rows); ++i) {
        Wide sum = 0;
        Wide magnitude = 0;
        for (std::int64_t k = a.row_begin[i]; k < a.row_begin[i + 1]; ++k) {
            const auto at = static_cast<std::size_t>(k);
            const Wide product =
                static_cast<Wide>(static_cast<T>(a.value[at])) * static_cast<Wide>(x[a.column[at]]);
            sum += product;
            magnitude += product < 0 ? -product : product;
        }
        const auto n = static_cast<double>(a.row_begin[i + 1] - a.row_begin[i]);
        const double relative = gamma(n, kUnit) + gamma(n, kWideUnit) + kDoubleUnit;
        oracle.expected.push_back(static_cast<double>(sum));
        oracle.tolerance.push_back(n == 0.0 ? 0.0 : relative * static_cast<double>(magnitude) + n * kLeast);
    }
    return oracle;
}

}  // namespace

double input_element(std::uint64_t seed, std::int64_t i) {
    // SplitMix64 (Steele, Lea, Flood 2014) of the pair.
    std::uint64_t z = seed * 0x9E3779B97F4A7C15U + static_cast<std::uint64_t>(i) * 0xD1342543DE82EF95U +
                      0x632BE59BD9B4E019U;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    z ^= z >> 31;
    const double magnitude = 0.5 + 0.5 * static_cast<double>(z >> 12) * 0x1p-52;
    return (z & 1U) != 0 ? -magnitude : magnitude;
}

Oracle make_oracle(const CsrView& a, DType dtype, std::uint64_t seed) {
    return dtype == DType::f64 ? reference<double, long double>(a, seed) : reference<float, double>(a, seed);
}

}  // namespace rooftune::spmv
