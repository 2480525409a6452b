#include "models/network.h"

namespace rooftune {

std::string_view to_text(Wiring wiring) {
    return wiring == Wiring::ring ? "ring" : "port";
}

std::optional<Wiring> wiring_from(std::string_view text) {
    if (text == "ring") return Wiring::ring;
    if (text == "port") return Wiring::port;
    return std::nullopt;
}

std::string_view to_text(Collective collective) {
    switch (collective) {
        case Collective::all_gather:
            return "all-gather";
        case Collective::reduce_scatter:
            return "reduce-scatter";
        case Collective::all_reduce:
            return "all-reduce";
    }
    return "all-reduce";
}

}  // namespace rooftune
