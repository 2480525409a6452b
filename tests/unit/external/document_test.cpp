// JSON documents of kernels: the same declaration as the annotations that they stand for, whoever reads it.
#include "tuner/external/kernel_document.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"
#include "tests/support/catch.h"
#include "tests/support/schema_check.h"
#include "tests/unit/formats/temporary_folder.h"
#include "tuner/base/text_file.h"
#include "tuner/external/declared_space.h"
#include "tuner/external/declared_work.h"
#include "tuner/external/problem.h"
#include "tuner/external/wrapped_source.h"
#include "tuner/formats/strict_json.h"

using namespace rooftune;
using namespace rooftune::external;
using Catch::Contains;

namespace {

constexpr double kMemory = 1e12;
constexpr const char* kPlainBody =
    "void f(long n, double a, const double* x, double* y) { for (long i = 0; i < n; ++i) y[i] = a * x[i]; "
    "}\n";

// A document that says everything, and the annotations that say the same.
constexpr const char* kDocument = R"doc({
  "schema": "rooftune/kernel/1",
  "source": "mine.c",
  "sizes": {"n": 64, "m": "2*n"},
  "reals": {"a": 2.5},
  "arrays": {
    "x": {"direction": "in", "type": "f64", "count": "n", "all": true, "values": "i % 7"},
    "y": {"direction": "out", "type": "f64", "count": "n"}
  },
  "parameters": {
    "T": [1, 2, 4],
    "R": "8:32:x2",
    "OPT": {"kind": "flag", "values": ["-O2", "-O3 -march=native", ""], "when": "T > 1"},
    "threads": [1, "all"]
  },
  "where": ["T <= R", "R < n"],
  "flops": "2*n", "reads": 8, "writes": "8*n", "chain": "n/T", "arithmetic": "f64",
  "reads_beyond": {"w": "8*n - w"}, "writes_beyond": {"c": 0},
  "tolerance": 1e-6,
  "call": "f(n, a, x, y)", "reference": "f(n, a, x, y)",
  "flags": ["-fno-math-errno", "-DNAME='a b' -ffast-math"], "compiler": "gcc"
})doc";
const std::vector<std::string> kAnnotations{"size n = 64",
                                            "size m = 2*n",
                                            "real a = 2.5",
                                            "in x f64[n] all = i % 7",
                                            "out y f64[n]",
                                            "parameter T 1 2 4",
                                            "parameter R 8:32:x2",
                                            "parameter OPT -O2 \"-O3 -march=native\" \"\" (flag) when T > 1",
                                            "parameter threads 1 all",
                                            "where T <= R",
                                            "where R < n",
                                            "flops 2*n",
                                            "reads 8",
                                            "writes 8*n",
                                            "tolerance 1e-06",
                                            "reads_beyond(w) 8*n - w",
                                            "writes_beyond(c) 0",
                                            "arithmetic f64",
                                            "chain n/T",
                                            "call f(n, a, x, y)",
                                            "reference f(n, a, x, y)",
                                            "compiler gcc",
                                            "flags -fno-math-errno \"-DNAME=a b\" -ffast-math"};

class Documents {
public:
    Documents() { write("mine.c", kPlainBody); }
    std::string write(const std::string& name, const std::string& text) {
        folder_.write(name, text);
        return folder_ / name;
    }
    // The document with some keys in place of its own; null takes one out.
    std::string changed(const std::string& patch) {
        Json document = Json::parse(kDocument);
        document.merge_patch(Json::parse(patch));
        return write("mine.json", document.dump());
    }
    KernelDocument read(const std::string& patch = "{}") { return kernel_document(changed(patch)); }
    std::string refused(const std::string& patch) {
        try {
            ExternalProblem::load({{"source", changed(patch)}}, kMemory);
        } catch (const InputError& error) {
            std::string text = error.what();
            const std::string there = folder_ / "";
            for (std::size_t at = text.find(there); at != std::string::npos; at = text.find(there))
                text.erase(at, there.size());
            return text;
        }
        return "nothing";
    }
    std::string path(const std::string& name) const { return folder_ / name; }

private:
    test::TemporaryFolder folder_;
};

std::vector<std::string> texts_of_lines(const std::vector<Text>& lines) {
    std::vector<std::string> all;
    for (const Text& line : lines) all.push_back(line.text);
    return all;
}

std::string annotated(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += "// rooftune: " + line + "\n";
    return text + kPlainBody;
}

}  // namespace

TEST_CASE("a document's keys are the annotations that they stand for, each with its place") {
    Documents documents;
    const KernelDocument d = documents.read();
    CHECK(texts_of_lines(d.lines) == kAnnotations);
    CHECK(d.language == Language::c);
    CHECK(d.source == documents.path("mine.c"));
    CHECK(d.lines[3].flag == documents.path("mine.json") + ": at /arrays/x");
    CHECK(d.lines[10].flag == documents.path("mine.json") + ": at /where/1");
    CHECK(test::SchemaCheck("configs/schema").faults(Json::parse(kDocument), "kernel.schema.json").empty());
}

TEST_CASE("flags with blanks are several, each of which is looked at by itself") {
    Documents documents;
    const auto flags = [&](const std::string& list) {
        std::vector<std::string> words;
        const auto problem =
            ExternalProblem::load({{"source", documents.changed(R"({"flags": )" + list + "}")}}, kMemory);
        for (const Text& flag : problem->instance().declaration.flags) words.push_back(flag.text);
        return words;
    };
    CHECK(flags(R"(["-O3 -ffast-math", " -DA=\"x y\" ", "", "-DF(x)=x<1"])") ==
          std::vector<std::string>{"-O3", "-ffast-math", "-DA=x y", "-DF(x)=x<1"});
    CHECK_THAT(documents.refused(R"({"flags": ["-O3 '-DA=x"]})"),
               Contains("mine.json: at /flags '-O3 '-DA=x': the quote ' is not closed"));
}

TEST_CASE("a kernel is the same problem, whether its annotations or a document describe it") {
    Documents documents;
    const auto by_document =
        ExternalProblem::load({{"source", documents.changed("{}")}, {"n", "32"}}, kMemory);
    const auto by_source = ExternalProblem::load(
        {{"source", documents.write("annotated.c", annotated(kAnnotations))}, {"n", "32"}}, kMemory);
    CHECK(by_document->facts() == by_source->facts());
    CHECK(by_document->flops_nominal() == by_source->flops_nominal());
    CHECK(by_document->title() == "mine.c n=32,m=64,a=2.5");
    // Another document may describe another function of the same source.
    const std::string second = documents.path("second.json");
    std::filesystem::copy_file(documents.path("mine.json"), second);
    const auto by_second = ExternalProblem::load({{"source", second}, {"n", "32"}}, kMemory);
    CHECK(by_second->title() == "mine.c second n=32,m=64,a=2.5");
    // A compiler's message about the call names the document.
    const std::string wrapped =
        wrapped_source(by_document->instance(), by_document->instance().declaration.call);
    CHECK_THAT(wrapped, Contains("#line 1 \"mine.c\"\nvoid f(") &&
                            Contains("#line 1 \"" + documents.path("mine.json") + ": at /call\"\n"));
    // What tells it again, and where a worker gets it from.
    const ProblemSpec spec = by_document->spec();
    CHECK(spec.at("source") == documents.path("mine.json"));
    CHECK(spec.at("n") == "32");
    CHECK(ExternalProblem::load(spec, kMemory)->digest() == by_document->digest());
    const auto shared = ExternalProblem::from_shared(by_document->shared(), kMemory);
    CHECK(shared->digest() == by_document->digest());
    CHECK(shared->spec() == spec);
    CHECK(shared->instance().declaration.parameters.size() == 4);
    // Another declaration of the same source is another problem.
    const auto other =
        ExternalProblem::load({{"source", documents.changed(R"({"flops": "3*n"})")}, {"n", "32"}}, kMemory);
    CHECK(other->digest() != by_document->digest());
}

TEST_CASE("a macro that is named threads counts none, and comes in its order") {
    Documents documents;
    const auto problem = ExternalProblem::load(
        {{"source",
          documents.changed(R"({"parameters": {"threads": {"values": [64, 256, 128], "kind": "macro"}}})")}},
        kMemory);
    const Instance& instance = problem->instance();
    Target target;
    target.threads = 2;
    const Space space = make_space(instance, target);
    const Variant first = first_variant(instance, space);
    CHECK(space.to_map(first).at("threads") == "64");
    CHECK(threads_of(instance, space, first, target.threads) == 1);
    const auto model = make_work_model(instance, space, target, State::warm);
    CHECK(model->traits(first).threads == 1);
}

TEST_CASE("an object of a job file is named by its pointer") {
    Documents documents;
    const std::string job = documents.write(
        "job.json", R"({"kernels": {"mine/it": )" + std::string(kDocument) + "}, \"problems\": []}");
    const std::string reference = job + "#/kernels/mine~1it";
    REQUIRE(names_document(reference));
    CHECK(texts_of_lines(kernel_document(reference).lines) == kAnnotations);
    CHECK(kernel_document(reference).reference == reference);
    CHECK_THAT(kernel_document(reference).lines[0].flag, Contains(": at /kernels/mine~1it/sizes/n"));
    CHECK_THROWS_WITH(kernel_document(job + "#/kernels/other"),
                      Contains("there is nothing at /kernels/other"));
    // Of an object whose name is that of a file.
    const std::string named = documents.write(
        "named.json", R"({"kernels": {"it.json": )" + std::string(kDocument) + "}, \"problems\": []}");
    CHECK(texts_of_lines(kernel_document(named + "#/kernels/it.json").lines) == kAnnotations);
    CHECK_FALSE(names_document("mine.c"));
    CHECK_FALSE(names_document("mine.jsonl"));
    CHECK_FALSE(names_document(".json"));
}

TEST_CASE("a document adds to the annotations of its source; what both say is refused") {
    Documents documents;
    documents.write("mine.c", annotated({"size n = 64", "real a = 1", "in x f64[n] all", "out y f64[n] all",
                                         "call f(n, a, x, y)"}));
    const std::string rest = R"("sizes": null, "reals": null, "arrays": null, "call": null, "where": null)";
    const auto problem = ExternalProblem::load({{"source", documents.changed("{" + rest + "}")}}, kMemory);
    const Declaration& d = problem->instance().declaration;
    CHECK(d.parameters.size() == 4);
    CHECK(d.arrays.size() == 2);
    CHECK(d.call.line == 5);
    CHECK_THAT(documents.refused(R"({"sizes": null, "reals": null, "arrays": null, "where": null})"),
               Contains("mine.json: at /call: 'call' is said already, mine.c:5:19; leave one of them out"));
    CHECK_THAT(documents.refused(R"({"arrays": null, "call": null, "where": null, "reals": null})"),
               Contains("mine.json: at /sizes/n: 'n' is declared already, mine.c:1:19"));
}

TEST_CASE("a program in a document: the description's lines, run in the document's folder") {
    Documents documents;
    const std::string file = documents.write("bench.json", R"({
      "schema": "rooftune/kernel/1", "command": "/bin/echo {n} {tile}", "sizes": {"n": 64},
      "parameters": {"tile": [1, 2], "OMP_SCHEDULE": {"values": ["static", "dynamic,16"], "kind": "environment"}},
      "where": "tile <= n", "time": "printed"})");
    const auto problem = ExternalProblem::load({{"source", file}}, kMemory);
    CHECK(problem->title() == "bench.json n=64");
    CHECK(problem->instance().declaration.language == Language::program);
    CHECK(problem->instance().folder + "/" == documents.path(""));
    const auto shared = ExternalProblem::from_shared(problem->shared(), kMemory);
    CHECK(shared->digest() == problem->digest());
    CHECK(shared->spec() == problem->spec());
    CHECK(shared->spec().at("source") == file);
}

TEST_CASE("files that a document names lie beside it, wherever the source is") {
    Documents documents;
    std::filesystem::create_directories(documents.path("src"));
    documents.write("src/mine.c", kPlainBody);
    const KernelDocument d = documents.read(
        R"({"source": "src/mine.c", "arrays": {"x": {"values": null, "file": "x.npy"}},
            "matrices": {"A": {"file": "a b.mtx", "type": "f32", "all": true}, "B": "b.mtx"}})");
    CHECK(d.lines[0].text == "matrix A \"../a b.mtx\" f32 all");
    CHECK(d.lines[1].text == "matrix B ../b.mtx");
    CHECK_THAT(texts_of_lines(d.lines)[5], Contains("in x f64[n] all = file ../x.npy"));
}

TEST_CASE("the example's document fits the schema, and wrong ones do not") {
    test::SchemaCheck check("configs/schema");
    const Json good = parse_json(read_text_file("tests/examples/documents/untouched_axpy.json"), "axpy.json");
    CHECK(check.faults(good, "kernel.schema.json").empty());
    Json bad = good;
    bad["parameters"]["UNROLL"] = true;
    CHECK_FALSE(check.faults(bad, "kernel.schema.json").empty());
    const Json job = Json::parse(
        R"({"schema": "rooftune/job/1", "kernels": {"k": {"source": "mine.c"}}, "problems": [
             {"kernel": "k", "problem": {"n": "5"}}, {"kernel": {"source": "mine.c"}}]})");
    CHECK(check.faults(job, "job.schema.json").empty());
    CHECK_FALSE(check
                    .faults(Json::parse(R"({"schema": "rooftune/job/1", "problems": [{"budget": "5"}]})"),
                            "job.schema.json")
                    .empty());
}
