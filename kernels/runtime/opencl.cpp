#include "kernels/runtime/opencl.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "kernels/runtime/error.h"
#include "kernels/runtime/opencl_discovery.h"

namespace rooftune {
namespace {

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

bool mentions(const std::string& text, const std::string& part) {
    return lower(text).find(part) != std::string::npos;
}

std::string list_of(const std::vector<Device>& devices) {
    std::string text;
    for (std::size_t i = 0; i < devices.size(); ++i) {
        text += "\n  " + std::to_string(i) + "  " + devices[i].id + "  " + devices[i].name + " (" +
                devices[i].platform + ")";
    }
    return text;
}

}  // namespace

std::vector<Device> opencl_devices(const std::vector<int>& cpus) {
    std::vector<Device> devices;
    for (const opencl::Found& found : opencl::found_devices(cpus)) devices.push_back(found.device);
    return devices;
}

Device pick_device(const std::vector<Device>& devices, const std::string& text) {
    if (devices.empty()) {
        throw EnvironmentError(
            "no OpenCL device: install pocl-opencl-icd to run on the processor, or the driver of the "
            "accelerator; `clinfo` shows what the system sees");
    }
    if (text.empty()) return devices.front();
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
    if (error == std::errc() && end == text.data() + text.size() && index < devices.size())
        return devices[index];
    std::vector<const Device*> fitting;
    for (const Device& device : devices) {
        if (device.id == text) return device;
        if (mentions(device.name, lower(text)) || mentions(device.platform, lower(text)))
            fitting.push_back(&device);
    }
    if (fitting.size() == 1) return *fitting.front();
    const std::string what = fitting.empty() ? "no OpenCL device '" : "more than one OpenCL device fits '";
    throw InputError(what + text +
                     "'; name one by its number, its id or a part of its name:" + list_of(devices));
}

}  // namespace rooftune
