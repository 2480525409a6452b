// How fast bounds are, and what a space of 5e9 variants costs. Prints Markdown for results/bounds.md; nothing
// here decides whether a test passes.
//
//   bounds rates MACHINE.json     bounds a second on the families' own work models
//   bounds wide                   a search of tests/support/wide_space.h, its time and the process's peak
//   memory
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <memory>

#include "kernels/registry.h"
#include "kernels/runtime/cpu.h"
#include "models/space_count.h"
#include "tests/support/wide_space.h"
#include "tuner/formats/machine_file.h"
#include "tuner/search/enumerate/bound_source.h"
#include "tuner/search/enumerate/sampling.h"
#include "tuner/search/search.h"

namespace rooftune {
namespace {

constexpr std::size_t kSample = 16384;  // variants, drawn uniformly: more than a small cache holds

/// A problem of a family with everything its bounds need.
struct Subject {
    std::string title;
    std::unique_ptr<Problem> problem;
    std::unique_ptr<Space> space;
    std::unique_ptr<WorkModel> model;
    std::vector<Variant> variants;
    double build_seconds = 0.0;  ///< of the work model
};

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Subject subject(const Registry& registry, const Machine& machine, const std::string& family,
                const ProblemSpec& spec) {
    const Topology& topology = machine.topology;
    const Target target = target_on(topology, topology.width_bits, topology.threads);
    Subject s;
    const Family& f = *registry.find(family);
    s.problem = f.problem(spec);
    s.title = s.problem->title();
    s.space = std::make_unique<Space>(f.space(*s.problem, target));
    const auto start = std::chrono::steady_clock::now();
    s.model = f.work_model(*s.problem, *s.space, target, State::warm);
    s.build_seconds = seconds_since(start);
    std::mt19937_64 random(1);
    s.variants = sample_below(*s.space, {PartialVariant{}}, kSample, random);
    return s;
}

/// One row a benchmark: its name is "problem|what".
class Rows final : public benchmark::BenchmarkReporter {
public:
    bool ReportContext(const Context&) override { return true; }
    void ReportRuns(const std::vector<Run>& runs) override {
        for (const Run& run : runs) {
            const double rate = run.counters.at("items_per_second");
            std::string name = run.benchmark_name();
            name = name.substr(0, name.find('/'));
            const std::size_t bar = name.find('|');
            std::printf("| %s | %s | %.1f | %.1f |\n", name.substr(0, bar).c_str(),
                        name.substr(bar + 1).c_str(), 1e9 / rate, rate / 1e6);
        }
    }
};

void rates(const std::string& machine_file) {
    const Machine machine = read_machine_file(machine_file);
    const Roofs roofs(machine);
    const BoundModel bound(roofs);
    const Registry registry = built_in_families();
    std::vector<std::unique_ptr<Subject>> subjects;
    const auto add = [&](const std::string& family, const ProblemSpec& spec) {
        subjects.push_back(std::make_unique<Subject>(subject(registry, machine, family, spec)));
    };
    add("matmul", {{"m", "1024"}, {"n", "1024"}, {"k", "1024"}});
    add("spmv", {{"gen", "poisson27"}, {"nx", "48"}});
    add("stencil", {{"points", "7"}, {"nx", "256"}, {"ny", "256"}, {"nz", "256"}, {"steps", "4"}});

    std::printf("| problem | variants | counted by | counted in, us | work model built in, ms |\n");
    std::printf("|---|---:|---|---:|---:|\n");
    for (const auto& s : subjects) {
        const auto start = std::chrono::steady_clock::now();
        const SpaceCount count(*s->space);
        const std::uint64_t variants = count.count(PartialVariant{});
        const double seconds = seconds_since(start);
        std::printf("| %s | %llu | %zu entries | %.0f | %.1f |\n", s->title.c_str(),
                    static_cast<unsigned long long>(variants), count.kept(), 1e6 * seconds,
                    1e3 * s->build_seconds);
    }
    std::printf(
        "\n| problem | bounds of complete variants | ns each | millions a second |\n|---|---|---:|---:|\n");
    for (const auto& owned : subjects) {
        const Subject* s = owned.get();
        const BoundSource source{s->space.get(), s->model.get(), &bound};
        benchmark::RegisterBenchmark((s->title + "|each worked out").c_str(), [=](benchmark::State& state) {
            for (auto _ : state) {
                for (const Variant& v : s->variants) benchmark::DoNotOptimize(source.lower(v));
            }
            state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * s->variants.size()));
        });
        benchmark::RegisterBenchmark(
            (s->title + "|as a search asks, from nothing").c_str(), [=](benchmark::State& state) {
                for (auto _ : state) {
                    BoundCache cache(source);
                    for (const Variant& v : s->variants) benchmark::DoNotOptimize(cache.lower(v));
                }
                state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * s->variants.size()));
            });
        benchmark::RegisterBenchmark(
            (s->title + "|as a search asks, classes known").c_str(), [=](benchmark::State& state) {
                BoundCache cache(source);
                for (const Variant& v : s->variants) benchmark::DoNotOptimize(cache.lower(v));
                for (auto _ : state) {
                    for (const Variant& v : s->variants) benchmark::DoNotOptimize(cache.lower(v));
                }
                state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * s->variants.size()));
            });
    }
    Rows rows;
    benchmark::RunSpecifiedBenchmarks(&rows);
}

double peak_megabytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1e3;
}

void wide_search() {
    const double before = peak_megabytes();
    const auto start = std::chrono::steady_clock::now();
    const Space space = wide::space();
    const wide::Model model;
    const Machine machine = toy::machine();
    const Roofs roofs(machine);
    const BoundModel bound(roofs);
    const BoundSource source{&space, &model, &bound};
    toy::Evaluator evaluator(space, [&](const Variant& v) { return 1.002 * source.lower(v); });
    SearchInput input;
    input.space = &space;
    input.model = &model;
    input.machine = machine;
    input.naive = wide::first(space);
    input.fallback = input.naive;
    input.fallback.fix(wide::kD, 1);
    SearchOptions options;
    options.seconds = 0.0;
    const SearchResult found = search(input, evaluator, options, nullptr);
    const double seconds = seconds_since(start);
    const CertificateReport& c = found.certificate;
    const bool best = found.best && *found.best == wide::best(space);
    std::printf(
        "| variants | best found | excluded by proof | measured or raced out | left | gap | bounds | s | "
        "peak, "
        "MB (before) |\n");
    std::printf("|---:|---|---:|---:|---:|---:|---:|---:|---:|\n");
    std::printf("| %llu | %s | %llu | %llu | %llu | %.3f | %llu | %.3f | %.1f (%.1f) |\n",
                static_cast<unsigned long long>(c.space), best ? "the known one" : "ANOTHER",
                static_cast<unsigned long long>(c.excluded),
                static_cast<unsigned long long>(c.measured + c.raced_out),
                static_cast<unsigned long long>(c.unmeasured + c.set_aside + c.failed), c.gap,
                static_cast<unsigned long long>(c.bounds_evaluated), seconds, peak_megabytes(), before);
}

}  // namespace
}  // namespace rooftune

int main(int argc, char** argv) {
    if (argc == 3 && std::strcmp(argv[1], "rates") == 0) {
        rooftune::rates(argv[2]);
    } else if (argc == 2 && std::strcmp(argv[1], "wide") == 0) {
        rooftune::wide_search();
    } else {
        std::fprintf(stderr, "usage: %s rates MACHINE.json | wide\n", argv[0]);
        return 2;
    }
    return 0;
}
