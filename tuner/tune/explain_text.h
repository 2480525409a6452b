// Why the winner is as fast as it is: what binds it, what would lift that and by how much at most, and how
// the search came to exclude the rest.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "tuner/base/table.h"
#include "tuner/formats/tune_result.h"

namespace rooftune {

/// The paragraphs that an explanation is made of, not wrapped; empty where there is nothing to say.
struct ExplainParts {
    std::string binding;  ///< what binds the winner; or that there is none
    std::string band;     ///< between T_lower and T_serial, and the ceiling behind it; or what it takes for
                          ///< there to be a bound
    std::string demoted;  ///< what the word means, where a term of the table is
    std::string opportunities_head;
    std::vector<std::string> opportunities;  ///< the largest limit first
    std::string between;                     ///< what lies between the bound and the clock
    std::string settled;                     ///< what has nothing left to try, and the gap
    std::string search;                      ///< branch and bound in numbers
};
ExplainParts explain_parts(const TuneResult& result);

/// The terms of a bound, the largest `most` of them.
Table terms_table(const BoundReport& bound, std::size_t most);

/// What excluded the excluded, by binding term.
Table excluded_table(const CertificateReport& certificate);

/// The whole page: the binding resource in a sentence, the band between T_lower and T_serial, the terms as a
/// table (demoted ones marked), opportunities by their limits, what lies between bound and clock, and branch
/// and bound in numbers. Ends with a newline. `since`: what became known of its machine (known_since.h),
/// where something did.
std::string explain_text(const TuneResult& result, const std::string& since = {});

/// The same as a document by configs/schema/explanation.schema.json; one result as itself, several as
/// {"results": […]}. `since`: as above, of each result; empty: of none.
nlohmann::ordered_json explain_json(const std::vector<TuneResult>& results,
                                    const std::vector<std::string>& since = {});

}  // namespace rooftune
