#include "tuner/track/measuring_screen.h"

#include <fmt/format.h>

#include <algorithm>
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

// What a turn of a variant takes besides its batches: a process that starts, prepares and verifies.
constexpr double kStart = 0.15;  // seconds
constexpr double kBatches = 0.1;
constexpr int kRepetitions = 8;  // five batches of one, to verify, to warm up
constexpr double kProbe = 0.05;
constexpr double kWorthTelling = 5.0;

double turn_of_variant(double repetition) {
    return kStart + std::max(kBatches, kRepetitions * repetition);
}

Wait of_rounds(double round, int first_look) {
    return {round * first_look, round * kMostRounds};
}

}  // namespace

Wait wait_of_variants(double base, double candidate) {
    return of_rounds(2.0 * turn_of_variant(base) + turn_of_variant(candidate) + kProbe,
                     kLooks.front().rounds);
}

Wait wait_of_programs(double round, bool several) {
    return of_rounds(round, kLooks[several ? 1 : 0].rounds);
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
    state_.time = format_duration(now_() - started_);
    update();
}

void MeasuringScreen::measures() {
    if (told_ || all_.most < kWorthTelling) return;
    told_ = true;
    const std::string takes =
        fmt::format("{} to {}", format_duration(all_.least), format_duration(all_.most));
    if (of_ <= 1) {
        notice(fmt::format("{}: rounds in fresh processes, about {}", which(), takes));
    } else {
        notice(fmt::format("{} {}: rounds in fresh processes, about {} in all", doing_,
                           format_plural(static_cast<std::int64_t>(of_), what_), takes));
    }
}

void MeasuringScreen::rounds(int done, int most, double best, bool in_seconds) {
    const double now = now_();
    const double each = (now - rounds_started_) / std::max(1, done);
    state_ = {};
    state_.phase = which();
    state_.compares = best > 0.0;
    state_.best_seconds = best;
    state_.has_unit = in_seconds;
    state_.measured = static_cast<std::uint64_t>(done);
    state_.budget_evaluations = static_cast<std::uint64_t>(most);
    state_.done = fmt::format("{} of at most {} rounds", done, most);
    state_.time =
        fmt::format("{}, at most {} left{}", format_duration(now - started_),
                    format_duration(each * std::max(0, most - done)), of_ > 1 ? " of this one" : "");
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
