#include "tuner/track/bisection.h"

#include <stdexcept>

namespace rooftune::track {

Bisection::Bisection(int n) : bad_(n - 1), skipped_(n > 0 ? static_cast<std::size_t>(n) : 0, false) {
    if (n < 1) throw std::invalid_argument("a bisection needs at least one commit");
}

std::optional<int> Bisection::next() const {
    // The middle of the longest row of open commits. Commits that cannot be built come in rows: the nearest
    // to one of them is likely to be another.
    int from = 0;
    int longest = 0;
    int run = 0;
    for (int commit = good_ + 1; commit < bad_; ++commit) {
        run = skipped_[static_cast<std::size_t>(commit)] ? 0 : run + 1;
        if (run <= longest) continue;
        longest = run;
        from = commit - run + 1;
    }
    if (longest == 0) return std::nullopt;
    return from + (longest - 1) / 2;
}

void Bisection::tell(int commit, Answer answer) {
    if (commit <= good_ || commit >= bad_) throw std::invalid_argument("the commit is not open");
    switch (answer) {
        case Answer::good:
            good_ = commit;
            return;
        case Answer::bad:
            bad_ = commit;
            return;
        case Answer::skip:
            skipped_[static_cast<std::size_t>(commit)] = true;
            return;
    }
}

std::vector<int> Bisection::candidates() const {
    std::vector<int> commits;
    for (int commit = good_ + 1; commit <= bad_; ++commit) commits.push_back(commit);
    return commits;
}

int Bisection::steps_left() const {
    int steps = 0;
    for (int left = bad_ - good_; left > 1; left = (left + 1) / 2) ++steps;
    return steps;
}

}  // namespace rooftune::track
