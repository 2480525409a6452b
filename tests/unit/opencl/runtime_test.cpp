// The OpenCL runtime: discovery with and without platforms, picking, building, the cache, typed failures.
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <new>

#include "kernels/runtime/error.h"
#include "kernels/runtime/opencl.h"
#include "kernels/runtime/opencl_cache.h"
#include "kernels/runtime/opencl_context.h"
#include "tests/support/catch.h"
#include "tests/support/places.h"

using namespace rooftune;
using namespace rooftune::test;
namespace fs = std::filesystem;

namespace {

std::vector<Device> planted_devices() {
    Device gpu;
    gpu.id = "00000000000000aa";
    gpu.name = "Planted GPU";
    gpu.platform = "One";
    Device cpu;
    cpu.id = "00000000000000bb";
    cpu.name = "Planted CPU";
    cpu.platform = "Two";
    return {gpu, cpu};
}

std::shared_ptr<opencl::Context> context_or_warn() {
    const std::vector<Device> devices = opencl_devices(two_cpus());
    if (devices.empty()) {
        WARN("no OpenCL device here: nothing tried");
        return nullptr;
    }
    return opencl::open(devices[0].id, two_cpus());
}

// A folder of its own for the cache of binaries, gone at the end.
struct CacheFolder {
    CacheFolder() {
        std::string pattern = (fs::temp_directory_path() / "rooftune-cache-XXXXXX").string();
        folder = mkdtemp(pattern.data());
        setenv("ROOFTUNE_OPENCL_CACHE", (folder / "cache").c_str(), 1);
    }
    ~CacheFolder() {
        unsetenv("ROOFTUNE_OPENCL_CACHE");
        std::error_code ignored;
        fs::remove_all(folder, ignored);
    }
    CacheFolder(const CacheFolder&) = delete;
    CacheFolder& operator=(const CacheFolder&) = delete;

    std::vector<fs::path> entries() const {
        std::vector<fs::path> found;
        std::error_code ignored;
        for (const auto& entry : fs::directory_iterator(folder / "cache", ignored))
            found.push_back(entry.path());
        return found;
    }
    fs::path folder;
};

// What the kernel with this source writes for the argument 20.
int result_of(opencl::Context& context, const std::string& source) {
    opencl::Kernel kernel = context.kernel(source, "", "twice");
    const opencl::Buffer out = context.buffer(sizeof(cl_int));
    kernel.arguments(out, cl_int{20});
    CHECK(context.run(kernel, {}) >= 0.0);
    cl_int found = 0;
    context.read(out, &found, sizeof found);
    return found;
}

const char* const kTwice = "__kernel void twice(__global int* out, int x) { out[0] = 2 * x; }\n";

}  // namespace

TEST_CASE("opencl: without a platform there is no device and no error", "[opencl]") {
    // In a process of its own, since platforms are set up once.
    const CacheFolder empty;
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        setenv("OCL_ICD_VENDORS", empty.folder.c_str(), 1);
        execl("/proc/self/exe", "unit_opencl", "opencl: child without a platform", nullptr);
        _exit(127);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
}

TEST_CASE("opencl: child without a platform", "[.child]") {
    CHECK(opencl_devices({0}).empty());
    CHECK(opencl::open("anything", {0}) == nullptr);
}

TEST_CASE("opencl: devices describe themselves, the same at every call", "[opencl]") {
    const std::vector<Device> devices = opencl_devices(two_cpus());
    if (devices.empty()) {
        WARN("no OpenCL device here: nothing tried");
        return;
    }
    CHECK(opencl_devices({0}) == devices);
    for (const Device& d : devices) {
        INFO(d.name);
        CHECK(d.id.size() == 16);
        CHECK_FALSE(d.name.empty());
        CHECK(d.compute_units >= 1);
        CHECK(d.max_work_group >= 1);
        CHECK(d.global_memory.value > 0.0);
        CHECK((d.double_lanes > 0) == d.f64);
        if (d.is_cpu) CHECK(d.compute_units <= static_cast<int>(two_cpus().size()));
    }
}

TEST_CASE("opencl: a device is picked by position, id or part of its name", "[opencl]") {
    const std::vector<Device> devices = planted_devices();
    CHECK(pick_device(devices, "").id == devices[0].id);
    CHECK(pick_device(devices, "1").id == devices[1].id);
    CHECK(pick_device(devices, "00000000000000bb").id == devices[1].id);
    CHECK(pick_device(devices, "gpu").id == devices[0].id);
    CHECK(pick_device(devices, "two").id == devices[1].id);
    CHECK_THROWS_AS(pick_device(devices, "planted"), InputError);
    CHECK_THROWS_AS(pick_device(devices, "2"), InputError);
    CHECK_THROWS_WITH(pick_device(devices, "fpga"), Catch::Contains("'fpga'") &&
                                                        Catch::Contains("Planted GPU") &&
                                                        Catch::Contains("Planted CPU"));
    CHECK_THROWS_AS(pick_device({}, ""), EnvironmentError);
    CHECK_THROWS_WITH(pick_device({}, "0"), Catch::Contains("pocl-opencl-icd"));
}

TEST_CASE("opencl: a source that does not compile is the variant's failure, with the log", "[opencl]") {
    const auto context = context_or_warn();
    if (!context) return;
    const CacheFolder cache;
    try {
        context->kernel("__kernel void twice(__global int* out, int x) { out[0] = undeclared_word; }", "",
                        "twice");
        FAIL("it compiled");
    } catch (const VariantError& error) {
        CHECK(error.kind == VariantError::Kind::build);
        CHECK_THAT(error.what(), Catch::Contains("undeclared_word"));
    }
    try {
        context->kernel(kTwice, "", "thrice");
        FAIL("it was found");
    } catch (const VariantError& error) {
        CHECK(error.kind == VariantError::Kind::build);
    }
    CHECK(cache.entries().size() <= 1);
}

TEST_CASE("opencl: binaries are kept, and damaged ones built again", "[opencl]") {
    const auto context = context_or_warn();
    if (!context) return;
    const CacheFolder cache;
    CHECK(result_of(*context, kTwice) == 40);
    REQUIRE(cache.entries().size() == 1);
    const fs::path entry = cache.entries()[0];
    const auto size = fs::file_size(entry);
    // One that is written again is another file. The time of its last change says when it was used.
    const auto file_of_entry = [&] {
        struct stat status {};
        REQUIRE(stat(entry.c_str(), &status) == 0);
        return status.st_ino;
    };
    const auto written = file_of_entry();
    const auto long_ago = fs::file_time_type::clock::now() - std::chrono::hours(1);
    fs::last_write_time(entry, long_ago);

    CHECK(result_of(*context, kTwice) == 40);
    CHECK(file_of_entry() == written);
    CHECK(fs::last_write_time(entry) > long_ago);

    SECTION("cut short") {
        fs::resize_file(entry, size / 2);
        CHECK(result_of(*context, kTwice) == 40);
        CHECK_FALSE(opencl::cache_load(entry.stem().string()).empty());
    }
    SECTION("a byte changed") {
        std::fstream file(entry, std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(static_cast<std::streamoff>(size / 2));
        file.put('\x55').put('\x56').put('\x57');
        file.close();
        CHECK(result_of(*context, kTwice) == 40);
    }
    SECTION("whole, but not a program") {
        const std::string key = entry.stem().string();
        opencl::cache_store(key, std::vector<unsigned char>(100, 'x'));
        CHECK(result_of(*context, kTwice) == 40);
        CHECK(opencl::cache_load(key).size() > 100);
    }
    SECTION("other options or source are another entry") {
        context->kernel(kTwice, "-D ANYTHING", "twice");
        context->kernel(std::string(kTwice) + "//", "", "twice");
        CHECK(cache.entries().size() == 3);
    }
}

TEST_CASE("opencl: without a place for the cache there is none, and no error", "[opencl]") {
    const auto context = context_or_warn();
    if (!context) return;
    const CacheFolder cache;
    std::ofstream(cache.folder / "file") << "in the way";
    setenv("ROOFTUNE_OPENCL_CACHE", (cache.folder / "file" / "cache").c_str(), 1);
    CHECK(result_of(*context, kTwice) == 40);
    CHECK(opencl::cache_load("anything").empty());
    CHECK_NOTHROW(opencl::cache_drop("anything"));

    // A file that may not grow stands for a full disk.
    setenv("ROOFTUNE_OPENCL_CACHE", (cache.folder / "cache").c_str(), 1);
    rlimit before{};
    REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    rlimit small = before;
    small.rlim_cur = 4096;
    REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
    opencl::cache_store("large", std::vector<unsigned char>(1 << 20, 'x'));
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    CHECK(opencl::cache_load("large").empty());
    CHECK(cache.entries().empty());
}

TEST_CASE("opencl: where the cache lies", "[opencl]") {
    const char* before = std::getenv("XDG_CACHE_HOME");
    const std::string kept = before ? before : "";
    setenv("XDG_CACHE_HOME", "/somewhere", 1);
    CHECK(opencl::cache_folder() == "/somewhere/rooftune/opencl");
    setenv("ROOFTUNE_OPENCL_CACHE", "/elsewhere", 1);
    CHECK(opencl::cache_folder() == "/elsewhere");
    unsetenv("ROOFTUNE_OPENCL_CACHE");
    before ? setenv("XDG_CACHE_HOME", kept.c_str(), 1) : unsetenv("XDG_CACHE_HOME");
    CHECK(opencl::cache_key("a", "b", "c", "d") == opencl::cache_key("a", "b", "c", "d"));
    CHECK(opencl::cache_key("a", "b", "c", "d") != opencl::cache_key("ab", "", "c", "d"));
    CHECK(opencl::cache_key("a", "b", "c", "d") != opencl::cache_key("a", "b", "c", "e"));
}

TEST_CASE("opencl: too much is a failure of resources, other errors have names", "[opencl]") {
    const auto context = context_or_warn();
    if (context) {
        CHECK_THROWS_AS(context->buffer(std::size_t{1} << 50), VariantError);
        opencl::Kernel kernel = context->kernel(kTwice, "", "twice");
        const opencl::Buffer out = context->buffer(64);
        kernel.arguments(out, cl_int{1});
        const auto items = 2 * static_cast<std::size_t>(context->device().max_work_group);
        CHECK_THROWS_AS(context->run(kernel, {{items, 1, 1}, {items, 1, 1}}), VariantError);
    }
    CHECK_NOTHROW(opencl::check(CL_SUCCESS, "anything"));
    CHECK_THROWS_AS(opencl::check(CL_OUT_OF_RESOURCES, "launching"), VariantError);
    CHECK_THROWS_AS(opencl::check(CL_OUT_OF_HOST_MEMORY, "launching"), std::bad_alloc);
    CHECK_THROWS_AS(opencl::check(CL_INVALID_CONTEXT, "launching"), EnvironmentError);
    CHECK_THROWS_WITH(opencl::check(CL_INVALID_CONTEXT, "launching"),
                      Catch::Contains("launching") && Catch::Contains("CL_INVALID_CONTEXT (-34)"));
    CHECK(opencl::error_name(-12345) == "unknown error");
}

TEST_CASE("opencl: the device's clock counts", "[opencl]") {
    const auto context = context_or_warn();
    if (!context) return;
    // Long enough for any clock: a chain that no compiler shortens.
    opencl::Kernel kernel = context->kernel(
        "__kernel void chain(__global float* out, int n, float a) {\n"
        "    float x = 1.0f;\n"
        "    for (int i = 0; i < n; ++i) x = fma(x, a, 1.0f);\n"
        "    out[0] = x;\n"
        "}\n",
        "", "chain");
    const opencl::Buffer out = context->buffer(sizeof(float));
    kernel.arguments(out, cl_int{1000000}, 0.5f);
    const double one = context->run(kernel, {});
    CHECK(one > 1e-5);
    CHECK(context->run(kernel, {}, 3) > 1e-5);
    float found = 0.0f;
    context->read(out, &found, sizeof found);
    CHECK(found == 2.0f);
    CHECK(opencl::open(context->device().id, two_cpus()) == context);
}
