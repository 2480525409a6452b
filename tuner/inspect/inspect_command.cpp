// `rooftune inspect FILE`: what a matrix is like, where its entries lie, and what each way to store it would
// move.
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"
#include "tuner/base/atomic_file.h"
#include "tuner/base/standard_output.h"
#include "tuner/command/common_flags.h"
#include "tuner/engine/job.h"
#include "tuner/engine/machine_model.h"
#include "tuner/inspect/commands.h"
#include "tuner/inspect/density_svg.h"
#include "tuner/inspect/inspect_json.h"
#include "tuner/inspect/inspect_text.h"

namespace rooftune {
namespace {

namespace fs = std::filesystem;

/// Of a drawing: finer than most screens show.
constexpr int kCells = 400;

struct InspectArguments {
    CommonFlags common;
    std::string subject;
    std::vector<std::string> pieces;
    std::string matrix, plot;
    bool verbose = false;
};

// A matrix is named by its file alone, anything else by its family as for a tune.
Job job_asked(const InspectArguments& a, const Registry& registry) {
    Job job;
    std::vector<std::string> files, pieces;
    if (!a.matrix.empty()) files.push_back(a.matrix);
    const bool is_path = a.subject.find_first_of("/.") != std::string::npos;
    if (a.subject.find('=') != std::string::npos) {
        if (files.empty())
            throw InputError("a problem needs its family first, like `rooftune inspect spmv " + a.subject +
                             "`");
        pieces.push_back(a.subject);
    } else if (is_path || fs::is_regular_file(a.subject)) {
        files.push_back(a.subject);
    } else if (!a.subject.empty()) {
        job.family = &family_named(registry, a.subject);
    } else if (files.empty()) {
        throw InputError(
            "nothing to inspect: name a Matrix Market file, or a family and its problem, like "
            "`rooftune inspect spmv gen=poisson27,nx=40`");
    }
    if (job.family == nullptr) job.family = &family_named(registry, "spmv");
    pieces.insert(pieces.end(), a.pieces.begin(), a.pieces.end());
    for (const std::string& piece : pieces) add_to_spec(piece, job.problem);
    for (const std::string& file : files) {
        if (!job.problem.emplace("matrix", file).second)
            throw InputError("the matrix is given twice, " + job.problem["matrix"] + " and " + file +
                             "; give it once");
    }
    return job;
}

int inspect(const InspectArguments& a, const Registry& registry) {
    // A matrix has a structure on a machine that nobody has measured, too.
    const Machine machine = a.common.machine.empty()
                                ? this_machine(a.common)
                                : machine_by_name(a.common, a.common.machine, "--machine");
    const Inspected found = inspect_problem(job_asked(a, registry), a.common, machine, kCells);
    if (!a.plot.empty()) {
        const auto& density = found.inspection.density;
        if (!density)
            throw InputError("--plot " + a.plot + ": a " + found.family +
                             " has no entries to draw; leave it out");
        write_atomically(a.plot, density_svg(*density, found.setting.problem->title()));
    }
    if (a.common.json) {
        print(to_json(found).dump(2) + "\n");
    } else {
        print_page(inspect_text(found, a.verbose));
        if (!a.plot.empty()) print_page("\nPlot: " + fs::absolute(a.plot).string() + "\n");
    }
    return 0;
}

}  // namespace

void add_inspect_command(Command& program, const Registry& registry) {
    auto a = std::make_shared<InspectArguments>();
    Command app = program.command(
        "inspect", "What a matrix is like, and what each way to store it would move; measures nothing");
    app.footer(
        "Examples:\n"
        "  rooftune inspect my.mtx.gz                        a matrix\n"
        "  rooftune inspect my.mtx.gz --plot entries.svg     and a drawing of where its entries lie\n"
        "  rooftune inspect spmv gen=poisson27,nx=40         one that is generated\n"
        "  rooftune inspect my.mtx.gz dtype=f32 --threads 1  in single precision, for one thread\n");
    app.option("subject", a->subject, "Matrix Market file, plain or gzip, or a family");
    app.option("problem", a->pieces, "Sizes and choices as key=value[,key=value…]");
    app.option("--matrix", a->matrix, "Matrix Market file (the same as naming it first)");
    app.option("--plot", a->plot, "File for a drawing of where the entries lie, as SVG");
    app.flag("-v,--verbose", a->verbose, "All ways to store it");
    add_common(app, a->common);
    app.runs([a, &registry] { return inspect(*a, registry); });
}

}  // namespace rooftune
