#include "tuner/bound/idle_keys.h"

#include <charconv>
#include <vector>

#include "kernels/runtime/error.h"
#include "tuner/base/joined.h"

namespace rooftune {
namespace {

/// Of one family: the keys, and sizes with which it judges their values.
struct IdleKeys {
    const char* family;
    std::vector<std::string> keys;
    ProblemSpec sizes;
};

const std::vector<IdleKeys>& idle_keys() {
    static const std::vector<IdleKeys> all{
        {"matmul", {"transa", "transb", "alpha", "beta"}, {{"m", "16"}, {"n", "16"}, {"k", "16"}}},
        {"stencil", {"boundary"}, {{"nx", "16"}, {"ny", "16"}, {"nz", "16"}}},
    };
    return all;
}

bool is_zero(const std::string& text) {
    double value = 1.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && value == 0.0;
}

}  // namespace

ProblemSpec take_idle_keys(const Registry& registry, const std::string& family, WorkloadSpec& spec) {
    ProblemSpec taken;
    const Family* known = registry.find(family);
    if (known == nullptr) return taken;
    for (const IdleKeys& idle : idle_keys()) {
        if (family != idle.family) continue;
        for (const std::string& key : idle.keys) {
            if (const auto at = spec.find(key); at != spec.end()) taken.insert(spec.extract(at));
        }
        if (taken.empty()) return taken;
        // Nothing is multiplied then, of which no bound of a product is true.
        if (const auto alpha = taken.find("alpha"); alpha != taken.end() && is_zero(alpha->second))
            throw InputError(
                "alpha=" + alpha->second +
                ": nothing is multiplied, so that there is no product to bound; leave alpha out");
        ProblemSpec judged = idle.sizes;
        judged.insert(taken.begin(), taken.end());
        (void)known->problem(judged);
    }
    return taken;
}

std::string idle_keys_text(const ProblemSpec& idle) {
    std::vector<std::string> nothing, more;
    for (const auto& [key, value] : idle) {
        // A C that is read besides is more work.
        const bool reads_c = key == "beta" && !is_zero(value);
        (reads_c ? more : nothing).push_back(key + "=" + value);
    }
    std::vector<std::string> parts;
    if (!nothing.empty())
        parts.push_back(joined(nothing) + (nothing.size() == 1 ? " does" : " do") +
                        " not change the least work, and so not the bound");
    if (!more.empty())
        parts.push_back(joined(more) + (more.size() == 1 ? " means" : " mean") +
                        " more work, which the bound leaves out");
    return joined(parts, "; ", "; ");
}

}  // namespace rooftune
