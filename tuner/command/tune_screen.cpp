#include "tuner/command/tune_screen.h"

#include "tuner/base/standard_error.h"

#include "tuner/base/si.h"

namespace rooftune {

std::string tried_text(const TuneProgress& p) {
    std::string text = format_count(p.measured) + " measured + " + format_count(p.raced_out) + " raced out";
    if (p.failed > 0) text += " + " + format_count(p.failed) + " failed";
    return text + " of " + format_count(p.space);
}

void TuneScreen::progress(const TuneProgress& p) {
    ProgressState state;
    state.phase = p.stage;
    state.best_seconds = p.best_seconds;
    state.best_flops_per_second = p.best_seconds > 0.0 ? p.flops_nominal / p.best_seconds : 0.0;
    state.space = p.space;
    state.excluded = p.excluded;
    state.measured = p.evaluated;
    state.counts = tried_text(p);
    state.counts_short =
        format_count(p.measured + p.raced_out + p.failed) + " of " + format_count(p.space) + " tried";
    state.elapsed_seconds = p.elapsed_seconds;
    state.budget_seconds = p.budget_seconds;
    state.budget_evaluations = p.budget_evaluations;
    if (!bar_) bar_.emplace(quiet_, terminal_);
    bar_->update(state);
}

void TuneScreen::notice(const std::string& text) {
    if (bar_) bar_->clear();
    if (!quiet_) tell(text);
}

}  // namespace rooftune
