// What follows from the conditions of a ceiling: whether it may exclude, and which variants meet it.
#pragma once

#include "models/machine.h"
#include "models/work.h"

namespace rooftune {

/// Whether a ceiling under these conditions may exclude variants. It may when no kernel could do more than
/// the highest ceiling of its kind, the conditions that software chooses freely (prefetch, pages, placement,
/// streams) being covered by taking the maximum over all of them. What a kernel can evade only ranks: the
/// pattern of gathers, strides and chases, data that threads share (its bytes are counted once a thread),
/// operations that sparsity leaves out, the local memory of a device, and what happens outside its clock.
bool may_exclude(Resource resource, const Conditions& when);

/// Whether a variant with these traits runs under the ceiling's conditions, as far as its traits tell.
/// A ceiling that applies and lies below the roof is what the variant will probably meet.
bool applies(const Ceiling& ceiling, const Traits& traits);

}  // namespace rooftune
