// Offloading to a device with a memory of its own: a network of two, the host and the device, with one link
// (PCIe, say) and three steps: the input goes over, the device computes as often as it is asked to with data
// that stays there, the result comes back. It pays once the repetitions have earned the two transfers.
#pragma once

#include <algorithm>
#include <optional>

#include "models/units.h"

namespace rooftune {

struct Offload {
    Seconds on_host{0.0};    ///< of one repetition on the host
    Seconds on_device{0.0};  ///< of one repetition on the device, its data there
    Bytes in{0.0};
    Bytes out{0.0};
    BytesPerSecond to_device{0.0};
    BytesPerSecond from_device{0.0};
    Seconds launch{0.0};    ///< of one repetition, on the host's side
    bool both_ways = true;  ///< the link carries both directions at once

    Seconds transfer_in() const { return in / to_device; }
    Seconds transfer_out() const { return out / from_device; }

    /// One step after the other.
    Seconds serial(double repetitions) const {
        return transfer_in() + (on_device + launch) * repetitions + transfer_out();
    }

    /// The least: in pieces so small that every step overlaps the others.
    Seconds overlapped(double repetitions) const {
        const Seconds moving =
            both_ways ? std::max(transfer_in(), transfer_out()) : transfer_in() + transfer_out();
        return std::max(moving, (on_device + launch) * repetitions);
    }

    /// Repetitions from which the device is faster, without overlap; as a real number, the first whole one
    /// above it pays. nullopt: never, a repetition there is no faster than here.
    std::optional<double> break_even() const {
        const Seconds gained = on_host - on_device - launch;
        if (gained.value <= 0.0) return std::nullopt;
        return (transfer_in() + transfer_out()) / gained;
    }
};

}  // namespace rooftune
