// Hill climbing with restarts. From the best of twenty drawn points the neighbours (one parameter changed)
// are tried in random order and the first that is better is taken; at a local minimum it begins again: half
// of the time from a few changes to the best point so far (iterated local search, H. R. Lourenço, O. C.
// Martin, T. Stützle, 2003), else anywhere. The right one where parameters act nearly independently of each
// other.
#include "tuner/search/strategies/memory.h"
#include "tuner/search/strategies/strategies.h"

namespace rooftune {
namespace {

constexpr int kKick = 3;  // changes: fewer lead back to the same minimum
// Through what is known: some fifteen whole neighbourhoods without anything new.
constexpr int kClimbSteps = 1'000;

class Local : public Strategy {
public:
    Local(const Landscape& landscape, std::uint64_t seed)
        : landscape_(landscape), random_(seed), memory_(landscape.size(), random_) {}

    std::size_t propose() override {
        if (memory_.count() < kDesign) return memory_.any();
        if (!begun_) {
            begun_ = true;
            go_to(memory_.best() ? *memory_.best() : memory_.any());
        }
        // What is known already needs no proposal: the climb goes on until it needs something new.
        for (int step = 0; step < kClimbSteps; ++step) {
            if (!memory_.seen(current_)) return current_;
            if (memory_.value(current_) == kFailed) {
                go_to(memory_.any());
                continue;
            }
            if (!opened_) {
                opened_ = true;
                pending_ = landscape_.neighbours(current_);
                shuffle(pending_, random_);
            }
            if (pending_.empty()) {
                restart();
                continue;
            }
            const std::size_t next = pending_.back();
            if (!memory_.seen(next)) return next;
            pending_.pop_back();
            if (memory_.value(next) < memory_.value(current_)) go_to(next);
        }
        return memory_.any();
    }

    void observe(std::size_t point, std::optional<double> value) override { memory_.observe(point, value); }

private:
    void go_to(std::size_t point) {
        current_ = point;
        opened_ = false;
    }
    void restart() {
        if (below(random_, 2) == 0) {
            go_to(landscape_.draw(random_));
            return;
        }
        std::size_t at = memory_.best().value_or(current_);
        for (int i = 0; i < kKick; ++i) {
            const std::vector<std::size_t> around = landscape_.neighbours(at);
            if (!around.empty()) at = pick(around, random_);
        }
        go_to(at);
    }

    const Landscape& landscape_;
    std::mt19937_64 random_;
    Memory memory_;
    std::vector<std::size_t> pending_;  ///< neighbours of the current point that were not looked at
    std::size_t current_ = 0;
    bool begun_ = false, opened_ = false;
};

}  // namespace

std::unique_ptr<Strategy> make_local(const Landscape& landscape, std::uint64_t seed) {
    return std::make_unique<Local>(landscape, seed);
}

}  // namespace rooftune
