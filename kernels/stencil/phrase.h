// A variant in a few words.
#pragma once

#include <map>
#include <string>

namespace rooftune::stencil {

std::string phrase(const std::map<std::string, std::string>& variant);

}  // namespace rooftune::stencil
