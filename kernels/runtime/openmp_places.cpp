#include "kernels/runtime/openmp_places.h"

#include <dlfcn.h>

#include <set>

namespace rooftune {
namespace {

// We are built without OpenMP: what the program has loaded is asked, whichever it is.
template <typename Function>
Function* loaded(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

}  // namespace

std::vector<int> openmp_places() {
    auto* const places = loaded<int()>("omp_get_num_places");
    auto* const size = loaded<int(int)>("omp_get_place_num_procs");
    auto* const units = loaded<void(int, int*)>("omp_get_place_proc_ids");
    if (places == nullptr || size == nullptr || units == nullptr) return {};
    std::set<int> all;
    const int number = places();
    for (int place = 0; place < number; ++place) {
        const int within = size(place);
        if (within < 1) continue;
        std::vector<int> some(static_cast<std::size_t>(within));
        units(place, some.data());
        all.insert(some.begin(), some.end());
    }
    return {all.begin(), all.end()};
}

}  // namespace rooftune
