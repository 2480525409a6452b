// The progress bar: one line on the terminal behind stderr, redrawn in place, once two seconds have passed.
// Where stderr is no terminal (a log, a pipe) the same is written there as a line of its own, after ten
// seconds and then twice a minute, so that minutes of measuring are no silence. Standard output is never
// touched, and with --quiet nothing is written.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace rooftune {

struct ProgressState {
    std::string phase;          ///< "searching", "finals", "audit"
    double best_seconds = 0.0;  ///< 0: none yet
    bool has_unit = true;       ///< false: it is no time in seconds but a number in a unit that is not known
    double best_flops_per_second = 0.0;
    std::uint64_t space = 0, excluded = 0;
    std::uint64_t measured = 0;  ///< evaluations so far, raced out and failed ones included
    double elapsed_seconds = 0.0;
    double budget_seconds = 0.0;           ///< 0: no limit of time
    std::uint64_t budget_evaluations = 0;  ///< 0: no limit of evaluations
    bool compares = true;                  ///< false: there is neither a best nor a count, as of probes
    /// What became of those measured, in words, and shorter where there is no room; empty: their number
    /// alone.
    std::string counts{}, counts_short{};
    /// In place of the count and of the time left, where those are not by evaluations: in words. The bar
    /// still goes by the budget.
    std::string done{}, time{};
};

/// The line for a terminal of `columns` columns (80 where that is not known: columns <= 0). At most
/// columns − 1 wide, so that no terminal wraps it. Where not all fits, the least needed goes first:
/// the bar shortens, then phase, count and share go; the last is cut with "…".
std::string progress_line(const ProgressState& state, int columns);

/// The same without a bar, whole however wide it is: a line of a log.
std::string progress_words(const ProgressState& state);

/// Where the line is drawn; replaced in tests.
struct ProgressTerminal {
    bool interactive = false;
    std::function<int()> columns;  ///< width of the terminal; 0 when unknown
    std::function<void(std::string_view)> write;
    std::function<double()> now;  ///< monotonic seconds
};

/// The terminal behind stderr (TIOCGWINSZ for its width).
ProgressTerminal stderr_terminal();

class Progress {
public:
    explicit Progress(bool quiet, ProgressTerminal terminal = stderr_terminal());
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// Draws, at most ten times a second; on no terminal it writes a line now and then.
    void update(const ProgressState& state);
    /// Takes the line away, so that something else can be printed; the next update() draws again.
    void clear();

private:
    ProgressTerminal terminal_;
    bool enabled_;
    double first_, between_;  ///< seconds before the first line, and from one to the next
    bool drawn_ = false;
    double started_ = 0.0;
    double last_ = -1.0;
};

}  // namespace rooftune
