// One question about a tuned config, and what was found.
#pragma once

#include <string>
#include <string_view>

namespace rooftune::verify {

enum class Status {
    ok,
    changed,      ///< not as it was when it was tuned
    failed,       ///< the answer is no
    undecided,    ///< asked, and no answer was had
    not_checked,  ///< not asked, or nothing to compare with
};

/// "ok", "changed", "failed", "undecided", "not checked".
std::string_view to_text(Status status);

/// The questions, in the order in which they are asked: each needs the ones before.
enum class Question {
    features,  ///< the hard key: what the winner cannot run without
    machine,   ///< the performance key: the machine's fingerprint
    space,     ///< the family and the version of its space
    problem,   ///< is what the problem's name stands for still the same?
    variant,   ///< does the winner exist here?
    compiler,
    kernels,  ///< the build of the kernels, by the hash of their sources
    set,      ///< of a tuned set: does it say what the problem's own config says?
    answer,   ///< is it right, on new data?
    roof,     ///< is the machine as fast?
    speed,    ///< does the winner reach as much of it?
    winner,   ///< does it still win?
};

std::string_view to_text(Question question);

struct Check {
    Question question = Question::features;
    Status status = Status::not_checked;
    std::string then, now;    ///< in words; empty where there is nothing to say
    std::string meaning;      ///< a sentence where it is not ok: what it means, and what to do
    bool tune_again = false;  ///< changed: what the config rests on is gone
};

}  // namespace rooftune::verify
