#include "tuner/track/selftest_arm.h"
#include "tuner/engine/worker_program.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tuner/engine/tune_job.h"
#include "tuner/measure/control_loop.h"

namespace rooftune {

std::vector<std::string> selftest_arm(const std::string& kind, double work) {
    return {kThisProgram, kSelftestArmFlag, kind, fmt::format("{:.6f}", work)};
}

std::optional<int> run_arm_if_asked(int argc, char** argv) {
    if (argc != 4 || std::strcmp(argv[1], kSelftestArmFlag) != 0) return std::nullopt;
    constexpr int kUsage = 2;
    constexpr double kMostWork = 100.0;
    const auto kind = track::control_from(argv[2]);
    const double work = std::atof(argv[3]);
    if (!kind || !(work > 0.0 && work <= kMostWork)) return kUsage;
    std::printf("%.9e\n", track::ControlLoop(*kind, work).seconds());
    return std::fflush(stdout) == 0 ? 0 : 1;
}

}  // namespace rooftune
