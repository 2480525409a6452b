// Tune results as JSON: what `tune --json` prints, what a tuned config embeds, and what `plot`,
// `explain` and `run` read back. configs/schema/tune-result.schema.json describes the document; a
// test holds the two together.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tuner/formats/strict_json.h"
#include "tuner/formats/tune_result.h"

namespace rooftune {

inline constexpr std::string_view kTuneResultSchema = "rooftune/tune-result/4";

class Fields;

/// The fields of the document, for the documents that hold it.
void fields(Fields& f, TuneResult& result);

/// The document of one result. `best` and `bound` are null when no variant works. A fraction,
/// speed-up or gap that is not finite (a gap without any bound, say) is null, since JSON has no
/// word for it; the same for `files` not written.
Json to_json(const TuneResult& result);

/// One result as itself, several as {"results": […]}.
Json to_json(const std::vector<TuneResult>& results);

/// The text of a document as it is written: two blanks a level, a newline at the end. Bytes that
/// are not UTF-8 (file names may hold them) are replaced, so that the document is always valid.
std::string json_text(const Json& document);

/// Reads one result back. Throws InputError with file, JSON pointer, what was expected and found;
/// also when the counts of the certificate do not add up.
TuneResult result_from(StrictObject object);

/// Reads a file of one result or of several. Throws InputError as above.
std::vector<TuneResult> read_results(const std::string& path);

}  // namespace rooftune
