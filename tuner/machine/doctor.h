// What disturbs measuring here, and what to do about it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kernels/runtime/team.h"
#include "models/machine.h"
#include "tuner/ceilings/findings.h"
#include "tuner/ceilings/system_files.h"

namespace rooftune {

/// Findings from system files alone: huge pages, governor, container limits, swap, clock source.
std::vector<Finding> check_settings(const SystemFiles& files, const Topology& topology);
/// Siblings by topology, and by the measured ratio of the peaks of two threads and one (absent: not
/// measured): near 1 means that two processing units share one core's floating-point units.
/// `disturbed`: others ran meanwhile, so that a low ratio says nothing of the cores.
Finding check_siblings(const Topology& topology, std::optional<double> peak_ratio, bool disturbed = false);
/// Smallest step and cost of the monotonic clock, seconds.
Finding check_timer(double resolution, double cost);
Finding check_counters(bool available, const std::string& reason);
Finding check_disk(const std::string& folder, double free_bytes, double wanted_bytes);

struct DoctorOptions {
    double sample_seconds = 1.0;
    std::string folder = ".";        ///< where results will be written; it may be yet to be made
    double wanted_bytes = 200e6;     ///< of free disk there
    std::vector<int> own_processes;  ///< besides this one
};

/// All of it on this machine; takes a little over `sample_seconds`. The worst findings first. Call with
/// no measurement running: the team sleeps during the sample. nullptr for the team leaves out the
/// measured sibling ratio.
std::vector<Finding> examine(const Topology& topology, const std::vector<int>& cpus, Team* team,
                             const DoctorOptions& options = {}, const SystemFiles& files = SystemFiles());

/// Findings as lines for people.
std::string findings_text(const std::vector<Finding>& findings);

}  // namespace rooftune
