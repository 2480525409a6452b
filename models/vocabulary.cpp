#include "models/vocabulary.h"

#include <array>
#include <utility>

namespace rooftune {
namespace {

constexpr std::array<std::pair<Mix, std::string_view>, 16> kMixes{{
    {Mix::none, "none"},
    {Mix::fma, "fma"},
    {Mix::add, "add"},
    {Mix::mul, "mul"},
    {Mix::fma_add, "fma_add"},
    {Mix::load, "load"},
    {Mix::update, "update"},
    {Mix::store, "store"},
    {Mix::nt_store, "nt_store"},
    {Mix::nt_copy, "nt_copy"},
    {Mix::two_loads_store, "two_loads_store"},
    {Mix::loads, "loads"},
    {Mix::fmas, "fmas"},
    {Mix::mixed, "mixed"},
    {Mix::to_device, "to_device"},
    {Mix::from_device, "from_device"},
}};

}  // namespace

std::string_view to_text(Backend b) {
    return b == Backend::cpu ? "cpu" : "opencl";
}
std::string_view to_text(DType t) {
    return t == DType::f64 ? "f64" : "f32";
}
std::string_view to_text(State s) {
    return s == State::cold ? "cold" : "warm";
}

std::string_view to_text(Mix m) {
    for (const auto& [mix, text] : kMixes) {
        if (mix == m) return text;
    }
    return "none";
}

std::optional<Backend> backend_from(std::string_view text) {
    if (text == "cpu") return Backend::cpu;
    if (text == "opencl") return Backend::opencl;
    return std::nullopt;
}

std::optional<DType> dtype_from(std::string_view text) {
    if (text == "f64") return DType::f64;
    if (text == "f32") return DType::f32;
    return std::nullopt;
}

std::optional<State> state_from(std::string_view text) {
    if (text == "warm") return State::warm;
    if (text == "cold") return State::cold;
    return std::nullopt;
}

std::optional<Mix> mix_from(std::string_view text) {
    for (const auto& [mix, name] : kMixes) {
        if (name == text) return mix;
    }
    return std::nullopt;
}

ReadWriteShare read_write_share(Mix m) {
    switch (m) {
        case Mix::load:
            return {1.0, 0.0};
        case Mix::update:
        case Mix::nt_copy:
            return {0.5, 0.5};
        case Mix::store:
        case Mix::nt_store:
            return {0.0, 1.0};
        case Mix::two_loads_store:
            return {2.0 / 3.0, 1.0 / 3.0};
        default:
            return {0.0, 0.0};
    }
}

}  // namespace rooftune
