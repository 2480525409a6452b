// The processes of a job on one node share its processing units out among themselves.
#include "kernels/runtime/node_share.h"

#include <algorithm>
#include <map>
#include <string>

#include "tests/support/catch.h"

using namespace rooftune;

namespace {

std::optional<LocalRank> rank_in(const std::map<std::string, std::string>& variables) {
    return local_rank([&](const char* name) {
        const auto found = variables.find(name);
        return found == variables.end() ? nullptr : found->second.c_str();
    });
}

void check(const std::optional<LocalRank>& found, int rank, int processes) {
    REQUIRE(found.has_value());
    CHECK(found->rank == rank);
    CHECK(found->processes == processes);
}

}  // namespace

TEST_CASE("the launchers' words for a local rank") {
    CHECK_FALSE(rank_in({}).has_value());
    check(rank_in({{"OMPI_COMM_WORLD_LOCAL_RANK", "3"}, {"OMPI_COMM_WORLD_LOCAL_SIZE", "4"}}), 3, 4);
    check(rank_in({{"MPI_LOCALRANKID", "0"}, {"MPI_LOCALNRANKS", "2"}}), 0, 2);
    check(rank_in({{"MV2_COMM_WORLD_LOCAL_RANK", "1"}, {"MV2_COMM_WORLD_LOCAL_SIZE", "2"}}), 1, 2);
    check(rank_in({{"PALS_LOCAL_RANKID", "5"}, {"PALS_LOCAL_SIZE", "8"}}), 5, 8);
    check(rank_in({{"SLURM_LOCALID", "1"}, {"SLURM_NODEID", "2"}, {"SLURM_STEP_TASKS_PER_NODE", "4(x2),2"}}),
          1, 2);
    check(rank_in({{"SLURM_LOCALID", "3"}, {"SLURM_NODEID", "1"}, {"SLURM_STEP_TASKS_PER_NODE", "4(x2),2"}}),
          3, 4);
    check(rank_in({{"SLURM_LOCALID", "0"}, {"SLURM_STEP_TASKS_PER_NODE", "1"}}), 0, 1);
}

TEST_CASE("what contradicts itself is no local rank") {
    CHECK_FALSE(rank_in({{"OMPI_COMM_WORLD_LOCAL_RANK", "3"}}).has_value());
    CHECK_FALSE(
        rank_in({{"OMPI_COMM_WORLD_LOCAL_RANK", "4"}, {"OMPI_COMM_WORLD_LOCAL_SIZE", "4"}}).has_value());
    CHECK_FALSE(rank_in({{"MPI_LOCALRANKID", "-1"}, {"MPI_LOCALNRANKS", "2"}}).has_value());
    CHECK_FALSE(rank_in({{"MPI_LOCALRANKID", "one"}, {"MPI_LOCALNRANKS", "2"}}).has_value());
    for (const char* list : {"", "4(x", "4(x2", "4(y2)", "x", "4(x1),"})
        CHECK_FALSE(
            rank_in({{"SLURM_LOCALID", "0"}, {"SLURM_NODEID", "1"}, {"SLURM_STEP_TASKS_PER_NODE", list}})
                .has_value());
}

TEST_CASE("each processing unit is one process's, and none is left out") {
    const std::vector<int> cpus{0, 2, 4, 6, 8, 10, 12};
    for (int processes = 1; processes <= 7; ++processes) {
        std::vector<int> all;
        std::size_t most = 0, least = cpus.size();
        for (int rank = 0; rank < processes; ++rank) {
            const std::vector<int> mine = share_of(cpus, {rank, processes});
            all.insert(all.end(), mine.begin(), mine.end());
            most = std::max(most, mine.size());
            least = std::min(least, mine.size());
        }
        CHECK(all == cpus);
        CHECK(most - least <= 1);
    }
    CHECK(share_of(cpus, {8, 9}) == std::vector<int>{2});
    CHECK(share_of({}, {0, 2}).empty());
}

TEST_CASE("a process takes its mask, its share of a node, or what comes to it of a shared mask") {
    const std::vector<int> node{0, 1, 2, 3, 4, 5, 6, 7};
    const std::vector<int> socket{4, 5, 6, 7};
    CHECK(own_units(node, 8, {}, {}) == OwnUnits{node, 8, false});
    CHECK(own_units(socket, 8, {}, {}) == OwnUnits{socket, 4, false});
    CHECK(own_units(node, 8, LocalRank{0, 1}, {}) == OwnUnits{node, 8, false});
    // Nobody bound: its own first, then the others, for who asks for more.
    CHECK(own_units(node, 8, LocalRank{1, 4}, {}) == OwnUnits{{2, 3, 4, 5, 6, 7, 0, 1}, 2, false});
    CHECK(own_units(node, 8, LocalRank{9, 10}, {}) == OwnUnits{{1, 2, 3, 4, 5, 6, 7, 0}, 1, false});
    // Each bound alone.
    CHECK(own_units(socket, 8, LocalRank{1, 2}, {}) == OwnUnits{socket, 4, false});
    CHECK(own_units({4}, 8, LocalRank{4, 8}, {}) == OwnUnits{{4}, 1, false});
    // Several bound to one socket.
    CHECK(own_units(socket, 8, LocalRank{3, 4}, {}) == OwnUnits{socket, 2, true});
    CHECK(own_units(socket, 8, LocalRank{3, 16}, {}) == OwnUnits{socket, 1, true});
}

TEST_CASE("no more threads than the quota has processors, and they are bound to none") {
    const std::vector<int> node{0, 1, 2, 3};
    CHECK(own_units(node, 4, {}, 1.5) == OwnUnits{node, 2, true});
    CHECK(own_units(node, 4, {}, 0.25) == OwnUnits{node, 1, true});
    CHECK(own_units(node, 4, {}, 4.0) == OwnUnits{node, 4, false});
    CHECK(own_units(node, 4, {}, 3.5) == OwnUnits{node, 4, false});
    CHECK(own_units(node, 4, LocalRank{0, 2}, 3.0) == OwnUnits{node, 2, false});
}
