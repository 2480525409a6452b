#include "tuner/formats/machine_override.h"

#include <algorithm>
#include <optional>

#include "kernels/runtime/error.h"
#include "kernels/runtime/nearest.h"
#include "tuner/base/quantity.h"

namespace rooftune {
namespace {

std::vector<std::string> split(std::string_view text, char at) {
    std::vector<std::string> parts{""};
    for (const char c : text) {
        if (c == at) {
            parts.emplace_back();
        } else {
            parts.back() += c;
        }
    }
    return parts;
}

[[noreturn]] void unknown(const Machine& machine, const std::string& text, const std::string& path) {
    throw InputError("--set " + text + ": there is no value '" + path + "'; " +
                     suggestion(path, override_paths(machine)));
}

// Takes the ceilings that `replaced` picks off the machine, all but those that are slower than the new value
// where `keep_slower`, and puts one in their place, like the fastest of them.
template <typename Picked>
void replace(Machine& machine, MachineOverride& change, Ceiling fresh, bool keep_slower, Picked&& picked) {
    const Ceiling* fastest = nullptr;
    for (const Ceiling& c : machine.ceilings) {
        if (picked(c) && (fastest == nullptr || c.max > fastest->max)) fastest = &c;
    }
    if (fastest != nullptr) {
        change.was = fastest->max;
        change.source = fastest->source;
        fresh.when.unit = fastest->when.unit;
    }
    fresh.max = change.value;
    fresh.source = kOverrideSource;
    fresh.when.threads = 0;
    const double was = change.was;
    std::erase_if(machine.ceilings, [&](const Ceiling& c) {
        return picked(c) && (!keep_slower || c.max >= std::min(was, change.value));
    });
    machine.ceilings.push_back(std::move(fresh));
}

MachineOverride set_peak(Machine& machine, const std::string& text, const std::string& path,
                         const std::string& value, const OverrideContext& context) {
    const std::vector<std::string> parts = split(path, '.');
    DType dtype = context.dtype;
    std::string unit = parts.size() == 1 ? context.unit : "";
    if (parts.size() > 1) {
        const std::optional<DType> named = dtype_from(parts[1]);
        if (!named || parts.size() > 3) unknown(machine, text, path);
        dtype = *named;
    }
    if (parts.size() == 3) unit = parts[2];
    const auto picked = [&](const Ceiling& c) {
        return c.resource == Resource::compute && c.when.dtype == dtype && !c.when.sparse && c.excludes &&
               (unit.empty() || c.when.unit == unit);
    };
    if (!unit.empty() && std::none_of(machine.ceilings.begin(), machine.ceilings.end(), picked))
        unknown(machine, text, path);
    Ceiling fresh;
    fresh.resource = Resource::compute;
    fresh.when.dtype = dtype;
    MachineOverride change{.path = path, .unit = std::string(unit_of(fresh))};
    change.value = quantity_from(value, change.unit, "--set " + path);
    replace(machine, change, fresh, true, picked);
    return change;
}

// The ways that bandwidth was measured in, apart from footprints.
std::vector<Conditions> other_walks(const Machine& machine) {
    std::vector<Conditions> walks;
    for (const Ceiling& c : machine.ceilings) {
        if (c.resource != Resource::bandwidth) continue;
        Conditions when;
        when.mix = c.when.mix;
        when.threads = c.when.threads;
        if (std::find(walks.begin(), walks.end(), when) == walks.end()) walks.push_back(when);
    }
    return walks;
}

MachineOverride set_bandwidth(Machine& machine, const std::string& path, const std::string& value) {
    MachineOverride change{.path = path, .unit = "byte/s"};
    change.value = quantity_from(value, change.unit, "--set " + path);
    double largest = 0.0;
    for (const Ceiling& c : machine.ceilings) {
        if (c.resource == Resource::bandwidth) largest = std::max(largest, c.when.footprint.value);
    }
    // A problem's own footprint is measured beside those of the plan: all within a factor of two are memory.
    const auto picked = [&](const Ceiling& c) {
        return c.resource == Resource::bandwidth && c.when.footprint.value >= 0.5 * largest;
    };
    Ceiling fresh;
    fresh.resource = Resource::bandwidth;
    fresh.when.footprint = Bytes(largest);
    for (const Ceiling& c : machine.ceilings) {
        if (picked(c)) fresh.when.footprint = std::min(fresh.when.footprint, c.when.footprint);
    }
    std::vector<Conditions> others = other_walks(machine);
    replace(machine, change, fresh, false, picked);
    if (largest <= 0.0) return change;
    // Each mix on each number of threads is a curve that goes on behind its last footprint: it ends here too.
    const Ceiling end = machine.ceilings.back();
    for (Conditions& when : others) {
        when.footprint = end.when.footprint;
        if (when == end.when) continue;
        machine.ceilings.push_back(end);
        machine.ceilings.back().when = when;
    }
    return change;
}

MachineOverride set_link(Machine& machine, const std::string& text, const std::string& path,
                         const std::string& value, const OverrideContext& context) {
    const std::vector<std::string> parts = split(path, '.');
    const std::string name = parts.size() == 3 ? parts[2] : context.link;
    const auto picked = [&](const Ceiling& c) {
        return c.resource == Resource::link && (name.empty() || c.when.unit == name);
    };
    if (!name.empty() && std::none_of(machine.ceilings.begin(), machine.ceilings.end(), picked))
        unknown(machine, text, path);
    MachineOverride change{.path = path, .unit = "byte/s"};
    change.value = quantity_from(value, change.unit, "--set " + path);
    Ceiling fresh;
    fresh.resource = Resource::link;
    replace(machine, change, fresh, true, picked);
    return change;
}

MachineOverride set_capacity(Machine& machine, const std::string& path, const std::string& value) {
    MachineOverride change{.path = path, .unit = "byte"};
    change.value = quantity_from(value, change.unit, "--set " + path);
    change.was = machine.topology.memory.value;
    change.source = machine.topology.source;
    machine.topology.memory = Bytes(change.value);
    return change;
}

MachineOverride apply(Machine& machine, const std::string& text, const OverrideContext& context) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
        throw InputError("--set " + text + ": write PATH=VALUE, like memory.bandwidth=8.1e11");
    }
    const std::string path = text.substr(0, equals);
    const std::string value = text.substr(equals + 1);
    if (path == "peak" || path.starts_with("peak.")) return set_peak(machine, text, path, value, context);
    if (path == "memory.bandwidth") return set_bandwidth(machine, path, value);
    if (path == "memory.capacity") return set_capacity(machine, path, value);
    if (path == "link.bandwidth" || path.starts_with("link.bandwidth."))
        return set_link(machine, text, path, value, context);
    unknown(machine, text, path);
}

}  // namespace

std::vector<std::string> override_paths(const Machine& machine) {
    std::vector<std::string> paths{"peak"};
    const auto add = [&](const std::string& path) {
        if (std::find(paths.begin(), paths.end(), path) == paths.end()) paths.push_back(path);
    };
    for (const Ceiling& c : machine.ceilings) {
        if (c.resource != Resource::compute || c.when.sparse) continue;
        const std::string path = "peak." + std::string(to_text(c.when.dtype));
        add(path);
        if (!c.when.unit.empty()) add(path + "." + c.when.unit);
    }
    add("memory.bandwidth");
    add("memory.capacity");
    add("link.bandwidth");
    for (const Ceiling& c : machine.ceilings) {
        if (c.resource == Resource::link && !c.when.unit.empty()) add("link.bandwidth." + c.when.unit);
    }
    return paths;
}

std::vector<MachineOverride> apply_overrides(Machine& machine, const std::vector<std::string>& texts,
                                             const OverrideContext& context) {
    std::vector<MachineOverride> changes;
    for (const std::string& text : texts) {
        MachineOverride change = apply(machine, text, context);
        for (const MachineOverride& other : changes) {
            if (other.path == change.path)
                throw InputError("--set " + text + ": " + change.path + " is set twice; keep one of them");
        }
        changes.push_back(std::move(change));
    }
    return changes;
}

}  // namespace rooftune
