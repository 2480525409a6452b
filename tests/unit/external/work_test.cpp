// What a declaration claims, and where it claims nothing because it could not be shown.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "kernels/runtime/error.h"
#include "models/bound.h"
#include "models/roofs.h"
#include "tests/support/catch.h"
#include "tuner/external/declared_space.h"
#include "tuner/external/declared_work.h"
#include "tuner/external/problem.h"
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

TEST_CASE(
    "what is declared beyond a cache: by its bytes, of the variants that are left, and never negative") {
    const std::string source =
        "// rooftune: size n = 1000\n// rooftune: out y f64[n] all\n// rooftune: call f(n, y)\n"
        "// rooftune: parameter S 1 2 3\n// rooftune: reads_beyond(w) S*(8*n - w)\n"
        "// rooftune: writes_beyond(cache) 8*n*S - cache/2\n";
    Instance instance = instance_of(declaration_from(source, "mine.cpp"), {}, 1e12);
    instance.source = source;
    const Space space = make_space(instance, Target());
    const auto model = make_work_model(instance, space, Target(), State::warm);
    PartialVariant third;
    third.fix(0, 2);
    for (const double w : {0.0, 1.0, 100.0, 4000.0, 8000.0, 8001.0, 1e9}) {
        INFO(w);
        const TrafficProfile any = model->work({}).traffic, three = model->work(third).traffic;
        // A cache counts as one of a KiB at least, and the array that is written counts besides.
        const double capacity = std::max(1024.0, w);
        CHECK(any.reads_beyond(Bytes(w)).value == std::max(0.0, 8000.0 - capacity));
        CHECK(three.reads_beyond(Bytes(w)).value == std::max(0.0, 3.0 * (8000.0 - capacity)));
        CHECK(three.writes_beyond(Bytes(w)).value == std::max(0.0, 24000.0 - capacity / 2.0));
        CHECK(any.writes_beyond(Bytes(w)).value == std::max({0.0, 8000.0 - w, 8000.0 - capacity / 2.0}));
    }
}

TEST_CASE("what is declared beyond a cache binds, and is accused where it is too much") {
    const std::string source =
        "// rooftune: size n = 1000\n// rooftune: in x f64[n] all\n// rooftune: out y f64[n] all\n"
        "// rooftune: reads_beyond(w) 80*n - w\n// rooftune: call f(n, x, y)\n";
    Instance instance = instance_of(declaration_from(source, "mine.cpp"), {}, 1e12);
    instance.source = source;
    const Space space = make_space(instance, Target());
    const auto model = make_work_model(instance, space, Target(), State::warm);
    Machine machine;
    machine.topology.threads = 1;
    for (const Mix mix : {Mix::load, Mix::store, Mix::copy}) {
        Ceiling c;
        c.resource = Resource::bandwidth;
        c.when.mix = mix;
        c.when.footprint = Bytes(4000.0);
        c.max = 1e9;
        machine.ceilings.push_back(c);
    }
    const Roofs roofs(machine);
    const Bound bound = BoundModel(roofs).explain(model->work({}), model->traits({}));
    REQUIRE(bound.binding >= 0);
    const Term& term = bound.terms[static_cast<std::size_t>(bound.binding)];
    // 76 000 bytes read, and 4000 written, which those alone that read or those that copy move at 1 GB/s.
    CHECK(bound.seconds_lower.value == Approx(80000e-9));
    CHECK(model->declared_at({}, term) == "mine.cpp:4:30: reads_beyond(w) 80*n - w");
    const auto at = [&](TermKind kind, double w) {
        Term other = term;
        other.kind = kind;
        other.beyond = Bytes(w);
        return model->declared_at({}, other);
    };
    CHECK(at(TermKind::writes, 4000.0) == "mine.cpp:3:18: y … all");
    CHECK(at(TermKind::reads, 4000.0) == "mine.cpp:4:30: reads_beyond(w) 80*n - w");
    // Where it says no more than the array does, that is what is wrong.
    CHECK(at(TermKind::reads, 1e6) == "mine.cpp:2:17: x … all");
}

TEST_CASE(
    "the example with stages claims what its loops read, each but for what cache and cores hold when it "
    "begins") {
    const auto problem = ExternalProblem::load(
        {{"source", "tests/examples/kernels/five_point.cpp"}, {"nx", "1000"}, {"ny", "700"}}, 1e12);
    Target target;
    target.threads = 2;
    const Space space = make_space(problem->instance(), target);
    const auto model = make_work_model(problem->instance(), space, target, State::warm);
    // Arrays of 8 nx ny bytes that the loops read, by STAGED, as they stand in the source.
    const std::vector<std::vector<double>> loops{{1}, {1, 3}, {1, 1, 2, 1, 2}};
    const double array = 8.0 * 1000 * 700;
    int variants = 0;
    space.each({}, [&](const Variant& v) {
        const auto staged = static_cast<std::size_t>(space.number(v, 0, 0));
        const double threads = static_cast<double>(space.number(v, space.find("threads"), 0));
        for (const double w : {1024.0, 0.5 * array, 0.97 * array}) {
            double reads = 0.0;
            for (const double arrays : loops.at(staged))
                reads += std::max(0.0, arrays * array - (w + threads * 65536.0));
            const double claimed = model->work(v).traffic.declared->reads_beyond(Bytes(w));
            CHECK(claimed == Approx(reads));
            // Once the array and its edges.
            if (staged > 0) CHECK(model->work(v).traffic.reads_beyond(Bytes(w)).value == claimed);
        }
        ++variants;
        return true;
    });
    CHECK(variants == 162);
}

TEST_CASE("an expression of a cache's bytes that is no number is refused; where it is one is claimed") {
    const auto model_of = [](const std::string& expression) {
        const std::string source =
            "// rooftune: size n = 1000\n// rooftune: out y f64[n] all\n// rooftune: call f(n, y)\n"
            "// rooftune: reads_beyond(w) " +
            expression + "\n";
        Instance instance = instance_of(declaration_from(source, "mine.cpp"), {}, 1e12);
        instance.source = source;
        const Space space = make_space(instance, Target());
        return make_work_model(instance, space, Target(), State::warm)
            ->work({})
            .traffic.reads_beyond(Bytes(4096.0))
            .value;
    };
    CHECK(model_of("w == 4096 ? 1/0 : 8") == 0.0);
    CHECK(model_of("8*n*ceil(n/floor(w/8))") == 8000.0 * 2.0);
    CHECK(model_of("16*n^3/sqrt(w/8)") == Approx(16e9 / std::sqrt(512.0)));
    for (const char* wrong : {"8/(w - 1024)", "sqrt(n - w)", "8*m - w", "8*n + w", "w < 2^20 ? 0 : 8"})
        CHECK_THROWS_AS(model_of(wrong), InputError);
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

TEST_CASE("what keeps flops from bounding anything is named") {
    const auto why = [](const std::string& lines, const std::string& included = "") {
        const std::string source =
            std::string("// rooftune: size n = 100\n// rooftune: out y f64[n]\n// rooftune: call f(n, y)\n") +
            (lines.find("rooftune: compiler") == std::string::npos ? "// rooftune: compiler g++\n" : "") +
            lines;
        Instance instance = instance_of(declaration_from(source, "mine.cpp"), {}, 1e12);
        instance.source = source;
        instance.included = included;
        return why_arithmetic_is_unknown(instance);
    };
    CHECK(why("").empty());
    CHECK(why("#include <cmath>\n  #  include<vector>\n").empty());
    CHECK(why("#include <cmath>\n#  include <x/real.h> // ours\n") == "the header <x/real.h>");
    CHECK(why("#include \"real.h\"\n", "its hash") == "the header \"real.h\"");
    CHECK(why("#include REAL_H\n") == "what an #include names by a macro");
    // What stands behind it in a comment is not what is included; nor is what a comment alone says.
    CHECK(why("#include \"real.hpp\" // as <cmath>\n") == "the header \"real.hpp\"");
    CHECK(why("#include REAL_H // see <cmath>\n") == "what an #include names by a macro");
    CHECK(why("#include /* <cmath> */ <real.hpp>\n") == "the header <real.hpp>");
    CHECK(why("#include /* ours */ <cmath> // theirs\r\n").empty());
    CHECK(why("// #include <real.hpp>\n").empty());
    CHECK(why("// what it was: <real.hpp>\n").empty());
    // However it is spelt.
    for (const char* line :
         {"/**/#include <real.hpp>\n", "%:include <real.hpp>\n", "?\?=include <real.hpp>\n",
          "#inc\\\nlude <real.hpp>\n", "#inc\\\r\nlude <real.hpp>\n", "\xef\xbb\xbf#include <real.hpp>\n",
          "\v#include <real.hpp>\n", "int x;\r#include <real.hpp>\n", "// */ #include <real.hpp>\n",
          "#/* */include<real.hpp>\n", "#import <real.hpp>\n", "#include_next <real.hpp>\n"})
        CHECK(why(line) == "the header <real.hpp>");
    for (const char* line : {"import std;\n", "import<vector>;\n", "export import std;\n"})
        CHECK(why(line) == "a module");
    CHECK(why("double importance = 0;\nimportance += 1;\nimported(y);\n").empty());
    CHECK(why("_Pragma(\"include_alias(a, b)\")\n") == "a _Pragma that includes");
    CHECK(why("#include <c math>\n") == "the header <c math>");
    CHECK(why("#include <real.hpp\n") == "the header <real.hpp");
    CHECK(why("#include <" + std::string(3000, 'x') + ">\n") == "the header <" + std::string(80, 'x') + "…");
    CHECK(why("", "its hash") == "headers beside the source");
    CHECK(why("// rooftune: compiler icpx\n") == "the compiler icpx");
    CHECK(why("// rooftune: parameter CC g++ mycc (compiler)\n") == "the compiler mycc");
    CHECK(why("half2 h;\n") == "the word half2");
    CHECK(why("#include <x/real.h>\n// rooftune: arithmetic f32\n").empty());
}
