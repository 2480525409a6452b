// What outputs say of a tune's result, and what must stand there by its JSON.
#pragma once

#include "tests/support/reader/reader.h"
#include "tuner/formats/tune_result.h"

namespace rooftune::test {

/// A result as its JSON has it.
TuneResult result_of(const nlohmann::json& result);

/// "1.40 ms [1.38, 1.42]"; "1.90× [1.85, 1.94]", of fewer than six rounds without an interval.
std::string time_words(const TimeInterval& t);
std::string ratio_words(const TimeInterval& t);
/// The same in a table, which tells how few there were.
std::string ratio_cell_words(const TimeInterval& t);

/// The summary in any length: winner, gains, fractions, certificate, audit, what is left, advice, files.
void claim_result(Reader& reader, const nlohmann::json& result);

/// What `explain` says of it: bound, terms, opportunities, what was excluded by what.
void claim_explanation(Reader& reader, const nlohmann::json& result);

/// A number as a phrase's group: "1.40 ms", "1.40 ms [1.38, 1.42]"; "1.90×", with an interval or without;
/// "12 %", "0.52 %"; "93 261".
inline const std::string kTime = R"(([0-9.]+ [^ ,.;)|]+(?: \[[^\]]*\])?))";
inline const std::string kRatio = R"(([0-9.]+(?: [0-9]{3})*×(?: \[[^\]]*\])?))";
inline const std::string kPercent = R"(((?:[<>] )?[0-9.]+ %))";
inline const std::string kCount = R"(([0-9]+(?: [0-9]{3})*))";

}  // namespace rooftune::test
