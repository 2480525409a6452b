// `rooftune import ncu|torch|likwid FILE`: kernels measured elsewhere become points on a roofline.
#include <filesystem>
#include <memory>

#include "kernels/runtime/error.h"
#include "tuner/base/atomic_file.h"
#include "tuner/base/standard_error.h"
#include "tuner/base/standard_output.h"
#include "tuner/base/text_lines.h"
#include "tuner/engine/machine_model.h"
#include "tuner/engine/options.h"
#include "tuner/formats/machine_file.h"
#include "tuner/formats/measured_points.h"
#include "tuner/import/commands.h"
#include "tuner/import/figures.h"
#include "tuner/import/likwid.h"
#include "tuner/import/ncu.h"
#include "tuner/import/points_text.h"
#include "tuner/import/torch.h"

namespace rooftune {
namespace {

struct ImportArguments {
    std::string file, machine, out, dtype, nsys, results;
    std::vector<std::string> times;
    bool json = false, quiet = false;
};

// "1.2e-3", "1.2ms", "kernel=1.2ms". A name may itself hold '=', the seconds cannot.
imports::Time time_from(const std::string& text) {
    imports::Time time;
    const std::size_t equals = text.rfind('=');
    const std::string value = equals == std::string::npos ? text : text.substr(equals + 1);
    if (equals != std::string::npos) time.kernel = text.substr(0, equals);
    std::size_t used = 0;
    try {
        time.seconds = std::stod(value, &used);
    } catch (const std::exception&) {
        used = 0;
    }
    const std::string unit = value.substr(used);
    const std::optional<double> factor = unit.empty() ? 1.0 : imports::unit_factor(unit);
    const bool is_time = unit.empty() || unit == "s" || unit == "ms" || unit == "us" || unit == "ns";
    if (used == 0 || !is_time || !factor || !(time.seconds > 0.0))
        throw InputError("--time " + text + ": expected seconds like 1.2e-3 or 1.2ms, or KERNEL=1.2ms");
    time.seconds *= *factor;
    return time;
}

int import_points(const std::string& tool, const ImportArguments& a) {
    const std::string text = read_import(a.file);
    MeasuredPoints points;
    if (tool == "ncu") {
        imports::Times times;
        for (const std::string& time : a.times) times.push_back(time_from(time));
        if (!a.nsys.empty()) {
            for (imports::Time& time : imports::read_nsys(read_import(a.nsys), a.nsys))
                times.push_back(std::move(time));
        }
        points = imports::points_of(imports::read_ncu(text, a.file), a.file, times);
    } else if (tool == "torch") {
        points = imports::read_torch(text, a.file);
    } else {
        points = imports::read_likwid(text, a.file);
    }
    std::optional<DType> type;
    if (!a.dtype.empty()) {
        type = dtype_from(a.dtype);
        if (!type)
            throw InputError("--dtype " + a.dtype + ": not an element type; try f32, f64, f16 or bf16");
    }
    std::optional<Machine> machine;
    if (!a.machine.empty()) {
        CommonOptions options;
        options.results = a.results;
        machine = machine_of(machine_by_name(options, a.machine, "--machine"), "");
    }
    if (!a.out.empty()) {
        write_atomically(a.out, points_to_json(points));
        if (!a.quiet)
            tell("wrote " + std::filesystem::absolute(a.out).string() + "; `rooftune plot` draws it");
    }
    if (a.json) {
        print(points_to_json(points));
    } else {
        print_page(points_text(points, machine ? &*machine : nullptr, type));
    }
    return 0;
}

Command add_tool(Command& import, const std::string& tool, const std::string& help,
                 const std::shared_ptr<ImportArguments>& a) {
    Command app = import.command(tool, help);
    app.option("file", a->file, "What the profiler wrote (.gz is unpacked)").required();
    app.option("--machine", a->machine,
               "Machine file, preset, measured machine by name, or `this`, to judge them by");
    app.option("--results", a->results,
               "Folder of the measured machines (default: the one that `rooftune tune` uses); nothing is "
               "written to it");
    app.option("--dtype", a->dtype, "Element type of operations whose type the file does not tell");
    app.option("--out", a->out, "Points file to write, for `rooftune plot`");
    app.flag("--json", a->json, "One JSON document on standard output");
    app.flag("--quiet", a->quiet, "No notices");
    app.runs([a, tool] { return import_points(tool, *a); });
    return app;
}

}  // namespace

void add_import_command(Command& program) {
    auto a = std::make_shared<ImportArguments>();
    Command import = program.command(
        "import", "Kernels measured by a profiler as points on a machine's roofline, the longest time first");
    import.needs_command();
    Command ncu =
        add_tool(import, "ncu", "Nsight Compute: the CSV of `ncu --csv`, or the text that `ncu` prints", a);
    ncu.option("--time", a->times,
               "Seconds of the only kernel, or KERNEL=SECONDS (part of its name); units s, ms, us, ns");
    ncu.option("--nsys", a->nsys,
               "Times from the CSV of `nsys stats --report cuda_gpu_kern_sum --format csv`");
    ncu.footer(
        "Collect with: ncu --metrics "
        "gpu__time_duration.sum,dram__sectors_read.sum,dram__sectors_write.sum,"
        "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum,smsp__sass_thread_inst_executed_op_fadd_pred_on."
        "sum,"
        "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum (dfma, dadd, dmul for double, hfma, hadd, hmul "
        "for "
        "half precision).");
    Command torch = add_tool(import, "torch", "PyTorch's profiler: its Chrome trace", a);
    torch.footer("Record with: profile(record_shapes=True, with_flops=True), then export_chrome_trace().");
    Command likwid = add_tool(import, "likwid", "likwid-perfctr: its CSV", a);
    likwid.footer(
        "Measure with: likwid-perfctr -C 0-3 -g MEM_DP -o FILE.csv PROGRAM (-m for marked regions).");
    import.footer("Results of another store of rooftune are imported by `rooftune results import`.");
}

}  // namespace rooftune
