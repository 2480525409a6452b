#include "tuner/base/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>
#include <vector>

#include "tuner/base/clock.h"
#include "tuner/base/page_width.h"
#include "tuner/base/si.h"
#include "tuner/base/standard_error.h"
#include "tuner/base/text_width.h"

namespace rooftune {
namespace {

constexpr double kFirstDraw = 2.0;  // seconds
constexpr double kBetweenDraws = 0.1;
constexpr double kFirstLine = 10.0;  // of a log
constexpr double kBetweenLines = 30.0;
constexpr int kUnknownColumns = 80;
constexpr int kWidestBar = 20;
constexpr int kNarrowestBar = 6;
constexpr std::string_view kSeparator = " · ";
constexpr std::string_view kClearLine = "\r\x1b[K";

/// Share of the budget that is spent: of time or of evaluations, whichever is further.
double done_share(const ProgressState& s) {
    double share = 0.0;
    if (s.budget_seconds > 0.0) share = s.elapsed_seconds / s.budget_seconds;
    if (s.budget_evaluations > 0) {
        share = std::max(share, static_cast<double>(s.measured) / static_cast<double>(s.budget_evaluations));
    }
    return std::isfinite(share) ? std::clamp(share, 0.0, 1.0) : 0.0;
}

std::string bar(double share, int width) {
    const int full = static_cast<int>(std::floor(share * width));
    std::string text;
    for (int i = 0; i < width; ++i) text += i < full ? "█" : "░";
    return text;
}

std::string minutes(double seconds) {
    // Beside a clock that says nothing, a time is as good as none; NaN passes through clamp().
    const double known = std::isnan(seconds) ? 0.0 : std::clamp(std::ceil(seconds), 0.0, 359999.0);
    const auto total = static_cast<std::uint64_t>(known);
    if (total >= 3600) return fmt::format("{}:{:02}:{:02}", total / 3600, total / 60 % 60, total % 60);
    return fmt::format("{}:{:02}", total / 60, total % 60);
}

std::string time_part(const ProgressState& s) {
    if (!s.time.empty()) return s.time;
    if (s.budget_seconds > 0.0) {
        const double left = s.budget_seconds - s.elapsed_seconds;
        return left > 0.0 ? minutes(left) + " left" : "finishing";
    }
    if (s.budget_evaluations > 0 && s.measured > 0 && s.measured < s.budget_evaluations) {
        // Evaluations so far are the only guide to those to come.
        const double each = s.elapsed_seconds / static_cast<double>(s.measured);
        return "about " + minutes(each * static_cast<double>(s.budget_evaluations - s.measured)) + " left";
    }
    return minutes(s.elapsed_seconds);
}

std::string best_part(const ProgressState& s) {
    if (!(s.best_seconds > 0.0)) return "none yet";
    std::string text =
        "best " + (s.has_unit ? format_seconds(s.best_seconds) : fmt::format("{:.4g}", s.best_seconds));
    if (s.best_flops_per_second > 0.0) text += ", " + format_si(s.best_flops_per_second, "flop/s");
    return text;
}

std::string count_part(const ProgressState& s) {
    if (!s.done.empty()) return s.done;
    if (!s.compares) return "";
    if (s.counts.empty() && s.budget_evaluations == 0) return format_count(s.measured) + " measured";
    if (s.budget_evaluations == 0) return s.counts;
    return fmt::format("{}/{} {}", format_count(s.measured), format_count(s.budget_evaluations),
                       s.counts.empty() ? "measured" : "evaluations");
}

struct Part {
    std::string text;
    int worth;  ///< the smallest goes first
};

std::string joined(const std::vector<Part>& parts) {
    std::string text;
    for (const Part& part : parts) {
        if (!text.empty()) text += kSeparator;
        text += part.text;
    }
    return text;
}

std::vector<Part> parts_of(const ProgressState& s) {
    std::vector<Part> parts;
    if (!s.phase.empty()) parts.push_back({printable(s.phase), 1});
    if (s.compares) parts.push_back({best_part(s), 5});
    if (s.space > 0) {
        const double share = static_cast<double>(s.excluded) / static_cast<double>(s.space);
        parts.push_back({format_percent(share) + " excluded", 3});
    }
    if (const std::string counts = count_part(s); !counts.empty()) parts.push_back({counts, 2});
    parts.push_back({time_part(s), 4});
    return parts;
}

}  // namespace

std::string progress_words(const ProgressState& s) {
    return joined(parts_of(s));
}

std::string progress_line(const ProgressState& s, int columns) {
    const int room = (columns > 0 ? columns : kUnknownColumns) - 1;
    if (room <= 0) return "";

    std::vector<Part> parts = parts_of(s);
    if (!s.counts_short.empty() && s.budget_evaluations == 0 && display_width(joined(parts)) > room) {
        for (Part& part : parts) {
            if (part.text == s.counts) part.text = s.counts_short;
        }
    }
    while (parts.size() > 1 && display_width(joined(parts)) > room) {
        parts.erase(std::min_element(parts.begin(), parts.end(),
                                     [](const Part& a, const Part& b) { return a.worth < b.worth; }));
    }
    const std::string text = cut_to_width(joined(parts), room);
    const bool bounded = s.budget_seconds > 0.0 || s.budget_evaluations > 0;
    const int bar_width = std::min(kWidestBar, room - display_width(text) - 1);
    return bounded && bar_width >= kNarrowestBar ? bar(done_share(s), bar_width) + " " + text : text;
}

ProgressTerminal stderr_terminal() {
    ProgressTerminal terminal;
    terminal.interactive = isatty(STDERR_FILENO) == 1;
    terminal.columns = [] {
        winsize size{};
        return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 ? static_cast<int>(size.ws_col) : 0;
    };
    terminal.write = [](std::string_view text) {
        // A line that a slow or closed terminal refuses is not worth an error.
        [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    };
    terminal.now = monotonic_seconds;
    return terminal;
}

Progress::Progress(bool quiet, ProgressTerminal terminal)
    : terminal_(std::move(terminal)),
      enabled_(!quiet),
      first_(terminal_.interactive ? kFirstDraw : kFirstLine),
      between_(terminal_.interactive ? kBetweenDraws : kBetweenLines) {
    if (enabled_) started_ = terminal_.now();
}

Progress::~Progress() {
    clear();
}

void Progress::update(const ProgressState& state) {
    if (!enabled_) return;
    const double now = terminal_.now();
    if (now - started_ < first_) return;
    if (last_ >= 0.0 && now - last_ < between_) return;
    last_ = now;
    if (!terminal_.interactive) {
        terminal_.write(told(progress_words(state), error_page_width()));
        return;
    }
    drawn_ = true;
    terminal_.write(std::string(kClearLine) + progress_line(state, terminal_.columns()));
}

void Progress::clear() {
    if (!drawn_) return;
    terminal_.write(kClearLine);
    drawn_ = false;
}

}  // namespace rooftune
