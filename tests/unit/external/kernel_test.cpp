// Kernels of users, compiled and run: what their annotations ask for is what happens.
#include <sched.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "kernels/runtime/error.h"
#include "tests/support/catch.h"
#include "tests/support/places.h"
#include "tests/support/process.h"
#include "tests/unit/external/compiled_kernel.h"
#include "tuner/external/compiled.h"
#include "tuner/external/example.h"
#include "tuner/external/family.h"
#include "tuner/external/problem.h"
#include "tuner/external/variant_build.h"
#include "tuner/measure/judge.h"

using namespace rooftune;
using namespace rooftune::test;
using Catch::Contains;

TEST_CASE("the example: all of its variants are right") {
    CompiledKernel k(external::example_source());
    std::size_t variants = 0;
    k.space().each({}, [&](const Variant& v) {
        CHECK(k.judged(v).right);
        ++variants;
        return true;
    });
    CHECK(variants == 7 * (k.team_size() > 1 ? 2 : 1));
}

TEST_CASE("right, wrong in one element, outside of an array, and into one that is only read") {
    CHECK(CompiledKernel(axpy("for (long i = 0; i < n; ++i) y[i] += a * x[i];")).judged({}).right);
    const Correctness wrong =
        CompiledKernel(axpy("for (long i = 0; i < n; ++i) y[i] += (i == 700 ? 2 : 1) * a * x[i];"))
            .judged({});
    CHECK_FALSE(wrong.right);
    CHECK_THAT(wrong.detail, Contains("element 700"));
    CHECK_FALSE(CompiledKernel(axpy("for (long i = 0; i <= n; ++i) y[i] += a * x[i];")).judged({}).right);
    CHECK_FALSE(
        CompiledKernel(axpy("for (long i = 0; i < n; ++i) y[i] += a * x[i]; y[-1] = 0;")).judged({}).right);
    const Correctness input =
        CompiledKernel(axpy("for (long i = 0; i < n; ++i) y[i] += a * x[i]; x[3] = 0;")).judged({});
    CHECK_FALSE(input.right);
    CHECK_THAT(input.detail, Contains("outside its output"));
}

TEST_CASE("a variant that writes into what is only read leaves the next one its right answer") {
    CompiledKernel k(axpy("for (long i = 0; i < n; ++i) y[i] += a * x[i]; if (SPOILS) x[3] = 0;",
                          "// rooftune: parameter SPOILS 0 1\n"));
    const Variant good = k.variant({{"SPOILS", "0"}}), spoils = k.variant({{"SPOILS", "1"}});
    CHECK(k.judged(good).right);
    CHECK_FALSE(k.judged(spoils).right);
    CHECK(k.judged(good).right);
}

TEST_CASE("what a kernel throws is its own fault") {
    CompiledKernel k(axpy("if (n > 0) throw 7; (void)a; (void)x; (void)y;"));
    const auto prepared = k.prepare({});
    prepared->reset(1);
    try {
        prepared->run();
        FAIL("it threw nothing");
    } catch (const VariantError& error) {
        CHECK(error.kind == VariantError::Kind::fault);
    }
}

TEST_CASE("a reference is told of, and one that throws or writes where it may not is accused with its line") {
    const auto source = [](const std::string& more) {
        return "// rooftune: size n = 100\n// rooftune: in x f64[n]\n// rooftune: out y f64[n]\n"
               "// rooftune: call f(n, x, y)\n// rooftune: reference plain(n, x, y)\n#include <stdexcept>\n"
               "void f(long n, double* x, double* y) { for (long i = 0; i < n; ++i) y[i] = x[i]; }\n"
               "void plain(long n, double* x, double* y) { for (long i = 0; i < n; ++i) y[i] = x[i]; " +
               more + " }\n";
    };
    CompiledKernel good(source(""));
    std::vector<std::string> told;
    good.bench().on_reference = [&](const std::string& place) { told.push_back(place); };
    const auto prepared = good.prepare({});
    good.bench().oracle_ahead(1);
    REQUIRE(told.size() == 2);
    CHECK_THAT(told[0], Contains("mine.cpp:5:"));
    CHECK(told[1].empty());
    CHECK(good.judged({}).right);
    CHECK(told.size() == 6);  // of three seeds, the first of which was known
    for (const auto& [more, what] : {std::pair{"y[n] = 1;", "writes outside"},
                                     {"y[-1] = 1;", "writes outside"},
                                     {"x[7] = 1;", "only read"},
                                     {"throw std::runtime_error(\"planted\");", "planted"},
                                     {"throw 7;", "no std::exception"}}) {
        CompiledKernel bad(source(more));
        const auto variant = bad.prepare({});
        try {
            bad.bench().oracle_ahead(1);
            FAIL_CHECK(more);
        } catch (const InputError& error) {
            CHECK_THAT(error.what(), Contains("mine.cpp:5:") && Contains(what));
        }
    }
}

TEST_CASE("a long sum in single precision may err, but not by all of it") {
    const std::string sum =
        "// rooftune: size n = 1<<20\n// rooftune: in x f32[n] = 1\n// rooftune: out z f32[1]\n"
        "// rooftune: flops n\n// rooftune: parameter SCALE 0 0.9 1\n// rooftune: call f(n, x, z)\n"
        "// rooftune: reference plain(n, x, z)\n"
        "void plain(long n, float* x, float* z) { double s = 0; for (long i = 0; i < n; ++i) s += x[i]; *z = "
        "s; }\n"
        "void f(long n, float* x, float* z) { float s = 0; for (long i = 0; i < n; ++i) s += x[i]; *z = s * "
        "(float)SCALE; }\n";
    CompiledKernel k(sum);
    CHECK(k.judged(k.variant({{"SCALE", "1"}})).right);
    CHECK_FALSE(k.judged(k.variant({{"SCALE", "0"}})).right);
    CHECK_FALSE(k.judged(k.variant({{"SCALE", "0.9"}})).right);
}

TEST_CASE("a variant and all of its threads have as many processors as it has threads, whoever ran before") {
    const std::string source =
        "// rooftune: out y f64[8]\n// rooftune: parameter threads 1 all\n// rooftune: parameter PRAGMA 0 1\n"
        "// rooftune: flags -O1 -fopenmp\n// rooftune: call f(y)\n"
        "#include <sched.h>\n"
        "static int seen(void) { cpu_set_t m; sched_getaffinity(0, sizeof m, &m); int all = 0;\n"
        "  for (int c = 0; c < 64; ++c) if (CPU_ISSET(c, &m)) all |= 1 << c; return all; }\n"
        "void f(double* y) { int all = 0;\n#pragma omp parallel num_threads(2) reduction(| : all)\n all |= "
        "seen();\n"
        "  for (int i = 0; i < 8; ++i) y[i] = __builtin_popcount(all); }\n";
    CompiledKernel k(source);
    if (k.team_size() < 2) return;
    const auto processors = [&](const Prepared& prepared) { return prepared.output()[0]; };
    const auto one = k.prepare(k.variant({{"threads", "1"}, {"PRAGMA", "0"}}));
    const auto two = k.prepare(k.variant({{"threads", "2"}, {"PRAGMA", "0"}}));
    for (int round = 0; round < 3; ++round) {
        for (int again = 0; again < 3; ++again) two->run();
        CHECK(processors(*two) == 2);
        one->run();
        CHECK(processors(*one) == 1);
    }
}

TEST_CASE("rounding in another order is right, a float's is not a double's") {
    const std::string dot =
        "// rooftune: size n = 100000\n// rooftune: in x f64[n]\n// rooftune: in y f64[n]\n// rooftune: out "
        "z f64[1]\n"
        "// rooftune: flops 2*n\n// rooftune: call f(n, x, y, z)\n// rooftune: reference plain(n, x, y, z)\n"
        "// rooftune: parameter T double float\n"
        "void plain(long n, double* x, double* y, double* z) { double s = 0; for (long i = 0; i < n; ++i) s "
        "+= x[i] * y[i]; *z = s; }\n"
        "void f(long n, double* x, double* y, double* z) { T s = 0; for (long i = n; i-- > 0;) s += (T)x[i] "
        "* (T)y[i]; *z = s; }\n";
    CompiledKernel k(dot);
    CHECK(k.judged(k.variant({{"T", "double"}})).right);
    CHECK_FALSE(k.judged(k.variant({{"T", "float"}})).right);
}

TEST_CASE(
    "macros, flags, arguments and the environment reach the kernel; a parameter that is not there does not") {
    const std::string source =
        "// rooftune: out y f64[6]\n// rooftune: call f(A, y)\n// rooftune: reference plain(y)\n"
        "// rooftune: parameter M 3 5\n// rooftune: parameter F \"\" \"-DEXTRA=7 -DOTHER\" (flag)\n"
        "// rooftune: parameter A 11 13 (argument)\n// rooftune: parameter E yes no (environment)\n"
        "// rooftune: parameter W 1 2 when M > 3\n"
        "#include <stdlib.h>\n#include <string.h>\n"
        "void f(long a, double* y) {\n y[0] = M; y[2] = a; y[3] = getenv(\"E\") && !strcmp(getenv(\"E\"), "
        "\"yes\");\n"
        "#ifdef EXTRA\n y[1] = EXTRA;\n#else\n y[1] = 0;\n#endif\n#ifdef W\n y[4] = W;\n#else\n y[4] = "
        "0;\n#endif\n y[5] = 1; }\n"
        "void plain(double* y) { for (int i = 0; i < 6; ++i) y[i] = i; }\n";
    CompiledKernel k(source);
    const auto answer = [&](const std::map<std::string, std::string>& values) {
        const auto prepared = k.prepare(k.variant(values));
        prepared->reset(1);
        prepared->run();
        return prepared->output();
    };
    CHECK(answer({{"M", "3"}, {"F", "none"}, {"A", "11"}, {"E", "yes"}}) ==
          std::vector<double>{3, 0, 11, 1, 0, 1});
    CHECK(answer({{"M", "5"}, {"F", "-DEXTRA=7 -DOTHER"}, {"A", "13"}, {"E", "no"}, {"W", "2"}}) ==
          std::vector<double>{5, 7, 13, 0, 2, 1});
    // Two that take turns have each its own.
    const auto yes = k.prepare(k.variant({{"M", "3"}, {"F", "none"}, {"A", "11"}, {"E", "yes"}}));
    const auto no = k.prepare(k.variant({{"M", "3"}, {"F", "none"}, {"A", "11"}, {"E", "no"}}));
    for (const double expected : {1.0, 0.0, 1.0}) {
        (expected > 0.0 ? yes : no)->run();
        CHECK(yes->output()[3] == expected);
    }
}

TEST_CASE("an argument needs no compilation of its own, and what was compiled is kept") {
    std::string source = axpy("for (long i = 0; i < n; ++i) y[i] += a * x[i];",
                              "// rooftune: parameter A 1 2 3 4 (argument)\n");
    source.replace(source.find("call f(n, a"), 11, "call f(n, A > 0 ? a : n");
    CompiledKernel k(source);
    for (const char* value : {"1", "2", "3", "4", "1"}) k.prepare(k.variant({{"A", value}}));
    std::size_t objects = 0;
    for (const auto& file : std::filesystem::directory_iterator(k.objects()))
        objects += file.path().extension() == ".so";
    CHECK(objects == 2);  // and the reference
    external::shrink_kernel_cache(0);
    CHECK(std::filesystem::is_empty(k.objects()));
}

TEST_CASE("what does not compile, or lacks a symbol, is the variant's failure, with the user's line") {
    CompiledKernel k(axpy("for (long i = 0; i < n; ++i) y[i] += a * x[i] BROKEN",
                          "// rooftune: parameter BROKEN ; +nothing;\n"));
    CHECK(k.judged(k.variant({{"BROKEN", ";"}})).right);
    try {
        k.prepare(k.variant({{"BROKEN", "+nothing;"}}));
        FAIL("it compiled");
    } catch (const VariantError& error) {
        CHECK(error.kind == VariantError::Kind::build);
        CHECK_THAT(error.what(), Contains("mine.cpp:10:") && Contains("nothing"));
    }
    CompiledKernel missing(
        axpy("extern void nowhere(double*); if (LINKED) nowhere(y);", "// rooftune: parameter LINKED 0 1\n"));
    CHECK_THROWS_AS(missing.prepare(missing.variant({{"LINKED", "1"}})), VariantError);
    // That a function is nowhere is found when it is compiled, as `check` does.
    CompiledKernel unlinked(axpy("extern void nowhere(double*); nowhere(y);"));
    try {
        unlinked.prepare({});
        FAIL("it was linked");
    } catch (const std::exception& error) {
        CHECK_THAT(error.what(), Contains("undefined reference") && Contains("nowhere"));
    }
}

TEST_CASE("C, narrow and whole types, calls by each thread, and files that a source includes") {
    const std::string c =
        "// rooftune: size n = 37\n// rooftune: in x i32[n] = i - 5\n// rooftune: in w f32[n]\n// rooftune: "
        "out y i64[n]\n"
        "// rooftune: out v f32[n]\n// rooftune: parameter threads 1 all\n"
        "// rooftune: call f(n, thread, threads, x, w, y, v)\n// rooftune: reference f(n, 0, 1, x, w, y, v)\n"
        "void f(long n, int t, int p, int* restrict x, float* w, long* y, float* v) {\n"
        "  for (long i = t; i < n; i += p) { y[i] = 3 * (long)x[i]; v[i] = w[i] / 3; } }\n";
    CompiledKernel k(c, "mine.c");
    k.space().each({}, [&](const Variant& v) {
        CHECK(k.judged(v).right);
        return true;
    });
    CHECK(k.bench().oracle(1).expected[0] == -15.0);
    CHECK(k.bench().oracle(1).tolerance[0] == 0.0);
}

TEST_CASE("whole numbers of 64 bits are compared to the last one, whatever a double rounds to") {
    const auto judged = [](const std::string& type, const std::string& value, const std::string& more,
                           const std::string& declared = "") {
        const bool is_signed = type == "i64";
        const std::string c_type = is_signed ? "long" : "unsigned long";
        const std::string head = "(long n, " + c_type + "* y) { for (long i = 0; i < n; ++i) y[i] = ";
        return CompiledKernel("// rooftune: size n = 100\n// rooftune: out y " + type + "[n]\n" + declared +
                              "// rooftune: call f(n, y)\n// rooftune: reference plain(n, y)\n" +
                              "void plain" + head + value + " + i; }\nvoid f" + head + value +
                              " + i + (i == 70 ? " + more + " : 0); }\n")
            .judged({});
    };
    for (const auto& [type, value] : {std::pair<std::string, std::string>{"i64", "(1LL << 60)"},
                                      {"i64", "-(1LL << 60)"},
                                      {"i64", "9223372036854000000LL"},
                                      {"u64", "(1ULL << 60)"},
                                      {"u64", "18446744073709000000ULL"}}) {
        INFO(type << " " << value);
        CHECK(judged(type, value, "0").right);
        for (const char* more : {"1", "-1"}) {
            const Correctness wrong = judged(type, value, more);
            CHECK_FALSE(wrong.right);
            CHECK_THAT(wrong.detail, Contains("element 70"));
        }
        // A tolerance that is stated is the user's.
        CHECK(judged(type, value, "1", "// rooftune: tolerance 1e-15\n").right);
        CHECK_FALSE(judged(type, value, "100000", "// rooftune: tolerance 1e-15\n").right);
    }
    CHECK_THAT(judged("i64", "(1LL << 60)", "1").detail,
               Contains("expected 1152921504606847046 within 0, found 1152921504606847047"));
    CHECK_THAT(judged("u64", "18446744073709000000ULL", "1").detail,
               Contains("expected 18446744073709000070 within 0, found 18446744073709000071"));
}

TEST_CASE(
    "the problem is its content: another line, another size, or another included file is another problem") {
    const std::string source = axpy("for (long i = 0; i < n; ++i) y[i] += a * x[i];");
    const CompiledKernel one(source), same(source), line(source + "\n"),
        size(source, "mine.cpp", {{"n", "7"}});
    CHECK(one.problem().digest() == same.problem().digest());
    CHECK(one.problem().digest() != line.problem().digest());
    CHECK(one.problem().digest() != size.problem().digest());
    CHECK(size.problem().title() == "mine.cpp n=7,a=2.5");
    CHECK(size.problem().flops_nominal() == 14.0);
    const test::TemporaryFolder folder;
    const auto including = [&](const std::string& header) {
        std::ofstream(folder / "more.h") << header;
        std::ofstream(folder / "mine.cpp") << "#include \"more.h\"\n" << source;
        return make_external_family()->problem({{"source", folder / "mine.cpp"}})->digest();
    };
    const std::string before = including("#define B 1\n");
    CHECK(before == including("#define B 1\n"));
    CHECK(before != including("#define B 2\n"));
    // As its workers have it.
    const int shared = one.family().share(one.problem());
    const auto attached = one.family().attach(shared);
    close(shared);
    CHECK(attached->digest() == one.problem().digest());
    CHECK(attached->spec() == one.problem().spec());
}

TEST_CASE("what comes next is compiled side by side, and what fails there fails where it is asked for") {
    const CompiledKernel k(
        axpy("for (long i = 0; i < n; ++i) y[i] += a * x[i];",
             "// rooftune: parameter T 1 2 3 4\n#if T == 3\n#error not this one\n#endif\n"));
    const auto kept = [&] {
        std::size_t objects = 0, others = 0;
        for (const auto& file : std::filesystem::directory_iterator(k.objects()))
            ++(file.path().extension() == ".so" ? objects : others);
        CHECK(others == objects);  // what each was made of
        return objects;
    };
    std::vector<Variant> all;
    k.space().each({}, [&](const Variant& v) {
        all.push_back(v);
        return true;
    });
    // One alone is left to whoever asks for it.
    k.family().build_ahead(k.problem(), k.space(), {all.begin(), 1}, 2);
    CHECK_FALSE(std::filesystem::exists(k.objects()));
    k.family().build_ahead(k.problem(), k.space(), all, 2);
    CHECK(kept() == 2);
    // Those that are there count for nothing: the third fails, the fourth does not.
    k.family().build_ahead(k.problem(), k.space(), all, 2);
    CHECK(kept() == 3);
    k.family().build_ahead(k.problem(), k.space(), all, 8);
    CHECK(kept() == 3);
}

TEST_CASE("a header from anywhere that has changed is compiled anew") {
    const test::TemporaryFolder elsewhere;
    const std::string header = elsewhere / "a b.h";
    const auto write = [&](const std::string& factor) {
        std::ofstream(header) << "#define FACTOR " << factor << "\n";
    };
    write("1");
    CompiledKernel k(axpy("for (long i = 0; i < n; ++i) y[i] += FACTOR * a * x[i];",
                          "// rooftune: flags -O1 '-I" + (elsewhere / "") + "'\n#include <a b.h>\n"));
    CHECK(k.judged({}).right);
    const auto objects = [&] {
        std::size_t count = 0;
        for (const auto& file : std::filesystem::directory_iterator(k.objects()))
            count += file.path().extension() == ".so";
        return count;
    };
    CHECK(objects() == 2);
    write("2");
    // A second is as fine as some file systems tell times.
    std::filesystem::last_write_time(header,
                                     std::filesystem::file_time_type::clock::now() + std::chrono::seconds(2));
    CHECK_FALSE(k.judged({}).right);
    CHECK(objects() == 2);
}

TEST_CASE("a guard that is broken hides no input that was changed") {
    // The variant is at fault once, and the next one is not.
    CompiledKernel k(
        "// rooftune: size n = 1001\n// rooftune: out y f64[n]\n// rooftune: in x f64[n]\n"
        "// rooftune: parameter BAD 0 1\n// rooftune: call f(n, x, y)\n// rooftune: reference g(n, x, y)\n"
        "void g(long n, const double* x, double* y) { for (long i = 0; i < n; ++i) y[i] = x[i]; }\n"
        "void f(long n, double* x, double* y) { for (long i = 0; i < n; ++i) y[i] = x[i];\n"
        "if (BAD) { y[n] = 1; x[3] = 5; } }\n");
    CHECK(k.judged(k.variant({{"BAD", "0"}})).right);
    CHECK_FALSE(k.judged(k.variant({{"BAD", "1"}})).right);
    CHECK(k.judged(k.variant({{"BAD", "0"}})).right);
}

TEST_CASE("a kernel without parameters has one variant, which can win") {
    CompiledKernel k(axpy("for (long i = 0; i < n; ++i) y[i] += a * x[i];"));
    CHECK(k.space().count(PartialVariant()) == 1);
    CHECK_FALSE(k.space().to_map(k.first()).empty());
    CHECK(k.judged(k.first()).right);
}
