// The gap of a certificate in words: how much faster could anything be that was not measured?
#pragma once

#include <map>
#include <string>

#include "tuner/formats/tune_result.h"

namespace rooftune {

/// How much faster what was not measured could be, at most, with the ends of its interval.
struct Gap {
    double value = 0.0, low = 0.0, high = 0.0;
};

/// The proven one, and the one that a person can use: see leads_with_replacement().
Gap proven_gap(const CertificateReport& certificate);
Gap usable_gap(const CertificateReport& certificate);

/// What the certificate says about everything not measured, as one sentence.
std::string gap_sentence(const CertificateReport& certificate);

/// For a table, without the interval: "12 % faster", "19.1× as fast"; never rounded down. Where the sentence
/// says that it is not known, so does the cell.
std::string gap_cell(const Gap& gap);

/// The same below a title that says what it is a share of: "12 %", "19.1×".
std::string gap_share(const Gap& gap);

/// For a document: "gap", "gap_low", "gap_high".
std::map<std::string, double> gap_values(const Gap& gap);

/// What a certificate proves of its gap: "a proven limit of 12 % faster", "no proven limit"; where everything
/// was measured or excluded "nothing left that could be faster".
std::string limit_words(const Gap& gap);

/// Whether the gap that a person can use is that at the rates held, or as caches replace data: where it says
/// more than the proven one and was held against something.
bool leads_with_replacement(const CertificateReport& certificate);

}  // namespace rooftune
