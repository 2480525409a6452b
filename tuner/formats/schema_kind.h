// Which of our files a document says that it is, before it is read by that file's own rules.
#pragma once

#include <string>
#include <string_view>

#include "tuner/formats/strict_json.h"

namespace rooftune {

/// Whether its "schema" is this one, in any version: a file of another version is then called that by its
/// reader, and not a file of another kind. False for whatever is no object.
bool claims_to_be(const Json& document, std::string_view schema);

/// What people call documents of this schema, in any version: "a tuned config". Empty for those that no
/// command reads.
std::string_view kind_name(std::string_view schema);

/// Throws InputError where the object says that it is of another kind than `wanted`, or says nothing: it
/// names the file, both kinds, and where one of those that are wanted comes from. Other versions, and kinds
/// that no command reads, pass: what follows names them as they are written.
void check_kind(const Json& document, const std::string& file, std::string_view wanted);

}  // namespace rooftune
