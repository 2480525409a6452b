// Holds a certificate against the truth: a tune of a (cut) space with frozen ceilings, then every
// variant of that space measured in full, in random order. Prints Markdown for results/. Timings are
// reported here and never decide whether a test passes.
//
//   certificate_check spmv gen=elasticity3,nx=12 --budget 60 --only prefetch=0 --only streams=1
//   certificate_check matmul m=192,n=192,k=192 --backend opencl --only 'simd=8'
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <random>
#include <set>

#include "kernels/registry.h"
#include "kernels/runtime/error.h"
#include "tuner/base/si.h"
#include "tuner/ceilings/probe_machine.h"
#include "tuner/engine/machine_model.h"
#include "tuner/engine/tune_job.h"
#include "tuner/engine/worker_program.h"
#include "tuner/measure/statistics.h"
#include "tuner/measure/worker_evaluator.h"
#include "tuner/search/enumerate/sampling.h"
#include "tuner/search/search.h"

namespace rooftune {
namespace {

struct Truth {
    Variant variant;
    Record record;
    double lower = 0.0;
    double pace = 1.0;  ///< the incumbent's time in those seconds over its time in the finals
    bool right() const { return record.outcome == Outcome::measured; }
    /// Seconds at the pace of the search: a shared host may be twice as fast minutes later, so the incumbent
    /// is measured beside every few variants.
    double median() const { return interval_of(record.slots).median / pace; }
    double fastest() const {
        double least = std::numeric_limits<double>::infinity();
        for (const Slot& s : record.slots) least = std::min(least, s.seconds);
        return least;
    }
};

// Two lines on the variants that share the winner's vector width and threads: what the certificate says of
// them, and the same counted here, variant by variant.
void print_slice(const Setting& s, const BoundSource& source, const SearchResult& found,
                 const std::map<Variant, bool>& touched) {
    SliceReport counted;
    for (const char* name : {"simd", "vector", "threads"}) {
        const int p = s.space->find(name);
        if (p >= 0 && found.best->fixed(p)) counted.where[name] = std::string(s.space->text(*found.best, p));
    }
    const CertificateReport& c = found.certificate;
    s.space->each(PartialVariant{}, [&](const Variant& v) {
        for (const auto& [name, text] : counted.where) {
            if (s.space->text(v, s.space->find(name)) != text) return true;
        }
        ++counted.space;
        if (touched.contains(v)) {
            ++counted.evaluated;
        } else if ((1.0 - c.margin) * source.lower(v) >= found.seconds.high) {
            ++counted.excluded;
        } else if ((1.0 - c.margin) * source.rank(v) >= found.seconds.high) {
            ++counted.set_aside;
        } else {
            ++counted.unmeasured;
        }
        return true;
    });
    std::string where;
    for (const auto& [name, text] : counted.where) where += (where.empty() ? "" : ", ") + name + "=" + text;
    const auto share = [&](std::uint64_t n) {
        return 100.0 * static_cast<double>(n) / static_cast<double>(counted.space);
    };
    std::printf(
        "- the winner's slice (%s): %llu variants, %.1f %% excluded by proof, %.1f %% set aside, "
        "%.1f %% measured, raced out or failed, %.1f %% left\n",
        where.empty() ? "the whole space" : where.c_str(), static_cast<unsigned long long>(counted.space),
        share(counted.excluded), share(counted.set_aside), share(counted.evaluated),
        share(counted.unmeasured));
    const SliceReport& told = c.slice;
    const bool equal = told.space == counted.space && told.excluded == counted.excluded &&
                       told.set_aside == counted.set_aside && told.evaluated == counted.evaluated;
    std::printf(
        "- the certificate on that slice: %llu variants, %llu excluded, %llu set aside, %llu "
        "evaluated, %llu left: %s\n",
        static_cast<unsigned long long>(told.space), static_cast<unsigned long long>(told.excluded),
        static_cast<unsigned long long>(told.set_aside), static_cast<unsigned long long>(told.evaluated),
        static_cast<unsigned long long>(told.unmeasured),
        where.empty() ? "no slice"
        : equal       ? "equal"
                      : "DIFFERENT");
}

int check(const Job& job, const std::vector<std::string>& only, int budget, const CommonOptions& options) {
    const auto say = [](const std::string& text) { std::fprintf(stderr, "%s\n", text.c_str()); };
    const std::vector<int> cpus = chosen_cpus(options);
    const bool device = backend_of(job, options) == Backend::opencl;
    // A CPU device's threads inherit where they may run from the thread that finds it: before any is pinned.
    if (device) chosen_device(options, cpus);
    MachineModel machine = machine_model(options, cpus, say);
    if (device) know_device(machine, cpus, chosen_device(options, cpus), say);
    const Setting s = make_setting(job, options, only, machine.machine);
    const Machine view = machine_of(machine.machine, s.target.device.id);
    WorkerSetup setup{std::string(job.family->name()), job.problem, s.target, s.state, s.cpus, false};
    const int shared = s.family->share(*s.problem);
    WorkerEvaluator evaluator(*s.space, kThisProgram, setup, shared, options.seed);

    SearchInput input{s.space.get(), s.model.get(), view, s.naive, s.fallback, {}};
    for (const Ceiling& c : evaluator.reprobe(own_ceilings(s, view.topology), 4.0)) {
        if (c.max > 0.0) merge(input.machine, c);
    }
    SearchOptions search_options;
    search_options.seconds = 0.0;
    search_options.evaluations = budget;
    search_options.audit = budget / 4;
    search_options.seed = options.seed;
    const SearchResult found = search(input, evaluator, search_options, nullptr);
    if (!found.best) {
        say("no variant works");
        return 1;
    }
    const CertificateReport& c = found.certificate;

    // The truth, under the ceilings as the search left them: no margin, nothing demoted.
    const Machine frozen = found.machine;
    const Roofs roofs(frozen);
    const BoundModel bound(roofs);
    const BoundSource source{s.space.get(), s.model.get(), &bound};
    std::vector<Truth> all;
    s.space->each(PartialVariant{}, [&](const Variant& v) {
        all.push_back({v, {}, source.lower(v), 1.0});
        return true;
    });
    std::mt19937_64 random(options.seed);
    std::vector<std::size_t> order(all.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    // Blocks of neighbours share a converted matrix; the blocks come in random order.
    constexpr std::size_t kBlock = 10;
    std::vector<std::size_t> blocks((all.size() + kBlock - 1) / kBlock);
    for (std::size_t i = 0; i < blocks.size(); ++i) blocks[i] = i;
    for (std::size_t i = blocks.size(); i > 1; --i) std::swap(blocks[i - 1], blocks[below(random, i)]);
    for (const std::size_t block : blocks) {
        for (std::size_t i = block * kBlock; i < std::min(all.size(), (block + 1) * kBlock); ++i) {
            all[i].record =
                evaluator.evaluate(all[i].variant, {.role = "exhaustive", .incumbent_high = 0.0, .slots = 8});
        }
        const Record beside =
            evaluator.evaluate(*found.best, {.role = "pace", .incumbent_high = 0.0, .slots = 8});
        const double pace = beside.outcome == Outcome::measured
                                ? interval_of(beside.slots).median / found.seconds.median
                                : 1.0;
        for (std::size_t i = block * kBlock; i < std::min(all.size(), (block + 1) * kBlock); ++i) {
            all[i].pace = pace;
        }
    }
    // How far the machine has drifted since: every ceiling that bounds some variant, probed again.
    Machine after = frozen;
    std::set<int> binding;
    for (const Truth& t : all) {
        const Bound b = source.explain(t.variant);
        if (b.binding >= 0) binding.insert(b.terms[static_cast<std::size_t>(b.binding)].ceiling);
    }
    std::vector<Ceiling> again = own_ceilings(s, view.topology);
    for (const int ceiling : binding) again.push_back(frozen.ceilings[static_cast<std::size_t>(ceiling)]);
    for (const Ceiling& fresh : evaluator.reprobe(again, 8.0)) {
        if (fresh.max > 0.0) merge(after, fresh);
    }
    const Roofs later_roofs(after);
    const BoundModel later_bound(later_roofs);
    const BoundSource later{s.space.get(), s.model.get(), &later_bound};

    const std::string& device_name = s.target.device.name;
    std::printf("## %s%s\n\n", s.problem->title().c_str(), device ? (" on " + device_name).c_str() : "");
    std::printf("Space cut to %zu variants (", all.size());
    for (const std::string& text : only) std::printf("`%s` ", text.c_str());
    std::printf("), footprint %s, %d evaluations.\n\n", format_capacity(s.footprint().value).c_str(), budget);
    std::printf("- incumbent: `%s`, %s\n", s.space->to_text(*found.best).c_str(),
                format_seconds_interval(found.seconds.median, found.seconds.low, found.seconds.high).c_str());
    std::printf(
        "- certificate: %llu = %llu excluded + %llu set aside + %llu measured + %llu raced out + %llu failed "
        "+ %llu unmeasured; gap %.1f %%, margin %.1f %%, stopped by %s\n",
        static_cast<unsigned long long>(c.space), static_cast<unsigned long long>(c.excluded),
        static_cast<unsigned long long>(c.set_aside), static_cast<unsigned long long>(c.measured),
        static_cast<unsigned long long>(c.raced_out), static_cast<unsigned long long>(c.failed),
        static_cast<unsigned long long>(c.unmeasured), 100.0 * c.gap, 100.0 * c.margin, c.stopped_by.c_str());
    std::printf("- bounds evaluated %llu, subtrees cut %llu; excluded by:",
                static_cast<unsigned long long>(c.bounds_evaluated),
                static_cast<unsigned long long>(c.subtrees_cut));
    for (const auto& [term, n] : c.excluded_by)
        std::printf(" %s %llu", term.c_str(), static_cast<unsigned long long>(n));
    std::printf("\n- audit: %d measured, %d regrets, %d violations\n", c.audit.measured, c.audit.regrets,
                c.violations);

    // Counted here by brute force, variant by variant.
    std::map<Variant, bool> touched;
    for (const Observation& o : found.observations) touched[o.variant] = true;
    std::uint64_t excluded = 0, rest = 0;
    int wrong = 0, beat = 0, beat_later = 0;
    // Of all variants: what stays below 1 says how near the nearest came.
    double largest_later = 0.0, largest = 0.0;
    const Truth* best_left = nullptr;
    const Truth* tightest = nullptr;
    double best_remaining = std::numeric_limits<double>::infinity();
    std::vector<const Truth*> exceptions;
    for (const Truth& t : all) {
        if (!t.right()) {
            ++wrong;
            continue;
        }
        const double lower_later = later.lower(t.variant);
        beat_later += t.fastest() < lower_later ? 1 : 0;
        beat += t.fastest() < t.lower ? 1 : 0;
        largest_later = std::max(largest_later, lower_later / t.fastest());
        if (t.lower / t.fastest() > largest) {
            largest = t.lower / t.fastest();
            tightest = &t;
        }
    }
    for (const Truth& t : all) {
        const bool out = (1.0 - c.margin) * t.lower >= found.seconds.high;
        if (!touched.contains(t.variant)) ++(out ? excluded : rest);
        if (!t.right()) continue;
        if (out && t.median() < found.seconds.median) exceptions.push_back(&t);
        if (!out && !touched.contains(t.variant) && t.median() < best_remaining) {
            best_remaining = t.median();
            best_left = &t;
        }
    }
    std::printf("- independent count: %llu excluded, %llu set aside or unmeasured: %s\n",
                static_cast<unsigned long long>(excluded), static_cast<unsigned long long>(rest),
                excluded == c.excluded && rest == c.set_aside + c.unmeasured ? "equal" : "DIFFERENT");
    print_slice(s, source, found, touched);
    std::printf("- variants that failed in the exhaustive run: %d\n", wrong);
    std::printf("- excluded variants whose exhaustive median is below the incumbent's: %zu\n",
                exceptions.size());
    for (const Truth* t : exceptions) {
        const auto pair = evaluator.rotate({t->variant, *found.best}, 20, 4.0, "exception");
        const TimeInterval ratio = ratio_interval(pair[0].slots, pair[1].slots);
        std::printf("  - `%s`: interleaved, %s of the incumbent's time\n",
                    s.space->to_text(t->variant).c_str(),
                    format_ratio_interval(ratio.median, ratio.low, ratio.high).c_str());
    }
    if (best_left) {
        const auto pair = evaluator.rotate({best_left->variant, *found.best}, 20, 4.0, "left");
        const TimeInterval ratio = ratio_interval(pair[0].slots, pair[1].slots);
        const double allowed = 1.0 / (1.0 + c.gap);
        std::printf(
            "- best of the variants neither excluded nor evaluated: interleaved, %s of the incumbent's time, "
            "allowed at least %.2f×: %s\n",
            format_ratio_interval(ratio.median, ratio.low, ratio.high).c_str(), allowed,
            ratio.high >= allowed ? "holds" : "BROKEN");
    }
    const auto fastest = std::min_element(all.begin(), all.end(), [](const Truth& a, const Truth& b) {
        return (a.right() ? a.median() : 1e9) < (b.right() ? b.median() : 1e9);
    });
    const auto pair = evaluator.rotate({fastest->variant, *found.best}, 20, 4.0, "best");
    const TimeInterval ratio = ratio_interval(pair[0].slots, pair[1].slots);
    std::printf("- best of the exhaustive run: `%s`; interleaved with the incumbent, %s of its time\n",
                s.space->to_text(fastest->variant).c_str(),
                format_ratio_interval(ratio.median, ratio.low, ratio.high).c_str());
    std::printf(
        "- variants with a slot below their bound, no margin: %d of %zu under the ceilings as the search "
        "left them (largest T_lower/time %.4f), %d with those probed again after the exhaustive run "
        "(largest %.4f)\n",
        beat, all.size(), largest, beat_later, largest_later);
    if (tightest) {
        const Bound b = source.explain(tightest->variant);
        const Term& term = b.terms[static_cast<std::size_t>(b.binding)];
        std::printf("  - largest: `%s`, bound by %s (%s)\n", s.space->to_text(tightest->variant).c_str(),
                    std::string(to_text(term.kind)).c_str(),
                    describe(frozen.ceilings[static_cast<std::size_t>(term.ceiling)]).c_str());
    }
    std::printf("\n");
    if (shared >= 0) close(shared);
    return 0;
}

}  // namespace
}  // namespace rooftune

int main(int argc, char** argv) {
    using namespace rooftune;
    const Registry registry = built_in_families();
    if (const auto status = serve_worker(argc, argv, registry)) return *status;
    CommonOptions options;
    std::vector<std::string> only;
    Job job;
    int budget = 120;
    try {
        for (int i = 1; i < argc; ++i) {
            const std::string word = argv[i];
            const bool more = i + 1 < argc;
            if (word == "--only" && more) {
                only.emplace_back(argv[++i]);
            } else if (word == "--budget" && more) {
                budget = std::atoi(argv[++i]);
            } else if (word == "--results" && more) {
                options.results = argv[++i];
            } else if (word == "--state" && more) {
                options.state = argv[++i];
            } else if (word == "--backend" && more) {
                options.backend = argv[++i];
            } else if (word == "--device" && more) {
                options.device = argv[++i];
            } else if (!job.family) {
                job.family = &family_named(registry, word);
            } else {
                add_to_spec(word, job.problem);
            }
        }
        if (!job.family) throw InputError("usage: certificate_check FAMILY key=value... [--only p=v|v]");
        return check(job, only, budget, options);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "certificate_check: %s\n", error.what());
        return 2;
    }
}
