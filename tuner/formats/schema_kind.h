// Which of our files a document says that it is, before it is read by that file's own rules.
#pragma once

#include <string_view>

#include "tuner/formats/strict_json.h"

namespace rooftune {

/// Whether its "schema" is this one, in any version: a file of another version is then called that by its
/// reader, and not a file of another kind. False for whatever is no object.
bool claims_to_be(const Json& document, std::string_view schema);

}  // namespace rooftune
