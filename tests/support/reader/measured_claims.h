// What is said of measurements that were made again: ladders, comparisons, verified configs, runs, histories.
#pragma once

#include "tests/support/reader/result_claims.h"

namespace rooftune::test {

/// The ladder's table, sentences and drawing, by CONFIG.ladder.json.
void claim_ladder(Reader& reader, const nlohmann::json& ladder);
/// `compare`, text and Markdown.
void claim_comparison(Reader& reader, const nlohmann::json& document);
/// Its drawing of turns.
void claim_turns(Reader& reader, const nlohmann::json& document);
/// `verify`.
void claim_verified(Reader& reader, const nlohmann::json& document);
/// `run`.
void claim_arms(Reader& reader, const nlohmann::json& document, double flops_nominal);
/// `track report`, text and Markdown, and its JSON; `track record` and its entries.
void claim_history(Reader& reader, const nlohmann::json& report);
void claim_recorded(Reader& reader, const nlohmann::json& entries);

/// What a job of several problems says at its end: the table of all winners and the rule between them.
void claim_set(Reader& reader, const nlohmann::json& set, const nlohmann::json& results);

}  // namespace rooftune::test
