// Machine files: JSON by configs/schema/machine.schema.json, read strictly, written whole. Presets are
// machine files too: their values name a publication as their source, and what no source gives is absent.
#pragma once

#include <string>
#include <string_view>

#include "models/machine.h"

namespace rooftune {

/// The "schema" of a machine file.
inline constexpr std::string_view kMachineSchema = "rooftune/machine/2";
/// The version before, which is still read: it lacks conditions that the newer one has.
inline constexpr std::string_view kOldMachineSchema = "rooftune/machine/1";

/// Throws InputError that names file, JSON pointer and what was expected: not JSON, unknown or
/// duplicate keys, wrong types, numbers that are not finite or out of range, another schema version,
/// two ceilings with the same resource and conditions.
Machine read_machine_file(const std::string& path);

/// The same from text; `file` is what messages call it.
Machine parse_machine(std::string_view text, const std::string& file);

/// The document, indented, ended by a newline. Reading it gives the machine back to the last digit.
std::string machine_to_json(const Machine& machine);
/// The same on one line, without its end.
std::string machine_to_json_line(const Machine& machine);

/// Writes to a temporary, forces it to the device and renames it. Throws EnvironmentError.
void write_machine_file(const std::string& path, const Machine& machine);

}  // namespace rooftune
