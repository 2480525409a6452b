// What a search asks for, in the words of who measures: the same whether that is a worker or this process.
#pragma once

#include <cstdint>
#include <functional>

#include "tuner/measure/evaluator.h"
#include "tuner/measure/protocol.h"

namespace rooftune {

/// Two inputs of this seed: answers are checked on both.
MeasureRequest measure_request(const Space& space, const Variant& variant, const EvaluationRequest& request,
                               std::uint64_t seed);

/// Inputs of its own for each process, none of which is one of measure_request().
RotateRequest rotate_request(const Space& space, const RotationRequest& request, std::uint64_t seed);

/// What `rotate` answers, asked again without those that crashed, as often as one does: the others are not to
/// be blamed for what it left in their process. One record a variant of `ask`, in order.
Rotation rotation_without_crashed(RotateRequest ask,
                                  const std::function<Rotation(const RotateRequest&)>& rotate);

/// Says in a record what was asked for it.
void tell_what_was_asked(Record& record, const std::map<std::string, std::string>& variant,
                         const EvaluationRequest& request);
void tell_what_was_asked(Rotation& answer, const RotateRequest& asked, const RotationRequest& request);

}  // namespace rooftune
