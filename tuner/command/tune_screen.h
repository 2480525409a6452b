// A tune as a terminal shows it: the progress bar, and notices on standard error.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "tuner/base/progress.h"
#include "tuner/search/tune_observer.h"

namespace rooftune {

/// "57 measured + 108 raced out of 5 842": variants, in the words and by the count of the summary's first
/// sentence of the certificate.
std::string tried_text(const TuneProgress& progress);

class TuneScreen final : public TuneObserver {
public:
    /// `quiet`: neither bar nor notices.
    explicit TuneScreen(bool quiet, ProgressTerminal terminal = stderr_terminal())
        : quiet_(quiet), terminal_(std::move(terminal)) {}
    void progress(const TuneProgress& progress) override;
    void notice(const std::string& text) override;
    /// Takes the bar away; what follows is printed where it was.
    void ended() override { bar_.reset(); }

private:
    bool quiet_;
    ProgressTerminal terminal_;
    std::optional<Progress> bar_;  ///< of this problem: nothing is drawn in the first two seconds of each
};

}  // namespace rooftune
