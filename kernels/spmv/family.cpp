#include "kernels/spmv/family.h"

#include <list>
#include <mutex>

#include "kernels/spmv/bench.h"
#include "kernels/spmv/guesses.h"
#include "kernels/spmv/ladder.h"
#include "kernels/spmv/phrase.h"
#include "kernels/spmv/problem.h"
#include "kernels/spmv/space.h"
#include "kernels/spmv/work.h"

namespace rooftune {
namespace {

using namespace spmv;

class SpmvFamily final : public Family {
public:
    std::string_view name() const override { return "spmv"; }
    std::string_view summary() const override { return "sparse matrix times vector, y = A*x"; }
    std::vector<ProblemKey> keys() const override { return SpmvProblem::keys(); }

    std::vector<ProblemSpec> examples() const override {
        return {{{"gen", "poisson27"}, {"nx", "24"}},
                {{"gen", "elasticity3"}, {"nx", "3"}, {"dtype", "f32"}},
                {{"gen", "rmat"}, {"scale", "7"}, {"edge_factor", "3"}}};
    }
    std::string phrase(const std::map<std::string, std::string>& variant) const override {
        return spmv::phrase(variant);
    }
    std::string naive_phrase(Backend) const override { return "plain CSR"; }

    std::unique_ptr<Problem> problem(const ProblemSpec& spec) const override {
        return SpmvProblem::load(spec);
    }
    int share(const Problem& problem) const override { return of(problem).share(); }
    std::unique_ptr<Problem> attach(int descriptor) const override { return SpmvProblem::attach(descriptor); }

    Space space(const Problem& problem, const Target& target) const override {
        return make_space(analysis(problem, target), target);
    }
    Space space_around(const Problem& problem, const Target& target,
                       const std::map<std::string, std::string>& values) const override {
        const SpmvProblem& its = of(problem);
        // The default variant is compressed rows, which is what a FormatKey begins as.
        const auto format = values.empty() ? FormatKey{} : format_named(values, its.matrix().rows);
        if (!format) return space(problem, target);
        return make_space(std::make_shared<const Analysis>(
                              analyse_only(its.matrix(), its.dtype(), target.threads, *its.layout(*format))),
                          target);
    }
    std::unique_ptr<WorkModel> work_model(const Problem& problem, const Space& space, const Target& target,
                                          State state) const override {
        return make_work_model(analysis(problem, target), space, target, state);
    }
    Variant naive_variant(const Problem&, const Space& space, const Target& target) const override {
        return spmv::naive_variant(space, target);
    }
    Variant default_variant(const Problem& problem, const Space& space, const Target& target) const override {
        return spmv::default_variant(space, target, of(problem).matrix());
    }
    std::vector<std::map<std::string, std::string>> first_guesses(const Problem& problem,
                                                                  const Target& target) const override {
        return spmv::first_guesses(of(problem).matrix(), problem.dtype(), target);
    }
    Ladder ladder(const Space&, const Target&) const override { return spmv::ladder(); }

    std::unique_ptr<Bench> bench(const Problem& problem, const Space& space,
                                 const Target& target) const override {
        return make_bench(of(problem).matrix(), problem.dtype(), space, target);
    }

private:
    static const SpmvProblem& of(const Problem& problem) { return dynamic_cast<const SpmvProblem&>(problem); }

    /// Space, work and default variant of a problem share one analysis; the last two are kept.
    std::shared_ptr<const Analysis> analysis(const Problem& problem, const Target& target) const {
        const Key key{problem.digest(), problem.dtype(), target.threads};
        const std::lock_guard lock(mutex_);
        for (const auto& [known, analysis] : kept_) {
            if (known == key) return analysis;
        }
        auto fresh =
            std::make_shared<const Analysis>(analyse(of(problem).matrix(), problem.dtype(), target.threads));
        kept_.emplace_front(key, fresh);
        if (kept_.size() > 2) kept_.pop_back();
        return fresh;
    }

    struct Key {
        std::string digest;
        DType dtype;
        int threads;
        bool operator==(const Key&) const = default;
    };
    mutable std::mutex mutex_;
    mutable std::list<std::pair<Key, std::shared_ptr<const Analysis>>> kept_;
};

}  // namespace

std::unique_ptr<Family> make_spmv_family() {
    return std::make_unique<SpmvFamily>();
}

}  // namespace rooftune
