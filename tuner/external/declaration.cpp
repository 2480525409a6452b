#include "tuner/external/declaration.h"

#include <algorithm>
#include <array>

#include "kernels/runtime/error.h"

namespace rooftune::external {
namespace {

struct ElementFacts {
    Element element;
    std::string_view name;
    std::size_t bytes;
    bool real;
    std::string_view c_type;  // compilers' own names: the source need not include <stdint.h>
};
constexpr std::array<ElementFacts, 12> kElements{{{Element::f64, "f64", 8, true, "double"},
                                                  {Element::f32, "f32", 4, true, "float"},
                                                  {Element::f16, "f16", 2, true, "_Float16"},
                                                  {Element::bf16, "bf16", 2, true, "unsigned short"},
                                                  {Element::i64, "i64", 8, false, "__INT64_TYPE__"},
                                                  {Element::i32, "i32", 4, false, "__INT32_TYPE__"},
                                                  {Element::i16, "i16", 2, false, "__INT16_TYPE__"},
                                                  {Element::i8, "i8", 1, false, "__INT8_TYPE__"},
                                                  {Element::u64, "u64", 8, false, "__UINT64_TYPE__"},
                                                  {Element::u32, "u32", 4, false, "__UINT32_TYPE__"},
                                                  {Element::u16, "u16", 2, false, "__UINT16_TYPE__"},
                                                  {Element::u8, "u8", 1, false, "__UINT8_TYPE__"}}};

const ElementFacts& facts(Element e) {
    return kElements[static_cast<std::size_t>(e)];
}

}  // namespace

std::string_view to_text(Element e) {
    return facts(e).name;
}
std::optional<Element> element_from(std::string_view text) {
    for (const ElementFacts& f : kElements) {
        if (f.name == text) return f.element;
    }
    return std::nullopt;
}
std::size_t bytes_of(Element e) {
    return facts(e).bytes;
}
bool is_real(Element e) {
    return facts(e).real;
}
std::string_view c_type(Element e) {
    return facts(e).c_type;
}

std::string_view to_text(ParameterKind k) {
    constexpr std::array<std::string_view, 7> kNames{"macro",    "flag",    "compiler", "environment",
                                                     "argument", "threads", "word"};
    return kNames[static_cast<std::size_t>(k)];
}

std::string meaning_of(ParameterKind k, const std::string& name) {
    switch (k) {
        case ParameterKind::macro:
            return "macro (-D" + name + "=…)";
        case ParameterKind::flag:
            return "compiler flag";
        case ParameterKind::compiler:
            return "compiler";
        case ParameterKind::environment:
            return "environment variable";
        case ParameterKind::argument:
            return "run-time value";
        case ParameterKind::threads:
            return "number of threads";
        case ParameterKind::word:
            return "where {" + name + "} stands";
    }
    return "";
}

const DeclaredArray* Declaration::array(std::string_view name) const {
    const auto found =
        std::find_if(arrays.begin(), arrays.end(), [&](const auto& a) { return a.name.text == name; });
    return found == arrays.end() ? nullptr : &*found;
}

const DeclaredParameter* Declaration::parameter(std::string_view name) const {
    const auto found = std::find_if(parameters.begin(), parameters.end(),
                                    [&](const auto& p) { return p.name.text == name; });
    return found == parameters.end() ? nullptr : &*found;
}

const DeclaredParameter* Declaration::thread_parameter() const {
    const auto found = std::find_if(parameters.begin(), parameters.end(),
                                    [](const auto& p) { return p.kind == ParameterKind::threads; });
    return found == parameters.end() ? nullptr : &*found;
}

std::string place_of(const std::string& file, const Text& at) {
    if (!at.flag.empty()) return at.flag + ":";
    return file + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + ":";
}

void refuse(const std::string& file, const Text& at, const std::string& what) {
    throw InputError(place_of(file, at) + " " + what);
}

std::optional<Language> language_of(std::string_view name) {
    constexpr std::array<std::pair<std::string_view, Language>, 6> kEndings{{{".cpp", Language::cpp},
                                                                             {".cc", Language::cpp},
                                                                             {".cxx", Language::cpp},
                                                                             {".C", Language::cpp},
                                                                             {".c", Language::c},
                                                                             {".cl", Language::opencl}}};
    for (const auto& [ending, language] : kEndings) {
        if (name.size() > ending.size() && name.ends_with(ending)) return language;
    }
    return std::nullopt;
}

}  // namespace rooftune::external
