#include "tuner/external/bench.h"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <deque>

#include "kernels/runtime/error.h"
#include "tuner/external/arrays.h"
#include "tuner/external/declared_space.h"
#include "tuner/external/declared_work.h"
#include "tuner/external/elements.h"
#include "tuner/external/variant_build.h"

namespace rooftune::external {
namespace {

constexpr std::size_t kKeptOracles = 2;

// Where a call may run: its threads, and those that it makes, inherit it.
void run_on(const std::vector<int>& cpus, int threads) {
    cpu_set_t mask;
    CPU_ZERO(&mask);
    for (std::size_t i = 0; i < std::min(cpus.size(), static_cast<std::size_t>(threads)); ++i)
        CPU_SET(static_cast<std::size_t>(cpus[i]), &mask);
    sched_setaffinity(0, sizeof mask, &mask);
}

// OpenMP reads these when its runtime is loaded: a thread on each processor of the team, in its order.
void place_openmp_threads(const std::vector<int>& cpus) {
    std::string places;
    for (const int cpu : cpus) places += (places.empty() ? "{" : ",{") + std::to_string(cpu) + "}";
    setenv("OMP_PLACES", places.c_str(), 0);
    setenv("OMP_PROC_BIND", "close", 0);
    setenv("OMP_DYNAMIC", "false", 0);
}

class ExternalBench;

class ExternalPrepared final : public Prepared {
public:
    ExternalPrepared(ExternalBench& bench, std::shared_ptr<Loaded> loaded, std::vector<double> numbers,
                     int threads, std::vector<std::pair<std::string, std::string>> environment)
        : bench_(bench),
          loaded_(std::move(loaded)),
          numbers_(std::move(numbers)),
          threads_(threads),
          environment_(std::move(environment)) {}
    ~ExternalPrepared() override;

    void run() override;
    void reset(std::uint64_t seed) override;
    std::vector<double> output() const override;
    bool guards_intact() const override;
    void flush() override;

    /// Environment, processors and OpenMP as this variant has them.
    void take_over() const;

private:
    ExternalBench& bench_;
    std::shared_ptr<Loaded> loaded_;
    std::vector<double> numbers_;
    int threads_;
    std::vector<std::pair<std::string, std::string>> environment_;
};

class ExternalBench final : public Bench {
public:
    ExternalBench(const Instance& instance, const Space& space, const Target& target)
        : instance_(instance), space_(space), target_(target) {}

    std::unique_ptr<Prepared> prepare(const Variant& variant, Team& team) override {
        begin(team);
        const int threads = threads_of(instance_, space_, variant, target_.threads);
        team.check_has(threads);
        // Compilers, and the OpenMP runtime, which looks where it may run when it is loaded, have all.
        run_on(team.cpus(), team.size());
        active_ = nullptr;
        auto loaded = std::make_shared<Loaded>(compiled(compilation_of(instance_, space_, variant)));
        std::vector<std::pair<std::string, std::string>> environment;
        for (const DeclaredParameter& p : instance_.declaration.parameters) {
            if (p.kind != ParameterKind::environment) continue;
            const std::string* value = value_of(instance_.declaration, p, space_, variant);
            environment.emplace_back(p.name.text, value ? *value : "");
        }
        return std::make_unique<ExternalPrepared>(*this, std::move(loaded),
                                                  numbers_of(instance_, space_, variant), threads,
                                                  std::move(environment));
    }

    const Oracle& oracle(std::uint64_t seed) override {
        for (const auto& [known, oracle] : oracles_) {
            if (known == seed) return oracle;
        }
        while (oracles_.size() >= kKeptOracles) oracles_.pop_front();
        oracles_.emplace_back(seed, make_oracle(seed));
        return oracles_.back().second;
    }

    std::optional<Worst> compare(const Prepared&, std::uint64_t seed, Team& team) override {
        const Oracle& expected = oracle(seed);
        std::vector<Worst> found(static_cast<std::size_t>(team.size()));
        team.run(team.size(), [&](int t) {
            std::size_t from = 0;
            each_output([&](std::size_t a, Element type, std::size_t count) {
                const std::size_t first = count / team_size(team) * static_cast<std::size_t>(t);
                const std::size_t last = t + 1 == team.size()
                                             ? count
                                             : count / team_size(team) * (static_cast<std::size_t>(t) + 1);
                Worst& worst = found[static_cast<std::size_t>(t)];
                for (std::size_t i = first; i < last; ++i) {
                    const double value = load_element(type, arrays_->data(a), i);
                    const double tolerance =
                        expected.tolerance.size() == 1 ? expected.tolerance[0] : expected.tolerance[from + i];
                    const double error = error_of(value, expected.expected[from + i], tolerance);
                    if (error > worst.error)
                        worst = {error, from + i, expected.expected[from + i], tolerance, value};
                }
                from += count;
            });
        });
        return *std::max_element(found.begin(), found.end(),
                                 [](const Worst& a, const Worst& b) { return a.error < b.error; });
    }

    Arrays& arrays() { return *arrays_; }
    Team& team() { return *team_; }
    bool by_thread() const { return by_thread_; }
    const ExternalPrepared* active() const { return active_; }
    void set_active(const ExternalPrepared* prepared) { active_ = prepared; }

    std::vector<double> output() const {
        std::vector<double> all;
        each_output([&](std::size_t a, Element type, std::size_t count) {
            for (std::size_t i = 0; i < count; ++i) all.push_back(load_element(type, arrays_->data(a), i));
        });
        return all;
    }

private:
    static std::size_t team_size(const Team& team) { return static_cast<std::size_t>(team.size()); }

    // What needs the team, which comes with the first variant.
    void begin(Team& team) {
        team_ = &team;
        if (arrays_) return;
        place_openmp_threads(team.cpus());
        by_thread_ = calls_by_thread(instance_.declaration);
        arrays_ = std::make_unique<Arrays>(instance_, team);
    }

    template <typename Visit>
    void each_output(Visit&& visit) const {
        for (std::size_t a = 0; a < instance_.counts.size(); ++a) {
            const DeclaredArray& array = instance_.declaration.arrays[a];
            if (array.direction != Direction::in)
                visit(a, array.element, static_cast<std::size_t>(instance_.counts[a]));
        }
    }

    [[noreturn]] void accuse_reference(const std::string& what) const {
        const Declaration& d = instance_.declaration;
        throw EnvironmentError(place_of(d.file, d.reference ? *d.reference : d.call) + " " + what);
    }

    // The reference runs on arrays of its own, but for those that nobody writes.
    Oracle make_oracle(std::uint64_t seed) {
        const Declaration& d = instance_.declaration;
        if (!reference_) {
            const Variant first = first_variant(instance_, space_);
            run_on(team_->cpus(), team_->size());
            active_ = nullptr;
            try {
                reference_ =
                    std::make_unique<Loaded>(compiled(reference_compilation(instance_, space_, first)));
            } catch (const VariantError& error) {
                accuse_reference(std::string("the reference cannot be compiled: ") + error.what());
            }
            reference_numbers_ = numbers_of(instance_, space_, first);
            answers_ = std::make_unique<Arrays>(instance_, *team_, arrays_.get());
        }
        answers_->reset(seed, *team_);
        run_on(team_->cpus(), 1);
        active_ = nullptr;
        reference_->use_threads(1);
        reference_->entry()(answers_->pointers(), reference_numbers_.data(), 0, 1);
        Oracle oracle;
        const double terms = terms_of_an_element();
        std::vector<double> tolerances;
        each_output([&](std::size_t a, Element type, std::size_t count) {
            double largest = 0.0;
            for (std::size_t i = 0; i < count; ++i) {
                const double value = load_element(type, answers_->data(a), i);
                if (!std::isfinite(value))
                    accuse_reference(
                        "the reference leaves " + d.arrays[a].name.text + "[" + std::to_string(i) +
                        "] unwritten, or no finite number; every element of what is out must be written");
                largest = std::max(largest, std::fabs(value));
                oracle.expected.push_back(value);
            }
            // As many operations on numbers as large as the largest, each rounded.
            const double tolerance =
                d.tolerance ? stated_tolerance() * largest : 4.0 * terms * unit_roundoff(type) * largest;
            tolerances.push_back(tolerance);
            oracle.tolerance.resize(oracle.expected.size(), tolerance);
        });
        if (tolerances.size() == 1) oracle.tolerance.assign(1, tolerances.front());
        return oracle;
    }

    double terms_of_an_element() const {
        double elements = 0.0;
        each_output([&](std::size_t, Element, std::size_t count) { elements += static_cast<double>(count); });
        return std::max(4.0, nominal_flops(instance_) / std::max(1.0, elements));
    }

    double stated_tolerance() const {
        const Text& text = *instance_.declaration.tolerance;
        const std::string where = place_of(instance_.declaration.file, text);
        const double value =
            expression_from(Space("external", 1), instance_.numbers, text.text, where).value({});
        if (!(value >= 0.0 && value < 1.0))
            throw EnvironmentError(where + " '" + text.text +
                                   "' is no relative tolerance; write one from 0 to 1");
        return value;
    }

    const Instance& instance_;
    const Space& space_;
    Target target_;
    Team* team_ = nullptr;  ///< of the last prepared variant
    bool by_thread_ = false;
    std::unique_ptr<Arrays> arrays_;   ///< of all variants, one after the other
    std::unique_ptr<Arrays> answers_;  ///< of the reference
    std::unique_ptr<Loaded> reference_;
    std::vector<double> reference_numbers_;
    std::deque<std::pair<std::uint64_t, Oracle>> oracles_;
    const ExternalPrepared* active_ = nullptr;  ///< whose environment and processors this process has
};

ExternalPrepared::~ExternalPrepared() {
    if (bench_.active() == this) bench_.set_active(nullptr);
}

void ExternalPrepared::take_over() const {
    if (bench_.active() == this) return;
    for (const auto& [name, value] : environment_) setenv(name.c_str(), value.c_str(), 1);
    run_on(bench_.team().cpus(), bench_.by_thread() ? 1 : threads_);
    loaded_->use_threads(threads_);
    bench_.set_active(this);
}

void ExternalPrepared::run() {
    take_over();
    void* const* const arrays = bench_.arrays().pointers();
    if (!bench_.by_thread()) return loaded_->entry()(arrays, numbers_.data(), 0, threads_);
    bench_.team().run(threads_, [&](int t) { loaded_->entry()(arrays, numbers_.data(), t, threads_); });
}

void ExternalPrepared::reset(std::uint64_t seed) {
    bench_.arrays().reset(seed, bench_.team());
}

std::vector<double> ExternalPrepared::output() const {
    return bench_.output();
}

bool ExternalPrepared::guards_intact() const {
    return bench_.arrays().intact(bench_.team());
}

void ExternalPrepared::flush() {
    bench_.arrays().flush();
}

}  // namespace

std::unique_ptr<Bench> make_bench(const Instance& instance, const Space& space, const Target& target) {
    return std::make_unique<ExternalBench>(instance, space, target);
}

}  // namespace rooftune::external
