// The search for the first bad one of a row of commits, over an oracle that answers good, bad, or nothing at
// all (a build that fails, a comparison that decides nothing). Pure: who asks the oracle is the caller's.
#pragma once

#include <optional>
#include <vector>

namespace rooftune::track {

enum class Answer { good, bad, skip };

/// Commits are numbered 0 … n−1 in the order of time, behind the good one. The last is known to be bad.
class Bisection {
public:
    /// Throws std::invalid_argument for n < 1.
    explicit Bisection(int n);

    /// The commit to ask about; nothing once the search is at its end.
    std::optional<int> next() const;

    /// What the oracle said of a commit that next() gave. Throws std::invalid_argument for a commit that is
    /// not open.
    void tell(int commit, Answer answer);

    /// The first bad one is among these, in order: a single one where it was found. Of several, the last is
    /// bad and all others were skipped, once the search is at its end.
    std::vector<int> candidates() const;
    bool found() const { return bad_ - good_ == 1; }

    /// Commits that could still be the first bad one.
    int left() const { return bad_ - good_; }
    /// Questions that are left at least, if none is skipped.
    int steps_left() const;

    /// The last known good one, −1 for the one before the row; and the first known bad one.
    int good() const { return good_; }
    int bad() const { return bad_; }

private:
    int good_ = -1;
    int bad_;
    std::vector<bool> skipped_;
};

}  // namespace rooftune::track
