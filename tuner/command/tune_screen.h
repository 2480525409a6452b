// A tune as a terminal shows it: the progress bar, and notices on standard error.
#pragma once

#include "tuner/base/progress.h"
#include "tuner/engine/tune_observer.h"

namespace rooftune {

class TuneScreen final : public TuneObserver {
public:
    /// `quiet`: neither bar nor notices.
    explicit TuneScreen(bool quiet) : quiet_(quiet), bar_(quiet) {}
    void progress(const TuneProgress& progress) override;
    void notice(const std::string& text) override;

private:
    bool quiet_;
    Progress bar_;
};

}  // namespace rooftune
