// Kernel Tuner's cache: {tune_params_keys, tune_params, cache: {"16,1,…": {16, 1, …, time, times,
// compile_time, verification_time, benchmark_time, framework_time, …}}}, all times in milliseconds. A failure
// is a text in place of the time; Kernel Tuner 1.5 writes it to "__error__".
#include <array>

#include "kernels/runtime/error.h"
#include "tuner/replay/formats.h"

namespace rooftune::formats {
namespace {

// What finding out took. Parts that a file does not have took nothing.
double cost_of(const Json& entry) {
    double cost = 0.0;
    for (const char* part : {"compile_time", "verification_time", "benchmark_time", "framework_time"}) {
        if (entry.contains(part) && entry[part].is_number()) cost += entry[part].get<double>();
    }
    return cost * kMillisecond;
}

std::string text_or(const Json& document, const char* key, const std::string& fallback) {
    const bool told = document.contains(key) && document[key].is_string() && document[key] != "";
    return told ? document[key].get<std::string>() : fallback;
}

}  // namespace

RecordedSpace from_kernel_tuner(const Json& document, const std::string& file) {
    const Json& keys = document.contains("tune_params_keys") ? document["tune_params_keys"] : Json::array();
    if (!document["cache"].is_object())
        json_mismatch(file, "/cache", "an object of configurations", describe_json(document["cache"]));
    Collector collector(file);
    for (const Json& key : keys) {
        if (!key.is_string()) json_mismatch(file, "/tune_params_keys", "names", describe_json(key));
        const bool listed =
            document.contains("tune_params") && document["tune_params"].contains(key.get<std::string>());
        collector.declare(key, listed ? document["tune_params"][key.get<std::string>()] : Json::array());
    }
    if (keys.empty())
        throw InputError(file + ": at /tune_params_keys: expected the names of the parameters, found none");
    for (const auto& [name, entry] : document["cache"].items()) {
        const std::string pointer = "/cache/" + name;
        if (!entry.is_object()) json_mismatch(file, pointer, "an object", describe_json(entry));
        const bool error = entry.contains("__error__") && entry["__error__"].is_string();
        if (!entry.contains("time") && !error) json_mismatch(file, pointer, "a time", "none");
        RecordedConfiguration c;
        c.cost = cost_of(entry);
        if (error) {
            c.failure = entry["__error__"].get<std::string>();
        } else if (entry["time"].is_string()) {
            c.failure = entry["time"].get<std::string>();
        } else {
            c.seconds = time_of(entry["time"], kMillisecond, file, pointer + "/time");
            if (entry.contains("times")) {
                for (const Json& sample : entry["times"])
                    c.samples.push_back(time_of(sample, kMillisecond, file, pointer + "/times"));
            }
        }
        collector.add(entry, std::move(c), pointer);
    }
    return std::move(collector).finish(text_or(document, "kernel_name", "a kernel") + " on " +
                                       text_or(document, "device_name", "an unnamed device"));
}

}  // namespace rooftune::formats
