// T4, the exchange format of the auto-tuning community: results[]: {configuration, times {compilation,
// framework, search_algorithm, validation, runtimes[]}, invalidity, measurements[{name, value}], objectives}.
#include <algorithm>

#include "tuner/replay/formats.h"

namespace rooftune::formats {
namespace {

// What finding out took: what the format's schema calls compilation_time is "compilation" in the files that
// there are. "benchmark" is the whole of what "runtimes" samples; data transfers are part of "framework".
double cost_of_result(const Json& times, double unit) {
    double cost = 0.0;
    const auto add = [&](const char* name) {
        const bool there = times.contains(name) && times[name].is_number();
        if (there) cost += times[name].get<double>();
        return there;
    };
    if (!add("compilation")) add("compilation_time");
    add("framework");
    add("validation");
    if (!add("benchmark") && times.contains("runtimes") && times["runtimes"].is_array()) {
        for (const Json& sample : times["runtimes"]) cost += sample.is_number() ? sample.get<double>() : 0.0;
    }
    return cost * unit;
}

}  // namespace

RecordedSpace from_t4(const Json& document, const std::string& file) {
    double unit = 1e-3;
    std::string name = "a space in T4";
    if (document.contains("metadata") && document["metadata"].is_object()) {
        const Json& metadata = document["metadata"];
        if (metadata.contains("timeunit")) unit = time_unit(metadata["timeunit"].get<std::string>(), file);
        if (metadata.contains("device")) name += " on " + metadata["device"].get<std::string>();
    }
    if (!document["results"].is_array())
        json_mismatch(file, "/results", "an array of results", describe_json(document["results"]));
    Collector collector(file);
    std::size_t i = 0;
    for (const Json& result : document["results"]) {
        const std::string pointer = "/results/" + std::to_string(i++);
        StrictObject object(result, file, pointer);
        const Json& configuration = object.value("configuration");
        const std::string invalidity = object.text("invalidity");
        const Json none = Json::object();
        const Json& times = result.contains("times") ? result["times"] : none;
        RecordedConfiguration c;
        c.cost = cost_of_result(times, unit);
        const std::string objective =
            result.contains("objectives") && result["objectives"].is_array() && !result["objectives"].empty()
                ? result["objectives"].front().get<std::string>()
                : "time";
        const Json* value = nullptr;
        if (result.contains("measurements")) {
            for (const Json& m : result["measurements"]) {
                if (m.contains("name") && m["name"] == objective && m.contains("value")) value = &m["value"];
            }
        }
        if (invalidity != "correct") {
            c.failure = value != nullptr && value->is_string() ? value->get<std::string>() : invalidity;
        } else {
            if (value == nullptr)
                json_mismatch(file, pointer + "/measurements", "the objective '" + objective + "'", "none");
            c.seconds = time_of(*value, unit, file, pointer + "/measurements");
            if (times.contains("runtimes")) {
                for (const Json& sample : times["runtimes"])
                    c.samples.push_back(time_of(sample, unit, file, pointer + "/times/runtimes"));
            }
        }
        collector.add(configuration, std::move(c), pointer + "/configuration");
    }
    return std::move(collector).finish(name);
}

}  // namespace rooftune::formats
