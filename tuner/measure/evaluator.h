// How the search gets its measurements. The real one asks worker processes; tests answer from
// synthetic times, deterministic to the digit.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/machine.h"
#include "models/space.h"
#include "tuner/formats/record.h"

namespace rooftune {

struct EvaluationRequest {
    std::string role;             ///< search, reference, audit, alarm
    double incumbent_high = 0.0;  ///< seconds; 0 = no incumbent yet
    int slots = 8;                ///< for a full interval
    double abandon_above = 0.0;   ///< seconds of one repetition; 0 = never
    /// Whose slots are taken in turn with this one's, in the same process: the two are compared slot by slot,
    /// so that a machine that has changed its pace since changes nothing. It has been verified before. Where
    /// slots have one batch, a variant that is far behind it after two is raced out, and not verified.
    std::optional<Variant> companion{};
    std::string note{};  ///< becomes the record's detail where it has none of its own
    int batches = 3;     ///< in a slot (SamplingRules)
    /// Variants that may well be asked for next, the likeliest first: what has to be built for them may be
    /// built together with this one.
    std::vector<Variant> next{};
};

struct RotationRequest {
    std::vector<Variant> variants{};
    int rounds = 8;        ///< at most
    double seconds = 1.0;  ///< stops before `rounds` when so many have passed, but not before kLeastRounds
    std::string role;
    int process = 0;  ///< each of several for one question checks other inputs
    /// What the machine gives is asked after each round of which the fastest turn was not disturbed, and
    /// after one of three at least.
    std::vector<Ceiling> beside{};
    int batches = 3;  ///< in a slot (SamplingRules)
    /// Turns of a variant that takes many times as long as the fastest (is_far_slower), which is told well
    /// enough by a few; 0: as many as the others.
    int turns_of_far_slower = 0;
};

struct Rotation {
    std::vector<Record> records;  ///< one a variant, in order
    /// Of each ceiling of `beside` its rate in each round, at the end of the variants' turns; 0 where it
    /// was not or could not be probed. None where the evaluator has no machine to probe.
    std::vector<std::vector<double>> rates{};
    std::vector<Ceiling> seen{};  ///< the windows of those rates together, of each that could be probed
};

class Evaluator {
public:
    virtual ~Evaluator() = default;

    /// Prepares, verifies, times. Always returns a record; failures are outcomes.
    virtual Record evaluate(const Variant& variant, const EvaluationRequest& request) = 0;

    /// A variant that was measured ahead, as EvaluationRequest::next named it.
    struct Ahead {
        Variant variant;
        EvaluationRequest request;
        Record record;
    };
    /// What others have measured meanwhile and nobody has asked for yet; each once.
    virtual std::vector<Ahead> measured_ahead() { return {}; }
    /// Whether somebody else is measuring this variant now.
    virtual bool is_under_way(const Variant&) const { return false; }

    /// Slots of several variants in rotation, all in one process that is started afresh.
    virtual Rotation rotation(const RotationRequest& request) = 0;

    /// The same of variants alone: their records.
    std::vector<Record> rotate(const std::vector<Variant>& variants, int rounds, double seconds,
                               const std::string& role) {
        return rotation({.variants = variants, .rounds = rounds, .seconds = seconds, .role = role}).records;
    }

    /// Measures these ceilings again, in the process that ran the kernels. Rates are fresh maxima.
    virtual std::vector<Ceiling> reprobe(const std::vector<Ceiling>& ceilings, double seconds) = 0;

    /// Seconds on the clock that budgets are counted by.
    virtual double now() = 0;

    /// True once the user asked to stop.
    virtual bool interrupted() = 0;
};

}  // namespace rooftune
