// Tuning problems in T1, the format that several tuners share (github.com/odgaard/TuningSchema): a space of
// parameters with conditions, and an OpenCL kernel with its work items and arguments. Values and conditions
// are Python there.
#pragma once

#include <string>

#include "tuner/external/kernel_document.h"
#include "tuner/formats/strict_json.h"

namespace rooftune::external {

/// Whether a document is one, by its two main keys.
bool is_t1(const Json& document);

/// Reads it into `d`, whose folder is known. Throws InputError that names the file, the key, and in an
/// expression the character: for another language than OpenCL, for what has no counterpart here, and for keys
/// that nobody here knows.
void read_t1(const Json& document, const std::string& file, KernelDocument& d);

}  // namespace rooftune::external
