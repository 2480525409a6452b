#include <array>
#include <cmath>

#include "kernels/runtime/error.h"
#include "tuner/replay/formats.h"

namespace rooftune::formats {
namespace {

// 16 and 16.0 are one value; texts stay as they are.
std::string text_of(const Json& value) {
    if (value.is_string()) return value.get<std::string>();
    if (value.is_number_float() && std::floor(value.get<double>()) == value.get<double>() &&
        std::abs(value.get<double>()) < 1e15)
        return std::to_string(static_cast<long long>(value.get<double>()));
    return value.dump();
}

}  // namespace

void Collector::declare(const std::string& parameter, const Json& values) {
    space_.parameters.push_back({parameter, {}});
    places_.emplace_back();
    for (const Json& value : values) {
        RecordedParameter& p = space_.parameters.back();
        p.values.push_back(text_of(value));
        places_.back().emplace(p.values.back(), static_cast<int>(p.values.size()) - 1);
    }
}

int Collector::value_index(std::size_t parameter, const std::string& value) {
    std::vector<std::string>& known = space_.parameters[parameter].values;
    const auto [at, is_new] = places_[parameter].emplace(value, static_cast<int>(known.size()));
    if (is_new) known.push_back(value);
    return at->second;
}

void Collector::add(const Json& values, RecordedConfiguration configuration, const std::string& pointer) {
    if (space_.parameters.empty()) {
        for (const auto& [name, value] : values.items()) space_.parameters.push_back({name, {}});
        places_.resize(space_.parameters.size());
    }
    for (std::size_t p = 0; p < space_.parameters.size(); ++p) {
        const std::string& name = space_.parameters[p].name;
        if (!values.contains(name)) json_mismatch(file_, pointer, "the parameter '" + name + "'", "none");
        configuration.values.push_back(value_index(p, text_of(values[name])));
    }
    space_.configurations.push_back(std::move(configuration));
}

RecordedSpace Collector::finish(std::string name) && {
    space_.name = std::move(name);
    return std::move(space_);
}

double time_of(const Json& value, double unit, const std::string& file, const std::string& pointer) {
    const bool good = value.is_number() && std::isfinite(value.get<double>()) && value.get<double>() > 0.0;
    if (!good) json_mismatch(file, pointer, "a time above 0", describe_json(value));
    return value.get<double>() * unit;
}

double time_unit(const std::string& name, const std::string& file) {
    struct Unit {
        const char* name;
        double seconds;
    };
    // T4's own files write "miliseconds".
    constexpr std::array<Unit, 12> kUnits{{{"s", 1.0},
                                           {"seconds", 1.0},
                                           {"ms", 1e-3},
                                           {"miliseconds", 1e-3},
                                           {"milliseconds", 1e-3},
                                           {"us", 1e-6},
                                           {"microseconds", 1e-6},
                                           {"ns", 1e-9},
                                           {"nanoseconds", 1e-9},
                                           {"Milliseconds", 1e-3},
                                           {"Microseconds", 1e-6},
                                           {"Nanoseconds", 1e-9}}};
    for (const Unit& unit : kUnits) {
        if (name == unit.name) return unit.seconds;
    }
    if (name == "Seconds") return 1.0;
    throw InputError(file + ": unknown unit of time '" + name +
                     "'; expected seconds, milliseconds, "
                     "microseconds or nanoseconds");
}

}  // namespace rooftune::formats
