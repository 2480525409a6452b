#include "tuner/engine/look_back.h"

#include <algorithm>
#include <memory>
#include <new>

#include "kernels/runtime/error.h"
#include "tuner/base/interrupt.h"
#include "tuner/engine/late_problem.h"

namespace rooftune {
namespace {

void compare(const SetTask& task, const TuneOptions& options, const Machine& machine,
             const TunedWinner& winner, const std::set<SetTask::Values>& known, SetTaskEnd& end) {
    std::unique_ptr<LateProblem> late;
    const auto load = [&] {
        if (late) return;
        late = std::make_unique<LateProblem>(task.job, options, machine, task.seconds_left,
                                             [&end](double seconds) { end.spent_seconds += seconds; });
        end.loading_seconds = late->loading_seconds();
    };
    const bool has_news = std::any_of(task.offers.begin(), task.offers.end(),
                                      [&](const auto& offer) { return !known.contains(offer); });
    if (has_news) {
        load();
        const Exchange exchange = late->exchange(winner, task.offers, known, task.reserve_seconds);
        if (exchange.better) {
            end.better = exchange.better->offer;
            return;
        }
    }
    // Loading it for nothing would take other problems' time.
    const bool has_time = late || task.seconds_left > task.loading_seconds;
    if (!task.nearest_best || !has_time || interrupted()) return;
    load();
    end.left_out = late->left_out(winner, *task.nearest_best);
}

}  // namespace

TunedWinner winner_of(const TuneResult& result) {
    return {result.best, result.seconds.median};
}

SetTaskEnd look_back(const SetTask& task, const TuneOptions& options, const Machine& machine,
                     const TunedWinner& winner, const std::set<SetTask::Values>& known) {
    SetTaskEnd end;
    try {
        compare(task, options, machine, winner, known, end);
    } catch (const EnvironmentError& error) {
        end.why = error.what();
    } catch (const InputError& error) {
        end.why = error.what();
    } catch (const std::bad_alloc&) {
        end.why = "not enough memory";
    }
    return end;
}

}  // namespace rooftune
