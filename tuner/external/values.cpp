#include "tuner/external/values.h"

#include <charconv>
#include <cmath>
#include <vector>

#include "kernels/runtime/error.h"
#include "kernels/runtime/nearest.h"

namespace rooftune {
namespace {

template <typename Number>
bool reads_as(const std::string& text, Number& value) {
    const char* end = text.data() + text.size();
    const auto [to, error] = std::from_chars(text.data(), end, value);
    return error == std::errc() && to == end;
}

}  // namespace

void Values::set(const std::string& name, std::string text) {
    Value value;
    value.is_real = reads_as(text, value.real) && std::isfinite(value.real);
    value.is_integer = reads_as(text, value.integer);
    value.text = std::move(text);
    of_[name] = std::move(value);
}

const Values::Value& Values::of(std::string_view name) const {
    const auto found = of_.find(name);
    if (found != of_.end()) return found->second;
    std::vector<std::string> names;
    for (const auto& [known, value] : of_) names.push_back(known);
    throw InputError("this variant has no size, number or parameter '" + std::string(name) + "'; " +
                     (names.empty() ? "it has none" : suggestion(std::string(name), names)));
}

std::int64_t Values::integer(std::string_view name) const {
    const Value& value = of(name);
    if (!value.is_integer)
        throw InputError("the value of " + std::string(name) + " is '" + value.text +
                         "', which is no whole number; ask for " + (value.is_real ? "real()" : "text()"));
    return value.integer;
}

double Values::real(std::string_view name) const {
    const Value& value = of(name);
    if (!value.is_real)
        throw InputError("the value of " + std::string(name) + " is '" + value.text +
                         "', which is no number; ask for text()");
    return value.real;
}

const std::string& Values::text(std::string_view name) const {
    return of(name).text;
}

std::map<std::string, std::string> Values::texts() const {
    std::map<std::string, std::string> texts;
    for (const auto& [name, value] : of_) texts[name] = value.text;
    return texts;
}

}  // namespace rooftune
