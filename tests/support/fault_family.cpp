#include "tests/support/fault_family.h"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <limits>
#include <new>
#include <thread>

#include "kernels/runtime/error.h"

namespace rooftune::faults {
namespace {

enum Behaviour { good, crash, hang, wrong, outside, illegal, memory, leave, print };

struct FaultProblem final : Problem {
    FaultProblem(std::size_t size, bool spoilt, bool one) : n(size), spoil(spoilt), single(one) {}
    ProblemSpec spec() const override {
        return {{"n", std::to_string(n)}, {"single", single ? "1" : "0"}, {"spoil", spoil ? "1" : "0"}};
    }
    std::string title() const override { return "fault " + std::to_string(n); }
    std::string digest() const override {
        return (single ? "single" : "") + std::string(spoil ? "spoilt" : "fault") + std::to_string(n);
    }
    std::vector<std::pair<std::string, double>> facts() const override {
        return {{"elements", static_cast<double>(n)}};
    }
    DType dtype() const override { return DType::f64; }
    double flops_nominal() const override { return static_cast<double>(n); }
    std::size_t n;
    bool spoil;   ///< the oracle expects what no variant answers
    bool single;  ///< the space has one variant
};

// 8 bytes read and written an element, whatever the variant: no bound tells variants apart.
struct FaultWork final : WorkModel {
    explicit FaultWork(double elements, State s) : n(elements), state(s) {}
    Work work(const PartialVariant&) const override {
        Work w;
        w.flops_nominal = Operations(n);
        w.total.ops = w.heaviest.ops = Operations(n);
        w.traffic = {Bytes(8 * n), Bytes(8 * n), 1.0, state};
        return w;
    }
    Traits traits(const PartialVariant&) const override {
        // The narrowest vectors, so that its configs are tuned on machines of every kind.
        return {.dtype = DType::f64, .width_bits = 128, .threads = 1};
    }
    double n;
    State state;
};

struct FaultPrepared final : Prepared {
    FaultPrepared(std::size_t size, int b, int l)
        : n(size), behaviour(b), level(l), x(8 * size), y(8 * size) {}

    void reset(std::uint64_t seed) override {
        for (std::size_t i = 0; i < n; ++i) {
            x.as<double>()[i] = static_cast<double>((i * 2654435761u + seed) % 1000) / 7.0;
            y.as<double>()[i] = std::numeric_limits<double>::quiet_NaN();
        }
        x.arm();
        y.arm();
    }

    void run() override {
        // Right at first, so that faults also strike a variant that was verified.
        double* out = y.as<double>();
        const double* in = x.as<double>();
        if (behaviour == crash) *static_cast<volatile int*>(nullptr) = 1;
        if (behaviour == illegal) __builtin_trap();
        if (behaviour == leave) _exit(0);
        while (behaviour == hang) std::this_thread::sleep_for(std::chrono::seconds(1));
        if (behaviour == print) {
            std::printf("{\"phase\":\"done\"}\n");
            std::fflush(stdout);
        }
        for (int pass = 0; pass <= level; ++pass) {
            for (std::size_t i = 0; i < n; ++i)
                out[i] = (behaviour == wrong && i == n / 2 ? 4.0 : 2.0) * in[i];
            std::atomic_signal_fence(std::memory_order_seq_cst);
            asm volatile("" : : "r"(out) : "memory");
        }
        if (behaviour == outside) out[n] = 1.0;
    }

    std::vector<double> output() const override { return {y.as<double>(), y.as<double>() + n}; }
    bool guards_intact() const override { return x.intact() && y.intact(); }
    void flush() override {
        flush_lines(x.data(), x.bytes());
        flush_lines(y.data(), y.bytes());
    }

    std::size_t n;
    int behaviour;
    int level;
    Buffer x, y;
};

struct FaultBench final : Bench {
    FaultBench(const FaultProblem& p, const Space& s) : n(p.n), spoil(p.spoil), space(&s) {}
    std::unique_ptr<Prepared> prepare(const Variant& v, Team&) override {
        const int behaviour = static_cast<int>(space->number(v, 0, 0));
        if (behaviour == memory) throw std::bad_alloc();
        return std::make_unique<FaultPrepared>(n, behaviour, static_cast<int>(space->number(v, 1, 0)));
    }
    const Oracle& oracle(std::uint64_t seed) override {
        oracle_.expected.resize(n);
        oracle_.tolerance.assign(n, 0.0);
        for (std::size_t i = 0; i < n; ++i) {
            oracle_.expected[i] =
                (spoil ? 3.0 : 2.0) * (static_cast<double>((i * 2654435761u + seed) % 1000) / 7.0);
        }
        return oracle_;
    }
    std::size_t n;
    bool spoil;
    const Space* space;
    Oracle oracle_;
};

class FaultFamily final : public Family {
public:
    std::string_view name() const override { return "fault"; }
    std::string_view summary() const override { return "variants that fail in every way (tests only)"; }
    std::vector<ProblemSpec> examples() const override { return {{{"n", "100"}}}; }
    std::vector<ProblemKey> keys() const override {
        return {{"n", "elements", "20000"},
                {"single", "a space of one variant", ""},
                {"spoil", "expect what no variant answers", ""}};
    }
    std::unique_ptr<Problem> problem(const ProblemSpec& spec) const override {
        const auto n = spec.find("n");
        const auto is_set = [&](const char* key) { return spec.contains(key) && spec.at(key) == "1"; };
        return std::make_unique<FaultProblem>(n == spec.end() ? 20000 : std::stoul(n->second),
                                              is_set("spoil"), is_set("single"));
    }
    int share(const Problem&) const override { return -1; }
    std::unique_ptr<Problem> attach(int) const override { throw EnvironmentError("never shared"); }

    Space space(const Problem& problem, const Target&) const override {
        Space s("fault", 1);
        s.add(Parameter(
            "behaviour", "what happens",
            names({"good", "crash", "hang", "wrong", "outside", "illegal", "memory", "leave", "print"})));
        s.add(Parameter("level", "passes less one", numbers({0, 1, 2, 3, 4, 5, 6, 7, 8, 9})));
        s.add(Constraint{"failing variants have levels 0 and 1", 1,
                         [](const PartialVariant& v) { return v[0] == good || v[0] == print || v[1] <= 1; }});
        if (is_single(problem)) {
            s.add(Constraint{"one variant", 1,
                             [](const PartialVariant& v) { return v[0] == good && v[1] == kDefault; }});
        }
        return s;
    }
    std::unique_ptr<WorkModel> work_model(const Problem& p, const Space&, const Target&,
                                          State state) const override {
        return std::make_unique<FaultWork>(p.flops_nominal(), state);
    }
    Variant naive_variant(const Problem& problem, const Space&, const Target&) const override {
        return at(is_single(problem) ? kDefault : 9);
    }
    Variant default_variant(const Problem&, const Space&, const Target&) const override {
        return at(kDefault);
    }
    std::unique_ptr<Bench> bench(const Problem& p, const Space& s, const Target&) const override {
        return std::make_unique<FaultBench>(dynamic_cast<const FaultProblem&>(p), s);
    }

private:
    static constexpr int kDefault = 5;
    static bool is_single(const Problem& problem) {
        return dynamic_cast<const FaultProblem&>(problem).single;
    }
    static Variant at(int level) {
        Variant v;
        v.fix(0, good);
        v.fix(1, level);
        return v;
    }
};

}  // namespace

std::unique_ptr<Family> make_fault_family() {
    return std::make_unique<FaultFamily>();
}

}  // namespace rooftune::faults
