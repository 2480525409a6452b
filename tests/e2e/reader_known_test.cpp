// The reader on what needs no measuring: bounds, machines, recorded spaces, other tools' points, lists and
// help.
#include <fstream>

#include "tests/support/reader/known_claims.h"
#include "tests/support/reader/read_output.h"
#include "tests/support/reader/store_claims.h"
#include "tests/support/session.h"
#include "tuner/formats/machine_file.h"

using namespace rooftune;
using namespace rooftune::test;
using nlohmann::json;

namespace {

std::string output(std::vector<std::string> words) {
    words.insert(words.begin(), program());
    const Finished f = run(words);
    INFO(f.error);
    REQUIRE(f.status == 0);
    return f.out;
}

json document(std::vector<std::string> words) {
    words.emplace_back("--json");
    return json::parse(output(std::move(words)));
}

}  // namespace

TEST_CASE("bounds say what their JSON says") {
    const WidePage wide;
    const Session s;
    Walk walk(Outputs::fixed);
    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
             {"tpu-v5e", "matmul", "m=128,n=4096,k=4096,dtype=bf16"},
             {"tpu-v5e", "matmul", "n=4096,k=4096,dtype=bf16,weights=int8", "--solve", "m"},
             {"tpu-v5e", "matmul", "n=4096,k=4096", "--sweep", "m=16:1024:x4"},
             {"tpu-v5e", "matmul", "m=8192,n=8192,dtype=bf16,links=2,shard=k", "--solve", "k"},
             {"h100-sxm", "work", "flops=1e12", "--set", "peak=1e15"},
             {"h100-sxm", "matmul", "m=4096,n=4096,k=4096,dtype=f64", "--host", "opteron-2356"},
             {"h100-sxm", "dot", "n=1e8,dtype=f64", "--host", "xeon-e5345", "--set",
              "link.bandwidth.pcie=2e10"},
             {"opteron-2356", "lbmhd"},
             {"m1-max", "elementwise", "n=1e8"},
             {s.machine(), "spmv", "gen=poisson7,nx=20"},
             {s.machine(), "spmv", "gen=poisson7,nx=20,state=cold"},
             {s.machine(), "stencil", "nx=64"}}) {
        std::vector<std::string> all = words;
        all.insert(all.begin(), "bound");
        std::string command;
        for (const std::string& word : all) command += word + " ";
        Reader reader;
        claim_bound(reader, document(all));
        walk.read(reader, command, output(all), 8);
    }
    WARN(walk.summary());
}

TEST_CASE("machines, lists and recorded spaces say what their JSON says") {
    const WidePage wide;
    Walk walk(Outputs::fixed);
    for (const char* file : {"tests/golden/machines/a.json", "tests/golden/machines/b.json"}) {
        Reader reader;
        claim_machine(reader, read_machine_file(file));
        reader.words(std::string("Machine file: ") + file);
        reader.excuse("[0-9]+ of (?:them|[0-9]+ ceilings) (?:were last seen )?more than [0-9]+ days ago",
                      "depends on the day");
        walk.read(reader, std::string("machine --show --machine ") + file,
                  output({"machine", "--show", "--machine", file}), 20);
    }
    for (const char* claim : {"peaks", "bandwidth", "other operations", "accesses", "ridge", "clock"}) {
        INFO(claim);
        CHECK(walk.said(claim) >= 1);
    }
    const Session s;
    Reader machines;
    claim_machine_list(machines, document({"list", "machines", "--results", s.results()}));
    walk.read(machines, "list machines", output({"list", "machines", "--results", s.results()}), 20);
    Reader jobs;
    claim_problem_list(jobs, document({"list", "jobs", "--results", s.results()}));
    walk.read(jobs, "list jobs", output({"list", "jobs", "--results", s.results()}), 1);
    Reader parameters;
    claim_parameters(parameters, document({"list", "parameters", "stencil", "nx=33,ny=17,nz=9"}));
    walk.read(parameters, "list parameters stencil",
              output({"list", "parameters", "stencil", "nx=33,ny=17,nz=9"}), 10);
    Reader families;
    claim_families(families, document({"list", "families"}));
    walk.read(families, "list families", output({"list", "families"}), 3);

    const std::vector<std::string> one{
        "replay", "results/spaces/matmul_256.json.gz", "--strategy", "random", "--runs", "3"};
    Reader replay;
    claim_replay(replay, document(one));
    walk.read(replay, "replay", output(one), 15);
    for (const std::vector<std::string>& words :
         std::vector<std::vector<std::string>>{{"ncu", "tests/golden/import/ncu_comma.csv"},
                                               {"torch", "tests/golden/import/torch_cpu.json"},
                                               {"likwid", "tests/golden/import/likwid.csv"}}) {
        std::vector<std::string> all = words;
        all.insert(all.begin(), "import");
        Reader points;
        claim_points(points, document(all));
        walk.read(points, "import " + words.front(), output(all), 4);
    }
    WARN(walk.summary());
}

TEST_CASE("the store says of itself what its JSON says") {
    const WidePage wide;
    const Session s;
    Walk walk(Outputs::fixed);
    for (const char* n : {"1000", "1000", "2000"}) {
        const Finished f = s.run({"tune", "fault", std::string("n=") + n, "--only", "behaviour=good|wrong",
                                  "--budget", "5s,12", "--audit", "2", "--quiet"});
        INFO(f.error);
        REQUIRE(f.status == 0);
    }
    const auto read = [&](auto claim, std::vector<std::string> words, std::size_t least) {
        words.insert(words.begin(), "results");
        words.insert(words.end(), {"--results", s.results()});
        std::string command;
        for (const std::string& word : words) command += word + " ";
        Reader reader;
        claim(reader, document(words));
        walk.read(reader, command, output(words), least);
    };
    read(claim_job_list, {"list"}, 20);
    read(claim_job, {"show", "1"}, 20);
    read(claim_job, {"show", "1", "--records"}, 60);
    read(
        [](Reader& reader, const json& d) {
            claim_run(reader, d);
            claim_result(reader, d.at("result"));
        },
        {"show", "run:3"}, 30);
    read(claim_check, {"check"}, 6);
    read(claim_prune, {"prune", "--job", "1"}, 5);
    read(claim_prune, {"prune", "--job", "2", "--newest-too"}, 5);

    const std::string copy = s.folder / "copy.db", other = s.folder / "other.db";
    Reader written;
    claim_export(written, document({"results", "export", "--store", copy, "--results", s.results()}));
    written.words(other);
    walk.read(written, "results export",
              output({"results", "export", "--store", other, "--results", s.results()}), 4);
    const std::string first = s.folder / "first", second = s.folder / "second";
    for (int again = 0; again < 2; ++again) {
        Reader taken;
        claim_import(taken, document({"results", "import", copy, "--results", first}));
        walk.read(taken, "results import", output({"results", "import", copy, "--results", second}), 8);
    }
    WARN(walk.summary());
}

TEST_CASE("what disturbs measuring is said as the JSON of the same look says it") {
    const WidePage wide;
    const TemporaryFolder folder;
    const std::string file = folder / "doctor.txt";
    const json findings =
        document({"doctor", "--seconds", "0.3", "--file", file, "--results", folder / "results"});
    Reader reader;
    reader.words_of(findings);
    Walk walk;
    // It says in the same words what its document has, and holds nothing against other values.
    walk.read(reader, "doctor", contents(file), 0);
}
