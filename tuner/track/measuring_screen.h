// How far a command is that measures one thing after the other in rounds: what it will take is said before
// the first long wait; then a bar on a terminal, and a line now and then elsewhere (tuner/base/progress.h).
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "tuner/base/notice.h"
#include "tuner/base/progress.h"

namespace rooftune {

/// Seconds that rounds take, by the first look at them and by the last.
struct Wait {
    double least = 0.0, most = 0.0;
};

/// Of rounds of A, B and A once more in fresh processes, of variants with these seconds a repetition.
Wait wait_of_variants(double base, double candidate);
/// Of rounds of programs that take so many seconds each. `several`: more verdicts than one hold together, so
/// that the first look comes later.
Wait wait_of_programs(double round, bool several);
Wait operator+(const Wait& a, const Wait& b);
Wait operator*(double times, const Wait& wait);

class MeasuringScreen {
public:
    /// `doing`: "verifying"; `what` is one of those `of`: "tuned config". The lines go to the terminal, and
    /// so do notices through notices().
    MeasuringScreen(std::string doing, std::string what, std::size_t of, bool quiet,
                    ProgressTerminal terminal = stderr_terminal());

    /// What the rounds of all of them take. Told once, by the first measures().
    void expects(const Wait& all) { all_ = all; }

    std::size_t count() const { return of_; }

    /// The next of them: "7-point 64x64x64 f64".
    void next(const std::string& name);
    /// What happens to it now, before its rounds: "checks its answer".
    void stage(const std::string& what);
    /// It is measured from here on.
    void measures();
    /// Its rounds begin.
    void rounds_begin() { rounds_started_ = now_(); }
    /// So many are done, of so many at most. `best`: what the baseline took, 0 where that is not known.
    void rounds(int done, int most, double best, bool in_seconds);

    /// Told where the bar was; the bar comes back by itself. Nothing with --quiet.
    void notice(const std::string& text);
    Notice notices();
    /// Takes the bar away.
    void clear() { bar_.clear(); }

private:
    void update();
    std::string which() const;

    std::string doing_, what_;
    std::size_t of_, number_ = 0;
    bool quiet_;
    std::function<double()> now_;
    std::function<void(std::string_view)> write_;
    double started_, rounds_started_ = 0.0;
    Wait all_;
    bool told_ = false;
    std::string name_, stage_;
    ProgressState state_;
    Progress bar_;
};

}  // namespace rooftune
