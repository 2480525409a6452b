#include "tuner/base/hypervisor_name.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "tuner/base/text_width.h"

namespace rooftune {
namespace {

struct Known {
    std::string_view signature, name;
};

constexpr std::array<Known, 16> kKnown{{{"KVMKVMKVM", "KVM"},
                                        {"Linux KVM Hv", "KVM"},
                                        {"Microsoft Hv", "Hyper-V"},
                                        {"VMwareVMware", "VMware"},
                                        {"XenVMMXenVMM", "Xen"},
                                        {"TCGTCGTCGTCG", "QEMU's emulation (TCG)"},
                                        {"VBoxVBoxVBox", "VirtualBox"},
                                        {"bhyve bhyve", "bhyve"},
                                        {"prl hyperv", "Parallels"},
                                        {"lrpepyh  vr", "Parallels"},  // the same, its words turned about
                                        {"ACRNACRNACRN", "ACRN"},
                                        {"HAXMHAXMHAXM", "HAXM"},
                                        {"NVMMNVMMNVMM", "NVMM"},
                                        {"OpenBSDVMM58", "OpenBSD's vmm"},
                                        {"QNXQVMBSQG", "QNX"},
                                        {"UnisysSpar64", "Unisys s-Par"}}};

std::string trimmed(std::string text) {
    const auto is_text = [](unsigned char c) { return std::isspace(c) == 0; };
    text.erase(text.begin(), std::find_if(text.begin(), text.end(), is_text));
    text.erase(std::find_if(text.rbegin(), text.rend(), is_text).base(), text.end());
    return text;
}

// As fingerprints spell it.
std::string plain(std::string_view text) {
    std::string out(text);
    std::replace_if(
        out.begin(), out.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
    while (out.ends_with('_')) out.pop_back();
    while (out.starts_with('_')) out.erase(out.begin());
    return out;
}

}  // namespace

std::string hypervisor_name(std::string_view signature) {
    const std::string wanted = plain(signature);
    for (const Known& known : kKnown) {
        if (!wanted.empty() && wanted == plain(known.signature)) return std::string(known.name);
    }
    return trimmed(printable(signature));
}

}  // namespace rooftune
