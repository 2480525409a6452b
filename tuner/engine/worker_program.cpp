#include "tuner/engine/worker_program.h"

#include <unistd.h>

#include <array>
#include <charconv>
#include <cstring>

#include "kernels/runtime/error.h"
#include "tuner/ceilings/probe_machine.h"
#include "tuner/measure/worker_main.h"

namespace rooftune {
namespace {

bool served = false;

}  // namespace

std::string this_program() {
    std::array<char, 4096> path{};
    const ssize_t n = readlink("/proc/self/exe", path.data(), path.size() - 1);
    if (n <= 0) throw EnvironmentError("cannot find this program's own file: /proc is not mounted");
    return std::string(path.data(), static_cast<std::size_t>(n));
}

std::optional<int> serve_worker(int argc, char** argv, const Registry& registry) {
    served = true;
    if (argc != 3 || std::strcmp(argv[1], "--worker") != 0) return std::nullopt;
    int parent = 0;
    std::from_chars(argv[2], argv[2] + std::strlen(argv[2]), parent);
    return run_worker(registry, parent, [](const std::vector<Ceiling>& ceilings, Team& team, double seconds) {
        return reprobe(ceilings, team, seconds);
    });
}

bool can_be_worker() {
    return served;
}

}  // namespace rooftune
