// What a record says of the machine's speed at its time, so that records of minutes apart can be compared.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "tuner/formats/record.h"

namespace rooftune {

/// For a record that was measured while the default variant took `seconds`; empty where that is not known.
std::string pace_note(double seconds);

/// For the record at `place` of a rotation: its place, since slots of neighbours are neighbours in time, and
/// what the first of the rotation took beside it.
std::string rotation_note(std::span<const Record> rotation, std::size_t place);

/// Seconds that the default variant took beside this record: by its pace note, or, in a batch (role "heat",
/// as stores have it), whose first is the default, by its rotation note. 0 where neither is there.
double noted_pace(const Record& record);

/// The place that a rotation note tells.
std::optional<std::size_t> noted_place(const Record& record);

}  // namespace rooftune
