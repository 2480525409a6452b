#include "tuner/machine/device_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "tuner/base/suggested.h"
#include "tuner/base/table.h"
#include "tuner/machine/summary_cells.h"

namespace rooftune {
namespace {

class OfDevice {
public:
    OfDevice(const Machine& machine, const Device& device) : machine_(&machine), device_(&device) {}

    template <typename Visit>
    void each(Resource resource, Visit&& visit) const {
        for (const Ceiling& c : machine_->ceilings) {
            if (c.resource == resource && c.when.device == device_->id) visit(c);
        }
    }
    template <typename Wanted>
    double best(Resource resource, Wanted&& wanted) const {
        double rate = 0.0;
        each(resource, [&](const Ceiling& c) {
            if (wanted(c.when)) rate = std::max(rate, c.max);
        });
        return rate;
    }
    std::vector<int> units() const {
        std::set<int> counts;
        each(Resource::bandwidth, [&](const Ceiling& c) { counts.insert(c.when.threads); });
        return {counts.begin(), counts.end()};
    }

private:
    const Machine* machine_;
    const Device* device_;
};

std::string units_text(int n) {
    return n == 1 ? "1 compute unit" : fmt::format("{} compute units", n);
}

std::string peaks(const OfDevice& on) {
    std::vector<Column> columns{{"vectors", Align::left}};
    for (const int n : on.units()) {
        for (const char* type : {"f64, ", "f32, "}) columns.push_back({type + units_text(n), Align::right});
    }
    Table table(columns);
    for (const int lanes : {1, 2, 4, 8, 16}) {
        std::vector<TableCell> row{lanes == 1 ? std::string("scalar") : fmt::format("of {} lanes", lanes)};
        bool any = false;
        for (const int n : on.units()) {
            for (const DType dtype : {DType::f64, DType::f32}) {
                const int bits = lanes * 8 * static_cast<int>(size_of(dtype));
                const double rate = on.best(Resource::compute, [&](const Conditions& w) {
                    return w.dtype == dtype && w.width_bits == bits && w.threads == n;
                });
                any = any || rate > 0.0;
                row.emplace_back(giga(rate));
            }
        }
        if (any) table.add(row);
    }
    return table.empty() ? "" : "Peak of the device, Gflop/s\n" + table.to_text();
}

std::string bandwidths(const OfDevice& on) {
    std::set<double> sizes;
    on.each(Resource::bandwidth, [&](const Ceiling& c) { sizes.insert(c.when.footprint.value); });
    std::vector<Column> columns{{"data", Align::right}};
    for (const int n : on.units()) columns.push_back({units_text(n), Align::right});
    Table table(columns);
    // Every fourth footprint: enough to see where it falls.
    std::size_t at = 0;
    for (const double size : sizes) {
        if (at++ % 4 != 0 && at != sizes.size()) continue;
        std::vector<TableCell> row{size_text(Bytes(size))};
        for (const int n : on.units()) {
            row.emplace_back(giga(on.best(Resource::bandwidth, [&](const Conditions& w) {
                return w.footprint.value == size && w.threads == n;
            })));
        }
        table.add(row);
    }
    return table.empty() ? ""
                         : "Bandwidth of the device, GB/s (highest over kinds of access)\n" + table.to_text();
}

}  // namespace

std::string device_summary(const Machine& machine, const Device& device) {
    const OfDevice on(machine, device);
    std::string out = fmt::format("OpenCL device {} ({}, driver {}): {}, {} of memory{}.\n", device.name,
                                  device.platform, device.driver, units_text(device.compute_units),
                                  size_text(device.global_memory), device.f64 ? "" : ", no double precision");
    if (on.units().empty())
        return out + "Nothing measured yet: run " + suggested("machine --backend opencl") + ".\n";
    for (const std::string& table : {peaks(on), bandwidths(on)}) {
        if (!table.empty()) out += "\n" + table;
    }
    out += "\n";
    const auto any = [](const Conditions&) { return true; };
    if (const double local = on.best(Resource::local, any); local > 0.0)
        out += fmt::format("Local memory: {} GB/s.\n", giga(local));
    if (const double launches = on.best(Resource::launch, any); launches > 0.0)
        out += fmt::format("Launching an empty kernel takes {:.1f} µs (not part of a kernel's time).\n",
                           1e6 / launches);
    const auto transfer = [&](Mix mix) {
        return on.best(Resource::transfer, [&](const Conditions& w) { return w.mix == mix; });
    };
    if (transfer(Mix::to_device) > 0.0) {
        out += fmt::format("Transfer: {} GB/s to the device, {} GB/s back.\n", giga(transfer(Mix::to_device)),
                           giga(transfer(Mix::from_device)));
    }
    if (device.is_cpu) {
        out +=
            "It runs on this machine's own cores: its roofs are the larger of these and the native ones.\n";
    }
    return out;
}

std::string device_page(const Machine& machine, const Device& device) {
    return device_summary(machine, device) + "\n" + machine.name +
           " is known already: " + suggested("machine --show") + " shows its processors, " +
           suggested("machine") + " probes them again.\n";
}

}  // namespace rooftune
