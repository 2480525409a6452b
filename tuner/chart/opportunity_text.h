// Opportunities in sentences: what binds a winner, and what would lift that.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tuner/formats/tune_result.h"

namespace rooftune {

/// "DRAM reads", "L2 reads and writes of one thread", "the FMA units", "load ports": what a term loads.
std::string resource_phrase(const TermReport& term);
/// The same of a kind of term of this bound; the kind's own phrase where the bound has no such term.
std::string resource_phrase(const BoundReport& bound, std::string_view kind);

/// What binds, in one sentence: the level and the share of what the variant could reach.
std::string binding_sentence(const TuneResult& result);

/// "at most 1.20×", rounded up: a limit must not be understated. "no limit known" where none is.
std::string limit_phrase(double at_most);

/// One opportunity's sentence.
std::string opportunity_sentence(const TuneResult& result, const OpportunityReport& opportunity);

/// The opportunities worth a line, in their order: bottlenecks after the first are told in its sentence, and
/// of the parameters that change the bound only the best few are kept.
std::vector<OpportunityReport> shown_opportunities(const TuneResult& result);

/// What lies between the bound and the clock, and what nothing explains; empty when the winner is at its
/// bound.
std::string between_sentence(const TuneResult& result);

/// Which parameters have no other value left to try; empty when none is settled.
std::string settled_sentence(const ExplanationReport& explanation);

}  // namespace rooftune
