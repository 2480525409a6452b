#include "tuner/formats/tuned_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "tuner/formats/cpp_text.h"

namespace rooftune {
namespace {

constexpr std::string_view kKeywords[] = {
    "alignas",     "alignof",  "and",        "and_eq",    "asm",       "auto",         "bitand",
    "bitor",       "bool",     "break",      "case",      "catch",     "char",         "char16_t",
    "char32_t",    "char8_t",  "class",      "co_await",  "co_return", "co_yield",     "compl",
    "concept",     "const",    "const_cast", "consteval", "constexpr", "constinit",    "continue",
    "decltype",    "default",  "delete",     "do",        "double",    "dynamic_cast", "else",
    "enum",        "explicit", "export",     "extern",    "false",     "float",        "for",
    "friend",      "goto",     "if",         "inline",    "int",       "long",         "mutable",
    "namespace",   "new",      "noexcept",   "not",       "not_eq",    "nullptr",      "operator",
    "or",          "or_eq",    "private",    "protected", "public",    "register",     "reinterpret_cast",
    "requires",    "return",   "short",      "signed",    "sizeof",    "static",       "static_assert",
    "static_cast", "struct",   "switch",     "template",  "this",      "thread_local", "throw",
    "true",        "try",      "typedef",    "typeid",    "typename",  "union",        "unsigned",
    "using",       "virtual",  "void",       "volatile",  "wchar_t",   "while",        "xor",
    "xor_eq",      "std",      "linux",      "unix"};

bool plain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/// The value when the text is exactly how that int is spelled ("007" and "+1" are names).
std::optional<int> plain_int(std::string_view text) {
    int value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc() || end != text.data() + text.size() || fmt::format("{}", value) != text)
        return {};
    return value;
}

std::string constant(std::string_view name, std::string_view value) {
    return fmt::format("inline constexpr std::string_view {} = {};\n", name, cpp_literal(value));
}
std::string constant(std::string_view name, int value) {
    return fmt::format("inline constexpr int {} = {};\n", name, value);
}
std::string constant(std::string_view name, double value) {
    return fmt::format("inline constexpr double {} = {:.17e};\n", name, std::isfinite(value) ? value : 0.0);
}

std::string parameters(std::string_view name, const std::map<std::string, std::string>& variant) {
    std::string out = fmt::format("namespace {} {{\n", name);
    std::set<std::string> used;
    for (const auto& [parameter, value] : variant) {
        std::string unique = identifier_of(parameter);
        for (int i = 2; !used.insert(unique).second; ++i)
            unique = fmt::format("{}_{}", identifier_of(parameter), i);
        if (const auto number = plain_int(value))
            out += constant(unique, *number);
        else
            out += constant(unique, std::string_view(value));
    }
    return out + fmt::format("}}  // namespace {}\n", name);
}

}  // namespace

std::string identifier_of(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (plain(c))
            out += c;
        else if (!out.empty() && out.back() != '_')
            out += '_';
    }
    while (!out.empty() && out.back() == '_') out.pop_back();
    if (out.empty()) return "tuned";
    if (out[0] >= '0' && out[0] <= '9') out = "n" + out;
    if (std::find(std::begin(kKeywords), std::end(kKeywords), out) != std::end(kKeywords)) out += '_';
    return out;
}

std::string tuned_header(const TunedConfig& config, std::string_view name) {
    const TuneResult& r = config.result;
    const std::string space = identifier_of(name);
    std::string out = fmt::format(
        "// {}: the variant that rooftune found fastest on\n// {}.\n// Made {}; measured and verified there, "
        "so compare `fingerprint` before use and take\n// `default_variant` elsewhere.\n#pragma once\n\n"
        "#include <string_view>\n\nnamespace rooftune_tuned::{} {{\n\n",
        cpp_comment(r.title), cpp_comment(r.machine_name), cpp_comment(config.created), space);
    out += constant("family", std::string_view(r.family));
    out += constant("fingerprint", std::string_view(r.machine_id));
    out += constant("problem_digest", std::string_view(r.digest));
    out += constant("dtype", std::string_view(r.dtype));
    out += constant("state", std::string_view(r.state));
    out += constant("most_threads", r.threads);
    out += constant("space_version", r.space_version);
    out += constant("kernels_build", std::string_view(config.kernels_build));
    out += constant("seconds", r.seconds.median);
    out += constant("seconds_low", r.seconds.low);
    out += constant("seconds_high", r.seconds.high);
    out += "\n" + parameters("variant", r.best);
    out += "\n" + parameters("default_variant", r.fallback);
    return out + fmt::format("\n}}  // namespace rooftune_tuned::{}\n", space);
}

}  // namespace rooftune
