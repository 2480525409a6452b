// Names for people: variants, terms of a bound, and why a search stopped.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "tuner/formats/tune_result.h"

namespace rooftune {

using VariantMap = std::map<std::string, std::string>;

/// "SELL-16-512 with 16-bit indices on 2 threads" for families with a phrase of their own, else
/// "block=32, unroll=4". "no variant" for an empty map.
std::string variant_phrase(std::string_view family, const VariantMap& variant);

/// Every parameter: "chunk=16, format=sell, sigma=512".
std::string variant_assignment(const VariantMap& variant);

/// What the naive variant is called in this family: "plain CSR"; "the naive variant" elsewhere.
std::string naive_phrase(std::string_view family, std::string_view backend = "cpu");

/// Whether the family's naive and default variants are one by definition, as of kernels of users' own: the
/// first in the order of the declaration, on all threads.
bool has_one_reference(std::string_view family);

/// "reads beyond 4 MiB", "arithmetic of the heaviest thread"; the kind itself where it is unknown.
std::string term_phrase(const TermReport& term);
std::string term_phrase(std::string_view kind);

/// Unit of a term's amount: "B", "flop", "instruction", … ; its rate is this per second.
std::string_view term_unit(std::string_view kind);

/// The binding term of the bound; nullptr when no ceiling applied.
const TermReport* binding_term(const BoundReport& bound);

/// "it ran out of budget" and the like; the word itself where it is unknown.
std::string stop_phrase(const CertificateReport& certificate);

/// Why there is no winner: "No variant works" where all that were tried failed, else "No variant was
/// measured" (what earlier runs measured wins only after it was measured again).
std::string no_winner_phrase(const CertificateReport& certificate);

}  // namespace rooftune
