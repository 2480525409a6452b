// Uniform sampling without replacement: what every other strategy has to beat.
#include <algorithm>
#include <numeric>

#include "tuner/search/strategies/strategies.h"

namespace rooftune {
namespace {

class Random : public Strategy {
public:
    Random(const Landscape& landscape, std::uint64_t seed) : order_(landscape.size()) {
        std::iota(order_.begin(), order_.end(), std::size_t{0});
        std::mt19937_64 random(seed);
        std::shuffle(order_.begin(), order_.end(), random);
    }
    std::size_t propose() override { return order_[next_++ % order_.size()]; }
    void observe(std::size_t, std::optional<double>) override {}

private:
    std::vector<std::size_t> order_;
    std::size_t next_ = 0;
};

}  // namespace

std::unique_ptr<Strategy> make_random(const Landscape& landscape, std::uint64_t seed) {
    return std::make_unique<Random>(landscape, seed);
}

}  // namespace rooftune
