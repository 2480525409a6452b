#include "tuner/external/wrapped_source.h"
#include "tuner/external/source_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace rooftune::external {
namespace {

bool is_whole(const std::string& text) {
    long long value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size();
}

// Quotes and backslashes in a file's name.
std::string escaped(const std::string& path) {
    std::string text;
    for (const char c : path) {
        if (c == '"' || c == '\\') text += '\\';
        text += c;
    }
    return text;
}

}  // namespace

std::vector<Argument> arguments_of(const Declaration& declaration) {
    std::vector<Argument> arguments;
    for (const DeclaredNumber& n : declaration.numbers) arguments.push_back({n.name.text, n.whole});
    for (const DeclaredParameter& p : declaration.parameters) {
        if (p.kind != ParameterKind::argument) continue;
        arguments.push_back({p.name.text, std::all_of(p.values.begin(), p.values.end(),
                                                      [](const Text& v) { return is_whole(v.text); })});
    }
    return arguments;
}

bool calls_by_thread(const Declaration& declaration) {
    return has_name(declaration.call.text, "thread");
}

std::string wrapped_source(const Instance& instance, const Text& call) {
    const Declaration& d = instance.declaration;
    const std::string file = escaped(d.file);
    std::string text = "#line 1 \"" + file + "\"\n" + instance.source;
    if (text.back() != '\n') text += '\n';
    // Variables of the names that are declared: any expression of the language may stand in the call.
    // For a compiler of C an array of another type is a warning, which nobody sees where it compiles, and
    // then bounds rest on bytes that the kernel does not have. For C++ it is an error by itself.
    const bool is_c = d.language == Language::c;
    if (is_c)
        text +=
            "#pragma GCC diagnostic push\n"
            "#pragma GCC diagnostic error \"-Wincompatible-pointer-types\"\n";
    text += d.language == Language::cpp ? "extern \"C\" void " : "void ";
    text += fmt::format(
        "{}(void* const* rooftune_arrays, const double* rooftune_numbers, int thread, int threads) {{\n",
        kEntry);
    std::size_t at = 0;
    for (const Argument& a : arguments_of(d)) {
        const char* type = a.whole ? "long long" : "double";
        text += fmt::format("    const {} {} = ({})rooftune_numbers[{}];\n    (void){};\n", type, a.name,
                            type, at++, a.name);
    }
    for (std::size_t i = 0; i < d.arrays.size(); ++i) {
        const std::string& name = d.arrays[i].name.text;
        const std::string_view type = c_type(d.arrays[i].element);
        text += fmt::format("    {}* const {} = ({}*)rooftune_arrays[{}];\n    (void){};\n", type, name, type,
                            i, name);
    }
    text += "    (void)rooftune_arrays; (void)rooftune_numbers; (void)thread; (void)threads;\n";
    // A mistake in the call is one in its annotation, or in the document that has it.
    text += fmt::format("#line {} \"{}\"\n    {};\n}}\n", call.line,
                        call.flag.empty() ? file : escaped(call.flag), call.text);
    if (is_c) text += "#pragma GCC diagnostic pop\n";
    return text;
}

}  // namespace rooftune::external
