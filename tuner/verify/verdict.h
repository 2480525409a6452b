// The verdict on one tuned config, from its checks. Few words, and one for each thing to do.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tuner/verify/check.h"

namespace rooftune::verify {

enum class Validity {
    valid,     ///< VALID: everything that was asked is as it was
    stale,     ///< STALE: what it rests on changed; it may still be right and fast, and nobody knows the best
    slower,    ///< SLOWER: it reaches less of the machine than it did
    beaten,    ///< BEATEN: its runner-up wins now
    wrong,     ///< WRONG: its winner gives no right answer
    not_here,  ///< NOT HERE: programs take the safe default on this machine
    undecided,   ///< UNDECIDED: measuring gave no answer
    unreadable,  ///< UNREADABLE: torn, of another version, or no tuned config
};

/// "VALID", "NOT HERE", …
std::string_view to_text(Validity verdict);

/// The gravest that the checks say: a wrong answer before a lost duel, that before lost speed, that before
/// what changed, that before what is not known. What was not checked says nothing.
Validity verdict_of(const std::vector<Check>& checks);

/// Meaning of the check behind the verdict; empty for VALID.
std::string reason_of(const std::vector<Check>& checks);

/// Whether tuning again is the answer.
bool asks_for_tuning(Validity verdict);

}  // namespace rooftune::verify
