// Hill climbing with restarts. From a point the neighbours (one parameter changed) are tried in random order
// and the first that is better is taken; at a local minimum it begins again: half of the time from a few
// changes to the best point so far (iterated local search), else anywhere.
#include <algorithm>
#include <limits>

#include "tuner/search/strategies/strategies.h"

namespace rooftune {
namespace {

constexpr double kFailed = std::numeric_limits<double>::infinity();

class Local : public Strategy {
public:
    Local(const Landscape& landscape, std::uint64_t seed)
        : landscape_(landscape), random_(seed), known_(landscape.size(), 0.0) {
        restart();
    }

    std::size_t propose() override {
        // What is known already needs no proposal: the climb goes on until it needs something new.
        while (true) {
            if (pending_.empty()) {
                if (known_[current_] == 0.0) return current_;
                restart();
                if (known_[current_] == 0.0) return current_;
                open_neighbours();
                if (pending_.empty() || ++idle_ > 100) {
                    idle_ = 0;
                    return landscape_.draw(random_);
                }
            }
            const std::size_t next = pending_.back();
            if (known_[next] == 0.0) {
                idle_ = 0;
                return next;
            }
            pending_.pop_back();
            consider(next);
        }
    }

    void observe(std::size_t point, std::optional<double> value) override {
        known_[point] = value.value_or(kFailed);
        if (known_[point] < best_value_) {
            best_value_ = known_[point];
            best_ = point;
        }
        if (point == current_ && pending_.empty()) open_neighbours();
    }

private:
    void open_neighbours() {
        pending_ = landscape_.neighbours(current_);
        std::shuffle(pending_.begin(), pending_.end(), random_);
    }
    void consider(std::size_t point) {
        if (!(known_[point] < known_[current_])) return;
        current_ = point;
        open_neighbours();
    }
    void restart() {
        pending_.clear();
        if (best_value_ == kFailed || random_() % 2 == 0) {
            current_ = landscape_.draw(random_);
            return;
        }
        std::size_t at = best_;
        for (int i = 0; i < 3; ++i) {
            const std::vector<std::size_t>& around = landscape_.neighbours(at);
            if (!around.empty()) at = around[random_() % around.size()];
        }
        current_ = at;
    }

    const Landscape& landscape_;
    std::mt19937_64 random_;
    std::vector<double> known_;  ///< 0: not observed
    std::vector<std::size_t> pending_;
    std::size_t current_ = 0, best_ = 0;
    double best_value_ = kFailed;
    int idle_ = 0;
};

}  // namespace

std::unique_ptr<Strategy> make_local(const Landscape& landscape, std::uint64_t seed) {
    return std::make_unique<Local>(landscape, seed);
}

}  // namespace rooftune
