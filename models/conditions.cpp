#include "models/conditions.h"

namespace rooftune {

bool may_exclude(Resource resource, const Conditions& when) {
    switch (resource) {
        case Resource::compute:
            return !when.sparse;
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
            return false;
    }
    return false;
}

bool applies(const Ceiling& ceiling, const Traits& traits) {
    const Conditions& when = ceiling.when;
    if (has_dtype(ceiling.resource) && when.dtype != traits.dtype) return false;
    if (when.width_bits > 0 && when.width_bits > traits.width_bits) return false;
    if (when.threads > 0 && when.threads != traits.threads && when.threads != 1) return false;
    if (when.streams > 0 && traits.streams > 0 && when.streams != traits.streams) return false;
    return true;
}

}  // namespace rooftune
