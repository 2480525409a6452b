#include "tuner/formats/machine_file.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tuner/base/atomic_file.h"
#include "tuner/formats/fields.h"
#include "tuner/formats/schema_kind.h"

namespace rooftune {
namespace {

constexpr double kMostRate = 1e24;
constexpr double kMostMemory = 1e18;
constexpr int kMostThreads = 1 << 20;
constexpr std::string_view kProbeSource = "probe";

/// A value out of a vocabulary, by its name there; `expected` says which names there are.
template <typename T, typename From>
void named(Fields& f, std::string_view key, T& value, From from, std::string_view expected) {
    std::string name(to_text(value));
    f(key, name);
    if (!f.reading()) return;
    const std::optional<T> found = from(name);
    f.require(found.has_value(), key, expected);
    value = *found;
}

void widths_field(Fields& f, std::vector<int>& bits) {
    std::vector<std::int64_t> widths(bits.begin(), bits.end());
    f("width_bits", widths);
    bits.clear();
    for (const std::int64_t width : widths) {
        const bool known = width == 128 || width == 256 || width == 512;
        f.require(known && (bits.empty() || width > bits.back()), "width_bits",
                  "vector widths in bits out of 128, 256 and 512, ascending");
        bits.push_back(static_cast<int>(width));
    }
}

// Conditions at their zero value are not conditions, and are left out.
void condition_fields(Fields& f, Conditions& when, Resource resource) {
    if (f.has("dtype", has_dtype(resource)))
        named(f, "dtype", when.dtype, dtype_from, "an element type, \"f32\" or \"bf16\" say");
    if (f.has("width_bits", when.width_bits != 0)) f("width_bits", when.width_bits, 0, 4096);
    if (f.has("mix", when.mix != Mix::none))
        named(f, "mix", when.mix, mix_from, "the name of a mix, \"load\" or \"fma\" say");
    if (f.has("chains", when.chains != 0)) f("chains", when.chains, 0, 1024);
    if (f.has("threads", true)) f("threads", when.threads, 0, kMostThreads);
    if (f.has("footprint_bytes", when.footprint.value != 0.0))
        f("footprint_bytes", when.footprint.value, 0.0, kMostMemory);
    if (f.has("streams", when.streams != 0)) f("streams", when.streams, 0, 1024);
    if (f.has("huge_pages", when.huge_pages)) f("huge_pages", when.huge_pages);
    if (f.has("device", !when.device.empty())) f("device", when.device);
    if (f.has("unit", !when.unit.empty())) f("unit", when.unit);
    if (f.has("sparse", when.sparse)) f("sparse", when.sparse);
    if (f.has("stride_bytes", when.stride.value != 0.0))
        f("stride_bytes", when.stride.value, 0.0, kMostMemory);
    if (f.has("prefetch", when.prefetch != Prefetch::any))
        named(f, "prefetch", when.prefetch, prefetch_from, "\"any\", \"off\" or \"on\"");
    if (f.has("shared", when.shared)) f("shared", when.shared);
    if (f.has("remote", when.remote)) f("remote", when.remote);
    if (resource != Resource::joint) return;  // of others they would be keys that nobody knows
    LoadsBesides& besides = when.besides;
    if (f.has("loads_a_line", besides.vectors != 0)) f("loads_a_line", besides.vectors, 0, 1024);
    if (f.has("crossing_a_line", besides.crossing != 0)) f("crossing_a_line", besides.crossing, 0, 1024);
    if (f.has("scalars_a_line", besides.scalars != 0)) f("scalars_a_line", besides.scalars, 0, 1024);
    if (f.has("gathered_a_line", besides.gathered != 0)) f("gathered_a_line", besides.gathered, 0, 1024);
    f.require(besides != LoadsBesides{}, "loads_a_line",
              "loads, scalar loads or gathered elements for each line, more than 0");
    f.require(besides.crossing <= besides.vectors, "crossing_a_line", "at most as many as loads_a_line");
}

/// A device that is named must be one of the machine's, and conditions must be those of no ceiling before.
void check_ceiling(const Fields& f, const Machine& machine, std::size_t place) {
    const Ceiling& c = machine.ceilings[place];
    const bool known =
        c.when.device.empty() || std::any_of(machine.devices.begin(), machine.devices.end(),
                                             [&](const Device& d) { return d.id == c.when.device; });
    f.require(known, "when", "a device listed in \"devices\"", c.when.device);
    for (std::size_t i = 0; i < place; ++i) {
        const Ceiling& other = machine.ceilings[i];
        if (other.resource == c.resource && other.when == c.when)
            f.require(false, "when", "conditions that no other ceiling of this resource has",
                      "the same as of another: " + describe(c));
    }
}

}  // namespace

static void fields(Fields& f, CacheLevel& c) {
    f("level", c.level, 1);
    f("reported_bytes", c.reported.value, 0.0, kMostMemory);
    f("probed_bytes", c.probed.value, 0.0, kMostMemory);
    f("shared_by", c.shared_by, 1);
}

static void fields(Fields& f, Topology& t) {
    // What was published of a preset may be little: each key may be missing then. A measured file has them
    // all.
    f.ahead("source", t.source);
    const auto wanted = [&, measured = t.source.empty()](std::string_view key) {
        return measured || f.has(key, true);
    };
    if (wanted("cpu")) f("cpu", t.cpu);
    if (wanted("vendor")) f("vendor", t.vendor);
    if (wanted("family")) f("family", t.family);
    if (wanted("model")) f("model", t.model);
    if (wanted("stepping")) f("stepping", t.stepping);
    if (wanted("cores")) f("cores", t.cores, 1);
    if (wanted("threads")) f("threads", t.threads, 1);
    if (wanted("numa_nodes")) f("numa_nodes", t.numa_nodes, 1);
    if (wanted("memory_bytes")) f("memory_bytes", t.memory.value, 0.0, kMostMemory);
    if (wanted("hypervisor")) f("hypervisor", t.hypervisor);
    if (wanted("width_bits")) widths_field(f, t.width_bits);
    int level_below = 0;
    if (wanted("caches")) {
        f.each("caches", t.caches, [&](Fields& cache, CacheLevel& c) {
            fields(cache, c);
            cache.require(c.level > level_below, "level", "cache levels in ascending order, each once");
            level_below = c.level;
        });
    }
    if (f.has("source", !t.source.empty())) f("source", t.source);
}

static void fields(Fields& f, Device& d) {
    f("id", d.id);
    f.require(!d.id.empty(), "id", "the device's id, which its ceilings name");
    f("name", d.name);
    f("platform", d.platform);
    f("driver", d.driver);
    f("is_cpu", d.is_cpu);
    f("compute_units", d.compute_units, 1);
    f("max_work_group", d.max_work_group, 1);
    f("local_memory_bytes", d.local_memory.value, 0.0, kMostMemory);
    f("global_memory_bytes", d.global_memory.value, 0.0, kMostMemory);
    f("f64", d.f64);
    f("float_lanes", d.float_lanes);
    f("double_lanes", d.double_lanes);
}

static void fields(Fields& f, Occasions& o) {
    f("count", o.count, 0);
    f("latest", o.latest, 0.0, kMostRate);
    f("highest", o.highest);
    if (f.has("since", !o.since.empty())) f("since", o.since);
    // Older files have neither, and count the latest wherever there is one.
    if (f.has("windows", o.windows > 0))
        f("windows", o.windows, 0);
    else if (o.count > 0)
        o.windows = kWindowsOfOccasion;
}

static void fields(Fields& f, Ceiling& c) {
    named(f, "resource", c.resource, resource_from,
          "the name of a resource, \"compute\" or \"bandwidth\" say");
    std::string unit(unit_of(c));
    f("unit", unit);
    f.inside("when", [&](Fields& when) { condition_fields(when, c.when, c.resource); });
    f.require(unit == unit_of(c), "unit", "\"" + std::string(unit_of(c)) + "\", the unit of this resource");
    f("max", c.max, 0.0, kMostRate);
    // A published rate has no distribution and was not seen here.
    f.ahead("source", c.source);
    const auto wanted = [&](std::string_view key) { return c.source == kProbeSource || f.has(key, true); };
    if (wanted("p95")) f("p95", c.p95, 0.0, kMostRate);
    if (wanted("median")) f("median", c.median, 0.0, kMostRate);
    if (wanted("windows")) f("windows", c.windows);
    if (f.has("undisturbed", c.undisturbed >= 0)) {
        f("undisturbed", c.undisturbed);
        f("top", c.top);
    }
    if (f.has("occasions", c.occasions.windows > 0)) f("occasions", c.occasions);
    if (wanted("seen")) f("seen", c.seen);
    f("source", c.source);
    f("excludes", c.excludes);
    if (f.has("note", !c.note.empty())) f("note", c.note);
    f.require(c.p95 <= c.max, "p95", "at most \"max\"");
    f.require(c.median <= c.max, "median", "at most \"max\"");
}

static void fields(Fields& f, Machine& machine) {
    std::string schema(kMachineSchema);
    f.one_of("schema", schema, {kMachineSchema, kOldMachineSchema});
    f("id", machine.id);
    f("name", machine.name);
    f("topology", machine.topology);
    if (f.has("devices", !machine.devices.empty())) f("devices", machine.devices);
    std::size_t place = 0;
    f.each("ceilings", machine.ceilings, [&](Fields& ceiling, Ceiling& c) {
        fields(ceiling, c);
        if (ceiling.reading()) check_ceiling(ceiling, machine, place++);
    });
}

Machine parse_machine(std::string_view text, const std::string& file) {
    const Json document = parse_json(text, file);
    check_kind(document, file, kMachineSchema);
    return read_fields<Machine>(StrictObject(document, file));
}

Machine read_machine_file(const std::string& path) {
    return parse_machine(read_text_file(path), path);
}

std::string machine_to_json(const Machine& machine) {
    Json document;
    write_fields(document, machine);
    return document.dump(1) + "\n";
}

std::string machine_to_json_line(const Machine& machine) {
    Json document;
    write_fields(document, machine);
    return document.dump();
}

void write_machine_file(const std::string& path, const Machine& machine) {
    write_atomically(path, machine_to_json(machine));
}

}  // namespace rooftune
