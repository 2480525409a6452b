#include "tuner/tune/reference_words.h"

#include <fmt/format.h>

#include <set>
#include <vector>

#include "tuner/base/joined.h"
#include "tuner/chart/phrases.h"
#include "tuner/formats/reference_time.h"

namespace rooftune {
namespace {

struct Named {
    const char* name;
    const VariantMap* variant;
};

// "unroll 4, not 8": what a variant has and the other has not, or has otherwise.
std::string differences(const VariantMap& variant, const VariantMap& other) {
    std::set<std::string> names;
    for (const auto& [name, value] : variant) names.insert(name);
    for (const auto& [name, value] : other) names.insert(name);
    std::vector<std::string> parts;
    for (const std::string& name : names) {
        const auto its = variant.find(name), others = other.find(name);
        const std::string a = its == variant.end() ? "" : its->second;
        const std::string b = others == other.end() ? "" : others->second;
        if (a == b) continue;
        parts.push_back(a.empty()   ? "no " + name
                        : b.empty() ? name + " " + a
                                    : fmt::format("{} {}, not {}", name, a, b));
    }
    return joined(parts, "; ", "; ");
}

// The variant's phrase, and what tells it from those of `others` that read the same.
std::string told_apart(const TuneResult& r, const VariantMap& variant, const std::vector<Named>& others) {
    const std::string phrase = variant_phrase(r.family, variant);
    std::string text = phrase;
    for (const Named& other : others) {
        if (other.variant->empty() || *other.variant == variant) continue;
        if (variant_phrase(r.family, *other.variant) != phrase) continue;
        text += fmt::format(" (unlike the {}: {})", other.name, differences(variant, *other.variant));
    }
    return text;
}

}  // namespace

std::string winner_words(const TuneResult& r) {
    if (!r.best.empty() && r.best == r.naive && has_one_reference(r.family))
        return "winner: " + naive_phrase(r.family, r.backend) + " itself";
    std::vector<std::string> same;
    if (!r.best.empty() && r.best == r.naive) same.emplace_back("the naive one");
    if (!r.best.empty() && r.best == r.fallback) same.emplace_back("the default");
    return same.empty() ? "winner" : "winner: the same variant as " + joined(same);
}

std::string default_words(const TuneResult& r) {
    const char* name = has_one_reference(r.family) ? "first variant: " : "default: ";
    return name + told_apart(r, r.fallback, {{"winner", &r.best}});
}

std::string naive_words(const TuneResult& r) {
    if (r.naive == r.fallback) return "naive: the same variant as the default";
    return "naive: " + told_apart(r, r.naive, {{"winner", &r.best}, {"default", &r.fallback}});
}

std::string slow_default_sentence(const TuneResult& r) {
    if (r.naive == r.fallback || r.best == r.fallback || !has_interval(r.default_ratio)) return "";
    // Both ratios are over the winner; the naive variant's over itself is 1.
    const bool is_winner = r.best == r.naive;
    if (!is_winner && (!has_interval(r.naive_ratio) || !(r.naive_ratio.high > 0.0))) return "";
    const double most_of_naive = is_winner ? 1.0 : r.naive_ratio.high;
    if (!(r.default_ratio.low > most_of_naive)) return "";
    return fmt::format(
        "The default variant is slower than {} here, though it is meant never to be: programs that run this "
        "without a tuned config lose by it.",
        naive_phrase(r.family, r.backend));
}

}  // namespace rooftune
