#include "tuner/machine/audit/gemm_peers.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>

#include "kernels/runtime/cpu.h"
#include "kernels/runtime/error.h"

namespace rooftune::audit {
namespace {

// A library by the first of its names that the loader knows. It stays loaded: its threads run its code.
void* load(const std::vector<const char*>& names) {
    for (const char* name : names) {
        if (void* handle = dlopen(name, RTLD_NOW | RTLD_LOCAL)) return handle;
    }
    return nullptr;
}

template <typename F>
F* function(void* handle, const char* name) {
    F* found = reinterpret_cast<F*>(dlsym(handle, name));
    if (!found) throw EnvironmentError(std::string("the library has no function ") + name);
    return found;
}

// Of the reference interface: CblasRowMajor and CblasNoTrans, 32-bit sizes.
constexpr int kRowMajor = 101;
constexpr int kNoTrans = 111;
template <typename T>
using Cblas = void(int, int, int, int, int, int, T, const T*, int, const T*, int, T, T*, int);

template <typename T>
Product<T> cblas(void* handle) {
    auto* gemm = function<Cblas<T>>(handle, std::is_same_v<T, float> ? "cblas_sgemm" : "cblas_dgemm");
    return [gemm](int n, const T* a, const T* b, T* c) {
        gemm(kRowMajor, kNoTrans, kNoTrans, n, n, n, T{1}, a, n, b, n, T{0}, c, n);
    };
}

// libxsmm has the interface of Fortran: column-major, so the operands change places.
template <typename T>
using Fortran = void(const char*, const char*, const int*, const int*, const int*, const T*, const T*,
                     const int*, const T*, const int*, const T*, T*, const int*);
template <typename T>
Product<T> xsmm(void* handle) {
    auto* gemm = function<Fortran<T>>(handle, std::is_same_v<T, float> ? "libxsmm_sgemm" : "libxsmm_dgemm");
    return [gemm](int n, const T* a, const T* b, T* c) {
        const T one{1}, zero{0};
        gemm("N", "N", &n, &n, &n, &one, b, &n, a, &n, &zero, c, &n);
    };
}

// oneDNN's is row-major and of single precision only.
template <typename T>
Product<T> onednn(void* handle) {
    if constexpr (std::is_same_v<T, float>) {
        using Sgemm = int(char, char, std::int64_t, std::int64_t, std::int64_t, float, const float*,
                          std::int64_t, const float*, std::int64_t, float, float*, std::int64_t);
        auto* gemm = function<Sgemm>(handle, "dnnl_sgemm");
        return [gemm](int n, const float* a, const float* b, float* c) {
            if (gemm('N', 'N', n, n, n, 1.0F, a, n, b, n, 0.0F, c, n) != 0)
                throw EnvironmentError("dnnl_sgemm reports a failure");
        };
    } else {
        throw EnvironmentError("oneDNN has no product in double precision");
    }
}

std::string openblas_version(void* handle) {
    return std::string(function<char*()>(handle, "openblas_get_config")()) + ", kernels for " +
           function<char*()>(handle, "openblas_get_corename")();
}
std::string blis_version(void* handle) {
    const int id = function<int()>(handle, "bli_arch_query_id")();
    return std::string("BLIS ") + function<const char*()>(handle, "bli_info_get_version_str")() +
           ", kernels for " + function<const char*(int)>(handle, "bli_arch_string")(id);
}
std::string onednn_version(void* handle) {
    struct Version {
        int major, minor, patch;
    };
    const Version* v = function<const Version*()>(handle, "dnnl_version")();
    return "oneDNN " + std::to_string(v->major) + "." + std::to_string(v->minor) + "." +
           std::to_string(v->patch);
}
std::string mkl_version(void* handle) {
    char text[256] = {};
    function<void(char*, int)>(handle, "MKL_Get_Version_String")(text, sizeof text - 1);
    return text;
}
std::string xsmm_version(void* handle) {
    return std::string("libxsmm for ") + function<const char*()>(handle, "libxsmm_get_target_arch")();
}

struct Library {
    std::string name;
    std::string package;
    std::vector<const char*> files;
    std::string (*version)(void*);
    Product<float> (*single)(void*);
    Product<double> (*twice)(void*);  ///< null: none
    bool own_threads = true;          ///< false: one call a thread, side by side
    std::vector<int> sides{128, 512, 1024};
    std::string core{};    ///< OpenBLAS: kernels that it is forced to
    int width_bits = 128;  ///< vectors that they need
};

std::vector<Case> cases_of(const Library& library, const PeerSetting& setting) {
    std::vector<Case> cases;
    for (const int side : library.sides) {
        for (const int threads : setting.thread_counts()) {
            for (const DType dtype : {DType::f64, DType::f32}) {
                if (dtype == DType::f64 && !library.twice) continue;
                // Forced kernels say little that is new: large products, all threads, one pass in three.
                if (!library.core.empty() && (side < 512 || threads == 1)) continue;
                Case c = product_case(library.name, dtype, threads, side, library.own_threads ? 1 : threads);
                if (!library.core.empty()) c.turn = static_cast<int>(cases.size()) % 3;
                cases.push_back(std::move(c));
            }
        }
    }
    return cases;
}

Found find(const Library& library) {
    const std::vector<int> widths = usable_widths();
    if (library.width_bits > (widths.empty() ? 128 : widths.back()))
        return {false, "this processor has no vectors of " + std::to_string(library.width_bits) + " bits"};
    void* handle = load(library.files);
    if (!handle) return {false, "not installed"};
    return {true, library.version(handle)};
}

Measurement measure_gemm(const Library& library, const Case& what, const std::vector<int>& cpus,
                         double seconds) {
    void* handle = load(library.files);
    if (!handle) throw EnvironmentError("not installed");
    const int n = std::stoi(what.arguments.at("n"));
    const int calls = library.own_threads ? 1 : what.threads;
    Measurement m = what.dtype == DType::f32
                        ? measure_product<float>(library.single(handle), n, calls, cpus, seconds)
                        : measure_product<double>(library.twice(handle), n, calls, cpus, seconds);
    if (m.outcome == Outcome::measured) m.detail = library.version(handle);
    return m;
}

std::vector<Library> libraries() {
    const std::vector<const char*> openblas{"libopenblas.so.0", "libopenblasp.so.0", "libopenblas.so"};
    std::vector<Library> all{
        {"OpenBLAS", "libopenblas0-pthread", openblas, openblas_version, cblas<float>, cblas<double>},
        {"BLIS",
         "libblis4",
         {"libblis.so.4", "libblis-mt.so.4", "libblis.so.3", "libblis.so"},
         blis_version,
         cblas<float>,
         cblas<double>},
        {"oneDNN", "libdnnl2", {"libdnnl.so.3", "libdnnl.so.2"}, onednn_version, onednn<float>, nullptr},
        // Made for small products, and without threads of its own.
        {"libxsmm",
         "libxsmm-dev",
         {"libxsmm.so.2", "libxsmm.so.1", "libxsmm.so"},
         xsmm_version,
         xsmm<float>,
         xsmm<double>,
         false,
         {24, 48}},
        {"MKL",
         "intel-mkl",
         {"libmkl_rt.so.2", "libmkl_rt.so.1", "libmkl_rt.so"},
         mkl_version,
         cblas<float>,
         cblas<double>},
    };
    for (const auto& [core, width] :
         {std::pair<const char*, int>{"Haswell", 256}, {"Zen", 256}, {"SkylakeX", 512}}) {
        Library forced = all.front();
        forced.name = std::string("OpenBLAS forced to ") + core;
        forced.core = core;
        forced.width_bits = width;
        all.push_back(std::move(forced));
    }
    return all;
}

}  // namespace

std::vector<Peer> gemm_peers() {
    std::vector<Peer> peers;
    for (const Library& library : libraries()) {
        Peer peer;
        peer.name = library.name;
        peer.package = library.package;
        peer.cases = [library](const PeerSetting& setting) { return cases_of(library, setting); };
        peer.find = [library] { return find(library); };
        peer.measure = [library](const Case& what, const std::vector<int>& cpus, double seconds) {
            return measure_gemm(library, what, cpus, seconds);
        };
        // Not what the caller's shell forces, unless this peer does.
        peer.environment = [core = library.core](int) {
            return std::vector<std::pair<std::string, std::string>>{{"OPENBLAS_CORETYPE", core}};
        };
        peers.push_back(std::move(peer));
    }
    return peers;
}

}  // namespace rooftune::audit
