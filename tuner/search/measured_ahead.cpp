#include "tuner/search/measured_ahead.h"

namespace rooftune {

bool take_measured_ahead(RunState& run, int evaluations) {
    bool any = false;
    for (Evaluator::Ahead& ahead : run.evaluator.measured_ahead()) {
        if (run.evaluations_left() == 0 || (evaluations > 0 && run.evaluations >= evaluations)) break;
        const bool fits =
            run.ledger.incumbent() && ahead.request.companion == run.ledger.incumbent()->variant;
        if (!fits || run.ledger.evaluated(ahead.variant)) continue;
        run.take(ahead.variant, ahead.request, std::move(ahead.record));
        any = true;
    }
    return any;
}

}  // namespace rooftune
