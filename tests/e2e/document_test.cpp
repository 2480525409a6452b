// Kernels that JSON documents describe, from outside: a source that nobody may touch, and jobs of several
// sizes are tuned as annotated sources are, and every command takes their configs.
#include <fstream>

#include "tests/support/results.h"
#include "tests/support/session.h"

using namespace rooftune;
using namespace rooftune::test;
using Catch::Contains;
using nlohmann::json;

namespace {

constexpr const char* kDocuments = "tests/examples/documents/";

class DocumentSession : public Session {
public:
    DocumentSession() { setenv("ROOFTUNE_KERNEL_CACHE", (folder / "objects").c_str(), 1); }
    ~DocumentSession() { unsetenv("ROOFTUNE_KERNEL_CACHE"); }

    json tuned(std::vector<std::string> words) const {
        words.insert(words.begin(), "tune");
        words.emplace_back("--json");
        const Finished f = run(words);
        INFO(f.error);
        REQUIRE(f.status == 0);
        return json::parse(f.out);
    }
};

}  // namespace

TEST_CASE("a source that stays as it is, described beside it: tuned, run, verified, and its flags told") {
    const DocumentSession s;
    const std::string document = std::string(kDocuments) + "untouched_axpy.json";
    const json r = s.tuned({document, "n=20000", "--budget", "5s,10"});
    check_result(r);
    INFO(r.dump());
    CHECK(r.at("title") == "untouched_axpy.c n=20000,a=2.5");
    CHECK(r.at("problem").at("n") == "20000");
    CHECK_THAT(r.at("problem").at("source").get<std::string>(), Contains("untouched_axpy.json"));
    CHECK(r.at("flops_nominal") == 40000.0);
    CHECK(r.at("certificate").at("violations") == 0);
    const std::string config = r.at("files").at("config");
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"run", config, "--results", s.results()},
          {"verify", "--quick", config, "--machine", s.machine()},
          {"explain", config},
          {"bound", s.machine(), document, "n=20000"},
          {"list", "parameters", document},
          {"tune", document, "--dry-run", "--machine", s.machine(), "--results", s.results()}}) {
        std::vector<std::string> all = words;
        all.insert(all.begin(), program());
        const Finished f = run(all);
        INFO(words.front() << ": " << f.out << f.error);
        CHECK(f.status == 0);
    }
    const Finished flags = run({program(), "flags", config});
    CHECK(flags.status == 0);
    CHECK_THAT(flags.out, Contains("-fno-math-errno -DUNROLL="));
}

TEST_CASE("a job with a kernel of its own at several sizes: each is tuned, and check says what all are") {
    const DocumentSession s;
    std::ofstream(s.folder / "mine.c") << "void f(long n, double* y) { for (long i = 0; i < n; i += STEP) "
                                          "for (long k = i; k < i + STEP && k < n; "
                                          "++k) y[k] = 2 * y[k]; }\n";
    const std::string job = s.folder / "job.json";
    std::ofstream(job) << R"doc({
      "schema": "rooftune/job/1",
      "kernels": {"twice": {"source": "mine.c", "sizes": {"n": 100}, "parameters": {"STEP": [1, 4]},
        "arrays": {"y": {"direction": "inout", "type": "f64", "count": "n", "all": true, "values": 0}},
        "flops": "n", "call": "f(n, y)"},
        "once.json": {"source": "mine.c", "parameters": {"STEP": 1}, "sizes": {"n": 10}, "call": "f(n, y)",
        "arrays": {"y": {"direction": "inout", "type": "f64", "count": "n", "values": 0}}}},
      "problems": [
        {"kernel": "twice", "problem": {"n": "4000"}, "budget": "4"},
        {"kernel": "twice", "problem": {"n": "8000"}, "budget": "4"}
      ]
    })doc";
    const Finished checked = run({program(), "check", job});
    INFO(checked.error);
    CHECK(checked.status == 0);
    CHECK_THAT(checked.out,
               Contains("mine.c twice n=4000, called as `f(n, y)`.") && Contains("mine.c twice n=8000"));
    const Finished as_json = run({program(), "check", job, "--json"});
    REQUIRE(as_json.status == 0);
    const json all = json::parse(as_json.out);
    REQUIRE(all.size() == 2);
    for (const json& one : all) CHECK(one.at("source") == job + "#/kernels/twice");
    const json r = s.tuned({"--job", job});
    INFO(r.dump());
    const json& results = r.contains("results") ? r.at("results") : r.at("problems");
    REQUIRE(results.size() == 2);
    CHECK(results[0].at("title") != results[1].at("title"));
    for (const json& one : results) {
        CHECK_THAT(one.at("problem").at("source").get<std::string>(), Contains("job.json#/kernels/twice"));
        CHECK(one.at("best").contains("seconds"));
    }
    // By the same name, one of them alone.
    CHECK(run({program(), "check", job + "#/kernels/twice", "n=50"}).status == 0);
    CHECK(run({program(), "check", job + "#/kernels/once.json"}).status == 0);
}
