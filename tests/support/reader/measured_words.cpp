#include "tests/support/reader/measured_words.h"

#include <cmath>
#include <map>

#include "tuner/base/si.h"

namespace rooftune::test {

using nlohmann::json;

double number_of(const json& value) {
    return value.is_number() ? value.get<double>() : NAN;
}

std::string share_words(const json& share) {
    return share.is_number() ? format_percent(number_of(share)) : "n/a";
}

std::string over_words(const json& over) {
    if (!over.is_object()) return "n/a";
    const double ratio = number_of(over.at("ratio"));
    return over.at("low").is_number()
               ? format_ratio_interval(ratio, number_of(over.at("low")), number_of(over.at("high")))
               : format_ratio(ratio);
}

std::string gain_words(const json& gain) {
    return format_ratio_interval(number_of(gain.at("factor")), number_of(gain.at("low")),
                                 number_of(gain.at("high")));
}

void claim_verdicts(Reader& reader, const json& judged) {
    std::map<std::string, int> counts;
    for (const json& v : judged) ++counts[v.at("verdict").get<std::string>()];
    Reader::Truths truths;
    for (const auto& [verdict, count] : counts) truths.push_back({std::to_string(count), verdict});
    reader.claim(
        "verdicts",
        "(?:^|, |: )([0-9]+) (REGRESSED|IMPROVED|UNCHANGED|INCONCLUSIVE|INVALID|VALID|STALE|SLOWER|BEATEN|"
        "WRONG|NOT HERE|UNDECIDED|UNREADABLE)",
        truths);
}

}  // namespace rooftune::test
