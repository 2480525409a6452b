#include "tuner/ceilings/doubts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "models/roofs.h"
#include "tuner/base/si.h"
#include "tuner/base/suggested.h"
#include "tuner/ceilings/ages.h"
#include "tuner/ceilings/implausible_levels.h"

namespace rooftune {
namespace {

// The walks of B*(w) and arithmetic that bounds rest on. Data that threads share, another node's memory and
// small pages have reasons of their own to be slower on more threads.
bool comparable(const Ceiling& c) {
    const Conditions& w = c.when;
    return c.excludes && c.source == "probe" && w.threads > 0 && !w.shared && !w.remote &&
           (c.resource == Resource::compute || c.resource == Resource::bandwidth);
}

// What has to be equal of two ceilings that are held against each other; footprints come on top.
using Kind = std::tuple<Resource, DType, Mix, std::string>;
Kind kind_of(const Ceiling& c) {
    const bool arithmetic = c.resource == Resource::compute;
    return {c.resource, arithmetic ? c.when.dtype : DType::f64, arithmetic ? Mix::none : c.when.mix,
            arithmetic ? c.when.unit : std::string()};
}

void keep_higher(const Ceiling*& best, const Ceiling& c) {
    if (best == nullptr || c.max > best->max) best = &c;
}

double shortfall(const Contradiction& c) {
    return 1.0 - c.more->max / c.fewer->max;
}

std::string rate_text(const Ceiling& c) {
    const std::string unit(unit_of(c));
    return format_si(c.max, unit == "byte/s" ? "B/s" : unit);
}

std::string contradiction_sentence(const std::vector<Contradiction>& found, const std::string& again) {
    const Contradiction& worst = found.front();
    const Conditions& when = worst.more->when;
    const std::string what =
        worst.more->resource == Resource::compute
            ? fmt::format("compute {} in {}", to_text(when.dtype), rate_text(*worst.more))
            : fmt::format("{} {} of {}", to_text(when.mix), rate_text(*worst.more),
                          format_capacity(when.footprint.value));
    return fmt::format(
        "The model contradicts itself: {} threads {}, one alone {}{}. Other processes ran beside the probes, "
        "or the machine changed between them; {} on an idle machine probes again.",
        when.threads, what, rate_text(*worst.fewer),
        found.size() > 1 ? fmt::format(" (and {})", format_plural(static_cast<std::int64_t>(found.size()) - 1,
                                                                  "more such pair"))
                         : "",
        again);
}

}  // namespace

std::vector<Contradiction> contradictions(const Machine& machine) {
    int most = 0;
    for (const Ceiling& c : machine.ceilings) {
        if (comparable(c)) most = std::max(most, c.when.threads);
    }
    if (most < 2) return {};
    // Of walks the largest footprint at which both counts have this mix.
    std::map<Kind, std::pair<double, double>> largest;
    for (const Ceiling& c : machine.ceilings) {
        if (!comparable(c) || c.resource != Resource::bandwidth) continue;
        auto& [one, all] = largest[kind_of(c)];
        if (c.when.threads == 1) one = std::max(one, c.when.footprint.value);
        if (c.when.threads == most) all = std::max(all, c.when.footprint.value);
    }
    std::map<Kind, Contradiction> pairs;
    for (const Ceiling& c : machine.ceilings) {
        if (!comparable(c)) continue;
        const Kind kind = kind_of(c);
        if (c.resource == Resource::bandwidth) {
            const auto [one, all] = largest[kind];
            if (c.when.footprint.value != std::min(one, all)) continue;
        }
        if (c.when.threads == 1) keep_higher(pairs[kind].fewer, c);
        if (c.when.threads == most) keep_higher(pairs[kind].more, c);
    }
    std::vector<Contradiction> found;
    for (const auto& [kind, pair] : pairs) {
        if (pair.more != nullptr && pair.fewer != nullptr && shortfall(pair) > kContradiction)
            found.push_back(pair);
    }
    std::stable_sort(found.begin(), found.end(), [](const Contradiction& a, const Contradiction& b) {
        return shortfall(a) > shortfall(b);
    });
    return found;
}

bool is_quick(const Machine& machine) {
    const auto probed = [](const Ceiling& c) { return c.source == "probe" && c.when.device.empty(); };
    return std::any_of(machine.ceilings.begin(), machine.ceilings.end(), probed) &&
           std::none_of(machine.ceilings.begin(), machine.ceilings.end(), [&](const Ceiling& c) {
               return probed(c) && c.resource == Resource::compute && c.when.mix == Mix::div;
           });
}

int unproven(const Machine& machine) {
    const Roofs roofs(machine);
    return static_cast<int>(roofs.unsaturated().size() + roofs.unsaturated_walks().size());
}

namespace {

std::vector<std::string> doubts_of_probes(const Machine& machine, const std::string& again) {
    std::vector<std::string> doubts;
    if (!machine.topology.source.empty()) return doubts;
    if (const auto found = contradictions(machine); !found.empty())
        doubts.push_back(contradiction_sentence(found, again));
    if (const int without = unproven(machine); without > 0) {
        doubts.push_back(
            fmt::format("{} of {} {} never probed undisturbed often enough to be a proven maximum: what "
                        "rests on {} counts "
                        "as so many times one thread, or is left out, and bounds are the looser for it.",
                        format_count(static_cast<std::uint64_t>(without)),
                        format_plural(std::ssize(machine.ceilings), "ceiling"), without == 1 ? "was" : "were",
                        without == 1 ? "it" : "them"));
    }
    return doubts;
}

}  // namespace

std::vector<std::string> probe_doubts(const Machine& machine) {
    // They are kept in results, which are read in other folders than that of today.
    return doubts_of_probes(machine, "`rooftune machine`");
}

std::vector<std::string> model_doubts(const Machine& machine, const std::string& now) {
    if (!machine.topology.source.empty()) return {};
    std::vector<std::string> doubts = doubts_of_probes(machine, suggested("machine"));
    // Levels are how people read a machine: no bound rests on their names, so that results do not keep this.
    if (const std::string levels = implausible_levels_text(machine, suggested("machine")); !levels.empty())
        doubts.insert(doubts.begin(), levels + ".");
    if (const CeilingAges ages = ages_of(machine, now); ages.old > 0) {
        doubts.push_back(
            fmt::format("{} of {} ceilings were last seen more than 30 days ago: {} measures them again.",
                        ages.old, machine.ceilings.size(), suggested("machine")));
    }
    if (is_quick(machine))
        doubts.push_back(
            "This is the quick model: " + suggested("machine") +
            " makes the full one in a minute, with more widths, streams and footprints, and more windows for "
            "each.");
    return doubts;
}

}  // namespace rooftune
