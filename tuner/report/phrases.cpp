#include "tuner/report/phrases.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "tuner/report/si.h"
#include "tuner/report/text_width.h"

namespace rooftune {
namespace {

const std::string* find(const VariantMap& variant, const std::string& name) {
    const auto at = variant.find(name);
    return at == variant.end() ? nullptr : &at->second;
}

std::string upper(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return text;
}

std::string threads_phrase(const VariantMap& variant) {
    const std::string* threads = find(variant, "threads");
    if (threads == nullptr) return "";
    return fmt::format(" on {} thread{}", *threads, *threads == "1" ? "" : "s");
}

std::string spmv_phrase(const VariantMap& variant) {
    const std::string* format = find(variant, "format");
    if (format == nullptr) return "";
    std::string text = upper(*format);
    const std::string* chunk = find(variant, "chunk");
    const std::string* sigma = find(variant, "sigma");
    const std::string* block = find(variant, "block");
    const std::string* index = find(variant, "index");
    if (*format == "sell" && chunk != nullptr) {
        text += "-" + *chunk;
        if (sigma != nullptr) text += "-" + *sigma;
    }
    if (*format == "bcsr" && block != nullptr) {
        std::string size = *block;
        if (const auto x = size.find('x'); x != std::string::npos) size.replace(x, 1, "×");
        text += " " + size;
    }
    if (index != nullptr) text += fmt::format(" with {}-bit indices", *index);
    return text + threads_phrase(variant);
}

struct FamilyPhrases {
    std::string_view family;
    std::string (*variant)(const VariantMap&);
    std::string_view naive;
};
constexpr std::array<FamilyPhrases, 1> kFamilies{{{"spmv", spmv_phrase, "plain CSR"}}};

struct TermName {
    std::string_view kind, phrase, unit;
};
constexpr std::array<TermName, 12> kTermNames{{
    {"compute", "arithmetic", "flop"},
    {"compute_thread", "arithmetic of the heaviest thread", "flop"},
    {"instructions", "instructions of the heaviest thread", "instruction"},
    {"loads", "loads of the heaviest thread", "load"},
    {"fmas", "floating-point instructions of the heaviest thread", "instruction"},
    {"chain", "the longest dependent chain", "step"},
    {"reads", "reads", "B"},
    {"writes", "writes", "B"},
    {"both", "reads and writes", "B"},
    {"reads_thread", "reads of the heaviest thread", "B"},
    {"writes_thread", "writes of the heaviest thread", "B"},
    {"both_thread", "reads and writes of the heaviest thread", "B"},
}};

const TermName* term_name(std::string_view kind) {
    for (const TermName& name : kTermNames) {
        if (name.kind == kind) return &name;
    }
    return nullptr;
}

}  // namespace

std::string variant_assignment(const VariantMap& variant) {
    std::string text;
    for (const auto& [name, value] : variant) {
        text += fmt::format("{}{}={}", text.empty() ? "" : ", ", name, value);
    }
    return printable(text);
}

std::string variant_phrase(std::string_view family, const VariantMap& variant) {
    if (variant.empty()) return "no variant";
    for (const FamilyPhrases& phrases : kFamilies) {
        if (phrases.family != family) continue;
        if (std::string text = phrases.variant(variant); !text.empty()) return printable(text);
    }
    return variant_assignment(variant);
}

std::string naive_phrase(std::string_view family) {
    for (const FamilyPhrases& phrases : kFamilies) {
        if (phrases.family == family) return std::string(phrases.naive);
    }
    return "the naive variant";
}

std::string term_phrase(std::string_view kind) {
    const TermName* name = term_name(kind);
    return std::string(name != nullptr ? name->phrase : kind);
}

std::string term_phrase(const TermReport& term) {
    std::string text = term_phrase(term.kind);
    if (term.beyond > 0.0) text += " beyond " + format_capacity(term.beyond);
    return text;
}

std::string_view term_unit(std::string_view kind) {
    const TermName* name = term_name(kind);
    return name != nullptr ? name->unit : std::string_view{};
}

const TermReport* binding_term(const BoundReport& bound) {
    for (const TermReport& term : bound.terms) {
        if (!term.demoted && term.kind == bound.binding) return &term;
    }
    return nullptr;
}

std::string stop_phrase(const CertificateReport& certificate) {
    const std::string& why = certificate.stopped_by;
    if (why == "epsilon") {
        return fmt::format("what is left to gain is within the tolerance asked for ({})",
                           format_percent(certificate.epsilon));
    }
    if (why == "budget") return "the budget was spent";
    if (why == "patience") return "it had stopped finding anything better (patience)";
    if (why == "exhausted") return "nothing was left to try";
    if (why == "interrupted") return "it was interrupted";
    return why.empty() ? "no reason was recorded" : printable(why);
}

}  // namespace rooftune
