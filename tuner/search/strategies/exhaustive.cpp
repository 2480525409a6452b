// Every point in the order of the landscape: for spaces small enough to be measured whole, and for records of
// them. It learns nothing, and early on it sees one corner of the space only.
#include <unordered_set>

#include "tuner/search/strategies/strategies.h"

namespace rooftune {
namespace {

class Exhaustive : public Strategy {
public:
    explicit Exhaustive(const Landscape& landscape) : size_(landscape.size()) {}

    std::size_t propose() override {
        for (;;) {
            const std::size_t point = next_;
            next_ = (next_ + 1) % size_;
            if (seen_.size() >= size_ || !seen_.contains(point)) return point;
        }
    }
    void observe(std::size_t point, std::optional<double>) override { seen_.insert(point); }

private:
    std::size_t size_, next_ = 0;
    std::unordered_set<std::size_t> seen_;
};

}  // namespace

std::unique_ptr<Strategy> make_exhaustive(const Landscape& landscape, std::uint64_t) {
    return std::make_unique<Exhaustive>(landscape);
}

}  // namespace rooftune
