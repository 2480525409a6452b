// What flags forbid a compiler, and what is not known: a width that is too small would exclude what could
// win.
#include <cstdlib>

#include "kernels/runtime/error.h"
#include "tests/support/catch.h"
#include "tests/support/process.h"
#include "tuner/base/command_words.h"
#include "tuner/base/execute.h"
#include "tuner/external/declared_space.h"
#include "tuner/external/declared_work.h"
#include "tuner/external/flag_limits.h"

using namespace rooftune;
using namespace rooftune::external;

namespace {

FlagLimits of(const std::string& flags) {
    return limits_of(command_words(flags, "test"));
}

// A kernel with these lines in its source, on a machine of vectors up to 512 bits.
class Declared {
public:
    explicit Declared(const std::string& more) {
        const std::string source =
            "// rooftune: size n = 100\n// rooftune: in x f64[n] all\n// rooftune: out y f64[n] all\n"
            "// rooftune: flops 2*n\n// rooftune: chain 10*n\n// rooftune: call f(n, x, y)\n" +
            more;
        instance_ = instance_of(declaration_from(source, "mine.cpp"), {}, 1e12);
        instance_.source = source;
        Target target;
        target.width_bits = {128, 256, 512};
        space_.emplace(make_space(instance_, target));
        model_ = make_work_model(instance_, *space_, target, State::warm);
    }
    PartialVariant variant(const std::map<std::string, std::string>& values) const {
        PartialVariant v;
        for (const auto& [name, value] : values) {
            const int p = space_->find(name);
            const auto& known = space_->parameters()[static_cast<std::size_t>(p)].values;
            for (std::size_t i = 0; i < known.size(); ++i) {
                if (known[i].text == value) v.fix(p, static_cast<int>(i));
            }
            REQUIRE(v.fixed(p));
        }
        return v;
    }
    int width(const std::map<std::string, std::string>& values = {}) const {
        return model_->traits(variant(values)).width_bits;
    }
    bool has_chain(const std::map<std::string, std::string>& values = {}) const {
        return model_->work(variant(values)).chain_steps.value > 0.0;
    }
    const Space& space() const { return *space_; }
    const WorkModel& model() const { return *model_; }

private:
    Instance instance_;
    std::optional<Space> space_;
    std::unique_ptr<WorkModel> model_;
};

}  // namespace

TEST_CASE("vectors that flags forbid") {
    CHECK(of("-O3 -march=x86-64").width_bits == 128);
    CHECK(of("-O3 -march=x86-64-v2 -Wall -lm").width_bits == 128);
    CHECK(of("-march=haswell").width_bits == 256);
    CHECK(of("-march=x86-64-v3 -mno-avx512f -msse4.2 -mtune=native").width_bits == 256);
    CHECK(of("-march=x86-64-v3 -mno-avx").width_bits == 128);
    // The last one counts.
    CHECK(of("-march=x86-64 -march=x86-64-v3").width_bits == 256);
    CHECK(of("-march=x86-64 -march=native").width_bits == 0);
}

TEST_CASE("where more may come in, nothing is known of the width") {
    for (const char* flags : {"-O3",
                              "-march=native",
                              "-march=x86-64-v4",
                              "-march=znver5",
                              "-march=x86-64 -mavx2",
                              "-march=x86-64 -mfma",
                              "-march=x86-64 -mavx512f",
                              "-march=x86-64 @more",
                              "-march=x86-64 -lopenblas",
                              "-march=x86-64 fast.o",
                              "-march=x86-64 -include fast.h",
                              "-march=x86-64 -Xclang -target-feature",
                              "-march=x86-64 -Wa,-mavx",
                              "-march=x86-64 -Wl,-lfast",
                              "-march=x86-64 -specs=mine",
                              "-march=x86-64 '-DF=__attribute__((target(\"avx2\")))'",
                              "-mprefer-vector-width=128",
                              "-xCORE-AVX512 -march=x86-64",
                              "-march=native -mno-avx512f",
                              "-mno-avx -march=native",
                              "-march=x86-64 helper.cpp",
                              "-march=x86-64 libfast.so.1",
                              "-march=x86-64 -msm3",
                              "-march=x86-64 -D X",
                              "-march=x86-64 -fplugin=mine",
                              "-march=x86-64 -fveclib=SVML",
                              "-march=x86-64 --config=mine"}) {
        INFO(flags);
        CHECK(of(flags).width_bits == 0);
    }
    // Nor of the order of sums.
    for (const char* flags : {"-O3 @more", "-O3 -include fast.h", "-O3 -specs=mine", "-O3 kernel.o",
                              "-O3 -lfast", "-O3 -Xclang -mreassociate", "-O3 helper.c"}) {
        INFO(flags);
        CHECK(of(flags).reorders);
    }
}

TEST_CASE("what the compiler says of its own vectors is what is known of its flags") {
    // Its macros tell what it may use: where a width is known, no wider instructions are on.
    const auto defines = [](const std::string& flags, const std::string& macro) {
        std::vector<std::string> words{"g++", "-dM", "-E", "-x", "c++", "/dev/null"};
        for (std::string& word : command_words(flags, "test")) words.push_back(std::move(word));
        const Execution run = execute(words, 20.0);
        REQUIRE(run.status == 0);
        return run.output.find("#define " + macro + " ") != std::string::npos;
    };
    const Execution there = execute({"g++", "-dumpmachine"}, 20.0);
    if (there.status != 0 || there.output.find("x86_64") == std::string::npos) {
        WARN("skipped: there is no g++ for x86-64");
        return;
    }
    for (const char* flags :
         {"-march=x86-64", "-march=x86-64-v2", "-march=core2", "-march=nehalem", "-march=westmere",
          "-march=k8", "-march=barcelona", "-march=x86-64-v3", "-march=sandybridge", "-march=ivybridge",
          "-march=haswell", "-march=broadwell", "-march=znver1", "-march=znver2", "-march=znver3",
          "-march=bdver4", "-march=x86-64-v3 -mno-avx512f", "-march=haswell -mno-avx"}) {
        INFO(flags);
        const int width = of(flags).width_bits;
        REQUIRE(width > 0);
        CHECK_FALSE(defines(flags, "__AVX512F__"));
        CHECK((width == 256 || !defines(flags, "__AVX__")));
    }
}

TEST_CASE("a variant has the vectors of its own flags, and one that is not decided those of any") {
    const Declared d(
        "// rooftune: parameter ISA -march=x86-64 -march=x86-64-v3 -march=native (flag)\n"
        "// rooftune: parameter T 1 2\n");
    CHECK(d.width({{"ISA", "-march=x86-64"}}) == 128);
    CHECK(d.width({{"ISA", "-march=x86-64"}, {"T", "2"}}) == 128);
    CHECK(d.width({{"ISA", "-march=x86-64-v3"}}) == 256);
    CHECK(d.width({{"ISA", "-march=native"}}) == 512);
    CHECK(d.width() == 512);
    // Two parameters, of which one exists at times: flags add up in the order of their declaration.
    const Declared two(
        "// rooftune: parameter ISA -march=x86-64 -march=x86-64-v3 (flag)\n"
        "// rooftune: parameter MORE \"\" -mavx2 (flag) when ISA == '-march=x86-64'\n");
    CHECK(two.width() == 512);
    CHECK(two.width({{"ISA", "-march=x86-64"}}) == 512);
    CHECK(two.width({{"ISA", "-march=x86-64"}, {"MORE", "none"}}) == 128);
    std::vector<int> widths;
    two.space().each({}, [&](const Variant& v) {
        widths.push_back(two.model().traits(v).width_bits);
        return true;
    });
    CHECK(widths == std::vector<int>{128, 512, 256});
}

TEST_CASE("the source may go beyond its flags") {
    const std::string flags = "// rooftune: flags -O3 -march=x86-64\n";
    CHECK(Declared(flags).width() == 128);
    CHECK(Declared(flags + "asm volatile(\"\");\n").width() == 512);
    CHECK(Declared(flags + "__attribute__((target(\"avx2\"))) void f();\n").width() == 512);
    CHECK(Declared(flags + "#pragma GCC target(\"avx2\")\n").width() == 512);
    CHECK(Declared(flags + "// rooftune: compiler g++ -mavx2\n").width() == 512);
    CHECK(Declared(flags + "// rooftune: parameter CXX g++ icpx (compiler)\n").width() == 512);
    CHECK(Declared(flags + "// rooftune: parameter T __attribute__((target(\"avx\"))) x\n").width() == 512);
    CHECK(Declared(flags + "__attribute__((cpu_specific(skylake_avx512))) void f();\n").width() == 512);
    CHECK(Declared(flags + "#define HWY_BASELINE_TARGETS HWY_AVX2\n").width() == 512);
    CHECK(Declared(flags + "#include <cmath>\n# include <vector>\n").width() == 128);
    CHECK(Declared(flags + "#include <hwy/highway.h>\n").width() == 512);
    CHECK(Declared(flags + "#include \"elsewhere.h\"\n").width() == 512);
    CHECK(Declared(flags + "#include HEADER\n").width() == 512);
    CHECK(Declared(flags + "// rooftune: compiler /opt/bin/x86_64-linux-gnu-g++-12\n").width() == 128);
    CHECK(Declared(flags + "// rooftune: compiler our-wrapper\n").width() == 512);
}

TEST_CASE("sums are reordered where a variant's own flags allow it") {
    const Declared d(
        "// rooftune: parameter MATH \"\" -ffast-math -Ofast -funsafe-math-optimizations (flag)\n");
    CHECK(d.has_chain({{"MATH", "none"}}));
    CHECK_FALSE(d.has_chain({{"MATH", "-ffast-math"}}));
    CHECK_FALSE(d.has_chain({{"MATH", "-Ofast"}}));
    CHECK_FALSE(d.has_chain({{"MATH", "-funsafe-math-optimizations"}}));
    CHECK_FALSE(d.has_chain());
    CHECK_FALSE(Declared("#pragma clang fp reassociate(on)\n").has_chain());
    CHECK_FALSE(Declared("double s = std::reduce(x, x + n);\n").has_chain());
    CHECK_FALSE(Declared("// rooftune: compiler icpx\n").has_chain());
    CHECK_FALSE(Declared("#pragma omp simd\n").has_chain());
    CHECK_FALSE(Declared("#pragma clang loop vectorize(enable)\n").has_chain());
    CHECK_FALSE(Declared("#pragma float_control(precise, off)\n").has_chain());
    CHECK_FALSE(Declared("#include <execution>\n").has_chain());
    setenv("CXX", "g++ -Ofast", 1);
    CHECK_FALSE(Declared("").has_chain());
    unsetenv("CXX");
    CHECK(Declared("").has_chain());
}

TEST_CASE("no partial variant has narrower vectors, or more of a chain, than one that completes it") {
    const Declared d(
        "// rooftune: parameter ISA -march=x86-64 -march=x86-64-v3 -march=native (flag)\n"
        "// rooftune: parameter MATH \"\" -ffast-math -mno-avx (flag)\n// rooftune: parameter T 1 2 3\n"
        "// rooftune: parameter LATE \"\" -mavx2 (flag) when T > 1\n");
    d.space().each({}, [&](const Variant& whole) {
        for (int fixed = 0; fixed < 16; ++fixed) {
            PartialVariant part;
            for (int p = 0; p < 4; ++p) {
                if ((fixed >> p & 1) != 0 && whole.fixed(p)) part.fix(p, whole[p]);
            }
            CHECK(d.model().traits(part).width_bits >= d.model().traits(whole).width_bits);
            CHECK(d.model().work(part).chain_steps.value <= d.model().work(whole).chain_steps.value);
        }
        return true;
    });
}
