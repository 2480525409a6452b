#include "tuner/external/flag_limits.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <string_view>

#include "kernels/runtime/error.h"
#include "tuner/base/command_words.h"
#include "tuner/external/compiled.h"
#include "tuner/external/declared_space.h"
#include "tuner/external/variant_build.h"

namespace rooftune::external {
namespace {

constexpr std::size_t kMostCombinations = 512;
constexpr int kSse = 128, kAvx = 256, kUnknown = 0;

bool holds_any(std::string_view text, std::initializer_list<std::string_view> words) {
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

// Levels of the x86-64 psABI, and processors whose vectors everybody knows.
int width_of_architecture(std::string_view name) {
    constexpr std::array<std::string_view, 7> kWithSse{"x86-64",   "x86-64-v2", "core2",    "nehalem",
                                                       "westmere", "k8",        "barcelona"};
    constexpr std::array<std::string_view, 9> kWithAvx{"x86-64-v3", "sandybridge", "ivybridge",
                                                       "haswell",   "broadwell",   "znver1",
                                                       "znver2",    "znver3",      "bdver4"};
    if (std::find(kWithSse.begin(), kWithSse.end(), name) != kWithSse.end()) return kSse;
    if (std::find(kWithAvx.begin(), kWithAvx.end(), name) != kWithAvx.end()) return kAvx;
    return kUnknown;
}

FlagLimits both(FlagLimits a, const FlagLimits& b) {
    a.reorders = a.reorders || b.reorders;
    a.width_bits = a.width_bits == kUnknown || b.width_bits == kUnknown
                       ? kUnknown
                       : std::max(a.width_bits, b.width_bits);
    return a;
}

// Whether a flag brings in no code, no flags and no instructions that are not looked at here. What is not
// known to be harmless is not.
bool is_harmless(const std::string& flag) {
    if (holds_any(flag, {"target", "asm", "plugin", "veclib"})) return false;
    if (flag.starts_with("-Wl,") || flag.starts_with("-Wa,") || flag.starts_with("-Wp,")) return false;
    for (const std::string_view start : {"-O", "-D", "-I", "-W", "-f", "-g", "-std=", "-march=", "-mtune=",
                                         "-msse", "-mno-", "-mprefer-vector-width="}) {
        // A flag of two words has one that is not known.
        if (flag.starts_with(start) && flag.size() > start.size()) return true;
    }
    constexpr std::array<std::string_view, 7> kWhole{"-O", "-g", "-W", "-lm", "-pthread", "-pipe", "-m64"};
    return std::find(kWhole.begin(), kWhole.end(), flag) != kWhole.end() || flag.starts_with("-pedantic");
}

// g++, gcc, clang++ or clang, of any version and for any system; c++ and cc are one of them.
bool is_known_compiler(const std::string& command) {
    if (command.find_first_of(" \t@") != std::string::npos) return false;
    std::string name = std::filesystem::path(command).filename().string();
    while (!name.empty() && (std::isdigit(static_cast<unsigned char>(name.back())) || name.back() == '.'))
        name.pop_back();
    if (name.ends_with("-")) name.pop_back();
    for (const std::string_view known : {"g++", "gcc", "clang++", "clang", "c++", "cc"}) {
        if (name == known || name.ends_with("-" + std::string(known))) return true;
    }
    return false;
}

// Headers of the standard library in which nothing is added up in another order, nor for another processor,
// and those of intrinsics, which a compiler refuses where flags forbid them.
bool is_known_header(std::string_view name) {
    constexpr std::array<std::string_view, 48> kHeaders{
        "algorithm", "array",       "assert.h", "bit",      "cassert",     "cfloat",      "chrono",
        "climits",   "cmath",       "complex",  "concepts", "cstddef",     "cstdint",     "cstdio",
        "cstdlib",   "cstring",     "ctime",    "float.h",  "functional",  "immintrin.h", "iostream",
        "iterator",  "limits",      "limits.h", "map",      "math.h",      "memory",      "new",
        "numbers",   "numeric",     "omp.h",    "optional", "span",        "stdbool.h",   "stddef.h",
        "stdint.h",  "stdio.h",     "stdlib.h", "string",   "string.h",    "string_view", "time.h",
        "tuple",     "type_traits", "utility",  "vector",   "x86intrin.h", "emmintrin.h"};
    return std::find(kHeaders.begin(), kHeaders.end(), name) != kHeaders.end();
}

// Where the blanks and comments end that begin at `at`.
std::size_t behind_blanks(std::string_view line, std::size_t at) {
    for (;;) {
        at = std::min(line.find_first_not_of(" \t\r", at), line.size());
        if (line.substr(at, 2) != "/*") return at;
        at = line.find("*/", at + 2);
        if (at == std::string_view::npos) return line.size();
        at += 2;
    }
}

// What a line includes that is not looked at, as it is written there; empty where it is nothing. A plain
// `#include <known>` is looked at; any other line that may include something, after a comment or by a macro,
// counts as what it may be.
std::string unknown_in(const std::string& line) {
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string::npos) return {};
    const std::string_view text = std::string_view(line).substr(begin);
    if (text.starts_with("//") && text.find("*/") == std::string_view::npos) return {};
    for (const std::string_view word : {"import", "export import"}) {
        // Not the word's beginning alone: "importance += 1".
        if (text.starts_with(word) && text.find_first_of(" \t<\":/", word.size()) == word.size())
            return "a module";
    }
    if (text.find("_Pragma") != std::string_view::npos && text.find("include") != std::string_view::npos)
        return "a _Pragma that includes";
    for (std::size_t hash = text.find_first_of("#%?"); hash != std::string_view::npos;
         hash = text.find_first_of("#%?", hash + 1)) {
        // Digraph and trigraph are the same character.
        std::size_t at = hash;
        for (const std::string_view spelt : {"#", "%:", "?\?="}) {
            if (text.substr(hash, spelt.size()) == spelt) at = hash + spelt.size();
        }
        if (at == hash) continue;
        const std::size_t word = behind_blanks(text, at);
        const bool includes = text.substr(word).starts_with("include");
        if (!includes && !text.substr(word).starts_with("import")) continue;
        at = std::min(text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_", word), text.size());
        at = behind_blanks(text, at);
        const char closes = text.substr(at, 1) == "<" ? '>' : '"';
        if (closes == '"' && text.substr(at, 1) != "\"") return "what an #include names by a macro";
        const std::size_t close = text.find(closes, at + 1);
        const std::string_view name =
            text.substr(at + 1, close == std::string_view::npos ? close : close - at - 1);
        const bool plain = hash == 0 && text.front() == '#' && includes;
        if (plain && closes == '>' && close != std::string_view::npos && is_known_header(name)) return {};
        constexpr std::size_t kMost = 80;
        const std::string shown(name.substr(0, kMost));
        return "the header " + std::string(1, text[at]) + shown +
               (close == std::string_view::npos ? ""
                : name.size() > kMost           ? "…"
                                                : std::string(1, closes));
    }
    return {};
}

// The first header that a source includes and that is not looked at.
std::string unknown_header(const std::string& source) {
    std::string line;
    for (std::size_t from = 0; from < source.size();) {
        const std::size_t end = std::min(source.find('\n', from), source.size());
        line.append(source, from, end - from);
        from = end + 1;
        while (!line.empty() && (line.back() == '\r' || line.back() == ' ' || line.back() == '\t'))
            line.pop_back();
        // Compilers join it with the next one.
        if (!line.empty() && line.back() == '\\' && from < source.size()) {
            line.pop_back();
            continue;
        }
        std::string found = unknown_in(line);
        if (!found.empty()) return found;
        line.clear();
    }
    return {};
}

std::string lower(std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

// The source without what its annotations say of flags, which is looked at by variant.
std::string text_without_flags(const std::string& source) {
    std::string text;
    for (std::size_t from = 0; from < source.size();) {
        const std::size_t end = std::min(source.find('\n', from), source.size());
        const std::string line = source.substr(from, end - from);
        from = end + 1;
        const bool annotation =
            line.find("rooftune:") != std::string::npos && holds_any(line, {"(flag)", "rooftune: flags "});
        if (!annotation) text += line + '\n';
    }
    return text;
}

}  // namespace

FlagLimits limits_of(const std::vector<std::string>& flags) {
    FlagLimits limits;
    int architecture = kUnknown;
    bool no_avx = false, no_avx512 = false, all_known = true;
    for (const std::string& flag : flags) {
        if (holds_any(flag, {"fast-math", "Ofast", "associative-math", "unsafe-math", "fp-model",
                             "reciprocal-math"}))
            limits.reorders = true;
        if (flag.starts_with("-march=")) architecture = width_of_architecture(flag.substr(7));
        // Whoever says no to AVX says it for all that stands on it, wherever it stands.
        no_avx = no_avx || flag == "-mno-avx";
        no_avx512 = no_avx512 || flag == "-mno-avx512f";
        all_known = all_known && is_harmless(flag);
    }
    if (!all_known) return {kUnknown, true};
    // Of a processor that is not named, the machine's own say, nobody knows what "no AVX-512" leaves: g++ 14
    // keeps AVX10's 512 bits.
    if (architecture == kUnknown) return limits;
    limits.width_bits = std::min(architecture, no_avx ? kSse : no_avx512 ? kAvx : architecture);
    return limits;
}

std::string unknown_text(const Instance& instance) {
    const Declaration& d = instance.declaration;
    std::string header = unknown_header(instance.source);
    if (!header.empty()) return header;
    if (!instance.included.empty()) return "headers beside the source";
    const auto compiler_named = [](const std::string& name) {
        return is_known_compiler(name) ? std::string() : "the compiler " + name;
    };
    for (const DeclaredParameter& p : d.parameters) {
        if (p.kind != ParameterKind::compiler) continue;
        for (const Text& value : p.values) {
            if (!is_known_compiler(value.text)) return compiler_named(value.text);
        }
    }
    // Without a parameter it is the declared one, or of the environment.
    try {
        return compiler_named(compiler_for(d));
    } catch (const EnvironmentError&) {  // there is none, and nothing will run
        return {};
    }
}

LimitsByFlags::LimitsByFlags(const Instance& instance, const Space& space) {
    const Declaration& d = instance.declaration;
    const std::string text = lower(text_without_flags(instance.source));
    const bool known = unknown_text(instance).empty();
    FlagLimits of_source;
    // Assembly, and functions for other processors, are not what the flags say.
    const bool other = holds_any(text, {"asm", "target", "__builtin_ia32", "cpu_specific", "cpu_dispatch"});
    of_source.width_bits = known && !other ? kSse : kUnknown;  // the flags decide
    // clang++ adds up in another order where a loop is said to be one for vectors.
    of_source.reorders = !known || holds_any(text, {"fast-math", "fast_math", "ofast", "associat",
                                                    "unsafe-math", "unsafe_math", "reduc", "simd",
                                                    "vectorize", "clang loop", "clang fp", "float_control"});

    std::vector<const DeclaredParameter*> declared;
    std::size_t combinations = 1;
    for (const DeclaredParameter& p : d.parameters) {
        const int index = space.find(p.name.text);
        if (p.kind != ParameterKind::flag || index < 0) continue;
        const std::size_t values = space.parameters()[static_cast<std::size_t>(index)].values.size();
        parameters_.push_back({index, values});
        declared.push_back(&p);
        combinations *= values + 1;
        if (combinations > kMostCombinations) break;
    }
    const std::vector<std::string> common = common_flags(instance);
    if (combinations > kMostCombinations) {
        // Too many to look at: what any value could bring in.
        any_.reorders = true;
        return;
    }
    for (std::size_t c = 0; c < combinations; ++c) {
        std::vector<std::string> flags = common;
        std::size_t rest = c;
        for (std::size_t p = 0; p < parameters_.size(); ++p) {
            const std::size_t value = rest % (parameters_[p].values + 1);
            rest /= parameters_[p].values + 1;
            if (value == parameters_[p].values) continue;  // it does not exist
            const std::string& written =
                space.parameters()[static_cast<std::size_t>(parameters_[p].index)].values[value].text;
            if (written == kEmptyValue) continue;
            for (std::string& word : command_words(written, declared[p]->name.text))
                flags.push_back(std::move(word));
        }
        FlagLimits limits = limits_of(flags);
        limits.reorders = limits.reorders || of_source.reorders;
        if (of_source.width_bits == kUnknown) limits.width_bits = kUnknown;
        of_combination_.push_back(limits);
    }
    any_ = of_combination_.front();
    for (const FlagLimits& limits : of_combination_) any_ = both(any_, limits);
}

std::size_t LimitsByFlags::place_of(const PartialVariant& partial, const FlagParameter& p) {
    return partial.fixed(p.index) ? static_cast<std::size_t>(partial[p.index]) : p.values;
}

FlagLimits LimitsByFlags::of(const PartialVariant& partial) const {
    if (of_combination_.empty() || parameters_.empty()) return any_;
    std::size_t at = 0, step = 1;
    bool all = true;
    for (const FlagParameter& p : parameters_) {
        all = all && !partial.free_at(p.index);
        if (all) at += step * place_of(partial, p);
        step *= p.values + 1;
    }
    if (all) return of_combination_[at];
    // Over all that agrees with what is fixed.
    FlagLimits found;
    bool first = true;
    for (std::size_t c = 0; c < of_combination_.size(); ++c) {
        std::size_t rest = c;
        bool fits = true;
        for (const FlagParameter& p : parameters_) {
            const std::size_t value = rest % (p.values + 1);
            rest /= p.values + 1;
            fits = fits && (partial.free_at(p.index) || value == place_of(partial, p));
        }
        if (!fits) continue;
        found = first ? of_combination_[c] : both(found, of_combination_[c]);
        first = false;
    }
    return first ? any_ : found;
}

}  // namespace rooftune::external
