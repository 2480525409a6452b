// `rooftune bound` through the program: the golden values of the roofline literature, read from its JSON.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/support/schema_check.h"
#include "tests/support/session.h"
#include "tests/unit/chart/svg_bounds.h"
#include "tuner/base/si.h"

using namespace rooftune;
using namespace rooftune::test;

namespace {

Finished bound_of(const std::vector<std::string>& words) {
    std::vector<std::string> all{program(), "bound"};
    all.insert(all.end(), words.begin(), words.end());
    return run(all);
}

std::string text_of(const std::vector<std::string>& words) {
    std::string text = "rooftune bound";
    for (const std::string& word : words) text += " " + word;
    return text;
}

// The document of one call, which fits its schema.
Json answer(std::vector<std::string> words) {
    words.emplace_back("--json");
    const Finished f = bound_of(words);
    INFO(text_of(words) << "\n" << f.error << f.out);
    REQUIRE(f.status == 0);
    const Json document = Json::parse(f.out);
    const std::vector<std::string> faults =
        SchemaCheck("configs/schema").faults(document, "bound.schema.json");
    CHECK((faults.empty() ? std::string() : faults.front()) == "");
    return document;
}

double solved(const std::vector<std::string>& words) {
    const Json document = answer(words);
    INFO(text_of(words));
    REQUIRE(document.contains("solve"));
    REQUIRE(document["solve"]["value"].is_number());
    CHECK(document["solve"]["compute_bound_above"] == true);
    return document["solve"]["value"].get<double>();
}

double number(const std::vector<std::string>& words, const char* key) {
    return answer(words).at(key).get<double>();
}

std::string on_one_line(std::string text) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

bool within(double value, double expected, double half_digit) {
    return std::abs(value - expected) <= half_digit * 1.0001;
}

std::string complaint(const std::vector<std::string>& words) {
    const Finished f = bound_of(words);
    INFO(text_of(words) << "\n" << f.out);
    CHECK(f.status == 2);
    CHECK(f.out.empty());
    return f.told();
}

}  // namespace

TEST_CASE("bound: critical batches on TPU v5e, to the digits given") {
    const std::string m = "tpu-v5e";
    CHECK(within(solved({m, "matmul", "n=4096,k=4096,dtype=bf16", "--solve", "m"}), 272.17, 0.005));
    CHECK(within(solved({m, "matmul", "n=1024,k=1024,dtype=bf16", "--solve", "m"}), 452.6, 0.05));
    CHECK(within(solved({m, "matmul", "n=8192,k=8192,dtype=bf16", "--solve", "m"}), 255.2, 0.05));
    CHECK(within(solved({m, "matmul", "n=4096,k=4096,dtype=bf16,weights=int8", "--solve", "m"}), 136.09,
                 0.005));
    CHECK(within(solved({m, "matmul", "n=1024,k=1024,dtype=bf16,weights=int8", "--solve", "m"}), 226.31,
                 0.005));
    CHECK(
        within(solved({m, "matmul", "n=1e12,k=1e12,dtype=bf16,weights=int8", "--solve", "m"}), 120.1, 0.05));
    CHECK(within(solved({m, "matmul", "n=1e12,k=1e12,dtype=bf16", "--solve", "m"}), 240.2, 0.05));
    CHECK(within(number({m, "matmul", "m=1,n=1,k=1,dtype=bf16"}, "ridge"), 240.24, 0.005));
    const Finished f = bound_of({m, "matmul", "n=4096,k=4096,dtype=bf16", "--solve", "m", "--json"});
    CHECK(f.out.find("272.17") != std::string::npos);
    CHECK(f.out.find("compute bound for m > 272.17") != std::string::npos);
}

TEST_CASE("bound: another bandwidth by --set, visibly") {
    const std::vector<std::string> words{"tpu-v5e", "matmul", "n=1e12,k=1e12,dtype=int8", "--solve",
                                         "m",       "--set",  "memory.bandwidth=8.1e11"};
    const Json a = answer(words);
    CHECK(within(a["ridge"].get<double>(), 486.4, 0.05));
    CHECK(within(a["solve"]["value"].get<double>(), 243.2, 0.05));
    REQUIRE(a["set"].size() == 1);
    CHECK(a["set"][0]["path"] == "memory.bandwidth");
    CHECK(a["set"][0]["value"] == 8.1e11);
    CHECK(a["set"][0]["was"] == 8.2e11);
    CHECK(a["set"][0]["source"].get<std::string>().find("Scale Your Model") != std::string::npos);
    const Finished text = bound_of(words);
    CHECK(text.out.find("with memory.bandwidth = 810 GB/s in place of 820 GB/s (How to Scale") !=
          std::string::npos);
}

TEST_CASE("bound: H100 with the dense peak as stated and rounded") {
    const std::vector<std::string> words{"h100-sxm", "matmul", "m=1,n=1,k=1,dtype=bf16", "--set"};
    const auto ridge = [&](const char* peak) {
        std::vector<std::string> all = words;
        all.emplace_back(peak);
        return number(all, "ridge");
    };
    CHECK(within(ridge("peak=1e15"), 298.5, 0.05));
    CHECK(within(ridge("peak=9.895e14"), 295.4, 0.05));
    CHECK(within(
        solved({"h100-sxm", "matmul", "n=1e12,k=1e12,dtype=bf16", "--solve", "m", "--set", "peak=1e15"}),
        298.5, 0.05));
    CHECK(number({"h100-sxm", "matmul", "m=1,n=1,k=1,dtype=bf16,sparse=1"}, "peak") == 1.979e15);
}

TEST_CASE("bound: the type that a preset takes by default is named in the first sentence") {
    const std::vector<std::string> words{"h100-sxm", "matmul", "m=64,n=64,k=64"};
    CHECK(bound_of(words).out.starts_with("matmul 64 × 64 × 64, bf16 by default on NVIDIA H100"));
    CHECK(bound_of({"h100-sxm", "work", "flops=1e12"}).out.find("byte, bf16 by default on") !=
          std::string::npos);
    CHECK(answer(words)["workload"]["dtype_by_default"] == true);
    CHECK(bound_of({"h100-sxm", "matmul", "m=64,n=64,k=64,dtype=f64"}).out.find("by default") ==
          std::string::npos);
}

TEST_CASE("bound: plain work takes a millisecond on either chip") {
    for (const char* work : {"flops=1e12", "flops=1e12,dtype=bf16"}) {
        CHECK(within(1e3 * number({"h100-sxm", "work", work}, "seconds_lower"), 1.011, 0.0005));
        CHECK(within(1e3 * number({"tpu-v6e", "work", work}, "seconds_lower"), 1.099, 0.0005));
    }
}

TEST_CASE("bound: two chips that share the contraction are bound by their link") {
    const Json a = answer({"tpu-v5e", "matmul", "m=8192,n=8192,dtype=bf16,links=2,shard=k", "--solve", "k"});
    CHECK(within(a["solve"]["value"].get<double>(), 8755.6, 0.05));
    CHECK(a["solve"]["text"] == "compute bound for k > 8755.6");
    CHECK(a["workload"]["devices"] == 2.0);
    const double other =
        solved({"tpu-v5e", "matmul", "m=1000,n=20000,dtype=bf16,links=2,shard=k", "--solve", "k"});
    CHECK(within(other, 8755.6, 0.05));
}

TEST_CASE("bound: ridges of graphics processors and of a vector unit") {
    CHECK(within(number({"m2-ultra", "elementwise", "n=1e6"}, "ridge"), 34.0, 0.05));
    CHECK(within(number({"m1-max", "elementwise", "n=1e6"}, "ridge"), 26.0, 0.05));
    CHECK(within(number({"tpu-v5p", "elementwise", "n=1e6,unit=vector"}, "ridge"), 3.0, 0.5));
    CHECK(answer({"tpu-v5p", "elementwise", "n=1e6,unit=vector"})["workload"]["dtype"] == "f32");
}

TEST_CASE("bound: LBMHD and the four machines of the first roofline study") {
    const Json a = answer({"opteron-2356", "lbmhd"});
    CHECK(within(a["intensity"].get<double>(), 1.069, 0.0005));
    CHECK(within(a["intensity_low"].get<double>(), 0.703, 0.0005));
    const auto peak = [](const char* machine, const char* dtype) {
        return number({machine, "work", std::string("flops=1e12,dtype=") + dtype}, "peak") * 1e-9;
    };
    CHECK(within(peak("opteron-2356", "f64"), 73.6, 0.05));
    CHECK(within(peak("xeon-e5345", "f64"), 74.6, 0.05));
    CHECK(within(peak("t5140", "f64"), 18.7, 0.05));
    CHECK(within(peak("qs20", "f64"), 29.3, 0.05));
    CHECK(within(peak("opteron-2356", "f32"), 147.2, 0.05));
    CHECK(within(peak("xeon-e5345", "f32"), 149.1, 0.05));
    CHECK(within(peak("t5140", "f32"), 18.7, 0.05));
    CHECK(within(peak("qs20", "f32"), 409.6, 0.05));
}

TEST_CASE("bound: an answer adds up") {
    const Json a = answer({"tpu-v5e", "matmul", "m=240", "n=4096,k=4096", "dtype=bf16"});
    CHECK(a["binding"] == "both");
    CHECK(a["seconds_lower"] == a["terms"][0]["seconds"]);
    double compute = 0.0, traffic = 0.0;
    for (const Json& term : a["terms"]) {
        CHECK(term["seconds"].get<double>() ==
              Approx(term["amount"].get<double>() / term["rate"].get<double>()));
        CHECK(term["source"].get<std::string>().size() > 10);
        double& part = term["kind"] == "compute" ? compute : traffic;
        part = std::max(part, term["seconds"].get<double>());
    }
    CHECK(a["seconds_serial"].get<double>() == Approx(compute + traffic));
    CHECK(a["attainable"].get<double>() ==
          Approx(a["workload"]["flops"].get<double>() / a["seconds_lower"].get<double>()));
    CHECK(a["intensity"].get<double>() * a["bandwidth"].get<double>() ==
          Approx(a["attainable"].get<double>()));
    CHECK(a["memory_share"].get<double>() < 0.01);
}

TEST_CASE("bound: what does not fit into memory is said") {
    const std::vector<std::string> words{"tpu-v5e", "matmul", "m=4e6,n=4e6,k=4096,dtype=bf16"};
    CHECK(answer(words)["memory_share"].get<double>() > 1.0);
    const Finished f = bound_of(words);
    CHECK(f.out.find("does not fit") != std::string::npos);
}

TEST_CASE("bound: where nothing crosses, the side that binds everywhere is named") {
    const Json a = answer({"tpu-v5e", "batched_matmul", "d=4096,f=4096,dtype=int8", "--solve", "b"});
    CHECK(a["solve"]["value"].is_null());
    CHECK(a["solve"]["text"] == "memory bound for every b");
}

TEST_CASE("bound: a sweep has both ends, every factor between, and its plot") {
    const TemporaryFolder folder;
    const std::string plot = folder / "sweep.svg";
    const Json a =
        answer({"tpu-v5e", "matmul", "n=4096,k=4096,dtype=bf16", "--sweep", "m=1:1000:x2", "--plot", plot});
    REQUIRE(a["sweep"].size() == 11);
    CHECK(a["sweep"][0]["value"] == 1.0);
    CHECK(a["sweep"][9]["value"] == 512.0);
    CHECK(a["sweep"][10]["value"] == 1000.0);
    CHECK(a["sweep"][0]["binding"] == "both");
    CHECK(a["sweep"][10]["binding"] == "compute");
    CHECK(a["sweep"][10]["attainable"].get<double>() == Approx(1.97e14));
    for (std::size_t i = 1; i < a["sweep"].size(); ++i) {
        CHECK(a["sweep"][i]["attainable"].get<double>() >= a["sweep"][i - 1]["attainable"].get<double>());
    }
    const std::string svg = contents(plot);
    CHECK(svg.find("<svg") != std::string::npos);
    CHECK(first_outside(svg) == "");
    CHECK(svg.find("m = 272.17") != std::string::npos);
    CHECK(svg.find("nan") == std::string::npos);
    CHECK(answer({"tpu-v5e", "matmul", "n=64,k=64,dtype=bf16", "--sweep", "m=10:30:+10"})["sweep"].size() ==
          3);
    CHECK(answer({"tpu-v5e", "matmul", "n=64,k=64,dtype=bf16", "--sweep", "m=7:7:x2"})["sweep"].size() == 1);
}

TEST_CASE("bound: our own variants on a measured machine, and a matrix by its counts on a preset") {
    const Session s;
    const Json own = answer({s.machine(), "spmv", "gen=poisson7,nx=20"});
    REQUIRE(own.contains("problem_roof"));
    INFO(own["problem_roof"].dump());
    CHECK(own["problem_roof"]["variants"].get<int>() > 0);
    CHECK(own["problem_roof"]["seconds_lower"].get<double>() > 0.0);
    const Json preset = answer({"opteron-2356", "spmv", "gen=poisson7,nx=20"});
    CHECK_FALSE(preset.contains("problem_roof"));
    CHECK(preset["workload"]["flops"] == 2.0 * (7.0 * 8000.0 - 6.0 * 400.0));
    CHECK(preset["intensity"].get<double>() < 0.166);
}

TEST_CASE("bound: a machine with caches shows what each level must move") {
    const TemporaryFolder folder;
    Machine m = toy::machine();
    m.topology.caches = {{1, Bytes(32768.0), Bytes(32768.0), 1}, {2, Bytes(1048576.0), Bytes(1048576.0), 1}};
    for (Ceiling& c : m.ceilings) {
        if (c.resource == Resource::bandwidth)
            c.max = c.median = c.p95 = 1e12 / std::sqrt(c.when.footprint.value);
    }
    write_machine_file(folder / "caches.json", m);
    const Json a = answer({folder / "caches.json", "stencil", "nx=200"});
    REQUIRE(a.contains("levels"));
    REQUIRE(a["levels"].size() == 3);
    CHECK(a["levels"][0]["level"] == "L1");
    CHECK(a["levels"][2]["level"] == "memory");
    CHECK(a["levels"][2]["seconds"].get<double>() > 0.0);
    for (const Json& level : a["levels"]) {
        CHECK(level["seconds"].get<double>() <= a["seconds_lower"].get<double>() * (1.0 + 1e-9));
    }
    CHECK_FALSE(answer({"tpu-v5e", "elementwise", "n=1e6"}).contains("levels"));
    // The row that binds is there, with the time of the headline: one of the levels, or what binds besides.
    for (const std::vector<std::string>& words : {std::vector<std::string>{"stencil", "nx=200"},
                                                  {"matmul", "m=512,n=512,k=512"},
                                                  {"work", "flops=1e12"}}) {
        std::vector<std::string> all{folder / "caches.json"};
        all.insert(all.end(), words.begin(), words.end());
        setenv("COLUMNS", "400", 1);  // no row is folded
        const std::string time = format_seconds(number(all, "seconds_lower")), text = bound_of(all).out;
        unsetenv("COLUMNS");
        INFO(text);
        const std::size_t row = text.find("(binds)");
        REQUIRE(row != std::string::npos);
        CHECK(text.substr(row, text.find('\n', row) - row).find(" " + time + " ") != std::string::npos);
    }
    // Whose rate the row of memory has, and what no row can say.
    const std::string small = on_one_line(bound_of({folder / "caches.json", "matmul", "m=64,n=64,k=64"}).out);
    CHECK_THAT(small, Catch::Contains("Nothing must come from ") &&
                          Catch::Contains("memory: all may stay in L") && !Catch::Contains("Memory's row"));
    const std::string larger = on_one_line(bound_of({folder / "caches.json", "stencil", "nx=128"}).out);
    CHECK_THAT(larger, Catch::Contains("Memory's row is of what lies beyond 2 MiB, which takes longest"));
}

TEST_CASE("bound: a peak that nobody saw undisturbed is not called one that the machine does not have") {
    const TemporaryFolder folder;
    Machine m;
    m.id = m.name = "busy";
    m.topology.threads = 2;
    m.topology.source = "probe";
    for (const int threads : {1, 2}) {
        Ceiling c;
        c.resource = Resource::compute;
        c.when.dtype = DType::f64;
        c.when.threads = threads;
        c.max = 1e10 * threads;
        c.undisturbed = 0;
        m.ceilings.push_back(c);
    }
    write_machine_file(folder / "busy.json", m);
    const Finished f = bound_of({folder / "busy.json", "matmul", "m=8,n=8,k=8"});
    INFO(f.error);
    CHECK(f.status == 3);
    CHECK(f.told().find("the peak of f64 arithmetic of busy is not known: other processes ran "
                        "whenever it was probed") != std::string::npos);
    // What is known of the memory bounds it all the same.
    for (const Ceiling& c : toy::machine().ceilings) {
        if (c.resource == Resource::bandwidth) m.ceilings.push_back(c);
    }
    write_machine_file(folder / "walked.json", m);
    const Finished walked = bound_of({folder / "walked.json", "dot", "n=1e6"});
    INFO(walked.error);
    CHECK(walked.status == 0);
    CHECK_THAT(on_one_line(walked.out),
               Catch::Contains("The peak of f64 arithmetic is not known, since other processes "
                               "ran whenever it was probed: the bound leaves arithmetic out.") &&
                   !Catch::Contains("of the peak"));
    CHECK(answer({folder / "walked.json", "dot", "n=1e6"})["peak"].is_null());
    CHECK(bound_of({folder / "walked.json", "dot", "--solve", "n"}).status == 3);
    // The host's peak is another than the machine's: what the message advises is possible and helps.
    std::vector<std::string> words{"h100-sxm", "dot", "n=1e6,dtype=f64", "--host", folder / "walked.json"};
    const Finished sent = bound_of(words);
    CHECK(sent.status == 3);
    CHECK_THAT(sent.told(), Catch::Contains("give it by --set host.peak.f64=…"));
    words.insert(words.end(), {"--set", "host.peak.f64=1e11"});
    const Json helped = answer(words);
    REQUIRE(helped.at("set").size() == 1);
    CHECK(helped.at("set")[0].at("path") == "host.peak.f64");
    CHECK(helped.at("offload").at("seconds_on_host").get<double>() > 0.0);
}

TEST_CASE("bound: values of the host need one, and messages name them as they were given") {
    CHECK_THAT(complaint({"h100-sxm", "dot", "n=1e6,dtype=f64", "--set", "host.peak.f64=1e11"}),
               Catch::Contains("--set host.peak.f64=1e11: there is no host"));
    CHECK_THAT(
        complaint({"h100-sxm", "dot", "n=1e6,dtype=f64", "--host", "xeon-e5345", "--set", "host.paek=1e11"}),
        Catch::Contains("--set host.paek=1e11: there is no value"));
}

TEST_CASE("bound: keys that tune takes and that change no work are taken, and said") {
    const std::vector<std::string> plain{"h100-sxm", "matmul", "m=200,n=30,k=600,dtype=f64"};
    const std::vector<std::string> stored{"h100-sxm", "matmul", "m=200,n=30,k=600,transa=yes,dtype=f64"};
    CHECK(answer(stored).at("seconds_lower") == answer(plain).at("seconds_lower"));
    CHECK(answer(stored).at("workload").at("spec").at("transa") == "yes");
    CHECK_THAT(on_one_line(bound_of(stored).out),
               Catch::Contains("transa=yes does not change the least work, and so not the bound"));
    setenv("COLUMNS", "400", 1);  // no line is wrapped
    CHECK_THAT(on_one_line(bound_of({"h100-sxm", "matmul", "m=200,n=30,k=600,beta=1,transb=no"}).out),
               Catch::Contains("transb=no does not change the least work") &&
                   Catch::Contains("beta=1 means more work, which the bound leaves out"));
    CHECK_THAT(on_one_line(bound_of({"h100-sxm", "stencil", "nx=64,boundary=periodic"}).out),
               Catch::Contains("boundary=periodic does not change the least work"));
    unsetenv("COLUMNS");
    CHECK_THAT(complaint({"h100-sxm", "matmul", "m=200,n=30,k=600,transa=maybe"}),
               Catch::Contains("transa=maybe is neither yes nor no"));
    CHECK_THAT(complaint({"h100-sxm", "matmul", "m=200,n=30,k=600,tansa=yes"}),
               Catch::Contains("unknown key 'tansa'"));
    const Session s;
    const Json own = answer({s.machine(), "matmul", "m=64,n=64,k=64,transa=yes"});
    REQUIRE(own.contains("problem_roof"));
    CHECK_FALSE(own.at("problem_roof").contains("why_not"));
}

TEST_CASE("bound: what a source declares, on any machine and over its sizes") {
    const std::string kernels = "tests/examples/kernels/";
    const Json n_body = answer({"h100-sxm", kernels + "n_body.cpp", "n=1000"});
    // 17 operations for each of a million pairs, in single precision.
    CHECK(n_body.at("workload").at("dtype") == "f32");
    CHECK(n_body.at("seconds_lower").get<double>() == Approx(17e6 / 67e12).epsilon(0.01));
    const TemporaryFolder folder;
    Machine m = toy::machine();
    write_machine_file(folder / "toy.json", m);
    const Json product = answer({folder / "toy.json", kernels + "blocked_matmul.cpp", "n=64"});
    CHECK(product.at("problem_roof").at("variants") == 792);
    CHECK(product.at("problem_roof").at("seconds_lower").get<double>() >=
          product.at("seconds_lower").get<double>());
    const Json swept = answer({"h100-sxm", kernels + "axpy.c", "--sweep", "n=10:1000:x10"});
    CHECK(swept.at("sweep").size() == 3);
    using Catch::Contains;
    CHECK_THAT(complaint({"h100-sxm", kernels + "axpy.c", "--solve", "n"}),
               Contains("--sweep n=16:65536:x2"));
    CHECK_THAT(complaint({"h100-sxm", kernels + "axpy.c", "m=3"}), Contains("unknown key 'm'; known: a, n"));
    CHECK_THAT(complaint({"h100-sxm", kernels + "nowhere.cpp"}), Contains("cannot be opened"));
    // No flops, and bytes alone.
    CHECK(number({"h100-sxm", "tests/examples/programs/transpose/transpose.rooftune"}, "seconds_lower") >
          0.0);
    std::ofstream(folder / "sleep.rooftune") << "command sleep 1\n";
    CHECK_THAT(complaint({"h100-sxm", folder / "sleep.rooftune"}),
               Contains("it declares no work that bounds it"));
}

TEST_CASE("bound: work sent over PCIe pays for itself after some repetitions, or never") {
    // 3 · 8 · 4096² bytes, two of the three operands one way, at 64 GB/s each way.
    const Json d = answer({"h100-sxm", "matmul", "m=4096,n=4096,k=4096,dtype=f64", "--host", "opteron-2356"});
    const Json& o = d.at("offload");
    const double matrix = 8.0 * 4096 * 4096;
    CHECK(o.at("link") == "pcie");
    CHECK(o.at("host").at("id") == "opteron-2356");
    CHECK(o.at("seconds_in").get<double>() == Approx(2.0 * matrix / 64e9));
    CHECK(o.at("seconds_out").get<double>() == Approx(matrix / 64e9));
    CHECK(o.at("seconds_on_device") == d.at("seconds_lower"));
    const double there = o.at("seconds_on_host"), here = o.at("seconds_on_device");
    CHECK(there == Approx(2.0 * 4096 * 4096 * 4096 / 73.6e9));
    CHECK(o.at("break_even_repetitions").get<double>() == Approx(3.0 * matrix / 64e9 / (there - here)));
    CHECK(o.at("once_serial").get<double>() == Approx(3.0 * matrix / 64e9 + here));
    CHECK(o.at("once_overlapped").get<double>() == Approx(std::max(2.0 * matrix / 64e9, here)));

    const Json same = answer(
        {"xeon-e5345", "dot", "n=1e8,dtype=f64", "--host", "opteron-2356", "--set", "link.bandwidth=1e10"});
    CHECK(same.at("offload").at("break_even_repetitions").is_null());
    CHECK(same.at("offload").at("link_rate") == 1e10);
    CHECK(same.at("offload").at("source") == "--set");
}

TEST_CASE("bound: a host needs a link to send over, and one device to send to") {
    const Finished none = bound_of({"xeon-e5345", "dot", "n=1e8", "--host", "opteron-2356"});
    CHECK(none.status == 2);
    CHECK(none.told().find("--set link.bandwidth=") != std::string::npos);
    const Finished split = bound_of(
        {"tpu-v5e", "matmul", "m=8192,n=8192,k=8192,dtype=bf16,links=2,shard=k", "--host", "h100-sxm"});
    CHECK(split.status == 2);
    CHECK(split.told().find("leave links and shard away") != std::string::npos);
    const Finished unknown = bound_of({"h100-sxm", "dot", "n=1e8", "--host", "xeon"});
    CHECK(unknown.status == 2);
    CHECK(unknown.told().find("--host xeon") != std::string::npos);
}

TEST_CASE("bound: wrong words are named with what was meant") {
    const auto holds = [](const std::string& text, const char* part) {
        INFO(text);
        CHECK(text.find(part) != std::string::npos);
    };
    holds(complaint({"tpu-v5", "work", "flops=1"}), "tpu-v5e");
    holds(complaint({"tpu-v5e", "matmull", "m=1"}), "matmul");
    holds(complaint({"tpu-v5e", "matmul", "m=1,n=1,kk=1"}), "unknown key 'kk'");
    holds(complaint({"tpu-v5e", "matmul", "m=1,n=1,dtype=bf16"}),
          "k (columns of A, rows of B) is needed: give k=1024 or other values");
    holds(complaint({"tpu-v5e", "matmul", "m=64,dtype=bf16"}), "are needed: give n=1024,k=1024");
    holds(complaint({"tpu-v5e", "matmul", "n=4,dtype=bf16", "--solve", "m"}), "give k=1024");
    holds(complaint({"tpu-v5e", "spmv", "dtype=bf16"}),
          "rows and nnz (entries) are needed: give rows=1e5,nnz=1e6");
    holds(complaint({"tpu-v5e", "matmul", "m=1,m=2,n=1,k=1"}), "given twice");
    holds(complaint({"tpu-v5e", "matmul", "m=1,n=1,k=1,dtype=f64"}), "it has bf16 (matrix), int8 (matrix)");
    holds(complaint({"tpu-v5e", "matmul", "m=1,n=1,k=1,dtype=bf17"}), "bf17");
    holds(complaint({"tpu-v5e", "matmul", "m=1,n=1,k=1,unit=vector"}), "vector");
    for (const char* m : {"m=0", "m=-1", "m=nan", "m=inf", "m=1e400", "m=x", "m="}) {
        INFO(m);
        CHECK_FALSE(complaint({"tpu-v5e", "matmul", std::string(m) + ",n=4,k=4,dtype=bf16"}).empty());
    }
    holds(complaint({"tpu-v5e", "matmul", "m=1e300,n=1e300,k=1e300,dtype=bf16"}), "smaller");
    holds(complaint({"tpu-v5e", "matmul", "n=4,k=4,dtype=bf16", "--solve", "q"}), "no such size");
    holds(complaint({"tpu-v5e", "matmul", "n=4,k=4,dtype=bf16", "--sweep", "m=1:8"}), "x2");
    holds(complaint({"tpu-v5e", "matmul", "n=4,k=4,dtype=bf16", "--sweep", "m=8:1:x2"}), "above its end");
    holds(complaint({"tpu-v5e", "matmul", "n=4,k=4,dtype=bf16", "--sweep", "m=0:8:x2"}), "above 0");
    holds(complaint({"tpu-v5e", "matmul", "n=4,k=4,dtype=bf16", "--sweep", "m=1:8:x1"}), "nowhere");
    holds(complaint({"tpu-v5e", "matmul", "n=4,k=4,dtype=bf16", "--sweep", "m=1:1e9:+1"}), "100000");
    holds(complaint({"tpu-v5e", "matmul", "m=1,n=4,k=4,dtype=bf16", "--plot", "x.svg"}), "--sweep");
    holds(complaint({"tpu-v5e", "matmul", "m=1,n=4,k=4,dtype=bf16", "--set", "memory.bandwith=1"}),
          "memory.bandwidth");
    holds(complaint({"h100-sxm", "matmul", "m=1,n=4,k=4,dtype=bf16", "--set", "peak=nan"}), "above 0");
    const TemporaryFolder empty;
    holds(complaint({"this", "work", "flops=1", "--results", empty.path()}), "rooftune machine --quick");
}
