#include "tests/peers/harness/turn.h"

#include <algorithm>
#include <cmath>

namespace rooftune::peers {

Slot take_turn(const std::function<void()>& run, Stopwatch& stopwatch, const TurnRules& rules) {
    constexpr double kOneBatchFrom = 0.2;
    constexpr double kOneRunFrom = 1.0;
    const auto timed = [&](int repetitions) {
        const double start = stopwatch.now();
        for (int r = 0; r < repetitions; ++r) run();
        return stopwatch.now() - start;
    };
    stopwatch.watch();
    const double warm_up = timed(1);
    Slot slot{warm_up, 1, false};
    if (warm_up < kOneRunFrom) {
        const double least = std::max(rules.seconds / rules.batches, 1000.0 * stopwatch.resolution());
        const int batches = warm_up < kOneBatchFrom ? rules.batches : 1;
        // The warm-up may be several times a warm repetition: batches that come out short are extended.
        int repetitions = std::max(1, static_cast<int>(std::ceil(least / std::max(warm_up, 1e-9))));
        for (int b = 0; b < batches; ++b) {
            double batch = timed(repetitions);
            while (batch < 0.8 * least) {
                repetitions = static_cast<int>(std::ceil(repetitions * least / std::max(batch, 1e-9)));
                batch = timed(repetitions);
            }
            const double mean = batch / repetitions;
            slot.seconds = b == 0 ? mean : std::min(slot.seconds, mean);
        }
        slot.repetitions = repetitions;
    }
    slot.disturbed = stopwatch.disturbed();
    return slot;
}

}  // namespace rooftune::peers
