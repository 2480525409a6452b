// Where a matrix has its entries, as a drawing.
#pragma once

#include <string>

#include "kernels/contract/inspection.h"

namespace rooftune {

/// A cell for each cell of the density that has entries, darker by decades of the share of its places that
/// are taken, with the numbers of rows and columns at the edges and a scale. `title` stands above.
std::string density_svg(const Density& density, const std::string& title);

}  // namespace rooftune
