// Searches on spaces that were measured whole, where the truth is known: how near does each come, and at what
// price? Prints Markdown for results/. Nothing is measured here; times are drawn from the records.
//
//   ground_truth [--runs N] [--seed K] [--default-only | --budget EVALUATIONS] FILE… (as `rooftune export
//   --format rooftune --with-machine` writes them)
//
// --budget: the default search alone, with so many evaluations for search and finals and no audit.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "kernels/registry.h"
#include "kernels/runtime/error.h"
#include "models/space_offer.h"
#include "tests/support/one_pace.h"
#include "tests/support/recorded_problem.h"
#include "tuner/base/si.h"
#include "tuner/measure/statistics.h"
#include "tuner/replay/recorded_evaluator.h"
#include "tuner/search/certificate.h"
#include "tuner/search/search.h"

namespace rooftune {
namespace {

struct Truth : test::RecordedProblem {
    std::unique_ptr<Space> whole;  ///< the model's
    std::map<Variant, Record> records;
    double best = 0.0;  ///< seconds
    double seconds(const Variant& v) const { return recorded_seconds(records.at(v)); }
};

Truth load(const std::string& path, const Registry& registry) {
    Truth t;
    static_cast<test::RecordedProblem&>(t) = test::load_recorded(path, registry);
    // Recorded is what an exhaustive search measures: all that is on offer at first.
    t.whole = std::move(t.space);
    t.space = std::make_unique<Space>(SpaceOffer::first(*t.whole).of(*t.whole));
    t.records = by_variant(t, at_one_pace(t.file.records), path);
    if (t.records.size() != t.space->count(PartialVariant{})) {
        throw InputError(path + ": holds " + std::to_string(t.records.size()) + " of " +
                         std::to_string(t.space->count(PartialVariant{})) + " variants");
    }
    t.best = std::numeric_limits<double>::infinity();
    for (const auto& [variant, record] : t.records) t.best = std::min(t.best, recorded_seconds(record));
    return t;
}

struct Summary {
    std::vector<double> evaluations, regret, gap, excluded, set_aside, slice_excluded, slice_set_aside;
    std::uint64_t wrongly_excluded = 0, excluded_seen = 0, wrongly_aside = 0, aside_seen = 0;
    int without_winner = 0;
};

// Against the truth, variant by variant: what the certificate rules out must not be faster than its winner.
void judge(const Truth& t, const SearchResult& found, Summary& s) {
    const Roofs roofs(found.machine);
    const BoundModel bound(roofs, found.demoted);
    const BoundSource source{t.space.get(), t.model.get(), &bound};
    const double margin = found.certificate.margin, high = found.seconds.high;
    const double winner = t.seconds(*found.best);
    for (const auto& [variant, record] : t.records) {
        if ((1.0 - margin) * source.lower(variant) >= high) {
            ++s.excluded_seen;
            if (recorded_seconds(record) < winner) ++s.wrongly_excluded;
        } else if ((1.0 - margin) * source.rank(variant) >= high) {
            ++s.aside_seen;
            if (recorded_seconds(record) < winner) ++s.wrongly_aside;
        }
    }
}

// Seeds are `seed`, `seed` + 1, …
Summary run(const Truth& t, const StrategyKind* strategy, bool bounds, int runs, int seed, int evaluations,
            int budget = 0) {
    Summary s;
    for (int i = 0; i < runs; ++i) {
        SearchInput input;
        input.space = t.space.get();
        input.model = t.model.get();
        input.machine = t.machine;
        input.naive = t.naive;
        input.fallback = t.fallback;
        SearchOptions options;
        options.seconds = 0.0;
        options.evaluations = evaluations;
        options.reprobe = false;
        options.bounds = bounds;
        options.strategy = strategy;
        options.seed = static_cast<std::uint64_t>(seed) + static_cast<std::uint64_t>(i);
        if (evaluations > 0) {
            options.patience = evaluations;
            options.epsilon = 0.0;
            options.audit = 0;
        }
        if (budget > 0) {
            options.evaluations = budget;
            options.audit = 0;
        }
        RecordedEvaluator evaluator(t.records, options.seed);
        const SearchResult found = search(input, evaluator, options, nullptr);
        if (!found.best) {
            ++s.without_winner;
            continue;
        }
        const auto share = [](std::uint64_t n, std::uint64_t of) {
            return of > 0 ? static_cast<double>(n) / static_cast<double>(of) : 0.0;
        };
        const CertificateReport& c = found.certificate;
        s.evaluations.push_back(static_cast<double>(c.measured + c.raced_out + c.failed));
        s.regret.push_back(t.seconds(*found.best) / t.best - 1.0);
        s.gap.push_back(c.gap);
        s.excluded.push_back(share(c.excluded, c.space));
        s.set_aside.push_back(share(c.set_aside, c.space));
        s.slice_excluded.push_back(share(c.slice.excluded, c.slice.space));
        s.slice_set_aside.push_back(share(c.slice.set_aside, c.slice.space));
        if (bounds && strategy == nullptr) judge(t, found, s);
    }
    return s;
}

std::string percent(double share) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2f %%", 100.0 * share);
    return text;
}

double worst(const std::vector<double>& values) {
    return values.empty() ? 0.0 : *std::max_element(values.begin(), values.end());
}

void row(const char* name, const char* bounds, const Summary& s, double variants) {
    const auto near = std::count_if(s.regret.begin(), s.regret.end(), [](double r) { return r <= 0.01; });
    std::printf("| %s | %s | %.0f | %s | %s | %s | %zu of %zu |\n", name, bounds, median(s.evaluations),
                percent(median(s.evaluations) / variants).c_str(), percent(median(s.regret)).c_str(),
                percent(worst(s.regret)).c_str(), static_cast<std::size_t>(near), s.regret.size());
    std::fflush(stdout);
}

void report(const std::string& path, const Registry& registry, int runs, int seed, bool default_only,
            int budget) {
    const Truth t = load(path, registry);
    const auto variants = static_cast<double>(t.records.size());
    std::size_t within = 0, failed = 0;
    for (const auto& [variant, record] : t.records) {
        within += recorded_seconds(record) <= 1.01 * t.best ? 1 : 0;
        failed += is_failure(record.outcome) ? 1 : 0;
    }
    std::printf("## %s\n\n", t.problem->title().c_str());
    std::printf(
        "%s. %zu variants, %zu of them failed; the best takes %s, %zu come within 1 %% of it, the naive one "
        "takes "
        "%.2f times and the default one %.2f times as long.\n\n",
        t.machine.name.c_str(), t.records.size(), failed, format_seconds(t.best).c_str(), within,
        t.seconds(t.naive) / t.best, t.seconds(t.fallback) / t.best);
    const Summary s = run(t, nullptr, true, runs, seed, 0, budget);
    std::printf(
        "| strategy | bounds | variants evaluated | share | regret, median | regret, worst | within 1 %% "
        "|\n");
    std::printf("|---|---|---:|---:|---:|---:|---:|\n");
    row("bounds (default)", "yes", s, variants);
    // The search's constants were chosen by looking at seeds up to 40.
    if (!default_only)
        row("the same, other seeds", "yes", run(t, nullptr, true, runs, seed + 200, 0), variants);
    const int evaluations = static_cast<int>(median(s.evaluations));
    for (const StrategyKind& kind : strategy_kinds()) {
        if (default_only) break;
        for (const bool bounds : {true, false}) {
            row(std::string(kind.name).c_str(), bounds ? "yes" : "no",
                run(t, &kind, bounds, runs, seed, evaluations), variants);
        }
    }
    std::printf(
        "\nOf the default: excluded by proof %s of the space, set aside %s; in the winner's own slice (its "
        "width and "
        "threads) %s and %s. ",
        percent(median(s.excluded)).c_str(), percent(median(s.set_aside)).c_str(),
        percent(median(s.slice_excluded)).c_str(), percent(median(s.slice_set_aside)).c_str());
    std::printf(
        "Faster than the winner, by the records: %llu of %llu excluded, %llu of %llu set aside (summed over "
        "the "
        "runs). The certificate's gap: %s in the median; the true one is the regret.\n\n",
        static_cast<unsigned long long>(s.wrongly_excluded), static_cast<unsigned long long>(s.excluded_seen),
        static_cast<unsigned long long>(s.wrongly_aside), static_cast<unsigned long long>(s.aside_seen),
        percent(median(s.gap)).c_str());
    std::fflush(stdout);
}

}  // namespace
}  // namespace rooftune

int main(int argc, char** argv) {
    int runs = 20, seed = 1, budget = 0;
    bool default_only = false;
    std::vector<std::string> files;
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--runs") == 0 && i + 1 < argc) {
            runs = std::max(1, std::atoi(argv[++i]));
        } else if (std::strcmp(argv[i], "--seed") == 0 && i + 1 < argc) {
            seed = std::max(0, std::atoi(argv[++i]));
        } else if (std::strcmp(argv[i], "--budget") == 0 && i + 1 < argc) {
            budget = std::max(1, std::atoi(argv[++i]));
            default_only = true;
        } else if (std::strcmp(argv[i], "--default-only") == 0) {
            default_only = true;
        } else {
            files.emplace_back(argv[i]);
        }
    }
    const rooftune::Registry registry = rooftune::built_in_families();
    try {
        for (const std::string& file : files)
            rooftune::report(file, registry, runs, seed, default_only, budget);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "ground_truth: %s\n", error.what());
        return 2;
    }
    return files.empty() ? 2 : 0;
}
