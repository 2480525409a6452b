// A made-up problem of 5e9 variants whose best one is known. Times are products of one factor a parameter, so
// the best variant is that of each group of parameters that no rule ties to others; a bound leaves out the
// factors of what is not decided yet. Two of the rules forbid what the factors alone would choose.
#pragma once

#include <array>
#include <cmath>
#include <string>

#include "tests/support/toy.h"

namespace rooftune::wide {

struct Choice {
    const char* name;
    int best;       ///< value with the factor 1
    double weight;  ///< what each step away from it adds to the factor
};
/// After mode and depth. c and d lie far apart, so that a rule between them is decided late.
inline constexpr std::array<Choice, 10> kChoices{{{"a", 6, 0.12},
                                                  {"b", 6, 0.06},
                                                  {"c", 5, 0.2},
                                                  {"e", 3, 0.08},
                                                  {"f", 1, 0.1},
                                                  {"g", 7, 0.13},
                                                  {"h", 0, 0.16},
                                                  {"i", 4, 0.25},
                                                  {"j", 2, 0.3},
                                                  {"d", 3, 0.15}}};
enum { kMode, kDepth, kA, kB, kC, kD = 11 };
inline constexpr int kValues = 8;
inline constexpr int kFused = 2;

/// mode and depth: 1 + 1 + 8; a + b <= 10: all but 10 of 64; c <= d: 36 of 64; six free ones.
inline constexpr std::uint64_t kVariants = std::uint64_t{10} * 54 * 36 * 8 * 8 * 8 * 8 * 8 * 8;

inline Space space() {
    Space s("wide", 1);
    const auto values = numbers({0, 1, 2, 3, 4, 5, 6, 7});
    s.add(Parameter("mode", "", names({"plain", "split", "fused"})));
    s.add(Parameter("depth", "", values).when("mode is fused", {kMode}, [](const PartialVariant& v) {
        return v[kMode] == kFused;
    }));
    for (const Choice& c : kChoices) s.add(Parameter(c.name, "", values));
    s.add(
        Constraint{"a + b <= 10", kB, [](const PartialVariant& v) { return v[kA] + v[kB] <= 10; }, {kA, kB}});
    s.add(Constraint{"c <= d", kD, [](const PartialVariant& v) { return v[kC] <= v[kD]; }, {kC, kD}});
    return s;
}

/// a = 6 with b = 4 rather than 5 and 5 or 4 and 6; c = d = 5 rather than 4 or 3.
inline Variant best(const Space& s) {
    return toy::variant(s, {{"mode", "fused"},
                            {"depth", "5"},
                            {"a", "6"},
                            {"b", "4"},
                            {"c", "5"},
                            {"e", "3"},
                            {"f", "1"},
                            {"g", "7"},
                            {"h", "0"},
                            {"i", "4"},
                            {"j", "2"},
                            {"d", "5"}});
}

/// Every parameter at its first value.
inline Variant first(const Space& s) {
    std::map<std::string, std::string> values{{"mode", "plain"}};
    for (const Choice& c : kChoices) values[c.name] = "0";
    return toy::variant(s, values);
}

class Model final : public WorkModel {
public:
    Work work(const PartialVariant& v) const override {
        Work w;
        const double ops = 1e6 * factor(v);
        w.flops_nominal = Operations(1e6);
        w.total.ops = Operations(ops);
        w.heaviest.ops = Operations(ops / 2.0);
        return w;
    }
    Traits traits(const PartialVariant&) const override {
        return {.dtype = DType::f64, .width_bits = 512, .threads = 2};
    }

private:
    static double factor(const PartialVariant& v) {
        double product = v.fixed(kMode) ? 1.0 + 0.3 * (kFused - v[kMode]) : 1.0;
        if (v.fixed(kDepth)) product *= 1.0 + 0.1 * std::abs(v[kDepth] - 5);
        for (int c = 0; c < static_cast<int>(kChoices.size()); ++c) {
            const Choice& choice = kChoices[static_cast<std::size_t>(c)];
            if (v.fixed(c + kA)) product *= 1.0 + choice.weight * std::abs(v[c + kA] - choice.best);
        }
        return product;
    }
};

}  // namespace rooftune::wide
