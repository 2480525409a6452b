#include "models/conditions.h"

namespace rooftune {
namespace {

bool is_one_of_several(const Conditions& when) {
    if (when.mix == Mix::dot) return true;
    return is_integer(when.dtype) && (when.mix == Mix::add || when.mix == Mix::mul);
}

}  // namespace

bool may_exclude(Resource resource, const Conditions& when) {
    switch (resource) {
        case Resource::compute:
            return !when.sparse && !is_one_of_several(when);
        case Resource::bandwidth:
            return !when.shared;
        case Resource::issue:
        case Resource::clock:
        case Resource::window:
        case Resource::link:
            return true;
        case Resource::gather:
        case Resource::strided:
        case Resource::latency:
        case Resource::local:
        case Resource::transfer:
        case Resource::launch:
        case Resource::joint:
            return false;
    }
    return false;
}

}  // namespace rooftune
