#include "tuner/base/fingerprint_words.h"

#include <fmt/format.h>

#include <optional>

#include "tuner/base/digits.h"
#include "tuner/base/hypervisor_name.h"

namespace rooftune {
namespace {

// As kernels/runtime/cpu.cpp writes them: VENDOR-FAMILY-MODEL-STEPPING-cCOREStTHREADSnNODES-wWIDTH, then
// -SIZEK[xSHARED] for each cache, then -HYPERVISOR.
struct Parts {
    std::string processor, cores, threads, nodes, width, caches, hypervisor;
};

// Whether the text ends in three numbers with a dash before each, behind something else.
bool ends_in_three_numbers(std::string_view text) {
    for (int i = 0; i < 3; ++i) {
        const std::size_t digits = text.find_last_not_of("0123456789") + 1;
        if (digits < 2 || digits == text.size() || text[digits - 1] != '-') return false;
        text = text.substr(0, digits - 1);
    }
    return true;
}

// Past "-32K" or "-36608Kx2" at the beginning of the text; 0 where something else stands.
std::size_t past_cache(std::string_view text) {
    const std::size_t k = past_digits(text, 1);
    if (!text.starts_with('-') || k == 1 || k == text.size() || text[k] != 'K') return 0;
    const bool shared = text.substr(k + 1).starts_with('x') && past_digits(text, k + 2) > k + 2;
    const std::size_t end = shared ? past_digits(text, k + 2) : k + 1;
    return end == text.size() || text[end] == '-' ? end : 0;
}

// `cores` is where "-cCORES" begins.
std::optional<Parts> parts_from(std::string_view text, std::size_t cores) {
    Parts parts;
    parts.processor = text.substr(0, cores);
    if (!ends_in_three_numbers(parts.processor)) return std::nullopt;
    text.remove_prefix(cores);
    const auto number = [&](std::string_view before, std::string& into) {
        if (!text.starts_with(before)) return false;
        const std::size_t end = past_digits(text, before.size());
        into = text.substr(before.size(), end - before.size());
        text.remove_prefix(end);
        return !into.empty();
    };
    if (!number("-c", parts.cores) || !number("t", parts.threads) || !number("n", parts.nodes) ||
        !number("-w", parts.width))
        return std::nullopt;
    std::string_view rest = text;
    // A dash that nothing follows ends no cache: then the last of them is the hypervisor's name.
    for (std::size_t end = 0; (end = past_cache(rest)) > 0 && rest.substr(end) != "-";)
        rest.remove_prefix(end);
    parts.caches = text.substr(0, text.size() - rest.size());
    if (!rest.empty() && (rest.size() < 2 || rest[0] != '-')) return std::nullopt;
    parts.hypervisor = rest.empty() ? rest : rest.substr(1);
    return parts;
}

// What looks like the number of cores may be in a processor's or a hypervisor's name: the last place that
// fits.
std::optional<Parts> parts_of(std::string_view text) {
    if (text.find_first_of("\r\n") != std::string_view::npos) return std::nullopt;
    for (std::size_t at = text.rfind("-c"); at != std::string_view::npos && at > 0;
         at = text.rfind("-c", at - 1))
        if (auto parts = parts_from(text, at)) return parts;
    return std::nullopt;
}

// "-32K-1024K-36608Kx2" as "32K, 1024K, 36608Kx2".
std::string listed(const std::string& caches) {
    std::string text;
    for (std::size_t at = 0; at < caches.size();) {
        const std::size_t next = std::min(caches.find('-', at + 1), caches.size());
        text += (text.empty() ? "" : ", ") + caches.substr(at + 1, next - at - 1);
        at = next;
    }
    return text.empty() ? "none known" : text;
}

}  // namespace

std::vector<FingerprintChange> fingerprint_changes(std::string_view then, std::string_view now) {
    const auto a = parts_of(then), b = parts_of(now);
    if (!a || !b) return {};
    std::vector<FingerprintChange> changes;
    const auto add = [&](const char* what, const char* form, const std::string& before,
                         const std::string& after) {
        if (before == after) return;
        changes.push_back(
            {what, before, after, fmt::format(fmt::runtime(form), before) + " then, " + after + " now"});
    };
    // Two signatures of one name are told as they are: which of them it was is the difference.
    const bool alike = hypervisor_name(a->hypervisor) == hypervisor_name(b->hypervisor);
    const auto system = [&](const std::string& name) {
        return name.empty() ? std::string("none") : alike ? name : hypervisor_name(name);
    };
    add("processor", "the processor {}", a->processor, b->processor);
    add("cores", "{} cores", a->cores, b->cores);
    add("processing units", "{} processing units", a->threads, b->threads);
    add("memory nodes", "{} memory nodes", a->nodes, b->nodes);
    add("widest vectors, bits", "vectors of up to {} bits", a->width, b->width);
    add("caches", "caches of {}", listed(a->caches), listed(b->caches));
    add("hypervisor", "the hypervisor {}", system(a->hypervisor), system(b->hypervisor));
    return changes;
}

std::string fingerprint_difference(std::string_view then, std::string_view now) {
    std::string text;
    for (const FingerprintChange& change : fingerprint_changes(then, now))
        text += (text.empty() ? "" : "; ") + change.sentence;
    return text;
}

}  // namespace rooftune
