// Every family and backend through the program, seen from outside.
#include <fstream>

#include "tests/support/results.h"
#include "tests/support/session.h"

using namespace rooftune;
using namespace rooftune::test;
using nlohmann::json;

namespace {

const TemporaryFolder& shared_folder() {
    static const TemporaryFolder folder;
    return folder;
}

Finished tune(std::vector<std::string> words, bool devices = true) {
    std::vector<std::string> command{"/usr/bin/env"};
    // A loader that finds no vendor: a machine without OpenCL.
    if (!devices) command.push_back("OCL_ICD_VENDORS=" + (shared_folder() / "no-vendors"));
    command.insert(command.end(), {program(), "tune"});
    command.insert(command.end(), words.begin(), words.end());
    for (const char* word : {"--budget", "4s,24", "--audit", "4", "--json", "--results"})
        command.emplace_back(word);
    command.push_back(shared_folder() / "results");
    return run(command);
}

bool has_device() {
    const Finished f = run({program(), "list", "devices", "--json"});
    return f.status == 0 && !json::parse(f.out).empty();
}

}  // namespace

TEST_CASE("stencils and matrix products: odd shapes, both element types, one thread and all") {
    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
             {"stencil", "nx=33,ny=17,nz=9"},
             {"stencil", "points=27,nx=20,ny=21,nz=22,steps=3,boundary=periodic,dtype=f32", "--threads", "1"},
             {"matmul", "m=37,n=65,k=29,transa=yes,beta=1"},
             {"matmul", "m=100,n=1,k=64,dtype=f32", "--threads", "1"}}) {
        const Finished f = tune(words);
        INFO(f.error);
        REQUIRE(f.status == 0);
        const json r = json::parse(f.out);
        check_result(r);
        CHECK(r.at("backend") == "cpu");
        CHECK(r.at("family") == words.front());
        CHECK(f.told().find("on processor") != std::string::npos);
        const json& slice = r.at("certificate").at("slice");
        if (slice.at("space").get<int>() > 0) {
            CHECK(slice.at("space").get<int>() ==
                  slice.at("excluded").get<int>() + slice.at("set_aside").get<int>() +
                      slice.at("evaluated").get<int>() + slice.at("unmeasured").get<int>());
        }
    }
}

TEST_CASE("a matrix product on an OpenCL device") {
    if (!has_device()) {
        WARN("skipped: no OpenCL device is here");
        return;
    }
    const Finished f = tune({"matmul", "m=48,n=33,k=20", "--backend", "opencl"});
    INFO(f.error);
    REQUIRE(f.status == 0);
    const json r = json::parse(f.out);
    check_result(r);
    CHECK(r.at("backend") == "opencl");
    CHECK_FALSE(r.at("device").get<std::string>().empty());
    const std::string config = r.at("files").at("config");
    const Finished again = run(
        {program(), "run", config, "--seconds", "0.2", "--results", shared_folder() / "results", "--json"});
    INFO(again.error);
    CHECK(again.status == 0);
}

TEST_CASE("without a device: an error where it was asked for, a notice where it may be left out") {
    const Finished asked = tune({"matmul", "m=8,n=8,k=8", "--backend", "opencl"}, false);
    CHECK(asked.status == 3);
    CHECK(asked.told().find("no OpenCL device: install pocl-opencl-icd") != std::string::npos);
    const std::string job = shared_folder() / "job.json";
    std::ofstream(job) << R"({"schema": "rooftune/job/1", "problems": [
        {"family": "matmul", "problem": {"m": "16", "n": "16", "k": "16"}},
        {"family": "stencil", "problem": {"nx": "12", "ny": "12", "nz": "12"}},
        {"family": "matmul", "problem": {"m": "16", "n": "16", "k": "16"}, "backend": "opencl", "optional": true}]})";
    const Finished rest = tune({"--job", job}, false);
    INFO(rest.error);
    CHECK(rest.status == 0);
    CHECK(rest.told().find("left out matmul on OpenCL") != std::string::npos);
    const json results = json::parse(rest.out).at("results");
    CHECK(results.size() == 2);
    CHECK(std::filesystem::exists(shared_folder() / "results/tuned/winners.svg"));
    const Finished spmv = tune({"spmv", "gen=poisson7,nx=4", "--backend", "opencl"});
    CHECK(spmv.status == 2);
    CHECK(spmv.told().find("has no variants for it") != std::string::npos);
}
