// What was measured to see whether a tuned config still holds, and the questions that it answers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tuner/formats/tune_result.h"
#include "tuner/measure/head_room.h"
#include "tuner/measure/verdict.h"
#include "tuner/verify/check.h"
#include "tuner/verify/claim.h"
#include "tuner/verify/winner_turns.h"

namespace rooftune::verify {

/// The winner's answer on data that the tune did not see.
struct Answer {
    enum class Found { right, wrong, unknown };
    Found found = Found::unknown;
    int seeds = 0;
    double error = 0.0;    ///< largest, over its tolerance: 1 is the limit
    std::string detail{};  ///< how it failed, or why it is not known
};

/// Whom the winner met.
enum class Rival {
    runner_up,        ///< of its finals
    default_variant,  ///< where no runner-up is known, or it works no more
    nobody,           ///< itself
};

struct Measured {
    Answer answer;
    /// Why no rounds were taken; empty: they were, or the answer was not right.
    std::string no_rounds{};
    track::Judgement duel{};  ///< A the winner, B its rival
    Rival rival = Rival::nobody;
    std::string rival_phrase{};  ///< in words
    std::string rival_gone{};    ///< why the runner-up could not be met; empty: it was, or none is known
    std::string rival_slow{};    ///< how it took too long to be met in rounds, and so lost; empty: it was met
    WinnerTurns turns{};         ///< of the winner, over the rounds; a median of 0: none
    track::Roof roof{};          ///< 0: not known
    std::string ceiling{};       ///< behind the roof, in words
};

/// Answer, roof, speed and winner, in this order; without a right answer the others are not checked. Pure:
/// the same for real rounds and synthetic ones.
std::vector<Check> measured_checks(const Claim& claim, const Measured& measured);

/// The same four, not checked.
std::vector<Check> unmeasured_checks();

/// The share of the roof as it is now that the winner reaches; 0 where either is not known.
double fraction_now(const Measured& measured);

}  // namespace rooftune::verify
