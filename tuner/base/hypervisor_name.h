// What a hypervisor is called by people.
#pragma once

#include <string>
#include <string_view>

namespace rooftune {

/// The name behind the vendor signature that CPUID's leaf 0x40000000 holds, twelve characters that vendors
/// fill up as they like: "KVM" for "KVMKVMKVM", "Hyper-V" for "Microsoft Hv". Also as it stands at the end of
/// a fingerprint, where what is no letter is an underscore. An unknown one is given as it is, printable and
/// trimmed; empty for none. Files and fingerprints keep the signature: by another text for it a results
/// folder would no longer know its own machine.
std::string hypervisor_name(std::string_view signature);

}  // namespace rooftune
