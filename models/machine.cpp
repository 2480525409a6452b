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

double Occasions::second() const {
    double first = latest, second = 0.0;
    for (const double rate : highest) {
        second = std::max(second, std::min(first, rate));
        first = std::max(first, rate);
    }
    return second;
}

double Ceiling::margin() const {
    const bool walk = resource == Resource::bandwidth && p95 > 0.0;  // a published rate has no quantiles
    const double least = walk ? kMarginOfWalks : kMarginOfCores;
    const double second = occasions.second();
    if (occasions.count < kOccasionsOfMargin || second <= 0.0) return least;
    return std::clamp(max / second - 1.0, kMarginOfCores, kMostMargin);
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

namespace {

// What the occasions are once `fresh` was probed; `last` is when the ceiling was probed before, empty for
// never.
Occasions with_occasion(Occasions occasions, const std::string& last, const Ceiling& fresh) {
    const bool tells = fresh.undisturbed < 0 || fresh.undisturbed >= static_cast<int>(kTopWindows);
    if (!tells || fresh.seen.empty()) return occasions;
    constexpr std::size_t kMinute = std::string_view("2026-11-24T20:17").size();
    const bool same = occasions.count > 0 && last.substr(0, kMinute) == fresh.seen.substr(0, kMinute);
    if (same) {
        occasions.latest = std::max(occasions.latest, fresh.max);
        return occasions;
    }
    if (occasions.count > 0) {
        occasions.highest.push_back(occasions.latest);
        std::sort(occasions.highest.rbegin(), occasions.highest.rend());
        constexpr std::size_t kHighest = 2;
        occasions.highest.resize(std::min(occasions.highest.size(), kHighest));
    }
    ++occasions.count;
    occasions.latest = fresh.max;
    return occasions;
}

}  // namespace

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
        Occasions occasions = with_occasion(std::move(old.occasions), old.seen, fresh);
        old = fresh;
        old.occasions = std::move(occasions);
        old.max = max;
        old.p95 = p95;
        old.windows = windows;
        old.undisturbed = undisturbed;
        old.top = std::move(top);
        return;
    }
    machine.ceilings.push_back(fresh);
    Ceiling& added = machine.ceilings.back();
    added.occasions = with_occasion(std::move(added.occasions), "", fresh);
}

}  // namespace rooftune
