// What inspect prints.
#pragma once

#include <string>

#include "tuner/inspect/inspected.h"

namespace rooftune {

/// Structure, a picture in characters no wider than the page, and the ways to store it: a few, or (`verbose`)
/// all of them.
std::string inspect_text(const Inspected& found, bool verbose);

/// A fact's number for people: "93 261", "6.99", "12 %", "65 536 or more".
std::string fact_text(const InspectedFact& fact);

/// The density in characters, one for each cell of at most `columns` times `lines`, between edges: blank
/// where nothing is, then darker by decades of the share of places that hold an entry. Empty where the matrix
/// is.
std::string density_text(const Density& density, int columns, int lines);

}  // namespace rooftune
