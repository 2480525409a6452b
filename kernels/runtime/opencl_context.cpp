#include "kernels/runtime/opencl_context.h"

#include <algorithm>
#include <map>
#include <mutex>

#include "kernels/runtime/error.h"
#include "kernels/runtime/memory.h"
#include "kernels/runtime/opencl_cache.h"
#include "kernels/runtime/opencl_discovery.h"

namespace rooftune::opencl {
namespace {

constexpr std::size_t kScratchBytes = std::size_t{1}
                                      << 30;  ///< larger than the caches of the largest devices

constexpr std::size_t kLogLines = 12;

// The first lines of a build log: the first error is the one that matters.
std::string build_log(cl_program program, cl_device_id device) {
    std::size_t size = 0;
    if (clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size) != CL_SUCCESS)
        return "";
    std::string log(size, '\0');
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr);
    log.erase(std::find(log.begin(), log.end(), '\0'), log.end());
    std::size_t end = 0;
    for (std::size_t line = 0; line < kLogLines && end != std::string::npos; ++line) {
        end = log.find('\n', end == 0 ? 0 : end + 1);
    }
    if (end != std::string::npos) log.resize(end);
    return log;
}

ProgramHandle from_binary(cl_context context, cl_device_id device, const std::vector<unsigned char>& binary,
                          const std::string& options) {
    const unsigned char* data = binary.data();
    const std::size_t size = binary.size();
    cl_int accepted = CL_SUCCESS;
    cl_int status = CL_SUCCESS;
    ProgramHandle program(clCreateProgramWithBinary(context, 1, &device, &size, &data, &accepted, &status));
    if (status != CL_SUCCESS || accepted != CL_SUCCESS) return {};
    if (clBuildProgram(program.get(), 1, &device, options.c_str(), nullptr, nullptr) != CL_SUCCESS) return {};
    return program;
}

ProgramHandle from_source(cl_context context, cl_device_id device, const std::string& source,
                          const std::string& options) {
    const char* text = source.c_str();
    const std::size_t length = source.size();
    cl_int status = CL_SUCCESS;
    ProgramHandle program(clCreateProgramWithSource(context, 1, &text, &length, &status));
    check(status, "taking a program's source");
    status = clBuildProgram(program.get(), 1, &device, options.c_str(), nullptr, nullptr);
    if (status != CL_SUCCESS) {
        const std::string log = build_log(program.get(), device);
        if (!log.empty() && status != CL_OUT_OF_HOST_MEMORY && status != CL_OUT_OF_RESOURCES) {
            throw VariantError(VariantError::Kind::build,
                               "building an OpenCL program: " + error_name(status) + ":\n" + log);
        }
        check(status, "building a program");
    }
    return program;
}

std::vector<unsigned char> binary_of(cl_program program) {
    std::size_t size = 0;
    if (clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr) != CL_SUCCESS ||
        size == 0)
        return {};
    std::vector<unsigned char> binary(size);
    unsigned char* data = binary.data();
    if (clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof data, &data, nullptr) != CL_SUCCESS) return {};
    return binary;
}

cl_ulong profiled(const EventHandle& event, cl_profiling_info what) {
    cl_ulong nanoseconds = 0;
    check(clGetEventProfilingInfo(event.get(), what, sizeof nanoseconds, &nanoseconds, nullptr),
          "reading the time of a command");
    return nanoseconds;
}

double seconds_between(const EventHandle& first, const EventHandle& last) {
    const cl_ulong start = profiled(first, CL_PROFILING_COMMAND_START);
    const cl_ulong end = profiled(last, CL_PROFILING_COMMAND_END);
    return end > start ? 1e-9 * static_cast<double>(end - start) : 0.0;
}

constexpr const char* kRunning = "running a kernel";

// What an accelerator says of a kernel that it has launched: its resources were there, so whatever ended it
// was its own doing. Drivers call it by many names (NVIDIA's CL_OUT_OF_RESOURCES or CL_INVALID_COMMAND_QUEUE
// for an address that is nobody's), and most give up the context with it.
void check_run(cl_int status, bool is_cpu) {
    if (status >= 0) return;
    const bool not_its_own = status == CL_OUT_OF_HOST_MEMORY || status == CL_MEM_OBJECT_ALLOCATION_FAILURE ||
                             status == CL_DEVICE_NOT_AVAILABLE;
    if (is_cpu || not_its_own) check(status, kRunning);
    throw VariantError(VariantError::Kind::fault,
                       std::string("OpenCL, ") + kRunning + ": " + error_name(status) + " (" +
                           std::to_string(status) +
                           "), most likely by reading or writing outside of its arrays, or by running "
                           "longer than the driver lets it");
}

void check_finished(const EventHandle& event, bool is_cpu) {
    cl_int status = CL_COMPLETE;
    check_run(clGetEventInfo(event.get(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr),
              is_cpu);
    check_run(status, is_cpu);
}

}  // namespace

void Kernel::set_bytes(int argument, const void* value, std::size_t bytes) {
    check(clSetKernelArg(kernel_.get(), static_cast<cl_uint>(argument), bytes, value),
          "setting argument " + std::to_string(argument) + " of a kernel");
}

Context::Context(cl_device_id device, Device description)
    : device_(device), description_(std::move(description)) {
    cl_int status = CL_SUCCESS;
    context_ = ContextHandle(clCreateContext(nullptr, 1, &device_, nullptr, nullptr, &status));
    check(status, "opening " + description_.name);
    queue_ = QueueHandle(clCreateCommandQueue(context_.get(), device_, CL_QUEUE_PROFILING_ENABLE, &status));
    check(status, "opening a queue on " + description_.name);
}

Context::~Context() {
    if (queue_) clFinish(queue_.get());
}

std::size_t Context::largest_buffer() const {
    cl_ulong bytes = 0;
    check(clGetDeviceInfo(device_, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof bytes, &bytes, nullptr),
          "asking for the largest buffer");
    return static_cast<std::size_t>(bytes);
}

Buffer Context::buffer(std::size_t bytes) {
    const std::size_t size = std::max<std::size_t>(1, bytes);
    cl_int status = CL_SUCCESS;
    MemHandle memory(clCreateBuffer(context_.get(), CL_MEM_READ_WRITE, size, nullptr, &status));
    check(status, "allocating " + std::to_string(size) + " bytes");
    return {std::move(memory), size};
}

Kernel Context::kernel(const std::string& source, const std::string& options, const std::string& name,
                       bool use_cache) {
    const std::string key = cache_key(source, options, description_.id, description_.driver);
    ProgramHandle program;
    if (const auto binary = use_cache ? cache_load(key) : std::vector<unsigned char>(); !binary.empty()) {
        program = from_binary(context_.get(), device_, binary, options);
        if (!program) cache_drop(key);
    }
    if (!program) {
        program = from_source(context_.get(), device_, source, options);
        cache_store(key, binary_of(program.get()));
    }
    cl_int status = CL_SUCCESS;
    KernelHandle kernel(clCreateKernel(program.get(), name.c_str(), &status));
    check(status, "finding the kernel '" + name + "'");
    return {std::move(program), std::move(kernel)};
}

std::optional<std::vector<KernelArgument>> Context::arguments_of(const Kernel& kernel) const {
    cl_uint count = 0;
    check(clGetKernelInfo(kernel.get(), CL_KERNEL_NUM_ARGS, sizeof count, &count, nullptr),
          "asking for a kernel's arguments");
    std::vector<KernelArgument> arguments(count);
    for (cl_uint i = 0; i < count; ++i) {
        cl_kernel_arg_address_qualifier where = 0;
        std::size_t size = 0;
        if (clGetKernelArgInfo(kernel.get(), i, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof where, &where,
                               nullptr) != CL_SUCCESS ||
            clGetKernelArgInfo(kernel.get(), i, CL_KERNEL_ARG_TYPE_NAME, 0, nullptr, &size) != CL_SUCCESS)
            return std::nullopt;
        std::string type(size, '\0');
        if (clGetKernelArgInfo(kernel.get(), i, CL_KERNEL_ARG_TYPE_NAME, size, type.data(), nullptr) !=
            CL_SUCCESS)
            return std::nullopt;
        arguments[i].type = type.c_str();  // without the zero at its end
        arguments[i].in_local_memory = where == CL_KERNEL_ARG_ADDRESS_LOCAL;
        arguments[i].in_buffer =
            where == CL_KERNEL_ARG_ADDRESS_GLOBAL || where == CL_KERNEL_ARG_ADDRESS_CONSTANT;
    }
    return arguments;
}

std::size_t Context::most_items(const Kernel& kernel) const {
    std::size_t items = 0;
    check(clGetKernelWorkGroupInfo(kernel.get(), device_, CL_KERNEL_WORK_GROUP_SIZE, sizeof items, &items,
                                   nullptr),
          "asking for the largest work-group");
    return items;
}

Buffer Context::part(const Buffer& whole, std::size_t offset, std::size_t bytes) {
    const cl_buffer_region region{offset, std::max<std::size_t>(1, bytes)};
    cl_int status = CL_SUCCESS;
    MemHandle memory(
        clCreateSubBuffer(whole.get(), CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &status));
    check(status, "taking a part of a buffer");
    return {std::move(memory), region.size};
}

void Context::evict(std::span<const Buffer* const> buffers) {
    const char* const doing = "emptying the caches";
    if (!description_.is_cpu) {
        // No other way is open: walk over more than the caches hold.
        if (!scratch_) scratch_ = buffer(std::min(kScratchBytes, largest_buffer()));
        const cl_uint zero = 0;
        check(clEnqueueFillBuffer(queue_.get(), scratch_.get(), &zero, sizeof zero, 0,
                                  scratch_.bytes() / sizeof zero * sizeof zero, 0, nullptr, nullptr),
              doing);
        check(clFinish(queue_.get()), doing);
        return;
    }
    for (const Buffer* buffer : buffers) {
        cl_int status = CL_SUCCESS;
        void* data = clEnqueueMapBuffer(queue_.get(), buffer->get(), CL_TRUE, CL_MAP_READ, 0, buffer->bytes(),
                                        0, nullptr, nullptr, &status);
        check(status, "mapping a buffer");
        flush_lines(data, buffer->bytes());
        check(clEnqueueUnmapMemObject(queue_.get(), buffer->get(), data, 0, nullptr, nullptr),
              "giving a buffer back");
    }
    check(clFinish(queue_.get()), doing);
}

double Context::write(const Buffer& to, const void* from, std::size_t bytes, std::size_t offset) {
    if (bytes == 0) return 0.0;
    cl_event raw = nullptr;
    check(clEnqueueWriteBuffer(queue_.get(), to.get(), CL_TRUE, offset, bytes, from, 0, nullptr, &raw),
          "copying " + std::to_string(bytes) + " bytes to the device");
    const EventHandle event(raw);
    return seconds_between(event, event);
}

double Context::read(const Buffer& from, void* to, std::size_t bytes, std::size_t offset) {
    if (bytes == 0) return 0.0;
    cl_event raw = nullptr;
    check(clEnqueueReadBuffer(queue_.get(), from.get(), CL_TRUE, offset, bytes, to, 0, nullptr, &raw),
          "copying " + std::to_string(bytes) + " bytes from the device");
    const EventHandle event(raw);
    return seconds_between(event, event);
}

double Context::run(const Kernel& kernel, const Range& range, int repetitions) {
    EventHandle first, last;
    for (int i = 0; i < repetitions; ++i) {
        const bool timed = i == 0 || i == repetitions - 1;
        cl_event raw = nullptr;
        check(clEnqueueNDRangeKernel(queue_.get(), kernel.get(), 3, nullptr, range.global.data(),
                                     range.any_local ? nullptr : range.local.data(), 0, nullptr,
                                     timed ? &raw : nullptr),
              "launching a kernel");
        if (i == 0) first = EventHandle(raw);
        if (i == repetitions - 1 && i > 0) last = EventHandle(raw);
    }
    check_run(clFinish(queue_.get()), description_.is_cpu);
    if (!first) return 0.0;
    check_finished(last ? last : first, description_.is_cpu);
    return seconds_between(first, last ? last : first);
}

std::shared_ptr<Context> open(const std::string& device_id, const std::vector<int>& cpus) {
    static std::mutex mutex;
    static std::map<std::string, std::weak_ptr<Context>> opened;
    const std::lock_guard lock(mutex);
    if (std::shared_ptr<Context> there = opened[device_id].lock()) return there;
    for (const Found& found : found_devices(cpus)) {
        if (found.device.id != device_id) continue;
        auto fresh = std::make_shared<Context>(found.handle, found.device);
        opened[device_id] = fresh;
        return fresh;
    }
    return nullptr;
}

}  // namespace rooftune::opencl
