#include "tuner/engine/late_problem.h"
#include "tuner/engine/worker_program.h"

#include <utility>

#include "tuner/base/clock.h"
#include "tuner/base/interrupt.h"

namespace rooftune {

LateProblem::LateProblem(const Job& job, const TuneOptions& options, const Machine& machine,
                         double seconds_left, std::function<void(double)> spent)
    : entered_(monotonic_seconds()),
      seconds_left_(seconds_left),
      spent_(std::move(spent)),
      setting_(make_setting(job, options.common, options.only, machine)),
      shared_(setting_),
      evaluator_(*setting_.space, worker_of(options), worker_setup(setting_, job), shared_.descriptor(),
                 options.common.seed),
      loading_(monotonic_seconds() - entered_),
      lock_([] { return !interrupted(); }),
      start_(evaluator_.now()) {}

LateProblem::~LateProblem() {
    spent_(taken());
}

std::optional<LeftOut> LateProblem::left_out(const TunedWinner& winner, const Values& neighbours_best) {
    const auto best = variant(winner.best);
    if (!best) return std::nullopt;
    return measure_left_out(evaluator_, *setting_.space, *best, winner.seconds, neighbours_best, left());
}

Exchange LateProblem::exchange(const TunedWinner& winner, const std::vector<Values>& offers,
                               const std::set<Values>& known, double reserve) {
    const auto best = variant(winner.best);
    if (!best) return {};
    std::set<Variant> here;
    for (const Values& values : known) {
        if (const auto known_here = variant(values)) here.insert(*known_here);
    }
    return measure_exchange(evaluator_, *setting_.space, *best, winner.seconds, offers, here,
                            left() - reserve);
}

std::optional<Variant> LateProblem::variant(const Values& values) const {
    std::string why;
    return setting_.space->from_map(values, why);
}

}  // namespace rooftune
