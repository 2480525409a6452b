// Told to the user beside a result: what was left out, what is done instead.
#pragma once

#include <functional>
#include <string>

namespace rooftune {

/// Takes a sentence without a full stop, that names the file or kernel that it is about.
using Notice = std::function<void(const std::string&)>;

}  // namespace rooftune
