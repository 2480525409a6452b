// An OpenCL device in use: buffers, kernels built from source (or from the cache of binaries), launches timed
// by the device's own clock. Errors: VariantError where the program or its size is at fault (build: it does
// not compile; resources: more memory, work items or local memory than there is), std::bad_alloc where the
// host's memory is, EnvironmentError with OpenCL's name for it otherwise.
#pragma once

#include <CL/cl.h>

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "models/machine.h"

namespace rooftune::opencl {

/// Sole owner of an OpenCL object.
template <typename T, cl_int(CL_API_CALL* Release)(T)>
class Handle {
public:
    Handle() = default;
    explicit Handle(T object) : object_(object) {}
    Handle(Handle&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
    Handle& operator=(Handle&& other) noexcept {
        std::swap(object_, other.object_);
        return *this;
    }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    ~Handle() {
        if (object_) Release(object_);
    }
    T get() const { return object_; }
    explicit operator bool() const { return object_ != nullptr; }

private:
    T object_ = nullptr;
};

using ContextHandle = Handle<cl_context, clReleaseContext>;
using QueueHandle = Handle<cl_command_queue, clReleaseCommandQueue>;
using MemHandle = Handle<cl_mem, clReleaseMemObject>;
using ProgramHandle = Handle<cl_program, clReleaseProgram>;
using KernelHandle = Handle<cl_kernel, clReleaseKernel>;
using EventHandle = Handle<cl_event, clReleaseEvent>;

/// Throws what the file's head says unless `status` is CL_SUCCESS. `doing`: "allocating 64 bytes".
void check(cl_int status, const std::string& doing);
/// "CL_OUT_OF_RESOURCES"; "unknown error" for a number without a name.
std::string error_name(cl_int status);

/// Memory of the device; contents undefined until written.
class Buffer {
public:
    Buffer() = default;
    Buffer(MemHandle memory, std::size_t bytes) : memory_(std::move(memory)), bytes_(bytes) {}
    cl_mem get() const { return memory_.get(); }
    std::size_t bytes() const { return bytes_; }
    explicit operator bool() const { return static_cast<bool>(memory_); }

private:
    MemHandle memory_;
    std::size_t bytes_ = 0;
};

/// A kernel with its program. Arguments stay set between launches.
class Kernel {
public:
    Kernel() = default;
    Kernel(ProgramHandle program, KernelHandle kernel)
        : program_(std::move(program)), kernel_(std::move(kernel)) {}
    cl_kernel get() const { return kernel_.get(); }
    explicit operator bool() const { return static_cast<bool>(kernel_); }

    void set(int argument, const Buffer& buffer) {
        const cl_mem memory = buffer.get();
        set_bytes(argument, &memory, sizeof memory);
    }
    template <typename T>
    void set(int argument, const T& value) {
        set_bytes(argument, &value, sizeof(T));
    }
    /// Local memory of a work-group.
    void set_local(int argument, std::size_t bytes) { set_bytes(argument, nullptr, bytes); }
    /// Sets arguments 0, 1, 2, … in order: buffers and plain values.
    template <typename... Args>
    void arguments(const Args&... args) {
        int at = 0;
        (set(at++, args), ...);
    }

private:
    void set_bytes(int argument, const void* value, std::size_t bytes);
    ProgramHandle program_;
    KernelHandle kernel_;
};

/// Work items in each dimension; global sizes are multiples of the local ones.
struct Range {
    std::array<std::size_t, 3> global{1, 1, 1};
    std::array<std::size_t, 3> local{1, 1, 1};
    bool any_local = false;  ///< the device chooses work-groups; `local` says nothing
};

/// What a kernel says of one of its arguments.
struct KernelArgument {
    std::string type;  ///< as its source has it, without qualifiers: "int", "float*"
    bool in_local_memory = false;
    bool in_buffer = false;  ///< global or constant memory
};

class Context {
public:
    /// Prefer open(): contexts are shared.
    explicit Context(cl_device_id device, Device description);
    ~Context();
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

    const Device& device() const { return description_; }
    cl_device_id id() const { return device_; }
    cl_context context() const { return context_.get(); }
    cl_command_queue queue() const { return queue_.get(); }
    /// Largest single buffer, in bytes.
    std::size_t largest_buffer() const;

    /// At least one byte is allocated.
    Buffer buffer(std::size_t bytes);

    /// Builds a program (or takes it from the cache) and its kernel `name`. `options` as clBuildProgram
    /// takes. `use_cache`: false builds it in any case.
    Kernel kernel(const std::string& source, const std::string& options, const std::string& name,
                  bool use_cache = true);

    /// The arguments of a kernel whose program was built with -cl-kernel-arg-info; nullopt where the device
    /// does not tell (of a program from the cache some do not).
    std::optional<std::vector<KernelArgument>> arguments_of(const Kernel& kernel) const;
    /// Most work items of this kernel in a work-group.
    std::size_t most_items(const Kernel& kernel) const;

    /// A part of a buffer as one of its own; `offset` is a multiple of kAlignment. Shares the memory.
    Buffer part(const Buffer& whole, std::size_t offset, std::size_t bytes);

    /// Evicts every line of these buffers from the caches of a device that is this machine's CPU; of another
    /// one walks over more than its caches hold.
    void evict(std::span<const Buffer* const> buffers);

    /// Blocking copies; seconds by the device's clock.
    double write(const Buffer& to, const void* from, std::size_t bytes, std::size_t offset = 0);
    double read(const Buffer& from, void* to, std::size_t bytes, std::size_t offset = 0);

    /// Launches and waits. Seconds by the device's clock from the start of the first launch to the end of
    /// the last of `repetitions` (in order, one after the other).
    double run(const Kernel& kernel, const Range& range, int repetitions = 1);

private:
    cl_device_id device_;
    Device description_;
    ContextHandle context_;
    QueueHandle queue_;
    Buffer scratch_;  ///< to walk over
};

/// Where a part of a buffer may begin, in bytes: no less than CL_DEVICE_MEM_BASE_ADDR_ALIGN of the devices
/// known (4096 bits).
inline constexpr std::size_t kAlignment = 4096;

/// The device with this id, ready for use; one context a device and process, as long as anybody holds it.
/// nullptr when there is no such device here. `cpus`: as in opencl_devices().
std::shared_ptr<Context> open(const std::string& device_id, const std::vector<int>& cpus);

}  // namespace rooftune::opencl
