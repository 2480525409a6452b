// What `results` says of the store.
#pragma once

#include "tests/support/reader/reader.h"

namespace rooftune::test {

/// `results list`; `results show` of a job or a run (the run's summary: claim_result); `results check`.
void claim_job_list(Reader& reader, const nlohmann::json& document);
void claim_job(Reader& reader, const nlohmann::json& document);
void claim_run(Reader& reader, const nlohmann::json& document);
void claim_check(Reader& reader, const nlohmann::json& document);
/// `results export --store`, `results import` and `results prune`.
void claim_export(Reader& reader, const nlohmann::json& document);
void claim_import(Reader& reader, const nlohmann::json& document);
void claim_prune(Reader& reader, const nlohmann::json& document);

}  // namespace rooftune::test
