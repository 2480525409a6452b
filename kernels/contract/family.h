// The contract of a kernel family: its problem, its space, its work, its oracle, and how a variant
// is prepared and run. The tuner knows families only through this page and the registry.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/contract/inspection.h"
#include "kernels/runtime/cpu.h"
#include "kernels/runtime/memory.h"
#include "kernels/runtime/team.h"
#include "models/bound.h"
#include "models/space.h"
#include "models/traffic_parts.h"

namespace rooftune {

/// A problem as a user writes it: "matrix" → "my.mtx", "dtype" → "f64".
using ProblemSpec = std::map<std::string, std::string>;

/// What the space may use of the machine.
struct Target {
    Backend backend = Backend::cpu;
    std::vector<int> width_bits;  ///< cpu: usable vector widths, ascending; scalar code is always usable
    int threads = 1;              ///< cpu: most threads a variant may use; opencl: compute units
    int numa_nodes = 1;           ///< cpu: nodes the threads span; placement has one value when 1
    bool slow_gathers = false;    ///< cpu: gathers_are_slow() of the processor
    Device device;                ///< opencl: where it runs
};

/// What a machine's processors offer to variants of at most so many threads, with vectors of these widths.
inline Target target_on(const Topology& topology, std::vector<int> width_bits, int threads) {
    Target target;
    target.width_bits = std::move(width_bits);
    target.threads = threads;
    target.numa_nodes = std::max(1, topology.numa_nodes);
    target.slow_gathers = gathers_are_slow(topology);
    return target;
}

/// Whether kernels load elements from many places by instructions that gather: with AVX-512, at all widths,
/// where gathers are not slow. SSE4 has none, and AVX2's are left alone (kernels/spmv/walk-inl.h).
inline bool kernels_gather(const Target& target) {
    return !target.width_bits.empty() && target.width_bits.back() >= 512 && !target.slow_gathers;
}

/// A key of a problem, for `list`, `--help` and messages about unknown keys.
struct ProblemKey {
    std::string name;
    std::string help;
    std::string fallback;  ///< value when absent; empty when the key is optional or needed
};

/// One instance. Immutable after construction, shared by the tuner and its workers.
class Problem {
public:
    virtual ~Problem() = default;
    /// Canonical keys and values: the same problem gives the same text.
    virtual ProblemSpec spec() const = 0;
    /// Short name for people: "spmv ship_001_mesh, f64".
    virtual std::string title() const = 0;
    /// Hash of the content that decides time and answer (not of a file's name).
    virtual std::string digest() const = 0;
    /// Hash of what alone decides time, where the answer is decided by more than that (a sparse matrix's
    /// pattern, its values left out); empty where it is not. Worked out at each call.
    virtual std::string pattern_digest() const { return ""; }
    /// Facts for reports: rows, nonzeros, longest row, …
    virtual std::vector<std::pair<std::string, double>> facts() const = 0;
    /// What decides which variant is best, each on a scale where 1 is a difference that matters about as much
    /// as a factor of two in size; named by its formula. The same names in the same order for every problem
    /// of the family. Problems with nearby features should share winners.
    virtual std::vector<std::pair<std::string, double>> features() const {
        std::vector<std::pair<std::string, double>> all;
        for (const auto& [name, value] : facts())
            all.emplace_back("log2(1+" + name + ")", std::log2(1.0 + std::fmax(0.0, value)));
        return all;
    }
    /// Its structure for people who choose, in as much detail as takes about as long as reading it did. A
    /// density has at most `cells` rows and columns. Without words of its own a family says its facts.
    virtual Inspection inspect(int cells) const {
        (void)cells;
        Inspection all;
        for (const auto& [name, value] : facts()) all.facts.push_back({name, name, value, FactKind::number});
        return all;
    }
    virtual DType dtype() const = 0;
    /// flops_nominal of one repetition.
    virtual double flops_nominal() const = 0;
    /// What answers are held against where there is no reference for them, behind "verified": "by its exit
    /// status alone". Empty where there is one.
    virtual std::string verified_by() const { return ""; }
};

/// Work terms of one problem in one space. Derived once, then asked millions of times.
class WorkModel {
public:
    virtual ~WorkModel() = default;
    /// Each field at most that field of every completion (monotone in what is fixed).
    virtual Work work(const PartialVariant& partial) const = 0;
    /// Bytes, in both directions together, that a variant will probably exchange with what lies beyond
    /// a cache of each capacity: with the loops that it really runs and replacement as caches really
    /// do it (layer conditions, the loops of a blocking). An estimate: it ranks and sets aside, and
    /// never excludes. Leaves `bytes` as it is (the least traffic) where the family knows no better.
    virtual void likely_traffic(const Variant& variant, std::span<const Bytes> capacities,
                                std::span<Bytes> bytes) const {
        (void)variant, (void)capacities, (void)bytes;
    }
    /// Indexed loads, over all threads, that probably find their element in no cache of each capacity: more
    /// bytes than that were used since. A first use counts as one that finds it (what streams in is traffic).
    /// An estimate, at most Traits::gathers; leaves `count` as it is where the family has none.
    virtual void likely_gathers(const Variant& variant, std::span<const Bytes> capacities,
                                std::span<double> count) const {
        (void)variant, (void)capacities, (void)count;
    }
    /// The same as parts with their causes and cures, beyond one cache: the compulsory part is every distinct
    /// byte once a pass (the least traffic where everything fits), the others what the loops that really run
    /// add to it. An estimate, for people and for ranking. Empty where the family knows no better than the
    /// least.
    virtual std::vector<TrafficPart> traffic_parts(const Variant& variant, const CacheShape& cache) const {
        (void)variant, (void)cache;
        return {};
    }
    /// The most permissive traits among the completions.
    virtual Traits traits(const PartialVariant& partial) const = 0;
    /// Partial variants of one class have equal work, and traits that bound alike (what only ranks may
    /// differ), so that a search works out their bound once. Small numbers from 0; −1: the family knows no
    /// classes.
    virtual int work_class(const PartialVariant& partial) const {
        (void)partial;
        return -1;
    }
    /// Where a user declared what a term of a variant counts, and what: "mine.cpp:7:14: flops 2*n". Empty
    /// where the family derives it itself.
    virtual std::string declared_at(const Variant& variant, const Term& term) const {
        (void)variant, (void)term;
        return "";
    }
};

/// What a right answer is, for one seed of the input: the reference's result and, for each element,
/// the largest error that rounding explains.
struct Oracle {
    std::vector<double> expected;
    std::vector<double> tolerance;  ///< one for each element, or a single one for all
    /// What whole numbers beyond 2^53 are more than `expected`, which is rounded; empty: nothing.
    std::vector<double> expected_rest{};
};

/// The element of an answer that is furthest from what is expected, in units of its tolerance.
struct Worst {
    double error = 0.0;  ///< |found − expected| over the tolerance; 1 is the limit
    std::size_t element = 0;
    double expected = 0.0, tolerance = 0.0, found = 0.0;
    double expected_rest = 0.0, found_rest = 0.0;  ///< as in Oracle
};

/// Error of one element in units of its tolerance: infinite for NaN, for infinities, and for any
/// difference where none is allowed.
inline double error_of(double found, double expected, double tolerance) {
    const double difference = std::fabs(found - expected);
    if (!(difference < std::numeric_limits<double>::infinity()))
        return std::numeric_limits<double>::infinity();
    if (difference == 0.0) return 0.0;
    return tolerance > 0.0 ? difference / tolerance : std::numeric_limits<double>::infinity();
}

/// A variant ready to run, in the process that holds the problem.
class Prepared {
public:
    virtual ~Prepared() = default;
    /// One repetition.
    virtual void run() = 0;
    /// Fills the input for this seed and poisons the output (NaN, canaries around it). May throw bad_alloc.
    virtual void reset(std::uint64_t seed) = 0;
    /// Output of the last run() as doubles, in the oracle's order.
    virtual std::vector<double> output() const = 0;
    /// False when anything was written outside the output.
    virtual bool guards_intact() const = 0;
    /// After a run: throws VariantError where the kernel left threads at work, which would disturb whatever
    /// is measured next. May wait for them to come to rest.
    virtual void come_to_rest() {}
    /// Evicts every line of the problem's data from the caches (a cold start).
    virtual void flush() = 0;
    /// Its turn begins, and other variants may have run since its last one: puts right what they left, where
    /// variants share data. Not timed. May throw as run().
    virtual void take_turn() {}
    /// Seconds that preparation shared with other variants took when it was done (a conversion that the
    /// bench kept, say): what this variant alone would have had to spend.
    virtual double shared_preparation_seconds() const { return 0.0; }
    /// Seconds of the last run() by the device's own clock, where it has one (OpenCL events): then this
    /// is the repetition's time, and what the host spends on launching is not.
    virtual std::optional<double> device_seconds() const { return std::nullopt; }
};

/// A family's data inside a worker: the problem plus whatever preparation can be shared between
/// variants (a converted matrix, say).
class Bench {
public:
    virtual ~Bench() = default;
    /// Converts and places the data of a variant, or builds its kernel. May throw std::bad_alloc, and
    /// VariantError (as may run() of what it returns) for a failure that is this variant's own.
    virtual std::unique_ptr<Prepared> prepare(const Variant& variant, Team& team) = 0;
    /// The reference's answer for this seed; computed plainly, kept by the bench.
    virtual const Oracle& oracle(std::uint64_t seed) = 0;
    /// Compares the last run() of `prepared`, reset with this seed, with the oracle in place. For families
    /// whose outputs are too large to copy for each variant (they use the team); nullopt: the caller
    /// compares output() with the oracle.
    virtual std::optional<Worst> compare(const Prepared& prepared, std::uint64_t seed, Team& team) {
        (void)prepared, (void)seed, (void)team;
        return std::nullopt;
    }
    /// Works the oracle out now where code of the user's does, so that no variant has run before it that
    /// could have harmed it. Elsewhere oracle() does when it is asked. Throws InputError as oracle() does.
    virtual void oracle_ahead(std::uint64_t seed) { (void)seed; }
    /// Whether variants run on the team. Where they do not, it is left asleep: its threads spin for a while
    /// when they are woken, on the processors that those of an OpenMP runtime or an OpenCL driver are about
    /// to take.
    virtual bool runs_on_team() const { return true; }
    /// Whether something is at work in this process that cannot be stopped, so that nothing can be timed here
    /// any more.
    virtual bool is_spoiled() const { return false; }
    /// Is told where a reference of the user's begins to run ("mine.cpp:4:14:"), and, by an empty text, that
    /// it is over: where the process ends in between, no variant ended it.
    std::function<void(const std::string& place)> on_reference{};
};

/// A key of a problem of which the family's workload (models/workload.h) knows nothing: the least work does
/// not depend on it.
struct IdleKey {
    std::string name{};
    /// Whether this value of it, which the family takes, means more work than the least. Throws InputError
    /// where it means less, so that the least work bounds nothing.
    std::function<bool(const std::string& value)> adds_work = [](const std::string&) { return false; };
};

/// A step of a family's ladder: parameters that are one optimisation.
struct Optimisation {
    std::string name{};  ///< in the field's words: "register block"
    std::vector<std::string> parameters{};
    std::string why{};  ///< what it is for, in a few words
};

/// The order in which a family's optimisations are added to its naive variant, to see what each is worth.
struct Ladder {
    /// Every parameter of the space in exactly one, names distinct; "threads" first where the space has them.
    std::vector<Optimisation> optimisations{};
    /// Values of parameters as long as, or where, their optimisation is left out and the naive variant has
    /// none (a textbook loop has no tile), or one that would take the other optimisations with it. A value
    /// that this problem's space lacks gives way to the nearest.
    std::map<std::string, std::string> plain{};
};

/// Each parameter an optimisation, "threads" first, the others in the space's order: what a family gets that
/// has no better order.
Ladder ladder_of_parameters(const Space& space);

class Family {
public:
    virtual ~Family() = default;
    virtual std::string_view name() const = 0;
    virtual std::string_view summary() const = 0;
    virtual std::vector<ProblemKey> keys() const = 0;
    /// Those of keys() that a bound leaves out, since the least work of the family knows nothing of them.
    virtual std::vector<IdleKey> idle_keys() const { return {}; }
    /// Where its variants can run; the CPU comes first.
    virtual std::vector<Backend> backends() const { return {Backend::cpu}; }
    /// Where the variants of this problem can run, the usual place first; a part of backends().
    virtual std::vector<Backend> backends_of(const ProblemSpec& spec) const {
        (void)spec;
        return backends();
    }
    /// Small problems that between them meet the family's awkward corners (sizes 1, 2 and primes, every
    /// option, both element types). Never empty. The first is also what `list parameters` shows when no
    /// problem is given, and what keys are judged by where a problem's sizes are left open, so it loads at
    /// once. Conformance and property tests run over them.
    virtual std::vector<ProblemSpec> examples() const = 0;
    /// A variant in a few words, for tables and sentences: "SELL-16-512 with 16-bit indices on 2 threads".
    /// Empty where the family has no better words than its parameters.
    virtual std::string phrase(const std::map<std::string, std::string>& variant) const {
        (void)variant;
        return "";
    }
    /// What the naive variant is called on a backend: "plain CSR".
    virtual std::string naive_phrase(Backend) const { return "the naive variant"; }

    /// Validates and loads. Throws InputError with what, where and what to do.
    virtual std::unique_ptr<Problem> problem(const ProblemSpec& spec) const = 0;

    /// Puts the loaded problem into a shared-memory file that attach() reads in another process, so
    /// that a fresh worker costs a mapping and no parsing. Returns the file descriptor (the
    /// caller's), or −1 when the problem is cheaper to load from its spec.
    virtual int share(const Problem& problem) const = 0;
    virtual std::unique_ptr<Problem> attach(int descriptor) const = 0;

    virtual Space space(const Problem& problem, const Target& target) const = 0;
    /// As much of the space as a variant with these values is in; without values, as the default variant is
    /// in. For a program that runs one variant and looks at no other: what must be known for the whole space
    /// can take far longer than the kernel. Values that are not understood give the whole space, which says
    /// what is wrong with them. `values` are those of this problem's winner, not of another's.
    virtual Space space_around(const Problem& problem, const Target& target,
                               const std::map<std::string, std::string>& values) const {
        (void)values;
        return space(problem, target);
    }
    virtual std::unique_ptr<WorkModel> work_model(const Problem& problem, const Space& space,
                                                  const Target& target, State state) const = 0;
    /// The textbook loop on all threads.
    virtual Variant naive_variant(const Problem& problem, const Space& space, const Target& target) const = 0;
    /// What a careful programmer would take unmeasured.
    virtual Variant default_variant(const Problem& problem, const Space& space,
                                    const Target& target) const = 0;

    /// Variants to measure first, for tunes that measure few, the most promising one first, by the
    /// values of their parameters: what won where there was time to find it. Values that a space lacks stand
    /// for the nearest that it has. Guesses, which cost an evaluation each: a few, or none.
    virtual std::vector<std::map<std::string, std::string>> first_guesses(const Problem&,
                                                                          const Target&) const {
        return {};
    }

    /// Whether its variants can run nowhere but in the process that tunes: they are functions of the program
    /// that called it, and no worker has them.
    virtual bool runs_in_this_process() const { return false; }

    /// Seconds that preparing a variant may spend in a compiler; 0: its variants are built in.
    virtual double compile_seconds() const { return 0.0; }
    /// The same of running one: where variants are built in one place, the one that was measured in between
    /// has taken it. 0: a variant that was prepared only runs.
    virtual double rebuild_seconds(const Problem&) const { return 0.0; }

    /// Variants that will probably be prepared next, the first for certain: builds what several of them need
    /// side by side, on `processors` of them, while nothing is measured. What fails fails again when it is
    /// prepared.
    virtual void build_ahead(const Problem& problem, const Space& space, std::span<const Variant> variants,
                             int processors) const {
        (void)problem, (void)space, (void)variants, (void)processors;
    }

    /// How `rooftune ladder` goes from the naive variant to the best one.
    virtual Ladder ladder(const Space& space, const Target& target) const {
        (void)target;
        return ladder_of_parameters(space);
    }

    virtual std::unique_ptr<Bench> bench(const Problem& problem, const Space& space,
                                         const Target& target) const = 0;
};

inline Ladder ladder_of_parameters(const Space& space) {
    Ladder ladder;
    for (const Parameter& p : space.parameters()) {
        const Optimisation optimisation{p.name, {p.name}, p.help};
        ladder.optimisations.insert(
            p.name == "threads" ? ladder.optimisations.begin() : ladder.optimisations.end(), optimisation);
    }
    return ladder;
}

}  // namespace rooftune
