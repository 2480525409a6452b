#include "tuner/tune/tuned_set_text.h"

#include "tests/support/golden.h"

using namespace rooftune;
using namespace rooftune::test;

namespace {

TunedProblem problem(const std::string& name, int nearest, double ratio, bool works = true) {
    TunedProblem p;
    p.title = name;
    p.features = {1.0};
    p.best = {{"tile", "4x8"}};
    p.audited = 20;
    LeftOut l;
    l.nearest = nearest;
    l.distance = 0.5;
    l.works = works;
    l.ratio = {ratio, ratio, ratio, 0.0, 12};
    p.left_out = l;
    return p;
}

TunedSet several() {
    TunedSet set;
    set.complete = true;
    TunedGroup shapes;
    shapes.family = "matmul";
    shapes.dtype = "f64";
    shapes.state = "warm";
    shapes.features = {"log2(m)"};
    shapes.scales = {1.0};
    shapes.reach = 0.5;
    shapes.problems = {problem("64x64x64 f64", 1, 1.021), problem("96x64x64 f64", 0, 1.142),
                       problem("64x96x64 f64", 0, 1.0), problem("300x5x64 f64", 0, 0.0, false)};
    shapes.problems[1].regrets = 1;
    TunedGroup alone = shapes;
    alone.family = "spmv";
    alone.backend = "opencl";
    alone.reach = 0.0;
    alone.problems = {problem("poisson", 0, 1.0)};
    alone.problems[0].left_out.reset();
    alone.problems[0].audited = 0;
    set.groups = {shapes, alone};
    return set;
}

}  // namespace

TEST_CASE("a tuned set in sentences") {
    check_golden("report/tuned_set.txt", tuned_set_text(several(), "/somewhere/shapes.json"));
    TunedSet partial = several();
    partial.groups.resize(1);
    partial.groups[0].reach = 0.0;
    partial.complete = false;
    partial.untuned = {{"spmv", {{"gen", "rmat"}, {"scale", "4"}}, "No variant works."}};
    check_golden("report/tuned_set_partial.txt", tuned_set_text(partial, "/somewhere/shapes.json"));
}
