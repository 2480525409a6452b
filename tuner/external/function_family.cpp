#include "tuner/external/function_family.h"

#include <utility>

#include "kernels/runtime/error.h"
#include "tuner/external/declared_space.h"
#include "tuner/external/declared_work.h"
#include "tuner/external/function_bench.h"
#include "tuner/external/problem.h"

namespace rooftune::external {

FunctionFamily::FunctionFamily(const std::string& name, const std::vector<Text>& lines, Functions functions,
                               double available)
    : functions_(std::move(functions)), instance_(function_instance(name, lines, functions_, available)) {}

ProblemSpec FunctionFamily::spec() const {
    return ExternalProblem::of_functions(instance_)->spec();
}

std::unique_ptr<Problem> FunctionFamily::problem(const ProblemSpec&) const {
    return ExternalProblem::of_functions(instance_);
}

std::unique_ptr<Problem> FunctionFamily::attach(int) const {
    throw EnvironmentError("functions of a program are in no other process");
}

Space FunctionFamily::space(const Problem&, const Target& target) const {
    return make_space(instance_, target);
}

std::unique_ptr<WorkModel> FunctionFamily::work_model(const Problem&, const Space& space,
                                                      const Target& target, State state) const {
    return make_work_model(instance_, space, target, state);
}

Variant FunctionFamily::naive_variant(const Problem&, const Space& space, const Target&) const {
    return first_variant(instance_, space);
}

// Nothing is known of somebody else's parameters but the order in which they were written.
Variant FunctionFamily::default_variant(const Problem&, const Space& space, const Target&) const {
    return first_variant(instance_, space);
}

std::unique_ptr<Bench> FunctionFamily::bench(const Problem&, const Space& space, const Target& target) const {
    return make_function_bench(instance_, functions_, space, target, misuse_);
}

}  // namespace rooftune::external
