#include "tests/peers/mkl/mkl.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>

#include "kernels/runtime/error.h"

namespace rooftune::peers {
namespace {

std::string folder() {
    const char* const given = std::getenv("ROOFTUNE_MKL");
    return given != nullptr && *given != '\0' ? given : ROOFTUNE_MKL_FOLDER;
}

// "libmkl_rt.so.3" of whatever version lies in the folder; empty where none does.
std::string library_named(const std::string& stem) {
    std::string found;
    std::error_code failed;
    for (const auto& entry : std::filesystem::directory_iterator(folder(), failed)) {
        if (entry.path().filename().string().starts_with(stem))
            found = std::max(found, entry.path().string());
    }
    return found;
}

void* load(const std::string& stem) {
    const std::string path = library_named(stem);
    if (path.empty()) throw EnvironmentError(*why_no_mkl());
    void* const handle = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (handle == nullptr) throw EnvironmentError(std::string("cannot load MKL: ") + dlerror());
    return handle;
}

template <typename F>
void find(void* handle, F& function, const char* name) {
    function = reinterpret_cast<F>(dlsym(handle, name));
    if (function == nullptr) throw EnvironmentError(std::string("MKL has no function ") + name);
}

Mkl load_library(const std::vector<int>& cpus, MklThreads whose) {
    // As many threads as processors, on one each, as our own team is: what it reads when it is loaded.
    const std::string threads = std::to_string(cpus.size());
    std::string list;
    for (const int cpu : cpus) list += (list.empty() ? "" : ",") + std::to_string(cpu);
    setenv("MKL_NUM_THREADS", threads.c_str(), 1);
    setenv("OMP_NUM_THREADS", threads.c_str(), 1);
    setenv("MKL_DYNAMIC", "FALSE", 1);
    setenv("MKL_INTERFACE_LAYER", "LP64", 1);
    setenv("MKL_THREADING_LAYER", whose == MklThreads::intel ? "INTEL" : "GNU", 1);
    setenv("KMP_AFFINITY", ("explicit,granularity=fine,proclist=[" + list + "]").c_str(), 1);
    if (whose == MklThreads::intel) load("libiomp5.so");
    void* const handle = load("libmkl_rt.so");
    Mkl mkl;
    find(handle, mkl.dgemm, "cblas_dgemm");
    find(handle, mkl.sgemm, "cblas_sgemm");
    find(handle, mkl.create_f64, "mkl_sparse_d_create_csr");
    find(handle, mkl.create_f32, "mkl_sparse_s_create_csr");
    find(handle, mkl.hint, "mkl_sparse_set_mv_hint");
    find(handle, mkl.memory_hint, "mkl_sparse_set_memory_hint");
    find(handle, mkl.optimize, "mkl_sparse_optimize");
    find(handle, mkl.product_f64, "mkl_sparse_d_mv");
    find(handle, mkl.product_f32, "mkl_sparse_s_mv");
    find(handle, mkl.hint_several, "mkl_sparse_set_mm_hint");
    find(handle, mkl.several_f64, "mkl_sparse_d_mm");
    find(handle, mkl.several_f32, "mkl_sparse_s_mm");
    find(handle, mkl.update_f64, "mkl_sparse_d_update_values");
    find(handle, mkl.destroy, "mkl_sparse_destroy");
    find(handle, mkl.most_threads, "MKL_Get_Max_Threads");
    void (*version)(char*, int) = nullptr;
    find(handle, version, "MKL_Get_Version_String");
    std::array<char, 200> text{};
    version(text.data(), static_cast<int>(text.size()));
    text.back() = '\0';
    mkl.version = text.data();
    mkl.version.erase(mkl.version.find_last_not_of(' ') + 1);
    return mkl;
}

}  // namespace

const Mkl& load_mkl(const std::vector<int>& cpus, MklThreads whose) {
    static const Mkl mkl = load_library(cpus, whose);
    return mkl;
}

std::optional<std::string> why_no_mkl() {
    if (!library_named("libmkl_rt.so").empty() && !library_named("libiomp5.so").empty()) return std::nullopt;
    return "MKL is left out: it is not in " + folder() +
           "; tests/peers/mkl/fetch.sh gets it (0.8 GB), or ROOFTUNE_MKL names the folder that has "
           "libmkl_rt.so and "
           "libiomp5.so";
}

}  // namespace rooftune::peers
