// A ladder as JSON: what `rooftune ladder --json` prints and what lies beside a tuned config.
// configs/schema/ladder.schema.json describes it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tuner/formats/strict_json.h"
#include "tuner/ladder/result.h"

namespace rooftune::ladder {

inline constexpr std::string_view kLadderSchema = "rooftune/ladder/1";

Json to_json(const Result& result);

/// Reads strictly. Throws InputError with file, JSON pointer, what was expected and found.
Result result_from(const Json& document, const std::string& file);

bool is_ladder(const std::string& path);

/// CONFIG.json → CONFIG.ladder.json: where the ladder of a tuned config lies.
std::string ladder_file_of(const std::string& config);

/// A ladder with where it is from.
struct LadderFile {
    Result result;
    std::string file;
};

/// The ladders among the files, and after them those that lie beside the others (ladder_file_of), each once.
/// Throws InputError as result_from does.
std::vector<LadderFile> read_ladders(const std::vector<std::string>& paths);

}  // namespace rooftune::ladder
