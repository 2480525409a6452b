#include "kernels/runtime/node_share.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>
#include <system_error>

namespace rooftune {
namespace {

std::optional<int> number(std::string_view text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
    return value;
}

std::optional<int> number_in(const Environment& environment, const char* name) {
    const char* text = environment(name);
    return text == nullptr ? std::nullopt : number(text);
}

// Slurm writes how many tasks its nodes have as "2(x3),1": three nodes with two, then one with one.
std::optional<int> tasks_of_node(std::string_view list, int node) {
    while (!list.empty()) {
        const std::size_t comma = std::min(list.find(','), list.size());
        std::string_view item = list.substr(0, comma);
        list.remove_prefix(std::min(comma + 1, list.size()));
        int nodes = 1;
        if (const std::size_t open = item.find("(x"); open != std::string_view::npos) {
            if (item.back() != ')') return std::nullopt;
            const auto times = number(item.substr(open + 2, item.size() - open - 3));
            if (!times) return std::nullopt;
            nodes = *times;
            item = item.substr(0, open);
        }
        if (node < nodes) return number(item);
        node -= nodes;
    }
    return std::nullopt;
}

}  // namespace

std::optional<LocalRank> local_rank(const Environment& environment) {
    struct Words {
        const char* rank;
        const char* processes;
    };
    constexpr std::array kLaunchers{
        Words{"OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE"},
        Words{"MPI_LOCALRANKID", "MPI_LOCALNRANKS"},
        Words{"MV2_COMM_WORLD_LOCAL_RANK", "MV2_COMM_WORLD_LOCAL_SIZE"},
        Words{"PALS_LOCAL_RANKID", "PALS_LOCAL_SIZE"},
    };
    const auto checked = [](std::optional<int> rank, std::optional<int> processes) {
        return rank && processes && *rank < *processes ? std::optional(LocalRank{*rank, *processes})
                                                       : std::nullopt;
    };
    for (const Words& words : kLaunchers) {
        if (const auto found =
                checked(number_in(environment, words.rank), number_in(environment, words.processes)))
            return found;
    }
    const char* tasks = environment("SLURM_STEP_TASKS_PER_NODE");
    if (tasks == nullptr) return std::nullopt;
    return checked(number_in(environment, "SLURM_LOCALID"),
                   tasks_of_node(tasks, number_in(environment, "SLURM_NODEID").value_or(0)));
}

std::vector<int> share_of(const std::vector<int>& cpus, LocalRank of) {
    const std::size_t all = cpus.size(), processes = static_cast<std::size_t>(of.processes),
                      rank = static_cast<std::size_t>(of.rank);
    if (all == 0) return {};
    if (processes >= all) return {cpus[rank % all]};
    const std::size_t each = all / processes, more = all % processes;
    const std::size_t first = rank * each + std::min(rank, more);
    const auto begin = cpus.begin() + static_cast<std::ptrdiff_t>(first);
    return {begin, begin + static_cast<std::ptrdiff_t>(each + (rank < more ? 1 : 0))};
}

OwnUnits own_units(const std::vector<int>& mask, int allowed, std::optional<LocalRank> rank,
                   std::optional<double> quota) {
    const int all = static_cast<int>(mask.size());
    OwnUnits own{mask, all, false};
    const int processes = rank ? rank->processes : 1;
    if (processes > 1 && all >= allowed) {
        const std::vector<int> share = share_of(mask, *rank);
        own.threads = static_cast<int>(share.size());
        const auto first = std::find(own.cpus.begin(), own.cpus.end(), share.empty() ? -1 : share.front());
        std::rotate(own.cpus.begin(), first, own.cpus.end());
    } else if (processes > 1 && static_cast<long long>(processes) * all > allowed) {
        own.threads = std::min(all, std::max(1, allowed / processes));
        own.anywhere = true;
    }
    if (quota && std::ceil(*quota) < own.threads) {
        own.threads = std::max(1, static_cast<int>(std::ceil(*quota)));
        own.anywhere = true;
    }
    return own;
}

}  // namespace rooftune
