// A kernel of a user's as a test writes it: compiled, with a bench and a team of two.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/catch.h"
#include "tests/support/places.h"
#include "tests/support/process.h"
#include "tuner/external/family.h"
#include "tuner/external/problem.h"
#include "tuner/measure/judge.h"

namespace rooftune::test {

// A source in a folder of its own, with its objects; a team of two.
class CompiledKernel {
public:
    explicit CompiledKernel(const std::string& source, const std::string& name = "mine.cpp",
                            ProblemSpec sizes = {})
        : path_(folder_ / name) {
        setenv("ROOFTUNE_KERNEL_CACHE", (folder_ / "objects").c_str(), 1);
        std::ofstream(path_) << source;
        sizes["source"] = path_;
        problem_ = family_->problem(sizes);
        space_.emplace(family_->space(*problem_, target_));
        bench_ = family_->bench(*problem_, *space_, target_);
    }

    Variant variant(const std::map<std::string, std::string>& values) const {
        std::string why;
        const auto found = space_->from_map(values, why);
        INFO(why);
        REQUIRE(found);
        return *found;
    }
    Variant first() const { return family_->naive_variant(*problem_, *space_, target_); }
    std::unique_ptr<Prepared> prepare(const Variant& v) { return bench_->prepare(v, team_); }
    Correctness judged(const Variant& v) {
        const std::vector<std::uint64_t> seeds{1, 2, 3};
        const auto prepared = prepare(v);
        return verify_answer(*prepared, *bench_, team_, seeds);
    }
    const Space& space() const { return *space_; }
    const Problem& problem() const { return *problem_; }
    Bench& bench() { return *bench_; }
    const Family& family() const { return *family_; }
    int team_size() const { return team_.size(); }
    std::string objects() const { return folder_ / "objects"; }

private:
    static Target target_of(int threads) {
        Target target;
        target.width_bits = {128};
        target.threads = threads;
        return target;
    }

    TemporaryFolder folder_;
    std::string path_;
    std::unique_ptr<Family> family_ = make_external_family();
    Team team_{at_most_two_cpus()};
    Target target_ = target_of(team_.size());
    std::unique_ptr<Problem> problem_;
    std::optional<Space> space_;
    std::unique_ptr<Bench> bench_;
};

inline std::string axpy(const std::string& body, const std::string& more = "") {
    return "// rooftune: size n = 1001\n// rooftune: real a = 2.5\n// rooftune: in x f64[n] all\n"
           "// rooftune: inout y f64[n] all\n// rooftune: flops 2*n\n// rooftune: call f(n, a, x, y)\n"
           "// rooftune: reference plain(n, a, x, y)\n" +
           more +
           "void plain(long n, double a, const double* x, double* y) { for (long i = 0; i < n; ++i) y[i] += "
           "a * x[i]; }\n"
           "void f(long n, double a, double* x, double* y) { " +
           body + " }\n";
}

}  // namespace rooftune::test
