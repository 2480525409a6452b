#include "tuner/track/measuring_screen.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "tuner/base/page_width.h"
#include "tuner/base/si.h"
#include "tuner/base/standard_error.h"
#include "tuner/base/text_width.h"
#include "tuner/measure/order_interval.h"

namespace rooftune {
namespace {

using track::kLooks;
using track::kMostRounds;

// Seconds of a turn's batches, and of the control's.
constexpr double kBatches = 0.1;
constexpr int kRepetitions = 8;  // five batches of one, to verify, to warm up
constexpr double kProbe = 0.05;
constexpr double kWorthTelling = 5.0;
// Rounds that say how long the others take: the first may verify, and one more.
constexpr int kSteady = 2;
// So many times as long or as short as expected is worth a second word.
constexpr double kFarOff = 1.5;

double known(double seconds) {
    return std::isfinite(seconds) && seconds > 0.0 ? seconds : 0.0;
}

double turn_of(const VariantCost& variant) {
    return kWorkerStart + known(variant.prepare) +
           std::max(kBatches, kRepetitions * known(variant.repetition));
}

// "15 s to 1 min 35 s", and one time where both are the same.
std::string words_of(const Wait& wait) {
    const std::string least = format_duration(wait.least), most = format_duration(wait.most);
    return least == most ? most : least + " to " + most;
}

// "about 15 s to 1 min 35 s"; where nothing says how soon it may end, the most alone.
std::string about(const Wait& wait) {
    return wait.least > 0.0 ? "about " + words_of(wait) : "up to about " + format_duration(wait.most);
}

// Of one time alone a reader has to be told which it is.
std::string so_far(double seconds) {
    return format_duration(seconds) + " so far";
}

}  // namespace

Wait wait_of(const Cost& cost, int done) {
    const double before = done > 0 ? 0.0 : cost.before;
    return {(cost.at_most ? 0.0 : before) + cost.round * std::max(0, cost.first_look - done),
            before + cost.round * std::max(0, kMostRounds - done)};
}

Cost cost_of_variants(const VariantCost& base, const VariantCost& candidate) {
    return {0.0, 2.0 * turn_of(base) + turn_of(candidate) + kProbe, kLooks.front().rounds, true};
}

Cost cost_of_programs(double round, bool several) {
    return {0.0, round, kLooks[several ? 1 : 0].rounds};
}

Wait operator+(const Wait& a, const Wait& b) {
    return {a.least + b.least, a.most + b.most};
}

Wait operator*(double times, const Wait& wait) {
    return {times * wait.least, times * wait.most};
}

MeasuringScreen::MeasuringScreen(std::string doing, std::string what, std::size_t of, bool quiet,
                                 ProgressTerminal terminal)
    : doing_(std::move(doing)),
      what_(std::move(what)),
      of_(of),
      quiet_(quiet),
      now_(terminal.now),
      write_(terminal.write),
      started_(now_()),
      bar_(quiet, std::move(terminal)) {}

std::string MeasuringScreen::which() const {
    return of_ > 1 ? fmt::format("{} {} of {}: {}", doing_, number_, of_, name_) : doing_ + " " + name_;
}

void MeasuringScreen::next(const std::string& name) {
    ++number_;
    name_ = printable(name);
    stage("");
}

void MeasuringScreen::stage(const std::string& what) {
    state_ = {};
    state_.phase = what.empty() ? which() : which() + ", " + what;
    state_.compares = false;
    state_.time = so_far(now_() - started_);
    update();
}

void MeasuringScreen::measures() {
    if (told_) return;
    Wait all;
    for (const Cost& cost : costs_) all = all + wait_of(cost);
    if (all.most < kWorthTelling) return;
    told_ = true;
    tell(all, "rounds in fresh processes");
}

void MeasuringScreen::tell(const Wait& all, const std::string& why) {
    const std::string whom =
        of_ <= 1 ? which() : doing_ + " " + format_plural(static_cast<std::int64_t>(of_), what_);
    notice(fmt::format("{}: {}, {} in all", whom, why, about(all)));
}

// Where a round takes another time than was expected, so may those of the things to come.
void MeasuringScreen::correct(const Cost& current, int done) {
    const std::size_t at = number_ - 1;
    if (corrected_ || at >= costs_.size() || costs_[at].round <= 0.0 || current.round <= 0.0) return;
    const double pace = current.round / costs_[at].round;
    if (pace < kFarOff && pace * kFarOff > 1.0) return;
    const double elapsed = now_() - started_;
    Wait all = Wait{elapsed, elapsed} + wait_of(current, done);
    for (std::size_t i = at + 1; i < costs_.size(); ++i) all = all + pace * wait_of(costs_[i]);
    if (!told_ && all.most < kWorthTelling) return;
    corrected_ = true;
    const std::string words =
        pace > 1.0 ? "rounds take longer than expected" : "rounds are done sooner than expected";
    tell(all, told_ ? words : "rounds in fresh processes");
    told_ = true;
}

void MeasuringScreen::rounds(int done, int most, double best, bool in_seconds) {
    const double now = now_();
    const bool is_planned = number_ > 0 && number_ <= costs_.size();
    const Cost plan = is_planned ? costs_[number_ - 1] : Cost{};
    if (done <= 1) first_round_ended_ = now;
    const double each = plan.first_verifies && done > 1
                            ? (now - first_round_ended_) / static_cast<double>(done - 1)
                            : (now - rounds_started_) / static_cast<double>(std::max(1, done));
    const Cost current{0.0, each, plan.first_look};
    if (done == kSteady) correct(current, done);
    state_ = {};
    state_.phase = which();
    state_.compares = best > 0.0;
    state_.best_seconds = best;
    state_.has_unit = in_seconds;
    state_.measured = static_cast<std::uint64_t>(done);
    state_.budget_evaluations = static_cast<std::uint64_t>(most);
    state_.done = fmt::format("{} of at most {} rounds", done, most);
    const bool is_left_known = done > 1 || !plan.first_verifies;
    const std::string left = about(wait_of(current, done)) + " left" + (of_ > 1 ? " of this one" : "");
    state_.time = is_left_known ? format_duration(now - started_) + ", " + left : so_far(now - started_);
    update();
}

void MeasuringScreen::notice(const std::string& text) {
    if (quiet_) return;
    bar_.clear();
    write_(told(text, error_page_width()));
}

Notice MeasuringScreen::notices() {
    return [this](const std::string& text) { notice(text); };
}

void MeasuringScreen::update() {
    bar_.update(state_);
}

}  // namespace rooftune
