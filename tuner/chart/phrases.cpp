#include "tuner/chart/phrases.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "kernels/registry.h"
#include "tuner/base/command_words.h"
#include "tuner/base/si.h"
#include "tuner/base/text_width.h"

namespace rooftune {
namespace {

// Families word their own variants; a family that is not built in (a file from elsewhere) has none.
const Family* family_of(std::string_view name) {
    static const Registry kRegistry = built_in_families();
    return kRegistry.find(name);
}

struct TermName {
    std::string_view kind, phrase, unit;
};
constexpr std::array<TermName, 13> kTermNames{{
    {"compute", "arithmetic", "flop"},
    {"compute_thread", "arithmetic of the heaviest thread", "flop"},
    {"instructions", "instructions of the heaviest thread", "instr"},
    {"loads", "loads of the heaviest thread", "load"},
    {"fmas", "floating-point instructions of the heaviest thread", "instr"},
    {"chain", "the longest dependent chain", "step"},
    {"reads", "reads", "B"},
    {"writes", "writes", "B"},
    {"both", "reads and writes", "B"},
    {"reads_thread", "reads of the heaviest thread", "B"},
    {"writes_thread", "writes of the heaviest thread", "B"},
    {"both_thread", "reads and writes of the heaviest thread", "B"},
    {"link", "bytes over the links", "B"},
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
        text += fmt::format("{}{}={}", text.empty() ? "" : ",", name, shell_word(printable(value)));
    }
    return text;
}

std::string variant_phrase(std::string_view family, const VariantMap& variant) {
    if (variant.empty()) return "no variant";
    if (const Family* known = family_of(family)) {
        if (std::string text = known->phrase(variant); !text.empty()) return printable(text);
    }
    return variant_assignment(variant);
}

std::string naive_phrase(std::string_view family, std::string_view backend) {
    if (const Family* known = family_of(family))
        return known->naive_phrase(backend_from(backend).value_or(Backend::cpu));
    return has_one_reference(family) ? "the first variant" : "the naive variant";
}

// That family lies in the tuner and is none of the registry's, which is all that charts know.
bool has_one_reference(std::string_view family) {
    return family == "external";
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

std::string no_winner_phrase(const CertificateReport& c) {
    return c.failed > 0 && c.measured + c.raced_out == 0 ? "No variant works" : "No variant was measured";
}

}  // namespace rooftune
