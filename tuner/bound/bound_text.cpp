#include "tuner/bound/bound_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tuner/base/joined.h"
#include "tuner/base/si.h"
#include "tuner/base/suggested.h"
#include "tuner/base/table.h"
#include "tuner/base/text_width.h"
#include "tuner/chart/phrases.h"

namespace rooftune {
namespace {

std::string rate_unit(const Workload& workload) {
    return is_integer(workload.dtype) ? "op/s" : "flop/s";
}

std::string unit_of_amount(const BoundAnswer& a, TermKind kind) {
    if (kind == TermKind::compute || kind == TermKind::compute_thread)
        return is_integer(a.workload.dtype) ? "op" : "flop";
    return is_traffic(kind) ? "B" : std::string(term_unit(to_text(kind)));
}

// "arithmetic"; "reads and writes"; beyond a cache where a measured machine has several levels.
std::string term_name(const Term& term) {
    std::string text = term_phrase(to_text(term.kind));
    if (term.beyond.value > 0.0) text += " beyond " + format_capacity(term.beyond.value);
    return text;
}

std::string intensity_text(double intensity) {
    return fmt::format("{:.{}f}", intensity, intensity < 1.0 ? 3 : intensity < 1e4 ? 2 : 0);
}

std::string value_text(double value, const std::string& unit) {
    return format_si(value, unit == "byte/s" ? "B/s" : unit == "byte" ? "B" : unit);
}

std::string source_text(const Ceiling& c) {
    if (c.source == "probe") return c.seen.empty() ? "measured" : "measured, last seen " + printable(c.seen);
    std::string text = c.source == kOverrideSource ? "--set" : printable(c.source);
    if (!c.note.empty()) text += " (" + printable(c.note) + ")";
    return text;
}

// " with warm caches" where that makes a difference: what a machine's documents state knows no caches.
std::string state_words(const BoundAnswer& a) {
    if (!a.state_matters) return "";
    return fmt::format(" with {} caches", to_text(a.workload.work.traffic.state));
}

// A preset's first type is seldom the one that people have in mind: its name is said, and that nobody gave
// it.
std::string default_type_words(const BoundAnswer& a) {
    const auto given = a.spec.find("dtype");
    if (!a.dtype_by_default || given == a.spec.end()) return "";
    const std::string type = ", " + given->second;
    return (a.workload.title.ends_with(type) ? "" : type) + " by default";
}

std::string state_line(const BoundAnswer& a) {
    if (!a.state_matters) return "";
    return a.workload.work.traffic.state == State::warm
               ? "Caches     warm: data may lie there from the repetition before, as in `tune`; with "
                 "state=cold they "
                 "come from memory\n"
               : "Caches     cold: data come from memory, as with `tune --state cold`; without it caches are "
                 "warm\n";
}

std::string idle_line(const BoundAnswer& a) {
    return a.idle.empty() ? "" : "Keys       " + printable(a.idle_text) + "\n";
}

// Why the machine's numbers may not be the machine's.
std::string doubt_lines(const BoundAnswer& a) {
    std::string text;
    for (const std::string& doubt : a.doubts) text += "Model      " + doubt + "\n";
    return text;
}

std::string terms_table(const Bound& bound, const BoundAnswer& a) {
    Table table({{"least time", Align::right},
                 {"for", Align::left},
                 {"amount", Align::right},
                 {"at most", Align::right},
                 {"ceiling", Align::left}});
    std::vector<const Ceiling*> used;
    for (const Term& term : bound.terms) {
        const Ceiling* ceiling = ceiling_of(a.machine, term);
        const std::string unit = unit_of_amount(a, term.kind);
        table.add({format_seconds(term.seconds.value), term_name(term), format_si(term.amount, unit),
                   format_si(term.rate, unit + "/s"),
                   ceiling != nullptr ? printable(describe(*ceiling, rate_of_walk(term, *ceiling))) : ""});
        if (ceiling != nullptr && std::find(used.begin(), used.end(), ceiling) == used.end())
            used.push_back(ceiling);
    }
    std::string text = table.to_text();
    for (const Ceiling* c : used) text += fmt::format("\n{}: {}.", printable(describe(*c)), source_text(*c));
    return text + "\n";
}

std::string times_text(const BoundAnswer& a) {
    const Bound& bound = a.bound.bound;
    // Without its arithmetic no time is that of no overlap.
    if (a.peak_was_disturbed)
        return fmt::format(
            "T_lower    {} with perfect overlap{}\n", format_seconds(bound.seconds_lower.value),
            a.bound.attainable > 0.0 ? ": at most " + format_si(a.bound.attainable, rate_unit(a.workload))
                                     : "");
    std::string text =
        fmt::format("T_lower    {} with perfect overlap, T_serial {} with none",
                    format_seconds(bound.seconds_lower.value), format_seconds(bound.seconds_serial.value));
    if (a.bound.attainable > 0.0) {
        text += fmt::format(": {} to {}", format_si(a.bound.attainable_serial, rate_unit(a.workload)),
                            format_si(a.bound.attainable, rate_unit(a.workload)));
    }
    return text + "\n";
}

// A critical size is solved for to the last digits but one: equal up to those is at the ridge.
bool as_good_as(double a, double b) {
    return std::abs(a - b) <= 1e-6 * b;
}

std::string ridge_side(const WorkloadBound& b) {
    if (b.ridge <= 0.0) return "";
    const std::string ridge = intensity_text(b.ridge);
    if (as_good_as(b.intensity, b.ridge)) return ", at the ridge of " + ridge;
    const Term* term = binding_term(b.bound);
    const bool compute = term != nullptr && side_of(term->kind) == "compute";
    if (b.intensity < b.ridge)
        return ", left of the ridge at " + ridge +
               (compute ? ": memory bound where its data come from memory, but caches may hold them here"
                        : ": memory bound");
    return ", right of the ridge at " + ridge + (compute ? ": compute bound" : ": not memory bound");
}

std::string intensity_line(const BoundAnswer& a) {
    const WorkloadBound& b = a.bound;
    if (b.intensity <= 0.0) {
        return b.ridge > 0.0 ? "Intensity  no bytes are moved; the ridge is at " + intensity_text(b.ridge) +
                                   " flop/byte\n"
                             : "";
    }
    std::string text = "Intensity  " + intensity_text(b.intensity) + " flop/byte" + ridge_side(b) + "\n";
    if (b.intensity_low < b.intensity * (1.0 - 1e-9)) {
        text += "           " + intensity_text(b.intensity_low) + " with what probably comes on top:";
        for (std::size_t i = 0; i < a.workload.extra.size(); ++i) {
            const TrafficPart& part = a.workload.extra[i];
            std::string cause(to_text(part.cause));
            std::replace(cause.begin(), cause.end(), '_', '-');
            text += fmt::format("{} {} {}{}", i > 0 ? "," : "", cause, format_si(part.bytes.value, "B"),
                                part.cure.empty() ? "" : " (cure: " + part.cure + ")");
        }
        text += "\n";
    }
    return text;
}

std::string memory_line(const BoundAnswer& a) {
    if (!a.bound.memory_share || a.workload.footprint.value <= 0.0) return "";
    const double memory = a.workload.footprint.value / *a.bound.memory_share;
    const bool fits = *a.bound.memory_share <= 1.0;
    return fmt::format("Memory     {} {} of {}{}\n", a.workload.devices > 1.0 ? "each needs" : "needs",
                       format_si(a.workload.footprint.value, "B"), format_si(memory, "B"),
                       fits ? "" : ": does not fit");
}

std::string set_lines(const std::vector<MachineOverride>& set) {
    std::string text;
    for (const MachineOverride& change : set) {
        text += fmt::format(
            "{}with {} = {}{}\n", "Set        ", change.path, value_text(change.value, change.unit),
            change.was > 0.0
                ? fmt::format(" in place of {} ({})", value_text(change.was, change.unit),
                              change.source.empty() ? "read from the system" : printable(change.source))
                : ", which the machine does not state");
    }
    return text;
}

std::string capitalised(std::string text) {
    if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
    return text;
}

std::string sweep_table(const Sweep& sweep, const BoundAnswer& a) {
    Table table({{sweep.size, Align::right},
                 {"attainable", Align::right},
                 {"without overlap", Align::right},
                 {"flop/byte", Align::right},
                 {"least time", Align::right},
                 {"bound by", Align::left}});
    const std::string unit = rate_unit(a.workload);
    for (const SweepPoint& p : sweep.points) {
        const Term* term = binding_term(p.bound.bound);
        table.add({fmt::format("{:.10g}", p.size),
                   p.bound.attainable > 0.0 ? format_si(p.bound.attainable, unit) : "–",
                   p.bound.attainable_serial > 0.0 && !a.peak_was_disturbed
                       ? format_si(p.bound.attainable_serial, unit)
                       : "–",
                   p.bound.intensity > 0.0 ? intensity_text(p.bound.intensity) : "–",
                   format_seconds(p.bound.bound.seconds_lower.value),
                   term != nullptr ? term_name(*term) : "–"});
    }
    std::string text = table.to_text();
    if (sweep.critical) {
        text += "\n" + capitalised(solved_text({sweep.size, sweep.critical, ""})) + ".\n";
    }
    return text;
}

// What rows of levels leave open: whose rate memory's is, and where that lies of which nothing must be moved.
std::string level_notes(const std::vector<LevelUse>& levels) {
    std::string text;
    const MemoryLevel& last = levels.back().level;
    const bool is_nearer = std::any_of(last.nearer.begin(), last.nearer.end(), [&](const Boundary& b) {
        return b.beyond.value == last.beyond.value;
    });
    if (is_nearer && levels.back().seconds.value > 0.0) {
        text += fmt::format(
            "Memory's row is of what lies beyond {}, which takes longest: caches still hold a part of it, so "
            "that the rate is above that of larger data, which `rooftune list machines` tells.\n",
            format_capacity(last.beyond.value));
    }
    std::vector<std::string> idle;
    std::string stays;
    for (const LevelUse& use : levels) {
        if (use.reads.value + use.writes.value > 0.0) {
            stays = use.level.name;
            idle.clear();
        } else {
            idle.push_back(use.level.name);
        }
    }
    if (!idle.empty() && !stays.empty())
        text += "Nothing must come from " + joined(idle, " or ") + ": all may stay in " + stays + ".\n";
    return text;
}

// One row a level, and the row that binds is marked. What binds may be no level's own boundary: arithmetic,
// or bytes beyond a size between two of them; then it has a row besides.
std::string levels_table(const BoundAnswer& a) {
    const std::string unit = rate_unit(a.workload);
    const double peak = a.bound.peak, least = a.bound.bound.seconds_lower.value;
    const auto allowed = [&](double rate) {
        return rate > 0.0 ? format_si(peak > 0.0 ? std::min(rate, peak) : rate, unit) : std::string("–");
    };
    const Term* const binding = binding_term(a.bound.bound);
    bool is_marked = binding == nullptr;
    Table table({{"level", Align::left},
                 {"must move", Align::right},
                 {"at most", Align::right},
                 {"least time", Align::right},
                 {"flop/byte", Align::right},
                 {"its ridge", Align::right},
                 {"allows", Align::right}});
    for (const LevelUse& use : a.levels) {
        const bool binds =
            binding != nullptr && side_of(binding->kind) == "memory" && as_good_as(use.seconds.value, least);
        is_marked = is_marked || binds;
        table.add(
            {use.level.name + (binds ? " (binds)" : ""), format_si(use.reads.value + use.writes.value, "B"),
             // The rate of the mix that takes longest: writes alone may be slower than both together.
             use.seconds.value > 0.0
                 ? format_si((use.reads.value + use.writes.value) / use.seconds.value, "B/s")
                 : "–",
             format_seconds(use.seconds.value),
             use.intensity.value > 0.0 ? intensity_text(use.intensity.value) : "–",
             use.ridge.value > 0.0 ? intensity_text(use.ridge.value) : "–", allowed(use.attainable.value)});
    }
    if (!is_marked) {
        const double flops = a.workload.flops.value / a.workload.devices;
        const bool moves = is_traffic(binding->kind);
        const std::string of = unit_of_amount(a, binding->kind);
        table.add({term_name(*binding) + " (binds)", moves ? format_si(binding->amount, of) : "–",
                   format_si(binding->rate, of + "/s"), format_seconds(least),
                   moves && flops > 0.0 ? intensity_text(flops / binding->amount) : "–", "–",
                   allowed(flops / least)});
    }
    const std::string notes = level_notes(a.levels);
    return table.to_text() + (notes.empty() ? "" : "\n") + notes;
}

std::string roof_text(const ProblemRoof& roof, const BoundAnswer& a) {
    if (!roof.why_not.empty())
        return "Our own variants: none for this problem (" + printable(roof.why_not) + ")\n";
    const double seconds = roof.bound.seconds_lower.value;
    const Term* term = binding_term(roof.bound);
    if (term == nullptr || seconds <= 0.0) return "";
    // Its own variants know more of what must be done, and may store less than the workload says.
    const bool differs = !as_good_as(seconds, a.bound.bound.seconds_lower.value);
    return fmt::format(
        "Problem roof: none of the {} variants of {} that rooftune has can be faster than {} ({}){}, for its "
        "{}{}\n",
        format_count(roof.variants), printable(roof.title), format_seconds(seconds),
        format_si(roof.flops / seconds, rate_unit(a.workload)), state_words(a), term_name(*term),
        differs ? ". The bound above is of any code for the work as it is given; this one is of what these "
                  "variants must move and compute, so that they differ."
                : "");
}

std::string offload_text(const OffloadAnswer& o, const std::string& device) {
    const Offload& t = o.times;
    std::string text = fmt::format(
        "Sent from {}, over {} at {} ({}):\n"
        "{} go in {}, {} come back in {}; a repetition takes at least {} on {} and {} on {}.\n"
        "One with its transfers takes {} overlapped, {} one after the other. ",
        printable(o.host.name), printable(o.link), format_si(o.each_way.value, "B/s"),
        o.source == kOverrideSource ? "--set" : printable(o.source), format_si(t.in.value, "B"),
        format_seconds(t.transfer_in().value), format_si(t.out.value, "B"),
        format_seconds(t.transfer_out().value), format_seconds(t.on_device.value), printable(device),
        format_seconds(t.on_host.value), printable(o.host.name), format_seconds(t.overlapped(1.0).value),
        format_seconds(t.serial(1.0).value));
    const std::optional<double> even = t.break_even();
    if (!even) return text + "It never pays: a repetition here is no faster than there.\n";
    const std::string from = *even <= 1.0 ? "the first repetition" : critical_text(*even) + " repetitions";
    return text + "Without overlap it pays from " + from + " on, if both reach their bounds.\n";
}

}  // namespace

std::string bound_sentence(const BoundAnswer& a) {
    const WorkloadBound& b = a.bound;
    const Term* term = binding_term(b.bound);
    const std::string what = fmt::format("{}{} on {}{}", printable(a.workload.title), default_type_words(a),
                                         printable(a.machine.name), state_words(a));
    if (term == nullptr) return what + ": no ceiling of this machine bounds it.";
    const std::string unit = unit_of_amount(a, term->kind);
    const std::string amount = format_si(term->amount, unit) +
                               (term->kind == TermKind::link ? " over a link" : " of " + term_name(*term));
    const std::string because = fmt::format("{} at {} take {}", amount, format_si(term->rate, unit + "/s"),
                                            format_seconds(term->seconds.value));
    if (b.attainable <= 0.0)
        return fmt::format("{}: at least {}, because {}.", what, format_seconds(b.bound.seconds_lower.value),
                           because);
    const double peak = b.peak * a.workload.devices;
    const std::string share = peak <= 0.0 ? ""
                              : as_good_as(b.attainable, peak)
                                  ? ", the peak"
                                  : ", " + format_percent(b.attainable / peak) + " of the peak";
    return fmt::format("{}: at most {}{}, because {}.", what, format_si(b.attainable, rate_unit(a.workload)),
                       share, because);
}

std::string bound_text(const BoundAnswer& a) {
    std::string text = bound_sentence(a) + "\n";
    if (a.solve) text += capitalised(solved_text(*a.solve)) + ".\n";
    if (a.bound.memory_share && *a.bound.memory_share > 1.0) {
        text += "It does not fit into the memory of " +
                std::string(a.workload.devices > 1.0 ? "a device" : "the machine") + ".\n";
    }
    if (a.peak_was_disturbed) {
        text += fmt::format(
            "The peak of {0} arithmetic is not known, since other processes ran whenever it was probed: the "
            "bound leaves arithmetic out. {1} on an idle machine probes again; or give it by --set "
            "peak.{0}=….\n",
            to_text(a.workload.dtype), suggested("machine"));
    }
    text += "\n" + terms_table(a.bound.bound, a) + "\n" + times_text(a) + intensity_line(a) + memory_line(a) +
            state_line(a) + idle_line(a) + set_lines(a.set) + doubt_lines(a);
    if (a.bound.peak_is_estimate) {
        text += fmt::format(
            "The peak of {} is an estimate: the fastest instruction probed, beside which others may run.\n",
            to_text(a.workload.dtype));
    }
    if (a.offload) text += "\n" + offload_text(*a.offload, a.machine.name);
    if (!a.levels.empty()) text += "\n" + levels_table(a);
    if (a.problem_roof) text += "\n" + roof_text(*a.problem_roof, a);
    if (a.sweep) text += "\n" + sweep_table(*a.sweep, a);
    return text;
}

}  // namespace rooftune
