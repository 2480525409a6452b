// For cachegrind.sh: runs the textbook loop of a family a number of times on one thread (`run`), or says what
// a simulated pair of caches and the estimate make of one repetition (`model`).
//
//     traffic_check run FAMILY KEY=VALUE,… REPETITIONS
//     traffic_check model FAMILY KEY=VALUE,… BYTES,WAYS BYTES,WAYS      first and last cache
#include <cstdlib>
#include <iostream>
#include <string>

#include "kernels/matmul/problem.h"
#include "kernels/registry.h"
#include "kernels/runtime/cpu.h"
#include "kernels/runtime/team.h"
#include "kernels/spmv/problem.h"
#include "kernels/stencil/problem.h"
#include "tests/support/address_streams.h"

using namespace rooftune;
using namespace rooftune::test;

namespace {

ProblemSpec spec_of(const std::string& text) {
    ProblemSpec spec;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t equals = text.find('=', at);
        const std::size_t comma = std::min(text.find(',', at), text.size());
        spec[text.substr(at, equals - at)] = text.substr(equals + 1, comma - equals - 1);
        at = comma + 1;
    }
    return spec;
}

CacheShape cache_of(const std::string& text) {
    return {Bytes(std::atof(text.c_str())), Bytes(64.0), std::atoi(text.c_str() + text.find(',') + 1)};
}

Run run_of(const Problem& problem, const Space& space, const Variant& v) {
    if (const auto* p = dynamic_cast<const stencil::StencilProblem*>(&problem))
        return stencil_run(p->grid(), stencil::decode(space, v, p->grid()));
    if (const auto* p = dynamic_cast<const matmul::MatmulProblem*>(&problem))
        return matmul_run(*p, matmul::decode(space, v, *p));
    const auto& p = dynamic_cast<const spmv::SpmvProblem&>(problem);
    return spmv_run(p.matrix(), spmv::decode(space, v, p.dtype()), p.dtype());
}

/// Bytes that come in and go out from each cache on, first repetition left out.
void print_model(const Family& family, const Problem& problem, const Space& space, const Target& target,
                 const Variant& v, const CacheShape& first, const CacheShape& last) {
    const Stream stream = merged(run_of(problem, space, v), nullptr);
    LruCache far(last);
    LruCache near(first, &far);
    near.run(stream);
    near.count_from_here();
    far.count_from_here();
    near.run(stream);
    const auto model = family.work_model(problem, space, target, State::warm);
    // What every estimate counts as written: each result once.
    const double writes = model->work(v).traffic.writes.value * model->work(v).traffic.passes;
    for (const auto& [cache, seen] : {std::pair{first, near.exchanged()}, std::pair{last, far.exchanged()}}) {
        const double estimate = total(model->traffic_parts(v, cache)).value;
        std::cout << seen.reads << ' ' << seen.writes << ' ' << std::max(0.0, estimate - writes) << '\n';
    }
}

}  // namespace

int main(int count, char** arguments) {
    if (count < 5) {
        std::cerr << "usage: see the top of tests/bench/traffic_check.cpp\n";
        return 2;
    }
    const std::string what = arguments[1];
    const Registry registry = built_in_families();
    const Family* family = registry.find(arguments[2]);
    if (!family) {
        std::cerr << "no family " << arguments[2] << "\n";
        return 2;
    }
    const auto problem = family->problem(spec_of(arguments[3]));
    Target target;
    target.width_bits = {128};
    const Space space = family->space(*problem, target);
    const Variant v = family->naive_variant(*problem, space, target);
    if (what == "model" && count > 5) {
        print_model(*family, *problem, space, target, v, cache_of(arguments[4]), cache_of(arguments[5]));
        return 0;
    }
    Team team({usable_cpus().front()});
    const auto bench = family->bench(*problem, space, target);
    const auto prepared = bench->prepare(v, team);
    prepared->reset(1);
    for (int i = std::atoi(arguments[4]); i > 0; --i) prepared->run();
    return 0;
}
