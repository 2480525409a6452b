#include "tuner/formats/tuned_set_header.h"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "tuner/formats/cpp_text.h"
#include "tuner/formats/tuned_header.h"

namespace rooftune {
namespace {

std::string joined(const std::map<std::string, std::string>& values) {
    std::string text;
    for (const auto& [key, value] : values) text += (text.empty() ? "" : ",") + key + "=" + value;
    return text;
}

std::string number(double value) {
    return fmt::format("{:.17g}", std::isfinite(value) ? value : 0.0);
}

std::string list_of(const std::vector<double>& values) {
    std::string text;
    for (const double value : values) text += (text.empty() ? "" : ", ") + number(value);
    return "{" + text + "}";
}

// Stays the same text for every group, so that a reader sees once what it does.
constexpr std::string_view kNearest = R"(
/// Place in `problems` whose variant to take, or -1: take the default variant.
constexpr int nearest(const double (&of)[feature_count]) {
    int best = -1;
    double least = reach * reach * (1.0 + 1e-12);
    for (int i = 0; i < problem_count; ++i) {
        double sum = 0.0;
        for (int f = 0; f < feature_count; ++f) {
            const double step = (of[f] - problems[i].features[f]) / scales[f];
            sum += step * step;
        }
        if (best < 0 ? sum <= least : sum < least) {
            least = sum;
            best = i;
        }
    }
    return best;
}
)";

std::string group_text(const TunedGroup& g, const std::string& name) {
    std::string out = fmt::format("namespace {} {{\n\n", name);
    out += fmt::format("inline constexpr std::string_view family = {};\n", cpp_literal(g.family));
    out += fmt::format("inline constexpr int space_version = {};\n", g.space_version);
    out += fmt::format("inline constexpr int most_threads = {};\n", g.threads);
    out += fmt::format("inline constexpr int feature_count = {};\ninline constexpr int problem_count = {};\n",
                       g.features.size(), g.problems.size());
    out += "/// The formulas, of the family's facts.\ninline constexpr std::string_view feature_names[] = {";
    for (std::size_t i = 0; i < g.features.size(); ++i) out += (i ? ", " : "") + cpp_literal(g.features[i]);
    out += fmt::format("}};\ninline constexpr double scales[] = {};\n", list_of(g.scales));
    out += fmt::format("inline constexpr double reach = {};\n\n", number(g.reach));
    out +=
        "struct Problem {\n    double features[feature_count];\n    std::string_view problem, variant;\n"
        "    double seconds;\n};\ninline constexpr Problem problems[] = {\n";
    for (const TunedProblem& p : g.problems) {
        out += fmt::format("    {{{}, {},\n     {}, {}}},\n", list_of(p.features),
                           cpp_literal(joined(p.problem)), cpp_literal(joined(p.best)),
                           number(p.seconds.median));
    }
    return out + "};\n" + std::string(kNearest) + fmt::format("\n}}  // namespace {}\n\n", name);
}

}  // namespace

std::string tuned_set_header(const TunedSet& set, std::string_view name) {
    const std::string space = identifier_of(name);
    std::string out = fmt::format(
        "// Variants that rooftune found fastest on\n// {}.\n// Made {}; measured and verified there, so "
        "compare "
        "`fingerprint` before use and take\n// default variants elsewhere.\n#pragma once\n\n"
        "#include <string_view>\n\nnamespace rooftune_tuned::{} {{\n\n",
        cpp_comment(set.machine_name), cpp_comment(set.created), space);
    out += fmt::format("inline constexpr std::string_view fingerprint = {};\n", cpp_literal(set.machine_id));
    out += fmt::format("inline constexpr std::string_view kernels_build = {};\n\n",
                       cpp_literal(set.kernels_build));
    std::set<std::string> used;
    for (const TunedGroup& g : set.groups) {
        // C++ has no arrays of nothing.
        if (g.problems.empty() || g.features.empty()) continue;
        const std::string plain = identifier_of(g.family + "_" + g.dtype + "_" + g.backend + "_" + g.state);
        std::string unique = plain;
        for (int i = 2; !used.insert(unique).second; ++i) unique = fmt::format("{}_{}", plain, i);
        out += group_text(g, unique);
    }
    return out + fmt::format("}}  // namespace rooftune_tuned::{}\n", space);
}

}  // namespace rooftune
