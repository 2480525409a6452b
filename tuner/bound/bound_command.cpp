// `rooftune bound MACHINE FAMILY key=value…`: how fast a kernel could be on a machine, at hand or not.
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"
#include "tuner/base/atomic_file.h"
#include "tuner/base/date.h"
#include "tuner/base/standard_output.h"
#include "tuner/bound/bound_evaluate.h"
#include "tuner/bound/bound_json.h"
#include "tuner/bound/bound_text.h"
#include "tuner/bound/commands.h"
#include "tuner/bound/declared_workload.h"
#include "tuner/bound/sweep_svg.h"
#include "tuner/ceilings/doubts.h"
#include "tuner/command/common_flags.h"
#include "tuner/engine/job.h"
#include "tuner/engine/machine_model.h"
#include "tuner/formats/machine_file.h"

namespace rooftune {
namespace {

namespace fs = std::filesystem;

struct BoundArguments {
    CommonFlags common;
    std::string machine;
    std::string host;
    std::string matrix;
    std::vector<std::string> pieces;
    std::string plot;
    BoundQuestion question;
};

// The family stands where the machine does, as in `bound matmul m=64,n=64,k=64`.
void refuse_family_first(const BoundArguments& a) {
    const bool is_family = find_workload(a.machine) != nullptr || is_declared(a.machine);
    if (!is_family || a.question.family.find('=') == std::string::npos) return;
    std::string example = "rooftune bound this " + a.machine + " " + a.question.family;
    for (const std::string& piece : a.pieces) example += " " + piece;
    throw InputError("'" + a.machine + "' is no machine: the machine comes first, then the family, like `" +
                     example + "` (`rooftune list machines` lists others)");
}

int bound(BoundArguments a, const Registry& registry) {
    refuse_family_first(a);
    // Before the machine, which may have to be measured first: a wrong word is mended in a second.
    if (is_declared(a.question.family))
        check_declared(registry, a.question.family);
    else
        workload_named(a.question.family);
    for (const std::string& piece : a.pieces) add_to_spec(piece, a.question.spec);
    if (!a.matrix.empty() && !a.question.spec.emplace("matrix", a.matrix).second)
        throw InputError("--matrix: the problem names a matrix already; keep one of them");
    if (!a.plot.empty() && a.question.sweep.empty())
        throw InputError("--plot " + a.plot + ": a plot needs a sweep, like --sweep n=1:32768:x2");
    if (!a.host.empty()) a.question.host = machine_by_name(a.common, a.host, "--host");
    const Machine machine = machine_by_name(a.common, a.machine, "machine");
    BoundAnswer result = answer(a.question, machine, registry);
    result.doubts = model_doubts(machine_of(machine, ""), utc_now());
    if (!a.plot.empty()) write_atomically(a.plot, sweep_svg(result));
    if (a.common.json) {
        print(to_json(result).dump(2) + "\n");
    } else {
        print_page(bound_text(result));
        if (!a.plot.empty()) print_page("\nPlot: " + fs::absolute(a.plot).string() + "\n");
    }
    return 0;
}

// One line a family: its keys in their order, those that are needed as they are, the others in brackets.
std::string families_text() {
    std::string text = "Families and their keys (in brackets those that may be left out):\n";
    for (const WorkloadKind* kind : workload_kinds()) {
        std::string line = "  " + std::string(kind->name());
        for (const WorkloadKey& key : kind->keys()) {
            const bool common =
                key.name == "dtype" || key.name == "unit" || key.name == "sparse" || key.name == "state";
            if (!common) line += key.fallback.empty() ? " " + key.name : " [" + key.name + "]";
        }
        text += line + "\n";
    }
    return text + "  and for each [dtype] [unit] [sparse] [state]\n";
}

}  // namespace

void add_bound_command(Command& program, const Registry& registry) {
    auto a = std::make_shared<BoundArguments>();
    Command app =
        program.command("bound", "How fast a kernel could be on a machine, which need not be at hand");
    app.footer(families_text() +
               "\nExamples:\n"
               "  rooftune bound tpu-v5e matmul m=240,n=4096,k=4096,dtype=bf16\n"
               "  rooftune bound tpu-v5e matmul n=4096,k=4096,dtype=bf16 --solve m\n"
               "  rooftune bound tpu-v5e matmul m=8192,n=8192,dtype=bf16,links=2,shard=k --solve k\n"
               "  rooftune bound h100-sxm work flops=1e12 --set peak=1e15\n"
               "  rooftune bound h100-sxm matmul m=4096,n=4096,k=4096,dtype=f64 --host this\n"
               "  rooftune bound opteron-2356 lbmhd points=1e6\n"
               "  rooftune bound this spmv --matrix my.mtx\n"
               "  rooftune bound this mine.cpp n=1e8               what its annotations declare\n"
               "  rooftune bound this matmul m=n,k=n --sweep n=16:8192:x2 --plot matmul.svg\n"
               "A bound is the least time that any code could take. Between it and the time without overlap "
               "lies what\ngood code reaches.");
    app.option("machine", a->machine,
               "Preset or measured machine (`rooftune list machines`), machine file, or `this`")
        .required();
    app.option("family", a->question.family, "What to run: see below, or a source with annotations")
        .required();
    app.option("problem", a->pieces, "Sizes and choices as key=value[,key=value…]");
    app.option("--matrix", a->matrix, "spmv: Matrix Market file, plain or gzip (the same as matrix=FILE)");
    app.option("--set", a->question.set,
               "Another value of the machine, PATH=VALUE: peak, peak.DTYPE, memory.bandwidth, "
               "memory.capacity, link.bandwidth, and with host. before it one of --host's; may be given "
               "several times")
        .one_value_each();
    app.option("--solve", a->question.solve,
               "The value of this size at which the kernel becomes compute bound");
    app.option("--sweep", a->question.sweep,
               "A table over a size: SIZE=LOW:HIGH:xFACTOR or SIZE=LOW:HIGH:+STEP");
    app.option("--plot", a->plot, "With --sweep: the attainable rate over the size, as SVG");
    app.option("--host", a->host,
               "Machine that sends the work over a link and gets the result back: when does it pay?");
    app.flag("--json", a->common.json, "One JSON document (configs/schema/bound.schema.json)");
    app.option("--results", a->common.results, "Folder of the measured machines (default: results/local)");
    app.runs([a, &registry] { return bound(*a, registry); });
}

}  // namespace rooftune
