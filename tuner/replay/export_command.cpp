// Records of one job for other programs: export.
#include <filesystem>
#include <memory>
#include <optional>

#include "kernels/runtime/error.h"
#include "tuner/base/atomic_file.h"
#include "tuner/base/gzip.h"
#include "tuner/base/si.h"
#include "tuner/base/standard_error.h"
#include "tuner/base/standard_output.h"
#include "tuner/base/suggested.h"
#include "tuner/command/common_flags.h"
#include "tuner/engine/machine_model.h"
#include "tuner/formats/machine_file.h"
#include "tuner/replay/commands.h"
#include "tuner/replay/export_formats.h"
#include "tuner/replay/store_jobs.h"
#include "tuner/store/store_files.h"

namespace rooftune {
namespace {

namespace fs = std::filesystem;

struct ExportArguments {
    CommonFlags common;
    std::string format, job, output;
    bool with_machine = false;
};

// The machine that the job ran on: the file named, else the one measured into the results folder. A name for
// the device is worth having, so its absence is an error only where the whole machine was asked for.
std::optional<Machine> machine_of_job(const ExportArguments& a, const std::string& results,
                                      const std::string& id) {
    const bool named = !a.common.machine.empty();
    const std::string path =
        named ? machine_path(a.common.machine) : (fs::path(results) / "machines" / (id + ".json")).string();
    if (!named && !a.with_machine && !fs::exists(path)) return std::nullopt;
    Machine machine = read_machine_file(path);
    if (machine.id != id)
        throw InputError(path + ": is of the machine '" + machine.id + "', but the job ran on '" + id +
                         "'; name its file with --machine");
    return machine;
}

std::string exported_text(const ExportArguments& a, const RecordedJob& job,
                          const std::vector<StoredRecord>& records) {
    if (a.format == "kernel-tuner") return kernel_tuner_text(job);
    if (a.format == "t4") return t4_text(job, ROOFTUNE_VERSION);
    if (a.format == "csv") return csv_text(job, records);
    return rooftune_text(job, a.with_machine);
}

// Variants that were raced out or sampled were timed in other minutes than the winner: as times alone they
// may look faster than what they lost to, and whoever simulates on them finds another winner.
void warn_of_other_minutes(const RecordedJob& job) {
    const auto& all = job.space.configurations;
    std::optional<std::size_t> fastest;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].seconds && (!fastest || *all[i].seconds < *all[*fastest].seconds)) fastest = i;
    }
    if (!fastest || job.records[*fastest].outcome != Outcome::raced_out) return;
    tell(
        "the fastest time of these is of a variant that was raced out or only sampled, in other minutes than "
        "the "
        "winner's: among times of different minutes differences of some per cent say nothing; `rooftune tune "
        "--exhaustive` measures a space for replays");
}

int export_job(const ExportArguments& a) {
    if (a.with_machine && a.format != "rooftune")
        throw InputError("--with-machine: only --format rooftune holds a machine");
    const std::string results = results_folder(a.common);
    const std::string path = (fs::path(results) / "rooftune.db").string();
    check_store_exists(path, suggested("tune") + " makes one, or name its folder with --results");
    Store store(path, StoreUse::read);
    const JobSummary summary = a.job.empty() ? newest_job(store) : find_job(store.jobs(), a.job, path);
    const std::vector<StoredRecord> records = store.records(summary.id);
    for (const std::string& text : store.notices()) tell(text);
    RecordedJob job = job_of_store(store, summary, records);
    if (job.records.empty())
        throw InputError(path + ": " + summary.key.title +
                         " has no records of variants; name another job with --job (" +
                         suggested("list jobs") + ")");
    job.machine = machine_of_job(a, results, summary.key.machine_id);
    if (!a.common.quiet) warn_of_other_minutes(job);
    const std::string text = exported_text(a, job, records);
    if (a.output.empty()) {
        print(text);
        return 0;
    }
    write_atomically(a.output, a.output.ends_with(".gz") ? gzipped(text) : text);
    if (!a.common.quiet)
        tell("wrote " + fs::absolute(a.output).string() + ": " +
             format_plural(job.records.size(), "variant") + " of " + space_name(job));
    return 0;
}

}  // namespace

void add_export_command(Command& program) {
    auto a = std::make_shared<ExportArguments>();
    Command app = program.command(
        "export", "Records of one job in the formats of other tuners, as CSV, or whole for replays");
    app.footer(
        "kernel-tuner  a cache for Kernel Tuner: times in ms; a parameter that does not exist in a variant "
        "is\n"
        "              \"absent\"; what failed is CompilationFailedConfig or RuntimeFailedConfig\n"
        "t4            the T4 results format, version 1.0.0\n"
        "csv           every record, one a line, with a column for each parameter; times in seconds\n"
        "rooftune      all that `rooftune replay` and other machines need, with each slot\n"
        "Of a variant that was measured several times the last record counts, except that a full interval "
        "is\n"
        "not replaced by a sample; csv has them all. (For another store of rooftune: `rooftune results "
        "export\n--store`.)\n"
        "Examples:\n"
        "  rooftune export --format kernel-tuner --output cache.json\n"
        "  rooftune export --format rooftune --job 3 --with-machine --output matmul.json.gz");
    app.option("--format", a->format, "kernel-tuner, t4, csv or rooftune")
        .required()
        .one_of({"kernel-tuner", "t4", "csv", "rooftune"});
    app.option("--job", a->job,
               "Job by its number, the first digits of its hash or a part of its title (default: the "
               "last one tuned; `rooftune list jobs` shows them)");
    app.option("--output", a->output,
               "File to write instead of standard output; compressed when it ends in .gz");
    app.flag("--with-machine", a->with_machine,
             "Include the machine's ceilings, so that bounds can be worked out again (rooftune)");
    app.option("--machine", a->common.machine,
               "File of the machine that the job ran on (default: in the results folder)");
    app.option("--results", a->common.results, "Folder of the store (default: results/local)");
    app.flag("--quiet", a->common.quiet, "No notices");
    app.runs([a] { return export_job(*a); });
}

}  // namespace rooftune
