// The formats of recorded spaces, from JSON. Keys that a replay does not need are passed over: these are
// other people's files, and they grow. What is needed is read strictly, and complaints name the JSON pointer.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tuner/formats/strict_json.h"
#include "tuner/replay/recorded_space.h"

namespace rooftune::formats {

/// Parses a document. Kernel Tuner appends to its cache and closes it only at the end of a run: a text that
/// ends behind a whole entry, or within one that a kill cut short, is closed there.
/// `cut_short`, unless null, is set where that was so.
Json parse_recorded(std::string_view text, const std::string& file, bool* cut_short = nullptr);

/// Times in milliseconds; a failure is a text in place of the time.
RecordedSpace from_kernel_tuner(const Json& document, const std::string& file);
/// Version 1 of T4: times in milliseconds ("miliseconds" in its metadata) or as its `timeunit` says.
RecordedSpace from_t4(const Json& document, const std::string& file);
/// KTT's own output, times in the unit of its metadata.
RecordedSpace from_ktt(const Json& document, const std::string& file);

/// Collects configurations whose values are known only once all were read.
class Collector {
public:
    explicit Collector(std::string file) : file_(std::move(file)) {}
    /// Values that the file itself lists, in its order.
    void declare(const std::string& parameter, const Json& values);
    /// A configuration by its parameters' values. All must have the same parameters. Throws InputError.
    void add(const Json& values, RecordedConfiguration configuration, const std::string& pointer);
    RecordedSpace finish(std::string name) &&;

private:
    int value_index(std::size_t parameter, const std::string& value);

    std::string file_;
    RecordedSpace space_;
    std::vector<std::unordered_map<std::string, int>>
        places_;  ///< of each parameter's values, the first of equals
};

/// A positive finite number of seconds out of `value` units; throws InputError.
double time_of(const Json& value, double unit, const std::string& file, const std::string& pointer);
/// The unit of a name ("ms", "microseconds", …) in seconds; throws InputError.
double time_unit(const std::string& name, const std::string& file);

}  // namespace rooftune::formats
