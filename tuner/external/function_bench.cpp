#include "tuner/external/function_bench.h"

#include <new>
#include <string>
#include <utility>

#include "kernels/runtime/error.h"
#include "tuner/external/declared_space.h"

namespace rooftune::external {
namespace {

class FunctionBench;

class PreparedFunction final : public Prepared {
public:
    PreparedFunction(FunctionBench& bench, const Functions& functions, Values values)
        : bench_(bench), functions_(functions), values_(std::move(values)) {}
    ~PreparedFunction() override;

    void run() override;
    void reset(std::uint64_t seed) override;
    void take_turn() override;
    std::vector<double> output() const override { return {}; }
    bool guards_intact() const override { return true; }
    void flush() override {}

    /// By the program's `prepare`.
    void make_ready();
    bool is_right() const { return functions_.check(values_); }

private:
    FunctionBench& bench_;
    const Functions& functions_;
    Values values_;
    bool is_fresh_ = false;  ///< not run since it was made ready
};

class FunctionBench final : public Bench {
public:
    FunctionBench(const Instance& instance, const Functions& functions, const Space& space,
                  const Target& target, std::exception_ptr& misuse)
        : instance_(instance), functions_(functions), space_(space), target_(target), misuse_(misuse) {}

    std::unique_ptr<Prepared> prepare(const Variant& variant, Team& team) override {
        const int threads = threads_of(instance_, space_, variant, target_.threads);
        team.check_has(threads);
        auto prepared = std::make_unique<PreparedFunction>(*this, functions_,
                                                           values_of(instance_, space_, variant, threads));
        prepared->make_ready();
        return prepared;
    }

    // The program has one input.
    const Oracle& oracle(std::uint64_t) override { return none_; }

    std::optional<Worst> compare(const Prepared& prepared, std::uint64_t, Team&) override {
        if (!functions_.check) return Worst{};
        bool is_right = false;
        guarded("check", [&] { is_right = dynamic_cast<const PreparedFunction&>(prepared).is_right(); });
        if (!is_right) throw VariantError(VariantError::Kind::wrong, "the program's own check says no");
        return Worst{};
    }

    /// Calls one of the program's functions; what it throws becomes a VariantError.
    template <typename Call>
    void guarded(const char* which, Call&& call) {
        try {
            call();
        } catch (const VariantError&) {
            throw;
        } catch (const std::bad_alloc&) {
            throw;
        } catch (const InputError& error) {
            if (!misuse_) misuse_ = std::current_exception();
            accuse(which, error.what());
        } catch (const std::exception& error) {
            accuse(which, error.what());
        } catch (...) {
            throw VariantError(VariantError::Kind::fault,
                               std::string("its ") + which + "() threw something that is no std::exception");
        }
    }

    /// Whose data the program holds now.
    const Prepared* ready = nullptr;

private:
    [[noreturn]] static void accuse(const char* which, const char* what) {
        throw VariantError(VariantError::Kind::fault, std::string("its ") + which + "() threw: " + what);
    }

    const Instance& instance_;
    const Functions& functions_;
    const Space& space_;
    Target target_;
    std::exception_ptr& misuse_;
    Oracle none_;
};

PreparedFunction::~PreparedFunction() {
    // Another one may get this one's address.
    if (bench_.ready == this) bench_.ready = nullptr;
}

void PreparedFunction::make_ready() {
    if (functions_.prepare) {
        bench_.ready = nullptr;
        bench_.guarded("prepare", [&] { functions_.prepare(values_); });
    }
    bench_.ready = this;
    is_fresh_ = true;
}

void PreparedFunction::run() {
    is_fresh_ = false;
    bench_.guarded("run", [&] { functions_.run(values_); });
}

void PreparedFunction::reset(std::uint64_t) {
    if (bench_.ready != this || !is_fresh_) make_ready();
}

void PreparedFunction::take_turn() {
    if (bench_.ready != this) make_ready();
}

}  // namespace

std::unique_ptr<Bench> make_function_bench(const Instance& instance, const Functions& functions,
                                           const Space& space, const Target& target,
                                           std::exception_ptr& misuse) {
    return std::make_unique<FunctionBench>(instance, functions, space, target, misuse);
}

}  // namespace rooftune::external
