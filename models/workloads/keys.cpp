#include "models/workloads/keys.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace rooftune {

WorkloadKey size_key(std::string name, std::string help, std::string fallback) {
    return {std::move(name), std::move(help), std::move(fallback), true};
}

WorkloadKey choice_key(std::string name, std::string help, std::string fallback) {
    return {std::move(name), std::move(help), std::move(fallback), false};
}

std::vector<WorkloadKey> with_common_keys(std::vector<WorkloadKey> own) {
    own.push_back(
        choice_key("dtype", "element type: f64, f32, f16, bf16, f8, int8, int16, int32 or int64", "f64"));
    own.push_back(
        choice_key("unit", "compute unit of the machine, such as matrix or vector; any: the fastest", "any"));
    own.push_back(choice_key("sparse", "1: count the machine's rates with structured sparsity", "0"));
    own.push_back(choice_key(
        "state", "caches at the start: warm, as repetitions leave them, or cold where data come from memory",
        "warm"));
    return own;
}

WorkloadReader::WorkloadReader(const WorkloadSpec& spec, std::vector<WorkloadKey> keys) : values_(spec) {
    for (const WorkloadKey& key : keys) {
        if (has(key.name)) continue;
        if (key.fallback.empty()) throw WorkloadError{key.name, "is needed: " + key.help};
        values_[key.name] = key.fallback;
    }
}

bool WorkloadReader::has(const std::string& name) const {
    return values_.find(name) != values_.end();
}

const std::string& WorkloadReader::value(const std::string& name) const {
    const auto found = values_.find(name);
    if (found == values_.end()) throw WorkloadError{name, "is not a key of this workload"};
    return found->second;
}

const std::string& WorkloadReader::resolve(const std::string& name) const {
    const std::string* key = &name;
    for (std::size_t names = 0; has(value(*key)); ++names) {
        if (names > values_.size()) refuse(name, "a value", value(name) + ", which leads in a circle");
        key = &value(*key);
    }
    return *key;
}

void WorkloadReader::refuse(const std::string& key, const std::string& expected, const std::string& got) {
    throw WorkloadError{key, "expected " + expected + ", got '" + got + "'"};
}

double WorkloadReader::size(const std::string& name) const {
    const std::string& key = resolve(name);
    const std::string& text = value(key);
    double number = 0.0;
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc{} || rest != end || !std::isfinite(number) || number < 0.0) {
        refuse(key, "a number >= 0", text);
    }
    return number;
}

double WorkloadReader::size_from(const std::string& name, double least) const {
    const double number = size(name);
    if (number < least) refuse(resolve(name), "a number >= " + size_text(least), value(resolve(name)));
    return number;
}

DType WorkloadReader::dtype(const std::string& name) const {
    const std::string& key = resolve(name);
    const std::string& text = value(key);
    const auto type = dtype_from(text);
    if (!type) refuse(key, "f64, f32, f16, bf16, f8, int8, int16, int32 or int64", text);
    return *type;
}

std::string WorkloadReader::choice(const std::string& name,
                                   std::initializer_list<std::string_view> words) const {
    const std::string& text = value(name);
    if (std::find(words.begin(), words.end(), text) != words.end()) return text;
    std::string expected;
    for (const std::string_view word : words) {
        if (!expected.empty()) expected += word == *(words.end() - 1) ? " or " : ", ";
        expected += word;
    }
    refuse(name, expected, text);
}

std::string WorkloadReader::text(const std::string& name) const {
    return value(name);
}

bool WorkloadReader::flag(const std::string& name) const {
    return choice(name, {"0", "1"}) == "1";
}

void WorkloadReader::finish(Workload& workload) const {
    const double one_device = workload.flops.value / workload.devices;
    workload.work.flops_nominal = Operations(one_device);
    workload.work.total.ops = Operations(one_device);
    const std::string unit = text("unit");
    workload.unit = unit == "any" ? "" : unit;
    workload.sparse = flag("sparse");
    workload.work.traffic.state = choice("state", {"warm", "cold"}) == "warm" ? State::warm : State::cold;
}

std::string size_text(double size) {
    char text[32];
    // What was solved for is no whole number, and its tenth digit tells nobody anything.
    const char* const form = size == std::floor(size) ? "%.10g" : size < 1000.0 ? "%.4g" : "%.0f";
    std::snprintf(text, sizeof text, form, size);
    return text;
}

}  // namespace rooftune
