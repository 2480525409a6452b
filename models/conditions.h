// What follows from the conditions of a ceiling: whether it may exclude.
#pragma once

#include "models/machine.h"

namespace rooftune {

/// Whether a ceiling under these conditions may exclude variants. It may when no kernel could do more than
/// the highest ceiling of its kind, the conditions that software chooses freely (prefetch, pages, placement,
/// streams) being covered by taking the maximum over all of them. What a kernel can evade only ranks: the
/// pattern of gathers (the fastest of any pattern is another ceiling, Mix::gathers), strides and chases, data
/// that threads share (its bytes are counted once a thread), operations that sparsity leaves out, the local
/// memory of a device, and what happens outside its clock. And one instruction of several that work side by
/// side: integers are added in scalar and in vector units at once, narrow products have more than one form,
/// so neither alone says what both can do together. Nor do walks with other loads besides: a kernel that
/// overlaps the two better than any that was probed could be faster.
bool may_exclude(Resource resource, const Conditions& when);

}  // namespace rooftune
