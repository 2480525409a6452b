#include "kernels/registry.h"

#include "kernels/matmul/family.h"
#include "kernels/spmv/family.h"
#include "kernels/stencil/family.h"

namespace rooftune {

const Family* Registry::find(std::string_view name) const {
    for (const auto& family : families_) {
        if (family->name() == name) return family.get();
    }
    return nullptr;
}

Registry built_in_families() {
    Registry registry;
    registry.add(make_spmv_family());
    registry.add(make_matmul_family());
    registry.add(make_stencil_family());
    return registry;
}

}  // namespace rooftune
