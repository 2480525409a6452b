// Where a command's notices go.
#pragma once

#include "tuner/base/notice.h"

namespace rooftune {

/// Writes each as a line "rooftune: TEXT" to standard error, at once. Nothing is written with --quiet.
Notice notices(bool quiet);

}  // namespace rooftune
