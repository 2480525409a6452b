// Golden output of `rooftune bound` as people read it, on presets and on a made-up measured machine.
#include "tests/support/catch.h"
#include "tests/support/golden.h"
#include "tests/support/session.h"

using namespace rooftune;
using namespace rooftune::test;

TEST_CASE("bound: a machine that was measured with a part of its threads only") {
    Machine part = toy::machine();
    part.topology.threads = 64;
    const Session s(part);
    const Finished f = run({program(), "bound", s.machine(), "spmv", "gen=poisson7,nx=20"});
    CHECK(f.status == 2);
    CHECK_THAT(f.told(),
               Catch::Contains("of its 64 threads") && Catch::Contains("`rooftune machine` measures them"));
}

TEST_CASE("bound: texts") {
    const Session s(toy::machine());
    const std::vector<std::vector<std::string>> calls{
        {"tpu-v5e", "matmul", "m=128,n=4096,k=4096,dtype=bf16"},
        {"tpu-v5e", "matmul", "n=4096,k=4096,dtype=bf16,weights=int8", "--solve", "m"},
        {"tpu-v5e", "matmul", "m=8192,n=8192,dtype=bf16,links=2,shard=k", "--solve", "k"},
        {"h100-sxm", "work", "flops=1e12", "--set", "peak=1e15", "--set", "memory.capacity=94GB"},
        {"tpu-v6e", "matmul", "m=1e6,n=1e6,k=1e6"},
        {"opteron-2356", "lbmhd"},
        {"xeon-e5345", "stencil", "nx=384"},
        {"m1-max", "elementwise", "n=1e8", "--solve", "n"},
        {"tpu-v5e", "matmul", "n=4096,k=4096", "--sweep", "m=16:1024:x4"},
        {"h100-sxm", "matmul", "m=4096,n=4096,k=4096,dtype=f64", "--host", "opteron-2356"},
        {"h100-sxm", "dot", "n=1e8,dtype=f64", "--host", "xeon-e5345", "--set", "link.bandwidth.pcie=2e10"},
        {s.machine(), "spmv", "gen=poisson7,nx=20"},
    };
    std::string text;
    for (const std::vector<std::string>& words : calls) {
        std::vector<std::string> all{program(), "bound"};
        all.insert(all.end(), words.begin(), words.end());
        const Finished f = run(all);
        std::string call = "$ rooftune bound";
        for (const std::string& word : words) call += " " + (word == s.machine() ? "toy.json" : word);
        INFO(call << "\n" << f.error);
        CHECK(f.status == 0);
        CHECK(f.error.empty());
        text += call + "\n" + f.out + "\n";
    }
    check_golden("cli/bound.txt", text);
}
