// How far a command is that measures one thing after the other in rounds: what it will take is said before
// the first long wait; then a bar on a terminal, and a line now and then elsewhere (tuner/base/progress.h).
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tuner/base/notice.h"
#include "tuner/base/progress.h"

namespace rooftune {

/// Seconds that rounds take, by the first look at them and by the last.
struct Wait {
    double least = 0.0, most = 0.0;
};
Wait operator+(const Wait& a, const Wait& b);
Wait operator*(double times, const Wait& wait);

/// Seconds that one thing takes: what comes before its rounds, and each of them.
struct Cost {
    double before = 0.0, round = 0.0;
    int first_look = 10;          ///< rounds; no verdict comes before
    bool first_verifies = false;  ///< the first round takes longer than others, and says nothing of them
    bool at_most = false;  ///< `before` is the most that it may take: it ends as soon as enough is known
};

/// What is left of it after so many rounds. Whatever is said of time is this: before the first round with
/// what is known of it, and later with what its rounds took.
Wait wait_of(const Cost& cost, int done = 0);

/// Seconds that a worker process takes to start and to load its problem.
inline constexpr double kWorkerStart = 0.15;

/// What is known of a variant before it is measured: seconds of a repetition, and of its preparation.
struct VariantCost {
    double repetition = 0.0, prepare = 0.0;
};

/// Rounds of A, B and A once more, each in a fresh process.
Cost cost_of_variants(const VariantCost& base, const VariantCost& candidate);
/// Rounds of programs that take so many seconds each. `several`: more verdicts than one hold together, so
/// that the first look comes later.
Cost cost_of_programs(double round, bool several);

class MeasuringScreen {
public:
    /// `doing`: "verifying"; `what` is one of those `of`: "tuned config". The lines go to the terminal, and
    /// so do notices through notices().
    MeasuringScreen(std::string doing, std::string what, std::size_t of, bool quiet,
                    ProgressTerminal terminal = stderr_terminal());

    /// What each of them takes, in their order. The sum is told once, by the first measures(), and once more
    /// where the first rounds show that it takes another time.
    void expects(std::vector<Cost> costs) { costs_ = std::move(costs); }

    std::size_t count() const { return of_; }

    /// The next of them: "7-point 64x64x64 f64".
    void next(const std::string& name);
    /// What happens to it now, before its rounds: "checks its answer".
    void stage(const std::string& what);
    /// It is measured from here on.
    void measures();
    /// Its rounds begin.
    void rounds_begin() { rounds_started_ = first_round_ended_ = now_(); }
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
    void tell(const Wait& all, const std::string& why);
    void correct(const Cost& current, int done);

    std::string doing_, what_;
    std::size_t of_, number_ = 0;
    bool quiet_;
    std::function<double()> now_;
    std::function<void(std::string_view)> write_;
    double started_, rounds_started_ = 0.0, first_round_ended_ = 0.0;
    std::vector<Cost> costs_;
    bool told_ = false, corrected_ = false;
    std::string name_, stage_;
    ProgressState state_;
    Progress bar_;
};

}  // namespace rooftune
