// Draws a machine's roofline with results and points measured elsewhere: plot.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "kernels/runtime/cpu.h"
#include "kernels/runtime/error.h"
#include "tuner/base/atomic_file.h"
#include "tuner/base/joined.h"
#include "tuner/base/si.h"
#include "tuner/base/standard_error.h"
#include "tuner/base/standard_output.h"
#include "tuner/base/suggested.h"
#include "tuner/chart/plot_ceilings.h"
#include "tuner/chart/roofline_svg.h"
#include "tuner/engine/machine_model.h"
#include "tuner/engine/options.h"
#include "tuner/engine/result_machines.h"
#include "tuner/formats/machine_file.h"
#include "tuner/formats/measured_points.h"
#include "tuner/formats/strict_json.h"
#include "tuner/formats/tuned_config.h"
#include "tuner/tune/commands.h"

namespace rooftune {
namespace {

namespace fs = std::filesystem;

struct PlotArguments {
    std::vector<std::string> files;
    std::string machine, out, title, metric = "flops", level, results;
    std::vector<std::string> dtypes;
};

/// What the files hold, by their schemas.
struct PlotInput {
    std::vector<TuneResult> results;
    std::vector<ResultFile> files;  ///< the same, with where each is from
    std::vector<MeasuredPoints> points;
    std::string machine_name;  ///< file or preset, as named; empty when none was
    std::string machine_flag;  ///< that named it; empty: it stands among the files
};

bool is_this(const std::string& name) {
    return name == "this";
}

PlotInput read_input(const PlotArguments& a) {
    PlotInput input;
    input.machine_name = a.machine;
    if (!a.machine.empty()) input.machine_flag = "--machine";
    const auto name_machine = [&](const std::string& name) {
        if (!input.machine_name.empty())
            throw InputError("two machines, " + input.machine_name + " and " + name +
                             ": a plot has one; `rooftune machine --diff A B` compares two");
        input.machine_name = name;
    };
    for (const std::string& file : a.files) {
        if (!fs::exists(file) && file.find('/') == std::string::npos && !file.ends_with(".json")) {
            name_machine(file);  // a preset, or a mistake that the search for it explains
            continue;
        }
        const Json document = read_json_file(file);
        std::string schema;
        if (document.is_object() && document.contains("schema") && document["schema"].is_string())
            schema = document["schema"].get<std::string>();
        if (schema.starts_with("rooftune/machine/")) {
            name_machine(file);
        } else if (schema.starts_with("rooftune/points/")) {
            input.points.push_back(read_points_file(file));
        } else {
            for (TuneResult& result : read_results_or_config(file)) {
                input.files.push_back({result, file, "", "", ""});
                input.results.push_back(std::move(result));
            }
        }
    }
    return input;
}

std::optional<Machine> machine_for(const PlotInput& input, const CommonOptions& options) {
    if (input.machine_name.empty() && !(input.results.empty() && input.points.empty()))
        return machine_of_results(input.files, {options.results, results_folder({})});
    if (input.machine_name.empty() || is_this(input.machine_name)) {
        const auto refuse = [](const std::string&) {
            throw InputError("this machine is not known yet; " + suggested("machine --quick") +
                             " measures it in about "
                             "10 s, `rooftune list machines` shows presets to draw instead");
        };
        return machine_model(options, usable_cpus(), refuse).machine;
    }
    return read_machine_file(machine_path(input.machine_name, input.machine_flag));
}

std::string list_of(const std::vector<std::string>& words) {
    return words.empty() ? "none" : joined(words, ", ");
}

std::string list_of(const std::vector<DType>& types) {
    std::vector<std::string> words;
    for (const DType type : types) words.emplace_back(to_text(type));
    return list_of(words);
}

/// The element types to draw: those asked for, else all that the metric counts.
std::vector<DType> chosen_types(const PlotArguments& a, const Machine& machine) {
    const std::vector<DType> known = compute_types(machine);
    std::vector<DType> chosen;
    for (const std::string& name : a.dtypes) {
        const auto type = dtype_from(name);
        if (!type || std::find(known.begin(), known.end(), *type) == known.end())
            throw InputError("--dtype " + name + ": " + machine.name +
                             " has no peak of that element type; it has " + list_of(known));
        chosen.push_back(*type);
    }
    if (!chosen.empty() || a.metric == "flops") return chosen;
    for (const DType type : known) {
        if (is_integer(type)) chosen.push_back(type);
    }
    if (chosen.empty())
        throw InputError("--metric ops: " + machine.name + " has no peak of integers; it has " +
                         list_of(known));
    return chosen;
}

void use_machine(RooflinePlot& plot, const Machine& machine, const PlotArguments& a) {
    const std::vector<std::string> levels = level_names(machine);
    if (!a.level.empty() && std::find(levels.begin(), levels.end(), a.level) == levels.end())
        throw InputError("--level " + a.level + ": " + machine.name +
                         " has no bandwidth of that level; it has " + list_of(levels));
    draw_machine(plot, machine, {chosen_types(a, machine), a.level});
    if (plot.lines.empty())
        throw InputError(machine.name + " has neither peaks nor bandwidths to draw: " + suggested("machine") +
                         " measures this one, `rooftune list machines` shows presets");
}

std::string topology_text(const Topology& t) {
    std::string text = t.cpu;
    if (t.cores > 1) text += (text.empty() ? "" : ", ") + format_plural(t.cores, "core");
    return text;
}

RooflinePlot build_plot(const PlotArguments& a, const PlotInput& input, const CommonOptions& options) {
    RooflinePlot plot = roofline_plot(input.results);
    for (const MeasuredPoints& points : input.points) add_points(plot, points);
    const std::optional<Machine> whole = machine_for(input, options);
    if (whole) {
        const Machine machine = view_of(*whole, input.results);
        use_machine(plot, machine, a);
        const std::string topology = topology_text(machine.topology);
        if (input.results.empty()) {
            plot.title = "Roofline: " + machine.name;
            plot.subtitle = topology == machine.name ? "" : topology;
        } else if (input.results.front().machine_id != machine.id) {
            plot.subtitle = "roofs of " + machine.name + ", measured on " + plot.subtitle;
        }
    } else if (input.results.empty()) {
        throw InputError(
            "points need a machine to stand under: add --machine FILE, --machine PRESET "
            "(`rooftune list machines` shows them) or --machine this");
    } else if (!a.level.empty() || !a.dtypes.empty() || a.metric != "flops") {
        throw InputError(
            "--level, --dtype and --metric choose among a machine's ceilings: add --machine FILE "
            "or --machine this (the results' own machine is neither beside them nor in " +
            results_folder(options) + ")");
    }
    if (plot.lines.empty())
        throw InputError("the results hold no ceilings: add --machine FILE or --machine this");
    if (!a.title.empty()) plot.title = a.title;
    return plot;
}

int draw(const PlotArguments& a) {
    CommonOptions options;
    options.results = a.results;
    const RooflineDrawing drawing = draw_roofline(build_plot(a, read_input(a), options));
    for (const std::string& remark : drawing.remarks) tell(remark);
    if (a.out.empty()) {
        print(drawing.svg);
    } else {
        write_atomically(a.out, drawing.svg);
        tell("wrote " + fs::absolute(a.out).string());
    }
    return 0;
}

}  // namespace

void add_plot_command(Command& program) {
    auto a = std::make_shared<PlotArguments>();
    Command plot = program.command(
        "plot", "Draws the roofline of a machine as SVG, with results and kernels measured elsewhere on it");
    plot.option("files", a->files,
                "Tuned configs, output of `tune --json`, points of `rooftune import --out`, a machine; in "
                "any mix (default: this machine alone)");
    plot.option("--machine", a->machine,
                "Machine file, the name of one in configs/machines, or 'this' (default: the one that the "
                "results ran on)");
    plot.option("--out,--output", a->out, "File to write (default: standard output)");
    plot.option("--title", a->title, "Title (default: what is drawn)");
    plot.option("--metric", a->metric, "flops: all peaks but those of wide integers; ops: integers only")
        .one_of({"flops", "ops"})
        .shows_default();
    plot.option("--dtype", a->dtypes, "Element types whose peaks are drawn, like f64,f32 (default: all)")
        .separated_by(',')
        .one_value_each();
    plot.option("--level", a->level,
                "The one level whose bandwidth is drawn: L1, L2, L3, memory, local, link, transfer "
                "(default: memory and the caches)");
    plot.option(
        "--results", a->results,
        "Folder of the measured machines (default: the results folder that a config lies in, else the "
        "one that `rooftune tune` uses, if the result is from there)");
    plot.footer(
        "The axes are fixed by the machine, so that plots of before and after lie on each other; two points "
        "files with\nthe same kernels are joined by arrows. Open the SVG in a browser: each point and line "
        "has "
        "a tooltip.");
    plot.runs([a] { return draw(*a); });
}

}  // namespace rooftune
