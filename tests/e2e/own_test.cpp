// Kernels of users from outside: the examples are tuned as built-in ones are, every other command takes their
// configs, and a variant that fails in any way is a record and not the end of the run.
#include <csignal>
#include <fstream>

#include "tests/support/results.h"
#include "tests/support/session.h"

using namespace rooftune;
using namespace rooftune::test;
using Catch::Contains;
using nlohmann::json;

namespace {

// A session whose compiled kernels are its own.
class OwnSession : public Session {
public:
    OwnSession() {
        setenv("ROOFTUNE_KERNEL_CACHE", (folder / "objects").c_str(), 1);
        setenv("ROOFTUNE_COMPILE_LIMIT", "4", 1);
    }
    ~OwnSession() {
        unsetenv("ROOFTUNE_KERNEL_CACHE");
        unsetenv("ROOFTUNE_COMPILE_LIMIT");
    }
};

json tuned_kernel(const Session& s, std::vector<std::string> words) {
    words.insert(words.begin(), "tune");
    words.emplace_back("--json");
    const Finished f = s.run(words);
    INFO(f.error);
    REQUIRE(f.status == 0);
    json r = json::parse(f.out);
    check_result(r);
    return r;
}

std::map<std::string, std::string> outcomes(const Session& s) {
    std::map<std::string, std::string> found;
    for (const auto& row : rows_of(s.csv().out)) found[row.at("variant")] = row.at("outcome");
    return found;
}

}  // namespace

TEST_CASE(
    "examples in C and C++ are tuned: a winner that is verified, counts that add up, a share of the roof") {
    const OwnSession s;
    for (const char* name : {"axpy.c", "five_point.cpp", "reduction.cpp"}) {
        std::vector<std::string> words{std::string("tests/examples/kernels/") + name, "--budget", "5s,12"};
        // Its own size lies beyond the caches, and takes as long.
        if (words[0].ends_with("five_point.cpp")) words.emplace_back("nx=1000,ny=700");
        const json r = tuned_kernel(s, words);
        INFO(r.dump());
        CHECK(r.at("family") == "external");
        CHECK_THAT(r.at("title").get<std::string>(), Contains(name));
        CHECK(r.at("best").at("seconds").at("median").get<double>() > 0.0);
        CHECK(r.at("best").at("fraction_of_problem_roof").get<double>() > 0.0);
        CHECK(r.at("certificate").at("violations") == 0);
    }
}

TEST_CASE("every command that takes a config takes that of a user's kernel; flags are for a Makefile") {
    const OwnSession s;
    const std::string file = s.folder / "mine.cpp";
    REQUIRE(run({program(), "new", file}).status == 0);
    const json r = tuned_kernel(s, {file, "n=20000", "--budget", "5s,10"});
    const std::string config = r.at("files").at("config");
    const std::string results = s.results();
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"explain", config},
          {"run", config, "--results", results},
          {"verify", "--quick", config, "--machine", s.machine()},
          {"plot", config, "--out", s.folder / "plot.svg"},
          {"report", config, "--markdown", s.folder / "page.md"},
          {"results", "list", "--results", results},
          {"list", "parameters", file},
          {"tune", file, "n=20000", "--dry-run", "--machine", s.machine(), "--results", results}}) {
        std::vector<std::string> all = words;
        all.insert(all.begin(), program());
        const Finished f = run(all);
        INFO(words.front() << f.out << f.error);
        CHECK(f.status == 0);
    }
    // The source in the place of its config, or of a recorded space.
    const Finished source = run({program(), "run", file, "--results", results});
    CHECK(source.status == 2);
    CHECK_THAT(source.told(),
               Contains("is a source, and no tuned config") && Contains("rooftune tune " + file));
    const Finished space = run({program(), "replay", file});
    CHECK(space.status == 2);
    CHECK_THAT(space.told(), Contains("not a recorded space"));
    const Finished flags = run({program(), "flags", config});
    CHECK(flags.status == 0);
    CHECK_THAT(flags.out, Contains("-march=native -fopenmp -DUNROLL=" +
                                   r.at("best").at("variant").at("UNROLL").get<std::string>()));
    // A build whose source was edited goes on with the flags, and is told; without the parameter there are
    // none.
    std::ofstream(file, std::ios::app) << "\n";
    const Finished changed = run({program(), "flags", config});
    CHECK(changed.status == 0);
    CHECK(changed.out == flags.out);
    CHECK_THAT(changed.error, Contains("has changed since it was tuned"));
    const Finished verify = run({program(), "verify", "--quick", config, "--machine", s.machine()});
    CHECK(verify.status == 1);
    CHECK_THAT(verify.out, Contains("STALE"));
}

TEST_CASE("a value with blanks is one value in the list of parameters, too") {
    const TemporaryFolder folder;
    const std::string file = folder / "mine.cpp";
    REQUIRE(run({program(), "new", file}).status == 0);
    const Finished list = run({program(), "list", "parameters", file});
    INFO(list.error);
    CHECK(list.status == 0);
    CHECK_THAT(list.out, Contains("\"-O3") && Contains("-funroll-loops\""));
}

TEST_CASE("each fault of a variant is its record, and the run ends with a winner") {
    const OwnSession s;
    const std::string file = s.folder / "faults.cpp";
    const std::string slow = s.folder / "slow_compiler";
    std::ofstream(slow) << "#!/bin/sh\n[ \"$1\" = --version ] && exec echo slow\nsleep 1000\n";
    std::filesystem::permissions(slow, std::filesystem::perms::owner_all);
    std::ofstream(file) << R"(// rooftune: size n = 4000
// rooftune: in x f64[n] all
// rooftune: out y f64[n] all
// rooftune: parameter WHAT good crash hang wrong outside memory leave print raise build spin
// rooftune: parameter CXX g++ )"
                        << slow << R"( (compiler)
// rooftune: where CXX == 'g++' || WHAT == 'good'
// rooftune: flops 2*n
// rooftune: call f(n, x, y)
// rooftune: reference plain(n, x, y)
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <thread>
enum What { good, crash, hang, wrong, outside, memory, leave, print, raise, build, spin };
void plain(long n, double* x, double* y) { for (long i = 0; i < n; ++i) y[i] = 2 * x[i] + 1; }
void f(long n, double* x, double* y) {
    if (WHAT == crash) *(volatile int*)nullptr = 1;
    for (volatile bool on = WHAT == hang; on;) {}
    if (WHAT == memory) { volatile char* p = new char[100000000000000]; p[0] = 1; }
    if (WHAT == leave) std::exit(0);
    if (WHAT == raise) throw 7;
    if (WHAT == spin) {
        static const bool once = [] { std::thread([] { for (volatile bool on = true; on;) {} }).detach(); return true; }();
        (void)once;
    }
    if (WHAT == print) for (int i = 0; i < 1000; ++i) std::puts("{\"phase\":\"done\"}");
    for (long i = 0; i < n; ++i) y[i] = 2 * x[i] + (WHAT == wrong && i == 1234 ? 2 : 1);
    if (WHAT == outside) y[n] = 1;
    static_assert(WHAT != build, "planted");
}
)";
    const Finished f = s.run({"tune", file, "--budget", "40", "--audit", "0", "--patience", "100", "--json"});
    INFO(f.error);
    REQUIRE(f.status == 0);
    const json r = json::parse(f.out);
    CHECK(r.at("failures").size() >= 4);
    const std::string best = r.at("best").at("variant").at("WHAT");
    CHECK((best == "good" || best == "print"));
    const auto found = outcomes(s);
    const std::map<std::string, std::string> expected{
        {"crash", "crashed"},     {"hang", "timed_out"},       {"wrong", "wrong"},
        {"outside", "wrong"},     {"leave", "crashed"},        {"raise", "crashed"},
        {"build", "unbuildable"}, {"memory", "out_of_memory"}, {"spin", "crashed"}};
    for (const auto& [what, outcome] : expected) {
        bool there = false;
        for (const auto& [parameters, its] : found) {
            if (parameters.find("WHAT=" + what + ",") == std::string::npos) continue;
            there = true;
            INFO(parameters << " " << its);
            CHECK(its == outcome);
        }
        INFO(what);
        CHECK(there);
    }
}

TEST_CASE("what a failing variant leaves in its process blames no other") {
    const OwnSession s;
    const std::string file = s.folder / "raise.cpp";
    std::ofstream(file) << R"(// rooftune: size n = 4000
// rooftune: in x f64[n] all
// rooftune: out y f64[n] all
// rooftune: parameter WHAT 0 1 2 3
// rooftune: call f(n, x, y)
// rooftune: reference plain(n, x, y)
#include <cstdlib>
void plain(long n, double* x, double* y) { for (long i = 0; i < n; ++i) y[i] = 2 * x[i]; }
void f(long n, double* x, double* y) {
    const double factor = std::getenv("LEFT_BY_ANOTHER") ? 3 : 2;
    for (long i = 0; i < n; ++i) y[i] = factor * x[i];
    if (WHAT == 0) {
        setenv("LEFT_BY_ANOTHER", "1", 1);
        throw 7;
    }
}
)";
    const Finished f = s.run({"tune", file, "--exhaustive", "--audit", "0", "--budget", "30", "--json"});
    INFO(f.out << f.error);
    REQUIRE(f.status == 0);
    int right = 0;
    for (const auto& [parameters, its] : outcomes(s)) {
        INFO(parameters << " " << its);
        CHECK((its == "crashed") == (parameters.find("WHAT=0") != std::string::npos));
        CHECK(its != "wrong");
        right += its == "measured" || its == "raced_out";
    }
    CHECK(right == 3);
}

TEST_CASE("a reference that fails, or leaves an element unwritten, is accused where it is declared") {
    const OwnSession s;
    const std::string file = s.folder / "mine.cpp";
    const auto refused = [&](const std::string& body, const std::string& how) {
        std::ofstream(file)
            << "// rooftune: size n = 100\n// rooftune: in x f64[n] all\n// rooftune: out y f64[n] all\n"
               "// rooftune: call f(n, x, y)\n// rooftune: reference plain(n, x, y)\n"
               "// rooftune: parameter UNROLL 1 2 4 8\n#include <cstdlib>\n#include <stdexcept>\n"
               "void f(long n, double* x, double* y) { for (long i = 0; i < n; ++i) y[i] = x[i]; }\n"
               "void plain(long n, double* x, double* y) { for (long i = 0; i < n; ++i) y[i] = x[i]; "
            << body << " }\n";
        const Finished f = s.run({"tune", file, "--budget", "5s,10"});
        INFO(body << f.out << f.error);
        CHECK(f.status == 2);
        const std::string said = f.told();
        CHECK_THAT(said, Contains("mine.cpp:5:") && Contains(how));
        CHECK_THAT(said, !Contains("times in a row") && !Contains("to resume"));
    };
    refused("y[0] = 0.0 / 0.0;", "leaves y[0]");
    refused("*(volatile int*)nullptr = 1;", "the reference does not give an answer: signal: Segmentation");
    refused("std::exit(0);", "the reference does not give an answer: the worker ended with status 0");
    refused("throw std::runtime_error(\"planted\");", "the reference throws an exception: planted");
    setenv("ROOFTUNE_RUN_LIMIT", "2", 1);
    refused("for (volatile bool on = true; on;) {}",
            "the reference does not give an answer: killed after 2.0 s");
    unsetenv("ROOFTUNE_RUN_LIMIT");
    refused("y[n] = 1;", "the reference writes outside of its arrays");
    refused("x[3] = 1;", "into one that is only read");
}

TEST_CASE(
    "work that is declared too high is accused with its line, excludes nothing afterwards, and the summary "
    "says so") {
    const OwnSession s;
    const std::string file = s.folder / "mine.cpp";
    std::ofstream(file)
        << "// rooftune: size n = 5000\n// rooftune: in x f64[n] all\n// rooftune: out y f64[n] all\n"
           "// rooftune: parameter UNROLL 1 2 4 8\n// rooftune: flops 1e9*n*UNROLL\n"
           "// rooftune: call f(n, x, y)\n"
           "void f(long n, double* x, double* y) { for (long i = 0; i < n; ++i) y[i] = 2*x[i]; }\n";
    const Finished f = s.run({"tune", file, "--budget", "5s,12", "--json"});
    INFO(f.error);
    REQUIRE(f.status == 0);
    const json r = json::parse(f.out);
    CHECK(r.at("certificate").at("violations").get<int>() > 0);
    CHECK(r.at("certificate").at("excluded") == 0);
    REQUIRE(r.contains("accused"));
    CHECK_THAT(r.at("accused").at(0).get<std::string>(),
               Contains("mine.cpp:5:20: flops 1e9*n*UNROLL would need") && Contains("flop/s"));
    CHECK_THAT(f.error, Contains("what is declared cannot be") && Contains("mine.cpp:5:20:"));
    std::string shown = run({program(), "results", "show", "run:1", "--results", s.results()}).out;
    std::replace(shown.begin(), shown.end(), '\n', ' ');
    CHECK_THAT(shown,
               Contains("Wrongly declared: mine.cpp:5:20:") && Contains("Mend what the source declares"));
}

TEST_CASE(
    "bytes beyond a cache: what check says, a bound of nothing else, and an accusation of the right line") {
    const OwnSession s;
    const std::string file = s.folder / "mine.c";
    const auto write = [&](const std::string& bytes, const std::string& marks) {
        std::ofstream(file) << "// rooftune: size n = 1e6\n// rooftune: in x f64[n]" << marks
                            << "\n// rooftune: out y f64[n]\n// rooftune: parameter SWEEPS 1 2\n"
                            << "// rooftune: reads_beyond(w) " << bytes << "\n// rooftune: call f(n, x, y)\n"
                            << "void f(long n, const double* x, double* y) {\n"
                               "    for (int s = 0; s < SWEEPS; ++s)\n"
                               "        for (long i = 0; i < n; ++i) y[i] = 2*x[i];\n}\n";
    };
    write("SWEEPS*(8*n - w)", "");
    const Finished checked = run({program(), "check", file, "--json"});
    INFO(checked.error);
    REQUIRE(checked.status == 0);
    const json beyond = json::parse(checked.out).at("beyond");
    CHECK(beyond.at("bytes_read").get<double>() == 8e6 - beyond.at("cache_bytes").get<double>());
    CHECK(beyond.at("bytes_written") == 0.0);
    CHECK_THAT(run({program(), "check", file}).out, Contains("beyond a cache of"));
    const Finished bound = run({program(), "bound", s.machine(), file, "--json"});
    INFO(bound.error);
    REQUIRE(bound.status == 0);
    CHECK(json::parse(bound.out).at("seconds_lower").get<double>() > 0.0);
    // Nobody reads a thousand times as much as there is.
    write("8e12 - w", " all");
    const Finished f = s.run({"tune", file, "--budget", "5s,12", "--json"});
    INFO(f.error);
    REQUIRE(f.status == 0);
    const json r = json::parse(f.out);
    CHECK(r.at("certificate").at("excluded") == 0);
    REQUIRE(r.contains("accused"));
    CHECK_THAT(r.at("accused").at(0).get<std::string>(),
               Contains("mine.c:5:30: reads_beyond(w) 8e12 - w would need"));
}

TEST_CASE("a source that is not there: where an example comes from, status 2") {
    const OwnSession s;
    for (const char* name : {"mine.cpp", "mine.cl"}) {
        const std::string file = s.folder / name;
        const Finished f = s.run({"tune", file, "n=100"});
        CHECK(f.status == 2);
        CHECK_THAT(f.told(),
                   Contains(file + ": cannot be opened") && Contains("`rooftune new " + file + "`"));
        // And it does write one there.
        CHECK(run({program(), "new", file}).status == 0);
    }
    // Of C there is no example.
    const Finished c = s.run({"tune", s.folder / "mine.c", "n=100"});
    CHECK(c.status == 2);
    CHECK_THAT(c.told(), Contains("cannot be opened") && !Contains("rooftune new"));
}

TEST_CASE(
    "a C kernel that takes another type of array does not compile, and a macro that nothing names is told") {
    const OwnSession s;
    const std::string file = s.folder / "copy.c";
    std::ofstream(s.folder / "more.h") << "#define STEP UNROLL\n";
    const auto check = [&](const std::string& element, const std::string& call) {
        std::ofstream(file) << "// rooftune: size n = 64\n// rooftune: in x " << element
                            << "[n] all\n// rooftune: out y f64[n] all\n// rooftune: parameter UNROLL 1 2\n"
                               "// rooftune: parameter NOWHERE 1 2\n// rooftune: call "
                            << call
                            << "\n#include \"more.h\"\n"
                               "void copy(long n, const float* x, double* y) {\n"
                               "    for (long i = 0; i < n; ++i) y[i] = x[i] * STEP;\n}\n";
        return run({program(), "check", file});
    };
    const Finished right = check("f32", "copy(n, x, y)");
    INFO(right.out << right.error);
    CHECK(right.status == 0);
    CHECK_THAT(right.out, Contains("the parameter NOWHERE is the macro NOWHERE, which stands nowhere") &&
                              !Contains("the parameter UNROLL is"));
    const Finished wrong = check("f64", "copy(n, x, y)");
    CHECK(wrong.status == 1);
    CHECK_THAT(wrong.out + wrong.error, Contains("copy.c:6") && Contains("incompatible"));
    CHECK(check("f64", "copy(n, (const float*)x, y)").status == 0);
}

TEST_CASE("without a compiler: what to install, status 3") {
    const OwnSession s;
    const std::string path = getenv("PATH");
    setenv("PATH", (s.folder / "").c_str(), 1);
    const Finished f = run({program(), "check", "tests/examples/kernels/axpy.c"});
    setenv("PATH", path.c_str(), 1);
    CHECK(f.status == 3);
    CHECK_THAT(f.error, Contains("there is no compiler for C here; install one"));
}
