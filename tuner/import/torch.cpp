#include "tuner/import/torch.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "kernels/runtime/error.h"
#include "tuner/formats/strict_json.h"
#include "tuner/import/torch_shapes.h"

namespace rooftune::imports {
namespace {

/// An operator's event on the host.
struct Event {
    Operator op;
    double begin = 0.0, duration = 0.0;  ///< microseconds
    std::string thread;
    std::int64_t id = -1;  ///< "External id"
    double flops = 0.0;
    double bytes = 0.0;
    bool counted = false;  ///< the trace itself states the flops
};

double number_in(const Json& object, std::initializer_list<const char*> keys) {
    for (const char* key : keys) {
        const auto found = object.find(key);
        if (found == object.end()) continue;
        if (found->is_number()) return found->get<double>();
        if (found->is_string()) {
            try {
                return std::stod(found->get<std::string>());
            } catch (const std::exception&) {
                continue;  // not a figure: as good as absent
            }
        }
    }
    return 0.0;
}

std::string text_in(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::vector<Shape> shapes_in(const Json& args) {
    std::vector<Shape> shapes;
    const auto dims = args.find("Input Dims");
    const auto& list = dims != args.end() ? *dims : args.value("Input dims", Json::array());
    if (!list.is_array()) return shapes;
    for (const Json& entry : list) {
        Shape shape;
        if (entry.is_array()) {
            for (const Json& size : entry) {
                // A list of tensors is one more array deep; its shapes are not an operand's.
                if (!size.is_number()) {
                    shape.clear();
                    break;
                }
                shape.push_back(size.get<double>());
            }
        }
        shapes.push_back(std::move(shape));
    }
    return shapes;
}

std::vector<std::string> texts_in(const Json& args, const char* key) {
    std::vector<std::string> texts;
    const auto found = args.find(key);
    if (found == args.end() || !found->is_array()) return texts;
    for (const Json& entry : *found)
        texts.push_back(entry.is_string() ? entry.get<std::string>() : entry.dump());
    return texts;
}

const Json& events_of(const Json& document, const std::string& file) {
    if (document.is_array()) return document;
    if (document.is_object() && document.contains("traceEvents") && document["traceEvents"].is_array())
        return document["traceEvents"];
    json_mismatch(file, "/traceEvents", "the array of events of a Chrome trace", describe_json(document));
}

bool is_device_work(const std::string& category) {
    return category == "kernel" || category == "Kernel" || category == "gpu_op";
}

}  // namespace

MeasuredPoints read_torch(std::string_view text, const std::string& file) {
    // Before the reader of JSON says no more than that it is none.
    const std::size_t first = text.find_first_not_of("\xEF\xBB\xBF \t\r\n");
    if (first != std::string_view::npos && text[first] != '{' && text[first] != '[') {
        throw InputError(
            file +
            ": no trace of PyTorch's profiler, which is a JSON document: record one by "
            "profile(record_shapes=True, with_flops=True), let export_chrome_trace(FILE) write it, "
            "and name that file");
    }
    const Json document = parse_json(text, file, {.bytes = std::size_t{1} << 30, .depth = 64});
    const Json& events = events_of(document, file);
    std::vector<Event> operators;
    std::map<std::int64_t, double> device_time;  // microseconds, by "External id"
    bool any_operator = false;
    for (std::size_t i = 0; i < events.size(); ++i) {
        const Json& e = events[i];
        if (!e.is_object() || text_in(e, "ph") != "X") continue;
        const std::string category = text_in(e, "cat");
        const auto duration = e.find("dur");
        const bool is_operator = category == "cpu_op" || category == "Operator" || category == "operator";
        if (!is_operator && !is_device_work(category)) continue;
        if (duration == e.end() || !duration->is_number() || duration->get<double>() < 0.0) {
            json_mismatch(file, "/traceEvents/" + std::to_string(i) + "/dur", "a duration in microseconds",
                          duration == e.end() ? "nothing" : describe_json(*duration));
        }
        const Json none = Json::object();
        const auto found = e.find("args");
        const Json& args = found != e.end() && found->is_object() ? *found : none;
        double id = args.contains("External id") || args.contains("external id")
                        ? number_in(args, {"External id", "external id"})
                        : -1.0;
        // Beyond, a double is no count and fits into none.
        constexpr double kMostId = 9'007'199'254'740'992.0;
        if (!(id >= 0.0 && id <= kMostId)) id = -1.0;
        if (is_device_work(category)) {
            if (id >= 0.0) device_time[static_cast<std::int64_t>(id)] += duration->get<double>();
            continue;
        }
        any_operator = true;
        Event event;
        event.op = {text_in(e, "name"), shapes_in(args), texts_in(args, "Input type"),
                    texts_in(args, "Concrete Inputs")};
        event.begin = number_in(e, {"ts"});
        event.duration = duration->get<double>();
        const auto tid = e.find("tid");
        event.thread = tid != e.end() ? tid->dump() : "";
        event.id = static_cast<std::int64_t>(id);
        event.flops = number_in(args, {"flops", "Flops", "kernel_flop"});
        event.counted = event.flops > 0.0;
        if (event.op.inputs.empty() && !event.counted) continue;
        if (!event.counted) event.flops = flops_by_shape(event.op).value_or(0.0);
        event.bytes = bytes_by_shape(event.op).value_or(0.0);
        if (event.flops > 0.0) operators.push_back(std::move(event));
    }
    if (operators.empty()) {
        throw InputError(
            file + (any_operator
                        ? ": no operator with flops or known shapes: record with "
                          "profile(record_shapes=True, with_flops=True)"
                        : ": no operator in the trace (events of category \"cpu_op\"): is it a trace of "
                          "PyTorch's profiler?"));
    }
    // linear calls addmm: of operators inside each other only the innermost did the work.
    std::stable_sort(operators.begin(), operators.end(), [](const Event& a, const Event& b) {
        if (a.thread != b.thread) return a.thread < b.thread;
        return a.begin != b.begin ? a.begin < b.begin : a.duration > b.duration;
    });
    MeasuredPoints all{"torch", file, {}};
    std::map<std::pair<std::string, std::string>, std::size_t> index;
    for (std::size_t i = 0; i < operators.size(); ++i) {
        const Event& event = operators[i];
        const bool outer = i + 1 < operators.size() && operators[i + 1].thread == event.thread &&
                           operators[i + 1].begin < event.begin + event.duration;
        // An operator that launched kernels itself is no mere shell.
        const auto device = device_time.find(event.id);
        if (outer && (device == device_time.end() || event.id < 0)) continue;
        if (!device_time.empty() && device == device_time.end()) continue;
        const std::string shapes = shapes_text(event.op);
        const auto [at, fresh] = index.emplace(std::pair(event.op.name, shapes), all.points.size());
        if (fresh) {
            MeasuredPoint point;
            point.name = event.op.name;
            point.launches = 0;
            point.note = shapes;
            if (!event.counted) point.note += "; flops by shapes";
            if (event.bytes > 0.0) point.note += "; bytes: each operand once";
            all.points.push_back(std::move(point));
        }
        MeasuredPoint& point = all.points[at->second];
        point.seconds += 1e-6 * (device != device_time.end() ? device->second : event.duration);
        point.flops += event.flops;
        point.bytes += event.bytes;
        ++point.launches;
        const std::string type = event.op.types.empty() ? "" : type_name(event.op.types.front());
        if (type.empty()) continue;
        if (point.flops_by_type.empty()) point.flops_by_type.emplace_back(type, 0.0);
        point.flops_by_type.front().second += event.flops;
    }
    if (all.points.empty())
        throw InputError(file + ": no operator with flops launched a kernel on the device in this trace");
    sort_by_time(all);
    return all;
}

}  // namespace rooftune::imports
