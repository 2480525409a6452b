// Where a command's notices go.
#pragma once

#include "tuner/base/notice.h"

namespace rooftune {

/// Tells each on standard error, at once (tuner/base/standard_error.h). Nothing is written with --quiet.
Notice notices(bool quiet);

}  // namespace rooftune
