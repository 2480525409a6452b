// Why the winner is as fast as it is: what binds it, what would lift that and by how much at most, and how
// the search came to exclude the rest.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "tuner/config/tune_result.h"

namespace rooftune {

/// The whole page: the binding resource in a sentence, the band between T_lower and T_serial, the terms as a
/// table (demoted ones marked), levers by their limits, what lies between bound and clock, and branch and
/// bound in numbers. Ends with a newline.
std::string explain_text(const TuneResult& result);

/// The same as a document by configs/schema/explanation.schema.json; one result as itself, several as
/// {"results": […]}.
nlohmann::ordered_json explain_json(const std::vector<TuneResult>& results);

}  // namespace rooftune
