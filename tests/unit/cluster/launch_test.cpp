#include "tuner/cluster/launch.h"

#include "kernels/runtime/error.h"
#include "tests/support/catch.h"

using namespace rooftune;

namespace {

std::vector<std::string> names(const std::string& nodes, const std::string& list = "",
                               const std::vector<std::string>& answer = {}) {
    std::vector<std::string> asked;
    auto result = node_names(
        nodes, [&](const std::string& name) { return name == "SLURM_JOB_NODELIST" ? list : ""; },
        [&](const std::vector<std::string>& words) {
            asked = words;
            return answer;
        });
    if (nodes == "slurm") CHECK(asked == std::vector<std::string>{"scontrol", "show", "hostnames", list});
    return result;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("nodes: names between commas, and ranges in brackets") {
    CHECK(names("a,b") == Names{"a", "b"});
    CHECK(names("user@host.site") == Names{"user@host.site"});
    CHECK(names("n[1-3],login") == Names{"n1", "n2", "n3", "login"});
    CHECK(names("n[08-11]x") == Names{"n08x", "n09x", "n10x", "n11x"});
    CHECK(names("n[1,3-4]") == Names{"n1", "n3", "n4"});
}

TEST_CASE("nodes: what is no list of names is refused") {
    for (const char* text : {"", ",", "a,,b", "n[", "n]", "n[1", "n[]", "n[2-1]", "n[a-b]", "n[1-999999999]",
                             "n[[1]]", "n[1][2]", "-o", "a b", "a;b", "n[1234567890]"}) {
        INFO(text);
        CHECK_THROWS_AS(names(text), InputError);
    }
    CHECK_THROWS_WITH(names("a,b,a"), Catch::Contains("named twice"));
}

TEST_CASE("nodes: slurm asks for the names of the allocation, and says what to do outside of one") {
    CHECK(names("slurm", "node[1-2]", {"node1", "node2"}) == Names{"node1", "node2"});
    CHECK_THROWS_WITH(names("slurm"), Catch::Contains("salloc"));
    CHECK_THROWS_AS(names("slurm", "node[1-2]", {}), InputError);
}

TEST_CASE("launcher: words with the node in them, and then the agent") {
    ClusterOptions options;
    options.nodes = "a,b";
    options.launcher = "mpirun --host {node} -n 1 env 'N={node} {index}'";
    options.program = "/opt/roof tune";
    CHECK(agent_words(options, "b", 1) ==
          Names{"mpirun", "--host", "b", "-n", "1", "env", "N=b 1", "/opt/roof tune", "agent"});
    options.launcher = "ssh {node}";
    // ssh hands its words to a shell.
    CHECK(agent_words(options, "b", 1) == Names{"ssh", "b", "'/opt/roof tune'", "agent"});
    options.launcher.clear();
    CHECK(agent_words(options, "b", 1).front() == "ssh");
    options.nodes = "slurm";
    const Names slurm = agent_words(options, "b", 1);
    CHECK(slurm.front() == "srun");
    CHECK(slurm[1] == "--nodelist=b");
    options.launcher = "ssh {node} | cat";
    CHECK_THROWS_AS(agent_words(options, "b", 1), InputError);
}
