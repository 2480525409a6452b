// Strict reading of JSON: one document and nothing else, no key twice, no number that would lose
// digits, bounded depth and size. Every error is an InputError that names the file, the JSON pointer,
// what was expected and what was found.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <map>
#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>
#include <vector>
#include "tuner/base/text_file.h"

namespace rooftune {

/// Objects keep the order of their keys, so that a file read and written again stays recognisable.
using Json = nlohmann::ordered_json;

struct JsonLimits {
    std::size_t bytes = kMostDocumentBytes;
    int depth = 64;  ///< containers inside containers
};

/// Parses one document. `file` is what messages call it.
Json parse_json(std::string_view text, const std::string& file, const JsonLimits& limits = {});
Json read_json_file(const std::string& path, const JsonLimits& limits = {});

/// A value in a few words, for messages: `the string "abc"`, `the number 3`, `an array of 4`.
std::string describe_json(const Json& value);

/// Throws the InputError "FILE: at POINTER: expected …, found …".
[[noreturn]] void json_mismatch(const std::string& file, const std::string& pointer,
                                const std::string& expected, const std::string& found);

/// An object being read key by key. Each getter throws InputError when the key is missing (unless it
/// has a fallback) or holds something else. A key that was asked for, present or not, is known;
/// finish() complains about the first that is not. The JSON value must outlive the reader.
class StrictObject {
public:
    /// Throws InputError when `value` is not an object.
    StrictObject(const Json& value, std::string file, std::string pointer = {});

    const std::string& file() const { return file_; }
    const std::string& pointer() const { return pointer_; }
    std::string pointer_to(std::string_view key) const;

    /// Whether the key is there; null counts as there.
    bool has(std::string_view key);
    /// Whether the key is there and null.
    bool is_null(std::string_view key);
    const Json& value(std::string_view key);

    std::string text(std::string_view key);
    std::string text_or(std::string_view key, std::string fallback);
    /// A text out of a closed set.
    std::string one_of(std::string_view key, std::initializer_list<std::string_view> allowed);

    /// A finite number within [least, most].
    double number(std::string_view key, double least = -std::numeric_limits<double>::max(),
                  double most = std::numeric_limits<double>::max());
    double number_or(std::string_view key, double fallback,
                     double least = -std::numeric_limits<double>::max(),
                     double most = std::numeric_limits<double>::max());

    /// A whole number spelled as one (3, not 3.0) within [least, most].
    std::int64_t integer(std::string_view key, std::int64_t least = std::numeric_limits<std::int64_t>::min(),
                         std::int64_t most = std::numeric_limits<std::int64_t>::max());
    /// A whole number from 0 to 2^64 − 1.
    std::uint64_t count(std::string_view key);
    /// An int of at least `least`; for small counts.
    int small(std::string_view key, int least = 0);

    bool flag(std::string_view key);
    bool flag_or(std::string_view key, bool fallback);

    StrictObject object(std::string_view key);
    std::vector<StrictObject> objects(std::string_view key);
    std::vector<std::string> texts(std::string_view key);
    std::vector<std::int64_t> integers(std::string_view key);
    std::vector<double> numbers(std::string_view key);
    /// An object whose values are all texts; its keys are free.
    std::map<std::string, std::string> text_map(std::string_view key);
    /// An object whose values are all finite numbers; its keys are free and keep their order.
    std::vector<std::pair<std::string, double>> number_map(std::string_view key);

    /// "schema" must be exactly this, "rooftune/tuned-config/2" say. Read it first, so that a file of
    /// another version is called that and not a file with unknown keys.
    void schema(std::string_view expected);

    /// Throws InputError for the first key never asked for, with the nearest known one.
    void finish() const;

    /// Throws InputError at this key, for a rule the getters do not know.
    [[noreturn]] void fail(std::string_view key, const std::string& expected) const;

private:
    const Json* find(std::string_view key);
    const Json* peek(std::string_view key) const;
    const Json& array(std::string_view key);

    const Json* value_;
    std::string file_;
    std::string pointer_;
    std::vector<std::string> known_;
};

}  // namespace rooftune
