#include "tuner/verify/fingerprint_words.h"

#include <fmt/format.h>

#include <optional>
#include <regex>

namespace rooftune::validity {
namespace {

// As kernels/runtime/cpu.cpp writes them: VENDOR-FAMILY-MODEL-STEPPING-cCOREStTHREADSnNODES-wWIDTH, then
// -SIZEK[xSHARED] for each cache, then -HYPERVISOR.
struct Parts {
    std::string processor, cores, threads, nodes, width, caches, hypervisor;
};

std::optional<Parts> parts_of(std::string_view fingerprint) {
    static const std::regex kForm(
        "(.+-[0-9]+-[0-9]+-[0-9]+)-c([0-9]+)t([0-9]+)n([0-9]+)-w([0-9]+)((?:-[0-9]+K(?:x[0-9]+)?)*)(?:-(.+))"
        "?");
    const std::string text(fingerprint);
    std::smatch match;
    if (!std::regex_match(text, match, kForm)) return std::nullopt;
    return Parts{match[1], match[2], match[3], match[4], match[5], match[6], match[7]};
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

std::string fingerprint_difference(std::string_view then, std::string_view now) {
    const auto a = parts_of(then), b = parts_of(now);
    if (!a || !b) return "";
    std::string text;
    const auto add = [&](const std::string& form, const std::string& before, const std::string& after) {
        if (before == after) return;
        text +=
            (text.empty() ? "" : "; ") + fmt::format(fmt::runtime(form), before) + " then, " + after + " now";
    };
    const auto system = [](const std::string& name) { return name.empty() ? std::string("none") : name; };
    add("the processor {}", a->processor, b->processor);
    add("{} cores", a->cores, b->cores);
    add("{} processing units", a->threads, b->threads);
    add("{} memory nodes", a->nodes, b->nodes);
    add("vectors of up to {} bits", a->width, b->width);
    add("caches of {}", listed(a->caches), listed(b->caches));
    add("the hypervisor {}", system(a->hypervisor), system(b->hypervisor));
    return text;
}

}  // namespace rooftune::validity
