#include "tuner/bound/bound_answer.h"

#include <fmt/format.h>

namespace rooftune {

const Term* binding_term(const Bound& bound) {
    return bound.binding < 0 ? nullptr : &bound.terms[static_cast<std::size_t>(bound.binding)];
}

const Ceiling* ceiling_of(const Machine& machine, const Term& term) {
    if (term.ceiling < 0) return nullptr;
    return &machine.ceilings[static_cast<std::size_t>(term.ceiling)];
}

std::string critical_text(double value) {
    return fmt::format("{:.5g}", value);
}

std::string side_of(TermKind kind) {
    if (kind == TermKind::link) return "link";
    if (is_traffic(kind)) return "memory";
    const bool arithmetic = kind == TermKind::compute || kind == TermKind::compute_thread;
    return arithmetic ? "compute" : std::string(to_text(kind));
}

std::string solved_text(const SolvedSize& solved) {
    if (solved.critical) {
        return fmt::format("compute bound for {} {} {}", solved.size,
                           solved.critical->compute_bound_above ? ">" : "<",
                           critical_text(solved.critical->value));
    }
    if (solved.binding.empty()) return "nothing bounds it at any " + solved.size;
    return side_of(*term_kind_from(solved.binding)) + " bound for every " + solved.size;
}

}  // namespace rooftune
