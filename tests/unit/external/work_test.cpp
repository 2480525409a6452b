// What a declaration claims, and where it claims nothing because it could not be shown.
#include <cstdlib>

#include "tests/support/catch.h"
#include "tuner/external/declared_space.h"
#include "tuner/external/declared_work.h"
#include "tuner/external/program_description.h"

using namespace rooftune;
using namespace rooftune::external;

namespace {

// The work of a kernel with these lines in its source, and the type of its arithmetic.
struct Claimed {
    Work work;
    DType type;
};

Claimed claimed(const std::string& more, const std::string& element = "f64") {
    const std::string source = "// rooftune: size n = 100\n// rooftune: in x " + element +
                               "[n] all\n// rooftune: out y " + element +
                               "[n] all\n// rooftune: flops 2*n\n// rooftune: chain 10*n\n"
                               "// rooftune: call f(n, x, y)\n" +
                               more;
    Instance instance = instance_of(declaration_from(source, "mine.cpp"), {}, 1e12);
    instance.source = source;
    Target target;
    target.width_bits = {128, 256};
    target.threads = 4;
    const Space space = make_space(instance, target);
    return {make_work_model(instance, space, target, State::warm)->work({}), arithmetic_type(instance)};
}

}  // namespace

TEST_CASE("declared work: flops, half a step for an operation of a chain, and the bytes of whole arrays") {
    const Claimed c = claimed("");
    CHECK(c.work.total.ops.value == 200.0);
    CHECK(c.work.heaviest.ops.value == 200.0);  // without a word of threads it has one
    CHECK(c.work.chain_steps.value == 500.0);
    CHECK(c.work.traffic.reads.value == 800.0);
    CHECK(c.work.traffic.writes.value == 800.0);
    CHECK(claimed("// rooftune: parameter threads 1 all\n").work.heaviest.ops.value == 50.0);
}

TEST_CASE("no chain where sums may be reordered, by a flag, a pragma or an attribute") {
    for (const char* line :
         {"// rooftune: flags -O3 -ffast-math\n", "// rooftune: parameter M -O2 -Ofast (flag)\n",
          "#pragma omp simd reduction(+ : s)\n", "#pragma GCC optimize(\"fast-math\")\n"}) {
        INFO(line);
        CHECK(claimed(line).work.chain_steps.value == 0.0);
    }
}

TEST_CASE("doubles are computed in double only where nothing names another type") {
    CHECK(claimed("").type == DType::f64);
    CHECK(claimed("float s = 0;\n").type == DType::f32);
    CHECK(claimed("// rooftune: arithmetic f64\nfloat s = 0;\n").type == DType::f64);
    CHECK(claimed("", "f32").type == DType::f32);
    CHECK(claimed("", "bf16").type == DType::bf16);
    CHECK(claimed("", "i32").type == DType::f32);
}

TEST_CASE("flops of a program bound it only where it says what it computes in, and are told all the same") {
    const auto of = [](const std::string& more) {
        const Declaration d = description_from(
            lines_of_description("size n = 100\nflops 2*n\nreads 8*n\ncommand ./bench {n}\n" + more, false),
            "mine.rooftune");
        const Instance instance = instance_of(d, {}, 1e12);
        Target target;
        target.width_bits = {128, 256};
        const Space space = make_space(instance, target);
        return make_work_model(instance, space, target, State::warm)->work({});
    };
    const Work open = of("");
    CHECK(open.total.ops.value == 0.0);
    CHECK(open.heaviest.ops.value == 0.0);
    CHECK(open.flops_nominal.value == 200.0);
    CHECK(open.traffic.reads.value == 800.0);
    const Work said = of("arithmetic f64\n");
    CHECK(said.total.ops.value == 200.0);
    CHECK(said.flops_nominal.value == 200.0);
}

TEST_CASE("a mask on vector widths holds for our kernels alone: arithmetic of users' then claims nothing") {
    setenv("ROOFTUNE_MAX_WIDTH", "128", 1);
    const Claimed c = claimed("");
    unsetenv("ROOFTUNE_MAX_WIDTH");
    CHECK(c.work.total.ops.value == 0.0);
    CHECK(c.work.chain_steps.value == 0.0);
    CHECK(c.work.traffic.reads.value == 800.0);
}

TEST_CASE("arithmetic in half precision is faster than its ceilings: nothing is claimed unless it is said") {
    for (const char* line : {"half2 h;\n", "_Float16 f;\n", "__bf16 b;\n", "x = _mm512_dpbf16_ps(a, b, c);\n",
                             "x = vload_half(0, p);\n", "// rooftune: parameter REAL float half\n"}) {
        INFO(line);
        CHECK(claimed(line, "f32").work.total.ops.value == 0.0);
        CHECK(claimed(std::string(line) + "// rooftune: arithmetic f32\n", "f32").work.total.ops.value ==
              200.0);
    }
    CHECK(claimed("int half_way, behalf, halves;\n", "f32").work.total.ops.value == 200.0);
    // What a header says of types is not known.
    CHECK(claimed("#include <cmath>\n").work.total.ops.value == 200.0);
    CHECK(claimed("#include <real.h>\n").work.total.ops.value == 0.0);
    CHECK(claimed("#include <real.h>\n// rooftune: arithmetic f64\n").work.total.ops.value == 200.0);
}
