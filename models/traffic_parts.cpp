#include "models/traffic_parts.h"

namespace rooftune {

std::string_view to_text(TrafficCause cause) {
    switch (cause) {
        case TrafficCause::compulsory:
            return "compulsory";
        case TrafficCause::write_allocate:
            return "write_allocate";
        case TrafficCause::capacity:
            return "capacity";
        case TrafficCause::conflict:
            return "conflict";
    }
    return "compulsory";
}

std::vector<TrafficPart> parts_of(const TrafficAmounts& amounts, const TrafficCures& cures) {
    std::vector<TrafficPart> parts{{TrafficCause::compulsory, Bytes(amounts.compulsory), ""}};
    const auto add = [&](TrafficCause cause, double bytes, const std::string& cure) {
        if (bytes > 0.0) parts.push_back({cause, Bytes(bytes), cure});
    };
    add(TrafficCause::write_allocate, amounts.write_allocate, cures.write_allocate);
    add(TrafficCause::capacity, amounts.capacity, cures.capacity);
    add(TrafficCause::conflict, amounts.conflict, cures.conflict);
    return parts;
}

Bytes total(const std::vector<TrafficPart>& parts) {
    Bytes sum{0.0};
    for (const TrafficPart& part : parts) sum += part.bytes;
    return sum;
}

}  // namespace rooftune
