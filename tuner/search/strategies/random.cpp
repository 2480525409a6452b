// Uniform sampling without replacement: what every other strategy has to beat.
#include "tuner/search/strategies/memory.h"
#include "tuner/search/strategies/strategies.h"

namespace rooftune {
namespace {

class Random : public Strategy {
public:
    Random(const Landscape& landscape, std::uint64_t seed)
        : random_(seed), memory_(landscape.size(), random_) {}
    std::size_t propose() override { return memory_.any(); }
    void observe(std::size_t point, std::optional<double> value) override { memory_.observe(point, value); }

private:
    std::mt19937_64 random_;
    Memory memory_;
};

}  // namespace

std::unique_ptr<Strategy> make_random(const Landscape& landscape, std::uint64_t seed) {
    return std::make_unique<Random>(landscape, seed);
}

}  // namespace rooftune
