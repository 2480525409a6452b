#include "kernels/matmul/family.h"

#include <charconv>

#include "kernels/matmul/bench.h"
#include "kernels/matmul/ladder.h"
#include "kernels/matmul/opencl_bench.h"
#include "kernels/matmul/opencl_phrase.h"
#include "kernels/matmul/opencl_space.h"
#include "kernels/matmul/opencl_work.h"
#include "kernels/matmul/phrase.h"
#include "kernels/matmul/problem.h"
#include "kernels/matmul/space.h"
#include "kernels/matmul/work.h"
#include "kernels/runtime/error.h"

namespace rooftune {
namespace {

using namespace matmul;

ProblemSpec sized(const char* m, const char* n, const char* k, ProblemSpec more = {}) {
    more["m"] = m;
    more["n"] = n;
    more["k"] = k;
    return more;
}

/// Of a factor that the problem took.
bool is_zero(const std::string& factor) {
    double value = 1.0;
    std::from_chars(factor.data(), factor.data() + factor.size(), value);  // in every locale
    return value == 0.0;
}

bool runs_on_device(const Target& target) {
    return target.backend == Backend::opencl;
}

class MatmulFamily final : public Family {
public:
    std::string_view name() const override { return "matmul"; }
    std::string_view summary() const override {
        return "dense matrix product, C = alpha*op(A)*op(B) + beta*C";
    }
    std::vector<ProblemKey> keys() const override { return MatmulProblem::keys(); }
    std::vector<IdleKey> idle_keys() const override {
        // A C that is read besides is more work; without alpha nothing is multiplied, and no bound of a
        // product is true.
        const auto reads_c = [](const std::string& beta) { return !is_zero(beta); };
        const auto multiplies = [](const std::string& alpha) {
            if (is_zero(alpha))
                throw InputError(
                    "alpha=" + alpha +
                    ": nothing is multiplied, so that there is no product to bound; leave alpha out");
            return false;
        };
        return {{"transa"}, {"transb"}, {"alpha", multiplies}, {"beta", reads_c}};
    }

    std::vector<Backend> backends() const override { return {Backend::cpu, Backend::opencl}; }

    std::vector<ProblemSpec> examples() const override {
        return {sized("64", "64", "64"),
                sized("1", "1", "1"),
                sized("2", "3", "5", {{"transa", "yes"}, {"transb", "yes"}, {"beta", "1"}}),
                sized("17", "13", "11", {{"dtype", "f32"}, {"alpha", "-1.5"}, {"beta", "0.5"}}),
                sized("33", "65", "129", {{"transb", "yes"}}),
                sized("200", "1", "7", {{"dtype", "f32"}, {"transa", "yes"}}),
                sized("3", "300", "2", {{"alpha", "0"}, {"beta", "2"}}),
                sized("130", "530", "200", {{"beta", "1"}})};
    }
    std::string phrase(const std::map<std::string, std::string>& variant) const override {
        const std::string on_device = opencl_phrase(variant);
        return on_device.empty() ? matmul::phrase(variant) : on_device;
    }
    std::string naive_phrase(Backend backend) const override {
        return backend == Backend::opencl ? "one work item an element" : "the triple loop";
    }

    std::unique_ptr<Problem> problem(const ProblemSpec& spec) const override {
        return MatmulProblem::load(spec);
    }
    /// A spec is all there is to a problem.
    int share(const Problem&) const override { return -1; }
    std::unique_ptr<Problem> attach(int) const override {
        throw EnvironmentError("a matmul problem is never shared: load it from its spec");
    }

    Space space(const Problem& problem, const Target& target) const override {
        if (runs_on_device(target)) return make_opencl_space(of(problem), target);
        return make_space(of(problem), target);
    }
    std::unique_ptr<WorkModel> work_model(const Problem& problem, const Space& space, const Target& target,
                                          State state) const override {
        if (runs_on_device(target)) return make_opencl_work_model(of(problem), space, target, state);
        return make_work_model(of(problem), space, state);
    }
    Variant naive_variant(const Problem&, const Space& space, const Target& target) const override {
        if (runs_on_device(target)) return opencl_naive_variant(space);
        return matmul::naive_variant(space, target);
    }
    Variant default_variant(const Problem& problem, const Space& space, const Target& target) const override {
        if (runs_on_device(target)) return opencl_default_variant(space, of(problem), target);
        return matmul::default_variant(of(problem), space, target);
    }
    Ladder ladder(const Space&, const Target& target) const override {
        return runs_on_device(target) ? opencl_ladder(target.device) : matmul::ladder();
    }
    std::unique_ptr<Bench> bench(const Problem& problem, const Space& space,
                                 const Target& target) const override {
        if (runs_on_device(target)) return make_opencl_bench(of(problem), space, target);
        return make_bench(of(problem), space, target);
    }

private:
    static const MatmulProblem& of(const Problem& problem) {
        return dynamic_cast<const MatmulProblem&>(problem);
    }
};

}  // namespace

std::unique_ptr<Family> make_matmul_family() {
    return std::make_unique<MatmulFamily>();
}

}  // namespace rooftune
