// What the report's page and the plot say besides the summary and the explanation.
#pragma once

#include "models/machine.h"
#include "tests/support/reader/result_claims.h"

namespace rooftune::test {

/// The sections of a report: classes, course of the search, variants behind the points, provenance. Long
/// tables show so many rows at the most.
void claim_page(Reader& reader, const nlohmann::json& result, std::size_t most);

/// The table of a machine's ceilings, by its file.
void claim_ceilings(Reader& reader, const Machine& machine, std::size_t most);

/// The texts of the roofline plot of one tune: points, roofs and what is written beside them.
void claim_plot(Reader& reader, const nlohmann::json& result);

}  // namespace rooftune::test
