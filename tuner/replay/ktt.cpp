// KTT's output: Results[]: {Configuration[{Name, Value}], Status, TotalDuration, TotalOverhead, …}.
#include "tuner/replay/formats.h"

namespace rooftune::formats {

RecordedSpace from_ktt(const Json& document, const std::string& file) {
    StrictObject root(document, file);
    StrictObject metadata(root.value("Metadata"), file, "/Metadata");
    const double unit = time_unit(metadata.text("TimeUnit"), file);
    const std::string device = metadata.text_or("Device", "an unnamed device");
    const Json& results = root.value("Results");
    if (!results.is_array()) json_mismatch(file, "/Results", "an array of results", describe_json(results));
    Collector collector(file);
    std::string kernel = "a kernel";
    std::size_t i = 0;
    for (const Json& result : results) {
        const std::string pointer = "/Results/" + std::to_string(i++);
        StrictObject object(result, file, pointer);
        kernel = object.text_or("KernelName", kernel);
        Json values = Json::object();
        for (const Json& pair : object.value("Configuration")) {
            StrictObject p(pair, file, pointer + "/Configuration");
            values[p.text("Name")] = p.value("Value");
        }
        RecordedConfiguration c;
        const std::string status = object.text("Status");
        if (status == "Ok") {
            c.seconds = time_of(object.value("TotalDuration"), unit, file, pointer + "/TotalDuration");
        } else {
            c.failure = status;
        }
        c.cost = unit *
                 (object.number_or("TotalOverhead", 0.0, 0.0) + object.number_or("TotalDuration", 0.0, 0.0));
        collector.add(values, std::move(c), pointer + "/Configuration");
    }
    return std::move(collector).finish(kernel + " on " + device);
}

}  // namespace rooftune::formats
