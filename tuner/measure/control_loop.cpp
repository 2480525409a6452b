#include "tuner/measure/control_loop.h"

#include <algorithm>
#include <array>
#include <limits>

#include "tuner/measure/sampling.h"

namespace rooftune::track {
namespace {

constexpr int kTimes = 5;
constexpr int kProducts = 1'500'000;  // some 4 ms at 4 cycles each
constexpr std::size_t kDoubles = (std::size_t{64} << 20) / sizeof(double);

// A compiler can neither shorten nor drop what it computes: it sees neither the factor nor who uses the
// product.
volatile double some_factor = 1.0 + 1e-9;
volatile double somebody = 0.0;

void multiply(int products) {
    const double factor = some_factor;
    double product = 1.0;
    for (int i = 0; i < products; ++i) product *= factor;
    somebody = product;
}

void add_up(const std::vector<double>& data) {
    std::array<double, 8> sums{};
    for (std::size_t i = 0; i + sums.size() <= data.size(); i += sums.size()) {
        for (std::size_t j = 0; j < sums.size(); ++j) sums[j] += data[i + j];
    }
    for (const double s : sums) somebody = somebody + s;
}

}  // namespace

std::optional<ControlKind> control_from(std::string_view text) {
    if (text == "compute") return ControlKind::compute;
    if (text == "memory") return ControlKind::memory;
    return std::nullopt;
}

std::string_view describe(ControlKind kind) {
    return kind == ControlKind::compute ? "a chain of products on one thread" : "64 MiB read by one thread";
}

ControlLoop::ControlLoop(ControlKind kind, double work)
    : kind_(kind), products_(static_cast<int>(work * kProducts)) {
    // Not zeros: some cores drop stores of zero over zero, and some memories pages of it.
    if (kind == ControlKind::memory) data_.assign(static_cast<std::size_t>(work * kDoubles), 1.0);
}

double ControlLoop::seconds() {
    SystemStopwatch stopwatch;
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < kTimes; ++i) {
        const double start = stopwatch.now();
        if (kind_ == ControlKind::compute) {
            multiply(products_);
        } else {
            add_up(data_);
        }
        least = std::min(least, stopwatch.now() - start);
    }
    return least;
}

}  // namespace rooftune::track
