#include "kernels/probe/opencl_prober.h"

#include <algorithm>
#include <cmath>
#include <new>

#include "kernels/probe/growing_window.h"
#include "kernels/probe/opencl_kernels.h"
#include "kernels/probe/prober.h"
#include "kernels/runtime/error.h"

namespace rooftune::probe {
namespace {

constexpr std::size_t kItemsInFlight = 2048;  ///< of a compute unit that hides latency by many items
constexpr double kExactSum = 1 << 24;         ///< so far single precision counts
constexpr int kRoundSteps = 8;                ///< steps of each chain in one round of chains_source()

std::string vector_of(const std::string& element, int width) {
    return width == 1 ? element : element + std::to_string(width);
}

std::string define(const std::string& name, const std::string& value) {
    return " -D " + name + "=" + value;
}

// Rounds after which the chains have come to their limit.
constexpr double kRoundsToLimit = 16.0;

int mix_number(Mix mix) {
    switch (mix) {
        case Mix::load:
            return 0;
        case Mix::update:
            return 1;
        case Mix::store:
            return 2;
        case Mix::two_loads_store:
            return 3;
        default:
            return -1;
    }
}

// A walk's share of the footprint, in vectors.
struct Walk {
    std::size_t part = 0;   ///< vectors of one work-group and one array
    std::size_t third = 0;  ///< vectors from one array to the next
    int steps = 0;          ///< vectors of an item in a pass
    int unroll = 1;
    double bytes = 0.0;  ///< moved in a pass, all together
};

Walk walk_of(const DeviceWay& way, Mix mix, Bytes footprint) {
    const std::size_t vector_bytes = sizeof(float) * static_cast<std::size_t>(way.width);
    const std::size_t arrays = mix == Mix::two_loads_store ? 3 : 1;
    const auto vectors = static_cast<std::size_t>(footprint.value) / vector_bytes / arrays;
    Walk walk;
    std::size_t steps = vectors / (way.items * way.groups);
    walk.unroll = steps >= static_cast<std::size_t>(way.unroll) ? way.unroll : 1;
    steps -= steps % static_cast<std::size_t>(walk.unroll);
    walk.steps = static_cast<int>(std::min<std::size_t>(steps, 1u << 30));
    walk.part = steps * way.items;
    walk.third = walk.part * way.groups;
    const double moved = mix == Mix::update ? 2.0 : static_cast<double>(arrays);
    walk.bytes = moved * static_cast<double>(walk.third * vector_bytes);
    return walk;
}

opencl::Range range_of(const DeviceWay& way) {
    return {{way.items * way.groups, 1, 1}, {way.items, 1, 1}};
}

void require(bool right, const std::string& what) {
    if (!right) {
        throw EnvironmentError("the OpenCL device computes wrongly (" + what +
                               "): its ceilings mean nothing; update its driver");
    }
}

}  // namespace

OpenclProber::OpenclProber(const std::string& device_id, const std::vector<int>& cpus)
    : context_(opencl::open(device_id, cpus)) {}

std::vector<DeviceWay> OpenclProber::group_shapes(int compute_units) const {
    const Device& device = context_->device();
    const auto most = static_cast<std::size_t>(device.max_work_group);
    const auto units = static_cast<std::size_t>(compute_units);
    std::vector<DeviceWay> shapes;
    if (device.is_cpu) {
        // One work item a group: its loop is then the innermost one, as in native code.
        shapes.push_back({.items = 1, .groups = units});
        return shapes;
    }
    for (const std::size_t items : {256, 512, 1024}) {
        if (items > most) continue;
        // On one compute unit a single group: two could go to two of them.
        const std::size_t groups = units == 1 ? 1 : units * std::max<std::size_t>(1, kItemsInFlight / items);
        shapes.push_back({.items = items, .groups = groups});
    }
    if (shapes.empty())
        shapes.push_back({.items = most, .groups = units == 1 ? 1 : units * (kItemsInFlight / most)});
    return shapes;
}

int OpenclProber::local_vectors(int width) const {
    const double half = std::min(context_->device().local_memory.value / 2.0, 16384.0);
    int vectors = 1;
    while (2.0 * vectors * 4.0 * width <= half) vectors *= 2;
    return vectors;
}

std::vector<DeviceWay> OpenclProber::ways_of(const Target& target) const {
    std::vector<DeviceWay> ways;
    const Conditions& when = target.when;
    if (!context_ || when.device != context_->device().id) return ways;
    const Device& device = context_->device();
    if (when.threads != 1 && when.threads != device.compute_units) return ways;
    const std::vector<DeviceWay> shapes = group_shapes(when.threads);
    switch (target.resource) {
        case Resource::compute: {
            const int bits = 8 * static_cast<int>(size_of(when.dtype));
            const int width = when.width_bits / bits;
            const bool there = width == 1 || width == 2 || width == 4 || width == 8 || width == 16;
            if (!there || width * bits != when.width_bits || when.mix != Mix::fma || when.chains < 1) break;
            if (when.chains > 32 || (when.dtype == DType::f64 && !device.f64)) break;
            for (DeviceWay way : shapes) {
                way.width = width;
                ways.push_back(way);
            }
            break;
        }
        case Resource::bandwidth: {
            if (mix_number(when.mix) < 0 || when.huge_pages || when.streams > 1 || when.width_bits > 0) break;
            if (when.footprint.value > static_cast<double>(context_->largest_buffer()) ||
                when.footprint.value > 0.5 * device.global_memory.value)
                break;
            for (DeviceWay way : shapes) {
                for (const int width : device.is_cpu ? std::vector<int>{16, 8} : std::vector<int>{4, 2, 1}) {
                    way.width = width;
                    way.unroll = device.is_cpu ? 8 : 4;
                    if (walk_of(way, when.mix, when.footprint).steps > 0) ways.push_back(way);
                }
            }
            // Too small a footprint for all the items: as many groups as it has work for.
            if (ways.empty() && !shapes.empty()) {
                DeviceWay way = shapes.front();
                const double arrays = when.mix == Mix::two_loads_store ? 3.0 : 1.0;
                const auto elements = static_cast<std::size_t>(when.footprint.value / arrays / sizeof(float));
                way.items = std::min<std::size_t>(way.items, 64);
                way.groups = std::min(way.groups, elements / way.items);
                if (way.groups > 0) ways.push_back(way);
            }
            break;
        }
        case Resource::local:
            if (when.mix != Mix::load) break;
            for (DeviceWay way : shapes) {
                for (const int width : device.is_cpu ? std::vector<int>{16, 8} : std::vector<int>{4, 2, 1}) {
                    way.width = width;
                    if (local_vectors(width) >= 4) ways.push_back(way);
                }
            }
            break;
        case Resource::transfer:
            if (when.threads == 1 && (when.mix == Mix::to_device || when.mix == Mix::from_device) &&
                when.footprint.value >= 1.0 &&
                when.footprint.value <= static_cast<double>(context_->largest_buffer()))
                ways = {{.pinned = false}, {.pinned = true}};
            break;
        case Resource::launch:
            if (when.threads == 1) ways = {{}};
            break;
        default:
            break;
    }
    return ways;
}

opencl::Kernel& OpenclProber::kernel(const std::string& source, const std::string& options,
                                     std::size_t items) {
    // A CPU's drivers build for each size of group anew, at the first launch.
    const std::string group = context_->device().is_cpu ? std::to_string(items) : "";
    opencl::Kernel& kept = kernels_[group + options + "\n" + source];
    fresh_ = !kept;
    if (!kept) kept = context_->kernel(source, "-cl-std=CL1.2" + options, "probe");
    return kept;
}

void OpenclProber::reserve(std::size_t data_bytes, std::size_t out_bytes) {
    if (data_.bytes() < data_bytes) {
        data_ = opencl::Buffer();
        data_ = context_->buffer(data_bytes);
        // Ones, so that sums can be checked; written in pieces, which also places the pages.
        const std::vector<float> ones(std::min<std::size_t>(data_bytes / sizeof(float) + 1, 1u << 20), 1.0f);
        for (std::size_t at = 0; at < data_bytes;) {
            const std::size_t piece = std::min(data_bytes - at, ones.size() * sizeof(float));
            context_->write(data_, ones.data(), piece, at);
            at += piece;
        }
    }
    if (out_.bytes() < out_bytes) out_ = context_->buffer(out_bytes);
}

Window OpenclProber::compute(const Target& target, const DeviceWay& way, double seconds, double rate_hint) {
    const Conditions& when = target.when;
    const bool f64 = when.dtype == DType::f64;
    const std::string element = f64 ? "double" : "float";
    opencl::Kernel& chains =
        kernel(chains_source(),
               define("T", element) + define("V", vector_of(element, way.width)) +
                   define("WIDTH", std::to_string(way.width)) +
                   define("CHAINS", std::to_string(when.chains)) + (f64 ? " -D F64" : ""),
               way.items);
    const double items = static_cast<double>(way.items * way.groups);
    reserve(0, way.items * way.groups * size_of(when.dtype));
    const double flops = 2.0 * items * way.width * when.chains * kRoundSteps;
    const Window w = growing_window(
        flops, {.seconds = seconds, .rate_hint = rate_hint, .least = kRoundsToLimit, .fresh = fresh_},
        [&](int rounds) {
            if (f64) {
                chains.arguments(out_, rounds, 0.5, 1.0);
            } else {
                chains.arguments(out_, rounds, 0.5f, 1.0f);
            }
            return context_->run(chains, range_of(way));
        });
    double sum = 0.0;
    if (f64) {
        context_->read(out_, &sum, sizeof sum);
    } else {
        float small = 0.0f;
        context_->read(out_, &small, sizeof small);
        sum = small;
    }
    const double expected = 2.0 * when.chains * way.width;
    require(std::fabs(sum - expected) <= 1e-3 * expected, "chains of multiply-adds");
    return w;
}

Window OpenclProber::walk(const Target& target, const DeviceWay& way, double seconds, double rate_hint) {
    const Conditions& when = target.when;
    const Walk walk = walk_of(way, when.mix, when.footprint);
    opencl::Kernel& over =
        kernel(walk_source(),
               define("V", vector_of("float", way.width)) + define("WIDTH", std::to_string(way.width)) +
                   define("UNROLL", std::to_string(walk.unroll)) +
                   define("MIX", std::to_string(mix_number(when.mix))),
               way.items);
    const std::size_t items = way.items * way.groups;
    reserve(static_cast<std::size_t>(when.footprint.value), items * sizeof(float));
    int last = 0;
    const Window w = growing_window(
        walk.bytes, {.seconds = seconds, .rate_hint = rate_hint, .fresh = fresh_}, [&](int passes) {
            last = passes;
            over.arguments(data_, out_, cl_ulong{walk.part}, cl_ulong{walk.third}, walk.steps, passes,
                           cl_ulong{0}, when.mix == Mix::two_loads_store ? 0.5f : 1.0f);
            return context_->run(over, range_of(way));
        });
    float found = 0.0f;
    context_->read(out_, &found, sizeof found, (items - 1) * sizeof(float));
    if (when.mix == Mix::load) {
        // Every word is 1; a single-precision sum of ones ends at 2^24.
        const double terms = static_cast<double>(walk.steps) * last;
        const double expected = terms * way.width;
        if (terms / walk.unroll < kExactSum)
            require(std::fabs(found - expected) <= 1e-3 * expected, "sum over memory");
    } else {
        require(found == static_cast<float>(last), "walk over memory");
    }
    return w;
}

Window OpenclProber::local(const DeviceWay& way, double seconds, double rate_hint) {
    const int vectors = local_vectors(way.width);
    opencl::Kernel& reads =
        kernel(local_source(),
               define("V", vector_of("float", way.width)) + define("WIDTH", std::to_string(way.width)) +
                   define("VECTORS", std::to_string(vectors)),
               way.items);
    const std::size_t items = way.items * way.groups;
    reserve(0, items * sizeof(float));
    const double bytes = 4.0 * static_cast<double>(items) * way.width * sizeof(float);
    int last = 0;
    const Window w =
        growing_window(bytes, {.seconds = seconds, .rate_hint = rate_hint, .fresh = fresh_}, [&](int rounds) {
            last = rounds;
            reads.arguments(out_, rounds, 1, 1.0f);
            return context_->run(reads, range_of(way));
        });
    float found = 0.0f;
    context_->read(out_, &found, sizeof found);
    if (last < kExactSum) {
        const double expected = 4.0 * way.width * last;
        require(std::fabs(found - expected) <= 1e-3 * expected, "sum over local memory");
    }
    return w;
}

Window OpenclProber::transfer(const Target& target, const DeviceWay& way, double seconds) {
    const auto bytes = static_cast<std::size_t>(target.when.footprint.value);
    reserve(bytes, 1);
    std::vector<std::byte> plain;
    opencl::Buffer pinned;
    void* host = nullptr;
    if (way.pinned) {
        cl_int status = CL_SUCCESS;
        opencl::MemHandle memory(clCreateBuffer(
            context_->context(), CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes, nullptr, &status));
        opencl::check(status, "allocating memory of the host");
        pinned = opencl::Buffer(std::move(memory), bytes);
        host = clEnqueueMapBuffer(context_->queue(), pinned.get(), CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                  bytes, 0, nullptr, nullptr, &status);
        opencl::check(status, "mapping memory of the host");
    } else {
        plain.resize(bytes);
        host = plain.data();
    }
    // What the host waits for, by its own clock: the driver's share belongs to it. The memory is touched
    // and copied once before, so that neither side's pages are new.
    std::fill_n(static_cast<unsigned char*>(host), bytes, static_cast<unsigned char>(0));
    context_->write(data_, host, bytes);
    const Window w = growing_window(static_cast<double>(bytes), {.seconds = seconds}, [&](int repetitions) {
        const double start = now();
        for (int i = 0; i < repetitions; ++i) {
            if (target.when.mix == Mix::to_device) {
                context_->write(data_, host, bytes);
            } else {
                context_->read(data_, host, bytes);
            }
        }
        return now() - start;
    });
    if (way.pinned) {
        opencl::check(clEnqueueUnmapMemObject(context_->queue(), pinned.get(), host, 0, nullptr, nullptr),
                      "giving memory of the host back");
        clFinish(context_->queue());
    }
    data_ = opencl::Buffer();  // no longer ones
    return w;
}

Window OpenclProber::launch(double seconds) {
    opencl::Kernel& nothing = kernel(empty_source(), "", 1);
    reserve(0, sizeof(float));
    nothing.arguments(out_);
    return growing_window(1.0, {.seconds = seconds, .fresh = fresh_}, [&](int repetitions) {
        // A queue of bounded length: drivers keep what they need for each launch.
        const double start = now();
        for (int done = 0; done < repetitions; done += 1000)
            context_->run(nothing, {}, std::min(1000, repetitions - done));
        return now() - start;
    });
}

Window OpenclProber::run_here(const Target& target, const DeviceWay& way, double seconds, double rate_hint) {
    switch (target.resource) {
        case Resource::compute:
            return compute(target, way, seconds, rate_hint);
        case Resource::bandwidth:
            return walk(target, way, seconds, rate_hint);
        case Resource::local:
            return local(way, seconds, rate_hint);
        case Resource::transfer:
            return transfer(target, way, seconds);
        default:
            return launch(seconds);
    }
}

Window OpenclProber::run(const Target& target, int way, double seconds, double rate_hint) {
    const DeviceWay chosen = ways_of(target).at(static_cast<std::size_t>(way));
    try {
        return run_here(target, chosen, seconds, rate_hint);
    } catch (const VariantError& error) {
        // To the caller both mean that this footprint or shape is not for this device.
        if (error.kind == VariantError::Kind::resources) throw std::bad_alloc();
        if (error.kind == VariantError::Kind::fault)
            throw EnvironmentError(std::string("a probe fails on the device: ") + error.what() +
                                   "; `clinfo` shows whether it works");
        throw EnvironmentError(std::string("a probe does not build: ") + error.what());
    }
}

void OpenclProber::release() {
    data_ = opencl::Buffer();
    out_ = opencl::Buffer();
}

}  // namespace rooftune::probe
