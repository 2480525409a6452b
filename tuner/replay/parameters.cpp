#include "tuner/replay/parameters.h"

#include <nlohmann/json.hpp>

namespace rooftune {

Json parameters_json(const RecordedSpace& space, const RecordedConfiguration& configuration) {
    Json values = Json::object();
    for (std::size_t p = 0; p < space.parameters.size(); ++p) {
        const RecordedParameter& parameter = space.parameters[p];
        const auto value = static_cast<std::size_t>(configuration.values[p]);
        values[parameter.name] = value_json(parameter.values[value]);
    }
    return values;
}

std::string line_of(const Json& value) {
    return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace rooftune
