#include <rsb.h>

#include <algorithm>
#include <cmath>

#include "kernels/runtime/error.h"
#include "kernels/runtime/memory.h"
#include "tests/peers/soundness/peers.h"
#include "tuner/machine/audit/windows.h"

namespace rooftune::peers {
namespace {

using audit::Case;
using audit::Measurement;
using audit::Outcome;

constexpr const char* kName = "librsb";
constexpr int kNeighbours = 27;

void require(rsb_err_t status, const char* what) {
    if (status != RSB_ERR_NO_ERROR) throw EnvironmentError(std::string("librsb: ") + what + " failed");
}

// A cube of points, each coupled with those around it, as `gen=poisson27` makes it.
struct Grid {
    int side;
    std::vector<rsb_coo_idx_t> rows{}, columns{};
    void fill() {
        const auto number = [this](int x, int y, int z) { return (z * side + y) * side + x; };
        for (int z = 0; z < side; ++z) {
            for (int y = 0; y < side; ++y) {
                for (int x = 0; x < side; ++x) add_row(number(x, y, z), x, y, z, number);
            }
        }
    }
    template <typename F>
    void add_row(int row, int x, int y, int z, F&& number) {
        for (int k = std::max(0, z - 1); k <= std::min(side - 1, z + 1); ++k) {
            for (int j = std::max(0, y - 1); j <= std::min(side - 1, y + 1); ++j) {
                for (int i = std::max(0, x - 1); i <= std::min(side - 1, x + 1); ++i) {
                    rows.push_back(row);
                    columns.push_back(number(i, j, k));
                }
            }
        }
    }
};

std::vector<Case> cases(const audit::PeerSetting& setting) {
    std::vector<Case> result;
    for (const int side : {16, 64}) {
        for (const DType dtype : {DType::f64, DType::f32}) {
            for (const int threads : setting.thread_counts()) {
                const double points = std::pow(side, 3.0);
                const double nonzeros = std::pow(3.0 * side - 2.0, 3.0);
                const auto element = static_cast<double>(size_of(dtype));
                Case c;
                c.peer = kName;
                c.kernel = "poisson" + std::to_string(kNeighbours) + " " + std::to_string(side) + "³";
                c.level = side < 32 ? audit::kSomeCache : "memory";
                c.whole_kernel = true;
                c.dtype = dtype;
                c.threads = threads;
                // Values, at least 16 bits of index each, and x once; y is written. Its formats hold more.
                c.least.read = Bytes(nonzeros * (element + 2.0) + points * element);
                c.least.written = Bytes(points * element);
                c.least.footprint = c.least.read + c.least.written;
                c.arguments = {{"side", std::to_string(side)}};
                if (dtype == DType::f32 || threads == 1) c.turn = static_cast<int>(result.size() % 3);
                result.push_back(std::move(c));
            }
        }
    }
    return result;
}

template <typename T>
Measurement run(const Case& what, rsb_type_t type, double seconds) {
    require(rsb_lib_init(RSB_NULL_INIT_OPTIONS), "starting");
    const rsb_int_t threads = what.threads;
    require(rsb_lib_set_opt(RSB_IO_WANT_EXECUTING_THREADS, &threads), "setting the number of threads");
    Grid grid{std::stoi(what.arguments.at("side"))};
    grid.fill();
    const std::size_t n = static_cast<std::size_t>(grid.side) * static_cast<std::size_t>(grid.side) *
                          static_cast<std::size_t>(grid.side);
    // Quarters: sums of 27 products with small whole numbers are exact.
    std::vector<T> values(grid.rows.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] =
            grid.rows[i] == grid.columns[i] ? T{26} : static_cast<T>(-0.25 * static_cast<double>(i % 5));
    rsb_err_t failed = RSB_ERR_NO_ERROR;
    rsb_mtx_t* matrix = rsb_mtx_alloc_from_coo_const(
        values.data(), grid.rows.data(), grid.columns.data(), static_cast<rsb_nnz_idx_t>(values.size()), type,
        static_cast<rsb_coo_idx_t>(n), static_cast<rsb_coo_idx_t>(n), RSB_DEFAULT_ROW_BLOCKING,
        RSB_DEFAULT_COL_BLOCKING, RSB_FLAG_NOFLAGS, &failed);
    require(failed, "making the matrix");
    if (!matrix) throw EnvironmentError("librsb: no matrix");
    std::vector<T> x(n), y(n, T{7}), expected(n, T{0});
    for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<T>(i % 7);
    for (std::size_t i = 0; i < values.size(); ++i)
        expected[static_cast<std::size_t>(grid.rows[i])] +=
            values[i] * x[static_cast<std::size_t>(grid.columns[i])];
    const T one{1}, zero{0};
    const auto once = [&] {
        require(rsb_spmv(RSB_TRANSPOSITION_N, &one, matrix, x.data(), 1, &zero, y.data(), 1), "a product");
    };
    once();
    Measurement m;
    if (y != expected) {
        m.outcome = Outcome::wrong;
        m.detail = "the product differs from a plain loop's";
        return m;
    }
    m = audit::fastest_window(
        [&](std::int64_t repetitions) {
            for (std::int64_t r = 0; r < repetitions; ++r) once();
        },
        seconds);
    m.detail = "librsb, recursive blocks as it chooses";
    return m;
}

}  // namespace

audit::Peer rsb_peer() {
    audit::Peer peer;
    peer.name = kName;
    peer.package = "librsb-dev";
    peer.cases = cases;
    peer.find = [] {
        require(rsb_lib_init(RSB_NULL_INIT_OPTIONS), "starting");
        return audit::Found{true, std::string(RSB_HEADER_VERSION_STRING)};
    };
    peer.measure = [](const Case& what, const std::vector<int>&, double seconds) {
        return what.dtype == DType::f32 ? run<float>(what, RSB_NUMERICAL_TYPE_FLOAT, seconds)
                                        : run<double>(what, RSB_NUMERICAL_TYPE_DOUBLE, seconds);
    };
    return peer;
}

}  // namespace rooftune::peers
