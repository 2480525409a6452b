#include "models/machine.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

namespace rooftune {
namespace {

struct ResourceName {
    Resource resource;
    std::string_view text;
    std::string_view unit;
};

constexpr std::array<ResourceName, 12> kResources{{
    {Resource::compute, "compute", "flop/s"},
    {Resource::bandwidth, "bandwidth", "byte/s"},
    {Resource::gather, "gather", "element/s"},
    {Resource::strided, "strided", "element/s"},
    {Resource::latency, "latency", "load/s"},
    {Resource::issue, "issue", "instruction/s"},
    {Resource::clock, "clock", "Hz"},
    {Resource::window, "window", "instruction"},
    {Resource::local, "local", "byte/s"},
    {Resource::transfer, "transfer", "byte/s"},
    {Resource::launch, "launch", "launch/s"},
    {Resource::link, "link", "byte/s"},
}};

std::string bytes_text(double bytes) {
    char text[32];
    if (bytes < 1024.0) {
        std::snprintf(text, sizeof text, "%.3g B", bytes);
        return text;
    }
    if (bytes >= 1024.0 * 1024.0 * 1024.0) {
        std::snprintf(text, sizeof text, "%.3g GiB", bytes / (1024.0 * 1024.0 * 1024.0));
    } else if (bytes >= 1024.0 * 1024.0) {
        std::snprintf(text, sizeof text, "%.3g MiB", bytes / (1024.0 * 1024.0));
    } else {
        std::snprintf(text, sizeof text, "%.3g KiB", bytes / 1024.0);
    }
    return text;
}

std::string plural(int n, std::string_view what) {
    return std::to_string(n) + " " + std::string(what) + (n == 1 ? "" : "s");
}

}  // namespace

double Ceiling::margin() const {
    if (p95 <= 0.0) return 0.03;
    return std::max(0.03, max / p95 - 1.0);
}

bool Ceiling::saturated() const {
    if (undisturbed < 0) return true;
    return undisturbed >= kUndisturbedWindows && top.size() >= kTopWindows &&
           top[kTopWindows - 1] >= (1.0 - kTopAgreement) * max;
}

std::string_view to_text(Resource r) {
    for (const auto& entry : kResources) {
        if (entry.resource == r) return entry.text;
    }
    return "compute";
}

std::optional<Resource> resource_from(std::string_view text) {
    for (const auto& entry : kResources) {
        if (entry.text == text) return entry.resource;
    }
    return std::nullopt;
}

std::string_view unit_of(Resource r) {
    for (const auto& entry : kResources) {
        if (entry.resource == r) return entry.unit;
    }
    return "";
}

std::string_view unit_of(const Ceiling& c) {
    if (c.resource == Resource::compute && is_integer(c.when.dtype)) return "op/s";
    return unit_of(c.resource);
}

std::string_view to_text(Prefetch p) {
    return p == Prefetch::any ? "any" : p == Prefetch::on ? "on" : "off";
}

std::optional<Prefetch> prefetch_from(std::string_view text) {
    for (const Prefetch p : {Prefetch::any, Prefetch::off, Prefetch::on}) {
        if (to_text(p) == text) return p;
    }
    return std::nullopt;
}

std::string describe(const Ceiling& c) {
    std::string text(to_text(c.resource));
    const Conditions& w = c.when;
    if (w.mix != Mix::none) text += " " + std::string(to_text(w.mix));
    if (!w.unit.empty()) text += " " + w.unit;
    if (has_dtype(c.resource)) {
        text += " " + std::string(to_text(w.dtype));
    }
    if (w.width_bits > 0) text += " × " + std::to_string(w.width_bits) + " bit";
    if (w.footprint.value > 0.0) text += ", " + bytes_text(w.footprint.value);
    if (w.chains > 0) text += ", " + plural(w.chains, "chain");
    if (w.streams > 0) text += ", " + plural(w.streams, "stream");
    if (w.threads > 0) text += ", " + plural(w.threads, w.device.empty() ? "thread" : "compute unit");
    if (!w.device.empty()) text += ", OpenCL";
    if (w.stride.value > 0.0) text += ", " + bytes_text(w.stride.value) + " apart";
    if (w.sparse) text += ", with sparsity";
    if (w.prefetch != Prefetch::any) text += ", software prefetch " + std::string(to_text(w.prefetch));
    if (w.shared) text += ", shared data";
    if (w.remote) text += ", remote memory";
    if (w.huge_pages) text += ", huge pages";
    return text;
}

bool has_dtype(Resource r) {
    return r == Resource::compute || r == Resource::gather || r == Resource::strided;
}

Machine machine_of(const Machine& machine, const std::string& device) {
    Machine view = machine;
    const bool native =
        device.empty() || std::any_of(machine.devices.begin(), machine.devices.end(),
                                      [&](const Device& d) { return d.id == device && d.is_cpu; });
    std::erase_if(view.ceilings, [&](const Ceiling& c) {
        return c.when.device.empty() ? !native : c.when.device != device;
    });
    return view;
}

void merge(Machine& machine, const Ceiling& fresh) {
    for (Ceiling& old : machine.ceilings) {
        if (old.resource != fresh.resource || !(old.when == fresh.when)) continue;
        const double max = std::max(old.max, fresh.max);
        // A maximum that the better run's 95th percentile came near is no outlier: a slow spell later
        // must not widen the margin.
        const double p95 = std::max(old.p95, fresh.p95);
        const int windows = old.windows + fresh.windows;
        std::vector<double> top = old.top;
        top.insert(top.end(), fresh.top.begin(), fresh.top.end());
        std::sort(top.rbegin(), top.rend());
        top.resize(std::min(top.size(), kTopWindows));
        // Windows that were not counted say nothing of who disturbed them.
        const int undisturbed =
            fresh.undisturbed < 0 ? old.undisturbed : std::max(0, old.undisturbed) + fresh.undisturbed;
        old = fresh;
        old.max = max;
        old.p95 = p95;
        old.windows = windows;
        old.undisturbed = undisturbed;
        old.top = std::move(top);
        return;
    }
    machine.ceilings.push_back(fresh);
}

}  // namespace rooftune
