// Probes of an OpenCL device: from a ceiling's conditions to windows, timed by the device's own clock. A
// ceiling is the maximum over every way built here. On a device that is a CPU the native probes stand behind
// these; on any other nothing does, so that there are more ways: work-group sizes, vector widths, and enough
// work items in flight to hide the latency of memory.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "kernels/probe/window.h"
#include "kernels/runtime/opencl_context.h"
#include "models/machine.h"

namespace rooftune::probe {

struct Target;

/// How a device is asked for one rate.
struct DeviceWay {
    int width = 1;           ///< elements of a vector
    std::size_t items = 1;   ///< of a work-group
    std::size_t groups = 1;  ///< work-groups
    int unroll = 1;          ///< of a walk
    bool pinned = false;     ///< transfer: from memory that the driver gave
    bool operator==(const DeviceWay&) const = default;
};

class OpenclProber {
public:
    /// No error when there is no such device here: ways() is then 0.
    OpenclProber(const std::string& device_id, const std::vector<int>& cpus);

    int ways(const Target& target) const { return static_cast<int>(ways_of(target).size()); }

    /// One window of about `seconds`. Throws std::bad_alloc when the device's memory is short, and
    /// EnvironmentError when a probe's result is wrong: its rate then means nothing.
    Window run(const Target& target, int way, double seconds, double rate_hint);

    /// Gives the probes' memory back.
    void release();

private:
    std::vector<DeviceWay> ways_of(const Target& target) const;
    std::vector<DeviceWay> group_shapes(int compute_units) const;
    Window run_here(const Target& target, const DeviceWay& way, double seconds, double rate_hint);
    Window compute(const Target& target, const DeviceWay& way, double seconds, double rate_hint);
    Window walk(const Target& target, const DeviceWay& way, double seconds, double rate_hint);
    Window local(const DeviceWay& way, double seconds, double rate_hint);
    Window transfer(const Target& target, const DeviceWay& way, double seconds);
    Window launch(double seconds);

    /// Built once for each number of items; `fresh_` tells whether it was now.
    opencl::Kernel& kernel(const std::string& source, const std::string& options, std::size_t items);
    void reserve(std::size_t data_bytes, std::size_t out_bytes);
    int local_vectors(int width) const;

    std::shared_ptr<opencl::Context> context_;
    std::map<std::string, opencl::Kernel> kernels_;  ///< by items, options and source
    bool fresh_ = false;
    opencl::Buffer data_, out_;
};

}  // namespace rooftune::probe
