#include "kernels/runtime/opencl_discovery.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <mutex>
#include <string>
#include <thread>

#include "kernels/runtime/cpu_mask.h"
#include "kernels/runtime/user_cache.h"

namespace rooftune::opencl {
namespace {

template <typename Get>
std::string text_of(Get&& get) {
    std::size_t size = 0;
    if (get(0, nullptr, &size) != CL_SUCCESS || size == 0) return "";
    std::string text(size, '\0');
    if (get(size, text.data(), nullptr) != CL_SUCCESS) return "";
    while (!text.empty() && (text.back() == '\0' || text.back() == ' ')) text.pop_back();
    return text;
}

std::string platform_text(cl_platform_id platform, cl_platform_info what) {
    return text_of([&](std::size_t size, void* to, std::size_t* needed) {
        return clGetPlatformInfo(platform, what, size, to, needed);
    });
}

std::string device_text(cl_device_id device, cl_device_info what) {
    return text_of([&](std::size_t size, void* to, std::size_t* needed) {
        return clGetDeviceInfo(device, what, size, to, needed);
    });
}

template <typename T>
T device_value(cl_device_id device, cl_device_info what, T otherwise = T{}) {
    T value = otherwise;
    return clGetDeviceInfo(device, what, sizeof value, &value, nullptr) == CL_SUCCESS ? value : otherwise;
}

// FNV-1a: short, and the same on every machine.
std::string hash_of(const std::string& text) {
    std::uint64_t hash = 14695981039346656037ull;
    for (const unsigned char c : text) {
        hash ^= c;
        hash *= 1099511628211ull;
    }
    char hex[17];
    std::snprintf(hex, sizeof hex, "%016llx", static_cast<unsigned long long>(hash));
    return hex;
}

Device describe(cl_platform_id platform, cl_device_id handle) {
    Device d;
    d.name = device_text(handle, CL_DEVICE_NAME);
    d.platform = platform_text(platform, CL_PLATFORM_NAME);
    d.driver = device_text(handle, CL_DRIVER_VERSION);
    d.is_cpu = (device_value<cl_device_type>(handle, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_CPU) != 0;
    d.compute_units =
        std::max(1, static_cast<int>(device_value<cl_uint>(handle, CL_DEVICE_MAX_COMPUTE_UNITS, 1)));
    d.max_work_group =
        std::max(1, static_cast<int>(device_value<std::size_t>(handle, CL_DEVICE_MAX_WORK_GROUP_SIZE, 1)));
    d.local_memory = Bytes(static_cast<double>(device_value<cl_ulong>(handle, CL_DEVICE_LOCAL_MEM_SIZE)));
    d.global_memory = Bytes(static_cast<double>(device_value<cl_ulong>(handle, CL_DEVICE_GLOBAL_MEM_SIZE)));
    d.f64 = device_value<cl_device_fp_config>(handle, CL_DEVICE_DOUBLE_FP_CONFIG) != 0;
    d.float_lanes =
        static_cast<int>(device_value<cl_uint>(handle, CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT, 1));
    d.double_lanes =
        d.f64 ? static_cast<int>(device_value<cl_uint>(handle, CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE, 1))
              : 0;
    d.id = hash_of(d.name + "\n" + d.platform + "\n" + d.driver + "\n" + std::to_string(d.compute_units));
    return d;
}

// PoCL starts no device when it cannot write its cache, and takes its number of threads from the machine.
void prepare_environment(std::size_t cpus) {
    setenv("POCL_MAX_PTHREAD_COUNT", std::to_string(cpus).c_str(), 0);
    if (std::getenv("POCL_CACHE_DIR")) return;
    std::error_code ignored;
    const std::string base = user_cache();
    if (!base.empty()) {
        std::filesystem::create_directories(base + "/pocl/kcache", ignored);
        if (access((base + "/pocl/kcache").c_str(), W_OK | X_OK) == 0) return;
    }
    // One of this user's own: in a folder for all, somebody else may have made it.
    const std::string folder =
        (std::filesystem::temp_directory_path(ignored) / ("rooftune-pocl-" + std::to_string(getuid())))
            .string();
    mkdir(folder.c_str(), 0700);
    struct stat found {};
    if (lstat(folder.c_str(), &found) == 0 && S_ISDIR(found.st_mode) && found.st_uid == getuid())
        setenv("POCL_CACHE_DIR", folder.c_str(), 0);
}

std::vector<Found> discover() {
    std::vector<Found> all;
    cl_uint platforms = 0;
    // Without any platform the loader answers −1001.
    if (clGetPlatformIDs(0, nullptr, &platforms) != CL_SUCCESS || platforms == 0) return all;
    std::vector<cl_platform_id> ids(platforms);
    if (clGetPlatformIDs(platforms, ids.data(), nullptr) != CL_SUCCESS) return all;
    for (const cl_platform_id platform : ids) {
        cl_uint count = 0;
        if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count) != CL_SUCCESS || count == 0)
            continue;
        std::vector<cl_device_id> handles(count);
        if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, handles.data(), nullptr) != CL_SUCCESS)
            continue;
        for (const cl_device_id handle : handles) {
            if (!device_value<cl_bool>(handle, CL_DEVICE_AVAILABLE, CL_FALSE) ||
                !device_value<cl_bool>(handle, CL_DEVICE_COMPILER_AVAILABLE, CL_FALSE))
                continue;
            all.push_back({describe(platform, handle), handle});
            if (!all.back().device.is_cpu) continue;
            // Some drivers start their threads with the first context: start them here, where the
            // affinity is right.
            cl_int status = CL_SUCCESS;
            const cl_context context = clCreateContext(nullptr, 1, &handle, nullptr, nullptr, &status);
            if (status == CL_SUCCESS) clReleaseContext(context);
        }
    }
    // Two devices of one kind must not share an id.
    for (std::size_t i = 0; i < all.size(); ++i) {
        int before = 0;
        for (std::size_t j = 0; j < i; ++j) {
            if (all[j].device.name == all[i].device.name && all[j].device.platform == all[i].device.platform)
                ++before;
        }
        if (before > 0) all[i].device.id = hash_of(all[i].device.id + "\n" + std::to_string(before));
    }
    return all;
}

}  // namespace

const std::vector<Found>& found_devices(const std::vector<int>& cpus) {
    static std::once_flag once;
    static std::vector<Found> found;
    std::call_once(once, [&] {
        prepare_environment(std::max<std::size_t>(1, cpus.size()));
        // A CPU platform's threads inherit the affinity of the thread that starts them, and the caller is
        // usually pinned to one processing unit.
        std::thread starter([&] {
            CpuMask(cpus).give_to();
            try {
                found = discover();
            } catch (const std::exception&) {
                found.clear();
            }
        });
        starter.join();
    });
    return found;
}

}  // namespace rooftune::opencl
