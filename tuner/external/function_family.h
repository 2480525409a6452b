// Functions of the program that tunes, as a family of one problem: the name, the space and the work of
// `external`, without its compilers and workers.
#pragma once

#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "kernels/contract/family.h"
#include "tuner/external/functions.h"

namespace rooftune::external {

class FunctionFamily final : public Family {
public:
    /// As function_instance().
    FunctionFamily(const std::string& name, const std::vector<Text>& lines, Functions functions,
                   double available);

    const Instance& instance() const { return instance_; }
    /// The first InputError that a function threw: the program asks for a value that is not there.
    const std::exception_ptr& misuse() const { return misuse_; }
    ProblemSpec spec() const;

    std::string_view name() const override { return "external"; }
    std::string_view summary() const override { return "functions of the program that tunes"; }
    std::vector<ProblemKey> keys() const override { return {}; }
    std::vector<ProblemSpec> examples() const override { return {}; }
    std::string naive_phrase(Backend) const override { return "the first variant"; }
    std::unique_ptr<Problem> problem(const ProblemSpec& spec) const override;
    int share(const Problem&) const override { return -1; }
    std::unique_ptr<Problem> attach(int descriptor) const override;
    Space space(const Problem& problem, const Target& target) const override;
    std::unique_ptr<WorkModel> work_model(const Problem& problem, const Space& space, const Target& target,
                                          State state) const override;
    Variant naive_variant(const Problem& problem, const Space& space, const Target& target) const override;
    Variant default_variant(const Problem& problem, const Space& space, const Target& target) const override;
    bool runs_in_this_process() const override { return true; }
    std::unique_ptr<Bench> bench(const Problem& problem, const Space& space,
                                 const Target& target) const override;

private:
    Functions functions_;
    Instance instance_;
    mutable std::exception_ptr misuse_;
};

}  // namespace rooftune::external
