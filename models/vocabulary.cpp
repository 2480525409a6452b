#include "models/vocabulary.h"

#include <array>
#include <utility>

namespace rooftune {
namespace {

constexpr std::array<std::pair<Mix, std::string_view>, 22> kMixes{{
    {Mix::none, "none"},
    {Mix::fma, "fma"},
    {Mix::add, "add"},
    {Mix::mul, "mul"},
    {Mix::div, "div"},
    {Mix::sqrt, "sqrt"},
    {Mix::dot, "dot"},
    {Mix::fma_add, "fma_add"},
    {Mix::load, "load"},
    {Mix::update, "update"},
    {Mix::store, "store"},
    {Mix::nt_store, "nt_store"},
    {Mix::nt_copy, "nt_copy"},
    {Mix::copy, "copy"},
    {Mix::two_loads_store, "two_loads_store"},
    {Mix::loads, "loads"},
    {Mix::split_loads, "split_loads"},
    {Mix::gathers, "gathers"},
    {Mix::fmas, "fmas"},
    {Mix::mixed, "mixed"},
    {Mix::to_device, "to_device"},
    {Mix::from_device, "from_device"},
}};

constexpr std::array<std::pair<DType, std::string_view>, kDTypes> kTypes{{
    {DType::f32, "f32"},
    {DType::f64, "f64"},
    {DType::f16, "f16"},
    {DType::bf16, "bf16"},
    {DType::f8, "f8"},
    {DType::int8, "int8"},
    {DType::int16, "int16"},
    {DType::int32, "int32"},
    {DType::int64, "int64"},
}};

}  // namespace

std::string_view to_text(Backend b) {
    return b == Backend::cpu ? "cpu" : "opencl";
}
std::string_view to_text(DType t) {
    for (const auto& [dtype, text] : kTypes) {
        if (dtype == t) return text;
    }
    return "f32";
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
    for (const auto& [dtype, name] : kTypes) {
        if (name == text) return dtype;
    }
    return std::nullopt;
}

std::optional<DType> real_dtype_from(std::string_view text) {
    const std::optional<DType> dtype = dtype_from(text);
    return dtype == DType::f32 || dtype == DType::f64 ? dtype : std::nullopt;
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
        case Mix::none:
            return {1.0, 1.0};
        case Mix::load:
            return {1.0, 0.0};
        case Mix::update:
        case Mix::nt_copy:
        case Mix::copy:
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
