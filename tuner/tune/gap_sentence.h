// The gap of a certificate in words: how much faster could anything be that was not measured?
#pragma once

#include <string>

#include "tuner/formats/tune_result.h"

namespace rooftune {

/// What the certificate says about everything not measured, as one sentence.
std::string gap_sentence(const CertificateReport& certificate);

/// A gap in the notation of the sentences: "12 % faster", "19.1× as fast"; never rounded down.
std::string gap_cell(double gap);

/// What a certificate proves of its gap: "a proven limit of 12 % faster", "no proven limit".
std::string limit_words(double gap);

/// Whether the gap that a person can use is that at the rates held, or as caches replace data: where it says
/// more than the proven one and was held against something.
bool leads_with_replacement(const CertificateReport& certificate);

}  // namespace rooftune
