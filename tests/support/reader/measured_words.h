// Words that several outputs have for what was measured again.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/reader/reader.h"

namespace rooftune::test {

/// NaN for what is no number.
double number_of(const nlohmann::json& value);
/// "88 %", "n/a"
std::string share_words(const nlohmann::json& share);
/// Of an object with ratio, low and high: "1.20× [1.10, 1.30]"; "n/a" of null.
std::string over_words(const nlohmann::json& over);
/// Of an object with factor, low and high.
std::string gain_words(const nlohmann::json& gain);

/// How many have each verdict.
void claim_verdicts(Reader& reader, const nlohmann::json& judged);

}  // namespace rooftune::test
