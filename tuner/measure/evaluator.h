// How the search gets its measurements. The real one asks worker processes; tests answer from
// synthetic times, deterministic to the digit.
#pragma once

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
    std::string note{};           ///< becomes the record's detail where it has none of its own
};

class Evaluator {
public:
    virtual ~Evaluator() = default;

    /// Prepares, verifies, times. Always returns a record; failures are outcomes.
    virtual Record evaluate(const Variant& variant, const EvaluationRequest& request) = 0;

    /// Slots of several variants in rotation, all in one process that is started afresh; one record
    /// a variant, in order. Stops before `rounds` when `seconds` have passed, but not before 8.
    virtual std::vector<Record> rotate(const std::vector<Variant>& variants, int rounds, double seconds,
                                       const std::string& role) = 0;

    /// Measures these ceilings again, in the process that ran the kernels. Rates are fresh maxima.
    virtual std::vector<Ceiling> reprobe(const std::vector<Ceiling>& ceilings, double seconds) = 0;

    /// Seconds on the clock that budgets are counted by.
    virtual double now() = 0;

    /// True once the user asked to stop.
    virtual bool interrupted() = 0;
};

}  // namespace rooftune
