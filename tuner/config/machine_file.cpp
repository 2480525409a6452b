#include "tuner/config/machine_file.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"
#include "tuner/config/atomic_file.h"
#include "tuner/config/strict_json.h"

namespace rooftune {
namespace {

constexpr double kMostRate = 1e24;
constexpr double kMostBytes = 1e18;
constexpr int kMostThreads = 1 << 20;
constexpr std::string_view kProbeSource = "probe";

Json topology_to_json(const Topology& t) {
    Json caches = Json::array();
    for (const CacheLevel& c : t.caches) {
        caches.push_back({{"level", c.level},
                          {"reported_bytes", c.reported.value},
                          {"probed_bytes", c.probed.value},
                          {"shared_by", c.shared_by}});
    }
    Json out{{"cpu", t.cpu},
             {"vendor", t.vendor},
             {"family", t.family},
             {"model", t.model},
             {"stepping", t.stepping},
             {"cores", t.cores},
             {"threads", t.threads},
             {"numa_nodes", t.numa_nodes},
             {"memory_bytes", t.memory.value},
             {"hypervisor", t.hypervisor},
             {"width_bits", t.width_bits},
             {"caches", caches}};
    if (!t.source.empty()) out["source"] = t.source;
    return out;
}

Json device_to_json(const Device& d) {
    return {{"id", d.id},
            {"name", d.name},
            {"platform", d.platform},
            {"driver", d.driver},
            {"is_cpu", d.is_cpu},
            {"compute_units", d.compute_units},
            {"max_work_group", d.max_work_group},
            {"local_memory_bytes", d.local_memory.value},
            {"global_memory_bytes", d.global_memory.value},
            {"f64", d.f64},
            {"float_lanes", d.float_lanes},
            {"double_lanes", d.double_lanes}};
}

Device read_device(StrictObject& o) {
    Device d;
    d.id = o.text("id");
    if (d.id.empty()) o.fail("id", "the device's id, which its ceilings name");
    d.name = o.text("name");
    d.platform = o.text("platform");
    d.driver = o.text("driver");
    d.is_cpu = o.flag("is_cpu");
    d.compute_units = o.small("compute_units", 1);
    d.max_work_group = o.small("max_work_group", 1);
    d.local_memory = Bytes(o.number("local_memory_bytes", 0.0, kMostBytes));
    d.global_memory = Bytes(o.number("global_memory_bytes", 0.0, kMostBytes));
    d.f64 = o.flag("f64");
    d.float_lanes = o.small("float_lanes");
    d.double_lanes = o.small("double_lanes");
    o.finish();
    return d;
}

// Conditions at their zero value are not conditions, and are left out.
Json ceiling_to_json(const Ceiling& c) {
    Json when = Json::object();
    if (has_dtype(c.resource)) when["dtype"] = to_text(c.when.dtype);
    if (c.when.width_bits != 0) when["width_bits"] = c.when.width_bits;
    if (c.when.mix != Mix::none) when["mix"] = to_text(c.when.mix);
    if (c.when.chains != 0) when["chains"] = c.when.chains;
    when["threads"] = c.when.threads;
    if (c.when.footprint.value != 0.0) when["footprint_bytes"] = c.when.footprint.value;
    if (c.when.streams != 0) when["streams"] = c.when.streams;
    if (c.when.huge_pages) when["huge_pages"] = true;
    if (!c.when.device.empty()) when["device"] = c.when.device;
    if (!c.when.unit.empty()) when["unit"] = c.when.unit;
    if (c.when.sparse) when["sparse"] = true;
    if (c.when.stride.value != 0.0) when["stride_bytes"] = c.when.stride.value;
    if (c.when.prefetch != Prefetch::any) when["prefetch"] = to_text(c.when.prefetch);
    if (c.when.shared) when["shared"] = true;
    if (c.when.remote) when["remote"] = true;
    Json out{{"resource", to_text(c.resource)},
             {"unit", unit_of(c)},
             {"when", when},
             {"max", c.max},
             {"p95", c.p95},
             {"median", c.median},
             {"windows", c.windows},
             {"seen", c.seen},
             {"source", c.source},
             {"excludes", c.excludes}};
    if (!c.note.empty()) out["note"] = c.note;
    return out;
}

// What was published of a preset may be little: each key may be missing then. A measured file has them all.
Topology read_topology_object(StrictObject o) {
    Topology t;
    t.source = o.text_or("source", "");
    const auto wanted = [&, measured = t.source.empty()](std::string_view key) {
        return measured || o.has(key);
    };
    if (wanted("cpu")) t.cpu = o.text("cpu");
    if (wanted("vendor")) t.vendor = o.text("vendor");
    if (wanted("family")) t.family = o.small("family");
    if (wanted("model")) t.model = o.small("model");
    if (wanted("stepping")) t.stepping = o.small("stepping");
    if (wanted("cores")) t.cores = o.small("cores", 1);
    if (wanted("threads")) t.threads = o.small("threads", 1);
    if (wanted("numa_nodes")) t.numa_nodes = o.small("numa_nodes", 1);
    if (wanted("memory_bytes")) t.memory = Bytes(o.number("memory_bytes", 0.0, kMostBytes));
    if (wanted("hypervisor")) t.hypervisor = o.text("hypervisor");
    const auto widths = wanted("width_bits") ? o.integers("width_bits") : std::vector<std::int64_t>{};
    for (const std::int64_t width : widths) {
        const bool known = width == 128 || width == 256 || width == 512;
        const bool ascending = t.width_bits.empty() || width > t.width_bits.back();
        if (!known || !ascending)
            o.fail("width_bits", "vector widths in bits out of 128, 256 and 512, ascending");
        t.width_bits.push_back(static_cast<int>(width));
    }
    int level_below = 0;
    auto caches = wanted("caches") ? o.objects("caches") : std::vector<StrictObject>{};
    for (StrictObject& cache : caches) {
        CacheLevel c;
        c.level = cache.small("level", 1);
        c.reported = Bytes(cache.number("reported_bytes", 0.0, kMostBytes));
        c.probed = Bytes(cache.number("probed_bytes", 0.0, kMostBytes));
        c.shared_by = cache.small("shared_by", 1);
        if (c.level <= level_below) cache.fail("level", "cache levels in ascending order, each once");
        level_below = c.level;
        cache.finish();
        t.caches.push_back(c);
    }
    o.finish();
    return t;
}

template <typename T, typename From>
T named(StrictObject& o, std::string_view key, From from, const std::string& expected) {
    const auto value = from(o.text(key));
    if (!value) o.fail(key, expected);
    return *value;
}

Conditions read_conditions(StrictObject o) {
    Conditions when;
    if (o.has("dtype"))
        when.dtype = named<DType>(o, "dtype", dtype_from, "an element type, \"f32\" or \"bf16\" say");
    if (o.has("mix")) when.mix = named<Mix>(o, "mix", mix_from, "the name of a mix, \"load\" or \"fma\" say");
    when.width_bits = static_cast<int>(o.integer_or("width_bits", 0, 0, 4096));
    when.chains = static_cast<int>(o.integer_or("chains", 0, 0, 1024));
    when.threads = static_cast<int>(o.integer_or("threads", 1, 0, kMostThreads));
    when.footprint = Bytes(o.number_or("footprint_bytes", 0.0, 0.0, kMostBytes));
    when.streams = static_cast<int>(o.integer_or("streams", 0, 0, 1024));
    when.huge_pages = o.flag_or("huge_pages", false);
    when.device = o.text_or("device", "");
    when.unit = o.text_or("unit", "");
    when.sparse = o.flag_or("sparse", false);
    when.stride = Bytes(o.number_or("stride_bytes", 0.0, 0.0, kMostBytes));
    if (o.has("prefetch")) {
        when.prefetch = named<Prefetch>(o, "prefetch", prefetch_from, "\"any\", \"off\" or \"on\"");
    }
    when.shared = o.flag_or("shared", false);
    when.remote = o.flag_or("remote", false);
    o.finish();
    return when;
}

Ceiling read_ceiling(StrictObject o) {
    Ceiling c;
    c.resource = named<Resource>(o, "resource", resource_from,
                                 "the name of a resource, \"compute\" or \"bandwidth\" say");
    const std::string stated = o.text("unit");
    c.when = read_conditions(o.object("when"));
    const std::string unit(unit_of(c));
    if (stated != unit) o.fail("unit", "\"" + unit + "\", the unit of this resource");
    c.max = o.number("max", 0.0, kMostRate);
    c.source = o.text("source");
    // A published rate has no distribution and was not seen here.
    const auto wanted = [&](std::string_view key) { return c.source == kProbeSource || o.has(key); };
    if (wanted("p95")) c.p95 = o.number("p95", 0.0, kMostRate);
    if (wanted("median")) c.median = o.number("median", 0.0, kMostRate);
    if (wanted("windows")) c.windows = o.small("windows");
    if (wanted("seen")) c.seen = o.text("seen");
    c.note = o.text_or("note", "");
    c.excludes = o.flag("excludes");
    if (c.p95 > c.max) o.fail("p95", "at most \"max\"");
    if (c.median > c.max) o.fail("median", "at most \"max\"");
    o.finish();
    return c;
}

}  // namespace

Machine parse_machine(std::string_view text, const std::string& file) {
    const Json document = parse_json(text, file);
    StrictObject o(document, file);
    o.one_of("schema", {kMachineSchema, kOldMachineSchema});
    Machine machine;
    machine.id = o.text("id");
    machine.name = o.text("name");
    machine.topology = read_topology_object(o.object("topology"));
    if (o.has("devices")) {
        for (StrictObject& entry : o.objects("devices")) machine.devices.push_back(read_device(entry));
    }
    for (StrictObject& entry : o.objects("ceilings")) {
        Ceiling c = read_ceiling(entry);
        const bool known =
            c.when.device.empty() || std::any_of(machine.devices.begin(), machine.devices.end(),
                                                 [&](const Device& d) { return d.id == c.when.device; });
        if (!known) {
            json_mismatch(file, entry.pointer_to("when"), "a device listed in \"devices\"", c.when.device);
        }
        for (const Ceiling& other : machine.ceilings) {
            if (other.resource == c.resource && other.when == c.when) {
                json_mismatch(file, entry.pointer_to("when"),
                              "conditions that no other ceiling of this resource has",
                              "the same as of another: " + describe(c));
            }
        }
        machine.ceilings.push_back(std::move(c));
    }
    o.finish();
    return machine;
}

Machine read_machine_file(const std::string& path) {
    return parse_machine(read_text_file(path), path);
}

std::string machine_to_json(const Machine& machine) {
    Json ceilings = Json::array();
    for (const Ceiling& c : machine.ceilings) ceilings.push_back(ceiling_to_json(c));
    Json document{{"schema", kMachineSchema},
                  {"id", machine.id},
                  {"name", machine.name},
                  {"topology", topology_to_json(machine.topology)}};
    if (!machine.devices.empty()) {
        document["devices"] = Json::array();
        for (const Device& d : machine.devices) document["devices"].push_back(device_to_json(d));
    }
    document["ceilings"] = std::move(ceilings);
    return document.dump(1) + "\n";
}

void write_machine_file(const std::string& path, const Machine& machine) {
    write_atomically(path, machine_to_json(machine));
}

}  // namespace rooftune
