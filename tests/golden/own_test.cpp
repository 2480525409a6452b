// Golden output for kernels of users: what `check` says of an example, and of every mistake that can be made
// in an annotation.
#include <fstream>

#include "tests/support/devices.h"
#include "tests/support/golden.h"
#include "tests/support/mistakes.h"

using namespace rooftune;
using namespace rooftune::test;

namespace {

// Annotations of a kernel that is right, where one is left out or another one stands.
std::vector<std::string> with(const std::string& wrong, const std::string& in_place_of = "") {
    return changed({"size n = 64", "in x f64[n] all", "out y f64[n] all", "parameter T 1 2 4", "flops 2*n",
                    "call f(n, x, y)"},
                   wrong, in_place_of);
}

const std::vector<Mistake> kMistakes{
    {"a word that declares nothing", with("flop 2*n")},
    {"no word at all", with("= 3")},
    {"no call", with("where T > 0", "call")},
    {"an empty call", with("call", "call")},
    {"two calls", with("call g(n)")},
    {"two formulas of one kind", with("flops 3*n")},
    {"bytes beyond a cache without its name", with("reads_beyond 8*n")},
    {"bytes beyond a cache, open", with("reads_beyond(w 8*n")},
    {"bytes beyond a cache, none", with("writes_beyond(w)")},
    {"bytes beyond a cache that is a size", with("reads_beyond(n) 8*n")},
    {"bytes beyond a cache that are none", with("reads_beyond(w) 8*T/(w - 1024)")},
    {"bytes beyond a cache that grow with it", with("reads_beyond(w) 8*n*T + w")},
    {"bytes beyond a cache by a word of expressions", with("reads_beyond(not) 8*n")},
    {"bytes beyond a cache by another name", with("reads_beyond(w) 8*n - c")},
    {"no output", with("in y f64[n] all", "out")},
    {"no annotation", {}},
    {"an unknown type", with("in x f63[n] all", "in x")},
    {"a missing bracket", with("in x f64 n", "in x")},
    {"an open bracket", with("in x f64[n", "in x")},
    {"no number of elements", with("in x f64[] all", "in x")},
    {"too much behind an array", with("in x f64[n] every", "in x")},
    {"an output with values", with("out y f64[n] all = 0", "out")},
    {"values by a name that is not there", with("in x f64[n] all = i % q", "in x")},
    {"a size that is not there", with("in x f64[m] all", "in x")},
    {"a size in terms of a later one", with("size m = k")},
    {"two of one name", with("real x = 1")},
    {"a size that is no whole number", with("size n = 2.5", "size")},
    {"a negative size", with("size n = 3 - 8", "size")},
    {"a size that overflows", with("size n = 1 << 70", "size")},
    {"a division by zero in a size", with("size n = 1/0", "size")},
    {"an expression that ends early", with("size n = 2 *", "size")},
    {"a shift beside a sum", with("size n = 1 << 3 + 1", "size")},
    {"arrays beyond all memory", with("size n = 1e14", "size")},
    {"no equals sign", with("size n 64", "size")},
    {"a name that is none", with("size 2n = 64", "size")},
    {"a parameter without values", with("parameter T", "parameter")},
    {"a value twice", with("parameter T 1 2 1", "parameter")},
    {"a range that runs backwards", with("parameter T 64:8:x2", "parameter")},
    {"a range that never ends", with("parameter T 8:64:x1", "parameter")},
    {"too many values", with("parameter T 1:1000", "parameter")},
    {"an unknown kind of parameter", with("parameter T 1 2 (makro)", "parameter")},
    {"an open quote", with("parameter T \"-O2 -O3", "parameter")},
    {"threads by another name", with("parameter P 1 2 (threads)", "parameter")},
    {"no number of threads", with("parameter threads one", "parameter")},
    {"an argument that is no number", with("parameter T fast slow (argument)", "parameter")},
    {"a variable that a runtime reads once",
     with("parameter OMP_SCHEDULE static guided (environment)", "parameter")},
    {"arithmetic of an unknown type", with("arithmetic f16")},
    {"a rule of an unknown parameter", with("where TT < 4")},
    {"a rule that compares a word with a number", with("where T == 'four'")},
    {"a rule without a comparison of the two", with("where 1 < T < 4")},
    {"rules that leave nothing", with("where T > 4")},
    {"a rule of sizes that does not hold", with("where n > 100")},
    {"a condition of a later parameter", with("parameter U 1 2 when V > 1")},
    {"a matrix without a file", with("matrix A")},
    {"a matrix that is not there", with("matrix A nowhere.mtx")},
    {"a matrix of an unknown type", with("matrix A a.mtx f128")},
    {"an array of a file that is not there", with("in x f64[n] all = file nowhere.npy", "in x")},
    {"an array of no file", with("in x f64[n] all = file", "in x")},
    {"an answer in a file, for random numbers", with("out y f64[n] all = file y.npy", "out")},
    {"negative work", with("flops n - 100*T", "flops")},
    {"work divided by zero", with("flops n / (T - 1)", "flops")},
    {"work of an unknown name", with("flops 2*m", "flops")},
    {"no number of threads declared", with("threads 1.5")},
    {"a size of the command line that is not declared", with("where T > 0"), {"m=3"}},
    {"a size of the command line that is none", with("where T > 0"), {"n=many"}},
};

// The same of an OpenCL kernel.
std::vector<std::string> opencl_with(const std::string& wrong, const std::string& in_place_of = "") {
    return changed({"size n = 64", "in x f64[n] all", "out y f64[n] all", "parameter T 1 2 4", "global n",
                    "local 16 * T", "call f(n, x, y)"},
                   wrong, in_place_of);
}

const std::vector<Mistake> kOpenclMistakes{
    {"no work items", opencl_with("where T > 0", "global")},
    {"work items twice", opencl_with("global 2*n")},
    {"four dimensions", opencl_with("global n, 1, 1, 1", "global")},
    {"a dimension that is empty", opencl_with("global n, , 1", "global")},
    {"fewer local sizes", opencl_with("global n, 2", "global")},
    {"work items of an unknown name", opencl_with("local 16 * U", "local")},
    {"a parameter of threads", opencl_with("parameter threads 1 2")},
    {"a compiler", opencl_with("compiler clang")},
    {"a call without brackets", opencl_with("call f", "call")},
    {"a call that is not closed", opencl_with("call f(n, x, y", "call")},
    {"an argument that is empty", opencl_with("call f(n, , y)", "call")},
    {"local memory of an unknown type", opencl_with("call f(n, x, y, local f31[T])", "call")},
    {"local memory without a size", opencl_with("call f(n, x, y, local f32[])", "call")},
    {"a call with something behind it", opencl_with("call f(n, x, y) twice", "call")},
    {"a call over other items", opencl_with("call f(n, x, y) over n", "call")},
    {"a reference that is no call", opencl_with("reference y = x")},
};

}  // namespace

TEST_CASE("a mistake in an annotation: file, line, column, what and what to do; status 2") {
    std::string text =
        told_of(kMistakes, "mine.cpp", "// rooftune: ",
                "void f(long n, double* x, double* y) { for (long i = 0; i < n; ++i) y[i] = 2 * x[i]; }\n");
    // How much memory is free is the machine's.
    for (std::size_t at = text.find("and "); at != std::string::npos; at = text.find("and ", at + 1)) {
        const std::size_t end = text.find(" are free", at);
        if (end != std::string::npos && end - at < 20) text.replace(at, end - at, "and SOME");
    }
    check_golden("own/mistakes.txt", text);
}

TEST_CASE("a mistake in an annotation of an OpenCL kernel: the same") {
    if (devices_or_warn().empty()) return;  // a size of work items is looked at with a device
    const std::string kernel =
        "__kernel void f(int n, __global double* x, __global double* y) { y[get_global_id(0)] = 2; }\n";
    check_golden("own/opencl_mistakes.txt", told_of(kOpenclMistakes, "mine.cl", "// rooftune: ", kernel));
}

TEST_CASE("what is no source, and files that are not there") {
    const TemporaryFolder folder;
    for (const std::string& file :
         {std::string("nofile.cpp"), folder / "", std::string("README.md"), folder / "no.cpp"}) {
        const Finished f = run({program(), "check", file});
        INFO(file << f.error);
        CHECK(f.status == 2);
        CHECK(f.error.find(file) != std::string::npos);
    }
    const std::string there = folder / "there.cpp";
    CHECK(run({program(), "new", there}).status == 0);
    const Finished again = run({program(), "new", there});
    CHECK(again.status == 2);
    CHECK(again.error.find("there already") != std::string::npos);
    CHECK(run({program(), "new", folder / "there.txt"}).status == 2);
}

TEST_CASE("check notes threads that nothing makes, pragmas that do nothing, and macros that stand nowhere") {
    const TemporaryFolder folder;
    const auto notes = [&](const std::string& more, const std::string& body) {
        const std::string file = folder / "mine.c";
        std::ofstream(file) << "// rooftune: size n = 100\n// rooftune: out y f64[n] all\n"
                            << "// rooftune: call f(n, y)\n// rooftune: reference g(n, y)\n"
                            << more
                            << "void g(long n, double* y) { for (long i = 0; i < n; ++i) y[i] = 1; }\n"
                            << "void f(long n, double* y) {\n"
                            << body << "for (long i = 0; i < n; ++i) y[i] = 1; }\n";
        const Finished f = run({program(), "check", file, "--json"});
        INFO(f.error);
        CHECK(f.status == 0);
        return f.out;
    };
    using Catch::Contains;
    const std::string threads = "// rooftune: parameter threads 1 all\n",
                      pragma = "#pragma omp parallel for\n";
    CHECK_THAT(notes(threads, ""), Contains("nothing in the source seems to make any"));
    CHECK_THAT(notes(threads, pragma), !Contains("seems to make any") && !Contains("they do nothing"));
    CHECK_THAT(notes(threads, "#pragma omp parallel for num_threads (1)\n"),
               Contains("how many threads there are"));
    CHECK_THAT(notes(threads + "int omp_get_num_threads(void);\n", pragma),
               !Contains("how many threads there are"));
    CHECK_THAT(notes(threads + "// rooftune: flags -O2\n", pragma), Contains("they do nothing"));
    CHECK_THAT(notes(threads + "// rooftune: flags -O2 -fopenmp\n", pragma), !Contains("they do nothing"));
    CHECK_THAT(notes("// rooftune: parameter T 1 2\n", ""), Contains("stands nowhere in the source"));
    CHECK_THAT(notes("/* rooftune:\n   parameter T 1 2\n */\n", ""),
               Contains("stands nowhere in the source"));
    for (const char* define :
         {"#define T 1\n", " # define T 1\n", "#ifdef U\n#endif\n#undef T\n#define T 1\n"})
        CHECK_THAT(notes(std::string("// rooftune: parameter T 1 2\n") + define, "(void)T;\n"),
                   Contains("the source defines T itself"));
    // One guard stands for several, too.
    for (const char* define :
         {"#ifndef T\n#define T 1\n#endif\n", "#ifndef U\n#define U 1\n#define T 1\n#endif\n",
          "#define TT 1\n#define U T\n", "/*\n#define T 1\n*/\n"})
        CHECK_THAT(notes(std::string("// rooftune: parameter T 1 2\n") + define, "(void)T;\n"),
                   !Contains("defines T itself"));
    CHECK_THAT(notes("// rooftune: parameter T 1 2\n", "(void)T;\n"),
               !Contains("stands nowhere in the source"));
    CHECK_THAT(notes("// rooftune: parameter ARCH -mavx \"\" (flag)\n", ""),
               Contains("before the values of ARCH"));
}

TEST_CASE("what check says of the example") {
    const TemporaryFolder folder;
    const std::string file = folder / "mine.cpp";
    REQUIRE(run({program(), "new", file}).status == 0);
    setenv("CXX", "g++", 1);
    Finished f = run({program(), "check", file, "n=1e6", "--results", folder / "results"});
    unsetenv("CXX");
    INFO(f.error);
    CHECK(f.status == 0);
    std::string text = f.out;
    for (std::size_t at = text.find(file); at != std::string::npos; at = text.find(file))
        text.replace(at, file.size(), "mine.cpp");
    // The folder's name may have any length, and lines break elsewhere.
    const std::size_t from = text.find("Bounds: ");
    REQUIRE(from != std::string::npos);
    text.erase(from, text.find("\n\n", from) + 1 - from);
    check_golden("own/check.txt", text);
    CHECK_THAT(f.out, Catch::Contains("Bounds: none yet, since this machine is not known"));
}
