#include "models/machine.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <utility>

namespace rooftune {
namespace {

struct ResourceName {
    Resource resource;
    std::string_view text;
    std::string_view unit;
};

constexpr std::array<ResourceName, 13> kResources{{
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
    {Resource::joint, "joint", "byte/s"},
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

bool Occasions::latest_tells() const {
    return windows >= kWindowsOfOccasion;
}

double Occasions::second() const {
    double first = latest_tells() ? latest : 0.0, second = 0.0;
    for (const double rate : highest) {
        second = std::max(second, std::min(first, rate));
        first = std::max(first, rate);
    }
    return second;
}

double Ceiling::margin() const {
    const bool walks = resource == Resource::bandwidth || resource == Resource::joint;
    const bool walk = walks && p95 > 0.0;  // a published rate has no quantiles
    const double least = walk ? kMarginOfWalks : kMarginOfCores;
    const double second = occasions.second();
    if (occasions.count < kOccasionsOfMargin || second <= 0.0) return least;
    return std::clamp(max / second - 1.0, least, kMostMargin);
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
    if (c.when.mix == Mix::gathers) return "element/s";
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

std::string describe(const Ceiling& c, double rate) {
    constexpr double kSeveral = 1.5;
    if (c.max <= 0.0 || rate < kSeveral * c.max) return describe(c);
    return std::to_string(std::lround(rate / c.max)) + " × (" + describe(c) + ")";
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
    const LoadsBesides& b = w.besides;
    if (b.vectors > 0) text += ", " + plural(b.vectors, "load") + " a line besides";
    if (b.crossing > 0) text += " (" + std::to_string(b.crossing) + " across two lines)";
    if (b.scalars > 0) text += ", " + plural(b.scalars, "scalar load") + " a line besides";
    if (b.gathered > 0) text += ", " + plural(b.gathered, "gathered element") + " a line besides";
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

// Seconds since 1970 of an ISO 8601 date and time in UTC; nullopt for another text.
std::optional<std::int64_t> seconds_of(const std::string& text) {
    int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0;
    if (std::sscanf(text.c_str(), "%d-%d-%dT%d:%d:%d", &year, &month, &day, &hour, &minute, &second) != 6)
        return std::nullopt;
    const std::chrono::year_month_day date{std::chrono::year(year),
                                           std::chrono::month(static_cast<unsigned>(month)),
                                           std::chrono::day(static_cast<unsigned>(day))};
    if (!date.ok()) return std::nullopt;
    const std::int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
    return ((days * 24 + hour) * 60 + minute) * 60 + second;
}

bool of_another(const std::string& since, const std::string& seen) {
    const auto from = seconds_of(since), to = seconds_of(seen);
    // A clock that was set back begins another one too: nobody knows how long ago the latest was.
    return from && to && (*to < *from || *to - *from >= kSecondsOfOccasion);
}

// What the occasions are once `fresh` was probed. Of its rates only those count that nobody disturbed and
// that are of this probe; its maximum may be that of a log which goes further back.
Occasions with_occasion(Occasions occasions, const Ceiling& fresh) {
    const bool counted = fresh.undisturbed >= 0;
    const int windows = counted ? fresh.undisturbed : kWindowsOfOccasion;
    if (windows == 0 || fresh.seen.empty()) return occasions;
    const double rate = counted && !fresh.top.empty() ? fresh.top.front() : fresh.max;
    if (occasions.windows == 0 || of_another(occasions.since, fresh.seen)) {
        if (occasions.latest_tells()) {
            occasions.highest.push_back(occasions.latest);
            std::sort(occasions.highest.rbegin(), occasions.highest.rend());
            constexpr std::size_t kHighest = 2;
            occasions.highest.resize(std::min(occasions.highest.size(), kHighest));
        }
        occasions.since = fresh.seen;
        occasions.latest = 0.0;
        occasions.windows = 0;
    }
    const bool told = occasions.latest_tells();
    occasions.latest = std::max(occasions.latest, rate);
    occasions.windows += windows;
    if (!told && occasions.latest_tells()) ++occasions.count;
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
        Occasions occasions = with_occasion(std::move(old.occasions), fresh);
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
    added.occasions = with_occasion(std::move(added.occasions), fresh);
}

}  // namespace rooftune
