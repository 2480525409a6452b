#include "tuner/external/flag_limits.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

#include "tuner/base/command_words.h"
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
    bool no_avx = false, no_avx512 = false, more = false;
    for (const std::string& flag : flags) {
        if (holds_any(flag, {"fast-math", "Ofast", "associative-math", "unsafe-math", "fp-model",
                             "reciprocal-math"}))
            limits.reorders = true;
        if (flag.starts_with("-march=")) architecture = width_of_architecture(flag.substr(7));
        // Whoever says no to AVX says it for all that stands on it, wherever it stands.
        no_avx = no_avx || flag == "-mno-avx";
        no_avx512 = no_avx512 || flag == "-mno-avx512f";
        const bool enables = flag.starts_with("-m") && !flag.starts_with("-mno-") &&
                             holds_any(flag, {"avx", "fma", "f16c", "xop", "vaes", "vpclmul", "gfni", "amx"});
        const bool brings =
            holds_any(flag, {"target", "asm"}) || flag.starts_with("@") || flag.starts_with("-x") ||
            flag.starts_with("-ax") || flag.starts_with("-tp") || flag.starts_with("-X") ||
            flag.starts_with("-specs") || flag.starts_with("--specs") || flag.starts_with("-include") ||
            flag.starts_with("-imacros") || flag.starts_with("-fplugin") || flag.starts_with("-W") ||
            flag.starts_with("--config") || (flag.starts_with("-l") && flag != "-lm") ||
            flag.ends_with(".a") || flag.ends_with(".so") || flag.ends_with(".o");
        // Warnings stop nothing; linkers, assemblers and preprocessors behind -Wl, -Wa and -Wp may.
        const bool warns = flag.starts_with("-W") && !flag.starts_with("-Wl,") && !flag.starts_with("-Wa,") &&
                           !flag.starts_with("-Wp,");
        more = more || enables || (brings && !warns);
    }
    if (more) return limits;
    const int forbidden = no_avx ? kSse : no_avx512 ? kAvx : kUnknown;
    limits.width_bits = architecture == kUnknown ? forbidden
                        : forbidden == kUnknown  ? architecture
                                                 : std::min(architecture, forbidden);
    return limits;
}

LimitsByFlags::LimitsByFlags(const Instance& instance, const Space& space) {
    const Declaration& d = instance.declaration;
    const std::string text = text_without_flags(instance.source);
    FlagLimits of_source;
    // Assembly, and functions for other processors, are not what the flags say.
    const bool known = instance.included.empty() && !holds_any(text, {"asm", "target", "__builtin_ia32"});
    of_source.width_bits = known ? kSse : kUnknown;  // the flags decide
    of_source.reorders =
        !instance.included.empty() || holds_any(text, {"fast-math", "fast_math", "Ofast", "associat",
                                                       "unsafe-math", "unsafe_math", "reduc"});
    // Some compilers reorder unasked, and may be named in the environment.
    std::string compilers = d.compiler ? d.compiler->text : "";
    for (const DeclaredParameter& p : d.parameters) {
        if (p.kind != ParameterKind::compiler) continue;
        for (const Text& value : p.values) compilers += " " + value.text;
    }
    for (const char* name : {"CXX", "CC"}) {
        if (const char* value = std::getenv(name)) compilers += std::string(" ") + value;
    }
    if (holds_any(compilers, {"icx", "icpx", "icc", "icpc", "nvc"})) of_source = {kUnknown, true};
    // Words behind a compiler's name are flags that are not seen here.
    if (compilers.find('-') != std::string::npos) of_source.width_bits = kUnknown;
    if (holds_any(compilers, {"-math", "Ofast"})) of_source.reorders = true;

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
