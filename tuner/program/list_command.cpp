#include <filesystem>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "kernels/runtime/cpu.h"
#include "kernels/runtime/error.h"
#include "kernels/runtime/opencl.h"
#include "models/roofs.h"
#include "tuner/base/command_words.h"
#include "tuner/base/folder.h"
#include "tuner/base/joined.h"
#include "tuner/base/si.h"
#include "tuner/base/standard_error.h"
#include "tuner/base/standard_output.h"
#include "tuner/base/suggested.h"
#include "tuner/base/table.h"
#include "tuner/base/text_width.h"
#include "tuner/ceilings/best_rates.h"
#include "tuner/command/common_flags.h"
#include "tuner/command/notices.h"
#include "tuner/engine/configs_folder.h"
#include "tuner/engine/job.h"
#include "tuner/engine/machine_model.h"
#include "tuner/engine/tune_job.h"
#include "tuner/formats/json_values.h"
#include "tuner/formats/machine_file.h"
#include "tuner/formats/strict_json.h"
#include "tuner/program/commands.h"
#include "tuner/store/store.h"

namespace rooftune {
namespace {

struct ListArguments {
    CommonFlags common;
    std::string family;
    std::vector<std::string> pieces;
};

int list_families(const ListArguments& a, const Registry& registry) {
    Json document = Json::array();
    Table table({{"family", Align::left},
                 {"what", Align::left},
                 {"runs on", Align::left},
                 {"key", Align::left},
                 {"default", Align::left},
                 {"meaning", Align::left}});
    for (const auto& family : registry.families()) {
        Json keys = Json::array();
        Json backends = Json::array();
        std::string runs_on;
        for (const Backend b : family->backends()) {
            backends.push_back(to_text(b));
            runs_on += (runs_on.empty() ? "" : ", ") + std::string(to_text(b));
        }
        bool first = true;
        for (const ProblemKey& key : family->keys()) {
            keys.push_back({{"key", key.name}, {"default", key.fallback}, {"help", key.help}});
            table.add({first ? std::string(family->name()) : "", first ? std::string(family->summary()) : "",
                       first ? runs_on : "", key.name, key.fallback.empty() ? "–" : key.fallback, key.help});
            first = false;
        }
        document.push_back({{"family", family->name()},
                            {"summary", family->summary()},
                            {"backends", backends},
                            {"keys", keys}});
    }
    if (a.common.json) {
        print(document.dump(2) + "\n");
    } else {
        print_page(table.to_text());
    }
    return 0;
}

// Values depend on the problem and the machine: without a problem a small made-up one stands in.
int list_parameters(const ListArguments& a, const Registry& registry) {
    Job job;
    name_problem(registry, a.family, job);
    for (const std::string& piece : a.pieces) add_to_spec(piece, job.problem);
    const bool made_up = job.problem.empty();
    if (made_up) job.problem = job.family->examples().front();
    Machine machine;
    machine.topology = read_topology();
    const Setting s = make_setting(job, a.common, {}, machine);
    Json document = Json::array();
    Table table({{"parameter", Align::left},
                 {"values", Align::left},
                 {"exists", Align::left},
                 {"meaning", Align::left}});
    bool grows = false;
    for (const Parameter& p : s.space->parameters()) {
        std::string values;
        Json list = Json::array();
        const auto first_held = p.values.size() - static_cast<std::size_t>(p.beyond);
        for (std::size_t v = 0; v < p.values.size(); ++v) {
            values += (values.empty() ? "" : " ") + std::string(v == first_held ? "(" : "") +
                      listed_value(p.values[v].text);
            list.push_back(p.values[v].text);
        }
        if (p.beyond > 0) values += ")";
        grows = grows || p.beyond > 0;
        document.push_back({{"parameter", p.name},
                            {"values", list},
                            {"held_back", p.beyond},
                            {"condition", p.condition},
                            {"help", p.help}});
        table.add({p.name, values, p.condition.empty() ? "always" : "when " + p.condition, p.help});
    }
    const std::uint64_t count = s.offer.of(*s.space).count(PartialVariant{});
    if (a.common.json) {
        print(Json{{"family", s.family->name()},
                   {"problem", s.problem->spec()},
                   {"variants", count},
                   {"parameters", document}}
                  .dump(2) +
              "\n");
    } else {
        print_page("Space of " + s.problem->title() + " here" +
                   (made_up ? " (an example; give a problem for its own)" : "") + ": " +
                   format_plural(static_cast<std::int64_t>(count), "variant") + "\n\n" + table.to_text());
        if (grows) {
            print_page(
                "\nValues in brackets come one by one, once the best has the one before; --only may name "
                "them at once.\n");
        }
    }
    return 0;
}

int list_devices(const ListArguments& a) {
    Json document = Json::array();
    Table table({{"", Align::right},
                 {"device", Align::left},
                 {"platform", Align::left},
                 {"compute units", Align::right},
                 {"f64", Align::left},
                 {"memory", Align::right},
                 {"id", Align::left}});
    for (const Device& d : opencl_devices(chosen_cpus(a.common))) {
        table.add({std::to_string(document.size()), d.name, d.platform, std::to_string(d.compute_units),
                   d.f64 ? "yes" : "no", format_capacity(d.global_memory.value), d.id});
        document.push_back({{"device", d.id},
                            {"name", d.name},
                            {"platform", d.platform},
                            {"driver", d.driver},
                            {"is_cpu", d.is_cpu},
                            {"compute_units", d.compute_units},
                            {"f64", d.f64}});
    }
    if (a.common.json) {
        print(document.dump(2) + "\n");
    } else if (document.empty()) {
        print_page("No OpenCL device is here. Debian's package pocl-opencl-icd makes one of the CPU.\n");
    } else {
        print_page(table.to_text());
    }
    return 0;
}

// A machine's peaks in one line: of each element type that it states one of, by the fastest unit of it. In
// `seen` and `at_most` by the type's name, the latter where the former is not proven to be all.
std::string peaks_line(const Machine& m, Json& seen, Json& at_most) {
    const Roofs roofs(m);
    std::string text;
    for (int t = 0; t < kDTypes; ++t) {
        const auto dtype = static_cast<DType>(t);
        const BestRate peak = peak_of(m, roofs, dtype, kAnyWidth, all_threads(m));
        if (peak.seen <= 0.0) continue;
        const std::string name(to_text(dtype));
        const char* unit = is_integer(dtype) ? "op/s" : "flop/s";
        seen[name] = peak.seen;
        if (!peak.proven) at_most[name] = positive_or_null(peak.at_most);
        text += (text.empty() ? "" : ", ") + name + " " +
                best_rate_text(peak, [unit](double rate) { return format_si(rate, unit); });
    }
    return text;
}

int list_machines(const ListArguments& a) {
    namespace fs = std::filesystem;
    Json document = Json::array();
    Table table({{"machine", Align::left},
                 {"what", Align::left},
                 {"peaks", Align::left},
                 {"memory", Align::right},
                 {"kind", Align::left}});
    const fs::path measured = fs::path(results_folder(a.common)) / "machines";
    const fs::path presets = fs::path(home_folder()) / "configs" / "machines";
    bool any_measured = false;
    for (const auto& [folder, kind] : {std::pair{measured, "measured"}, std::pair{presets, "preset"}}) {
        std::vector<std::string> files;
        try {
            files = json_files(folder.string());
        } catch (const EnvironmentError& error) {
            notices(a.common.quiet)(std::string(error.what()) + "; what is in it is left out");
        }
        for (const std::string& file : files) {
            const std::string name = fs::path(file).stem().string();
            Json entry{{"machine", name}, {"kind", kind}, {"file", file}};
            try {
                const Machine m = machine_of(read_machine_file(file), "");
                Json peaks = Json::object(), at_most = Json::object();
                const std::string line = peaks_line(m, peaks, at_most);
                const BestRate bandwidth = memory_bandwidth_of(m, Roofs(m), all_threads(m));
                const bool known = bandwidth.seen > 0.0;
                const auto text = [](double rate) { return format_si(rate, "B/s"); };
                table.add({name, m.name, line, known ? best_rate_text(bandwidth, text) : "–", kind});
                entry["name"] = m.name;
                entry["peaks"] = peaks;
                if (!at_most.empty()) entry["peaks_at_most"] = at_most;
                entry["bandwidth"] = positive_or_null(bandwidth.seen);
                if (known && !bandwidth.proven)
                    entry["bandwidth_at_most"] = positive_or_null(bandwidth.at_most);
            } catch (const InputError& error) {
                // One file that cannot be read hides no other.
                table.add({name, error.what(), "", "", kind});
                entry["error"] = error.what();
            }
            document.push_back(entry);
            any_measured = any_measured || folder == measured;
        }
    }
    if (const std::string missing = missing_configs(); !missing.empty())
        notices(a.common.quiet)("no presets: " + missing);
    if (a.common.json) {
        print(document.dump(2) + "\n");
        return 0;
    }
    if (!table.empty()) print_page(table.to_text());
    if (!any_measured)
        print_page(std::string(table.empty() ? "" : "\n") + "This machine is not known yet; " +
                   suggested("machine") + " measures it.\n");
    return 0;
}

int list_jobs(const ListArguments& a) {
    namespace fs = std::filesystem;
    Json document = Json::array();
    Table table({{"job", Align::left}, {"problems", Align::right}, {"what", Align::left}});
    for (const std::string& file : json_files((fs::path(home_folder()) / "configs" / "jobs").string())) {
        const Json job = read_json_file(file);
        const std::string name = fs::path(file).stem().string();
        const std::string what = job.value("description", "");
        const std::size_t problems = job.contains("problems") ? job["problems"].size() : 0;
        document.push_back({{"job", name}, {"file", file}, {"problems", problems}, {"description", what}});
        table.add({name, std::to_string(problems), what});
    }
    const fs::path store_path = fs::path(results_folder(a.common)) / "rooftune.db";
    // `rooftune results list` has what there is no room for.
    Table measured({{"number", Align::right},
                    {"job", Align::left, 1},
                    {"problem", Align::left},
                    {"backend", Align::left, 5},
                    {"state", Align::left, 5},
                    {"threads", Align::right, 4},
                    {"records", Align::right, 3},
                    {"since", Align::left, 2}});
    Json stored = Json::array();
    if (fs::exists(store_path)) {
        Store store(store_path.string(), StoreUse::read);
        for (const JobSummary& job : store.jobs()) {
            stored.push_back({{"number", job.id},
                              {"job", job.key.hash()},
                              {"title", job.key.title},
                              {"backend", job.key.backend},
                              {"state", job.key.state},
                              {"threads", job.key.threads},
                              {"records", job.records},
                              {"created", job.created}});
            measured.add({std::to_string(job.id), job.key.hash(), job.key.title, job.key.backend,
                          job.key.state, std::to_string(job.key.threads), std::to_string(job.records),
                          job.created});
        }
        for (const std::string& text : store.notices()) tell(text);
    }
    if (a.common.json) {
        print(Json{{"files", document}, {"store", stored}}.dump(2) + "\n");
        return 0;
    }
    print_page(table.to_text());
    if (!measured.empty())
        print_page("\nIn the store " + printable(store_path.string()) + ":\n\n" + measured.to_text());
    if (const std::vector<std::string> hidden = measured.left_out(); !measured.empty() && !hidden.empty()) {
        print_page("\n" +
                   wrap("Not shown, because the page is narrow: " + joined(hidden) +
                        "; --json has all, and " + suggested("results list") + " more of each.") +
                   "\n");
    }
    return 0;
}

}  // namespace

void add_list_command(Command& program, const Registry& registry) {
    auto a = std::make_shared<ListArguments>();
    Command list = program.command("list", "Lists families, parameters, machines or jobs");
    list.needs_command();
    const auto add = [&](const char* name, const char* help, Action what) {
        Command sub = list.command(name, help);
        sub.flag("--json", a->common.json, "As a JSON document");
        sub.option("--results", a->common.results, "Folder of the store and the measured machines");
        sub.runs(std::move(what));
        return sub;
    };
    add("families", "Kernel families and the keys of their problems",
        [a, &registry] { return list_families(*a, registry); });
    Command parameters = add("parameters", "Parameters of a family's space and their values",
                             [a, &registry] { return list_parameters(*a, registry); });
    parameters.option("family", a->family, "Kernel family").required();
    parameters.option("--backend", a->common.backend, "Where variants run (default: cpu)")
        .one_of({"cpu", "opencl"});
    parameters.option("--device", a->common.device, "OpenCL device (default: the first)");
    parameters.option("problem", a->pieces, "Problem as key=value[,key=value…]");
    Command devices =
        add("devices", "OpenCL devices, as --device names them", [a] { return list_devices(*a); });
    devices.option("--cpus", a->common.cpus, "Processors of CPU devices, like 0,2-3 (default: all)");
    add("machines", "Measured machines and presets", [a] { return list_machines(*a); });
    add("jobs", "Job files, and the jobs in the store", [a] { return list_jobs(*a); });
}

}  // namespace rooftune
