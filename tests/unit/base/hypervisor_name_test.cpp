// Names of hypervisors by the signatures that they show.
#include "tuner/base/hypervisor_name.h"
#include "tests/support/catch.h"

using namespace rooftune;

TEST_CASE("known signatures have their names, as CPUID gives them and as fingerprints spell them") {
    for (const char* signature : {"KVMKVMKVM", "KVMKVMKVM   ", "Linux KVM Hv", "Linux_KVM_Hv"})
        CHECK(hypervisor_name(signature) == "KVM");
    for (const char* signature : {"Microsoft Hv", "Microsoft_Hv"})
        CHECK(hypervisor_name(signature) == "Hyper-V");
    CHECK(hypervisor_name("VMwareVMware") == "VMware");
    CHECK(hypervisor_name("XenVMMXenVMM") == "Xen");
    CHECK(hypervisor_name("TCGTCGTCGTCG") == "QEMU's emulation (TCG)");
    CHECK(hypervisor_name("bhyve bhyve ") == "bhyve");
    CHECK(hypervisor_name("bhyve_bhyve_") == "bhyve");
    CHECK(hypervisor_name("prl hyperv  ") == "Parallels");
    CHECK(hypervisor_name(" lrpepyh  vr") == "Parallels");
}

TEST_CASE("unknown signatures are shown as they are, printable and trimmed") {
    CHECK(hypervisor_name("") == "");
    CHECK(hypervisor_name("   ") == "");
    CHECK(hypervisor_name("unnamed") == "unnamed");
    CHECK(hypervisor_name("  SomeNewVMM ") == "SomeNewVMM");
    CHECK(hypervisor_name("KVMKVMKVMKVM") == "KVMKVMKVMKVM");
    const std::string odd = hypervisor_name("bad\x01\x1b[31mVM");
    CHECK(odd.find('\x1b') == std::string::npos);
    CHECK(odd.find('\x01') == std::string::npos);
}
