// Out of the store and into it: results export, import, and check.
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

#include "kernels/runtime/error.h"
#include "tuner/base/atomic_file.h"
#include "tuner/base/interrupt.h"
#include "tuner/base/standard_error.h"
#include "tuner/base/standard_output.h"
#include "tuner/command/common_flags.h"
#include "tuner/formats/result_json.h"
#include "tuner/replay/store_jobs.h"
#include "tuner/results/results_commands.h"
#include "tuner/results/store_json.h"
#include "tuner/results/store_text.h"
#include "tuner/store/store_source.h"

namespace rooftune {
namespace {

namespace fs = std::filesystem;

struct MoveArguments {
    CommonFlags common;
    bool csv = false, salvage = false, repair = false;
    std::string job, file, store;
};

void write_csv(Store& store, const MoveArguments& a, std::optional<JobId> job) {
    if (a.file.empty()) {
        PrintedStream out;
        store.export_csv(out, job);
        out.flush();
        if (!out) throw EnvironmentError("standard output could not be written");
        return;
    }
    std::ostringstream text;
    store.export_csv(text, job);
    write_atomically(a.file, text.str());
}

int export_results(const MoveArguments& a) {
    if (a.csv == !a.store.empty())
        throw InputError("results export: say in which format: --csv, or --store FILE for another store");
    if (!a.store.empty() && !a.file.empty())
        throw InputError("results export: --file goes with --csv; --store names its file itself");
    if (a.csv && a.common.json)
        throw InputError("results export: --json goes with --store, and says what was written");
    Store store(store_path(a.common), StoreUse::read);
    std::optional<JobId> job;
    if (!a.job.empty()) job = find_job(store.jobs(), a.job, store.path(), true).id;
    if (a.csv) {
        write_csv(store, a, job);
        print_notices(store);
        return 0;
    }
    print_notices(store);
    const std::string file = fs::absolute(a.store).lexically_normal().string();
    const StoreExport report = store.export_store(file, job);
    if (a.common.json) {
        print(json_text(export_json(report, file, store.path())));
    } else {
        print_page(export_text(report, file));
    }
    return 0;
}

int import_results(const MoveArguments& a) {
    const std::string folder = results_folder(a.common);
    const std::string path = (fs::path(folder) / "rooftune.db").string();
    const std::string source_path = fs::absolute(a.file).lexically_normal().string();
    std::error_code none;
    if (fs::equivalent(source_path, path, none))
        throw InputError(source_path +
                         ": is the store itself; name another, or another folder with --results");
    // The source is read whole before anything is made.
    const auto copies = [&]() -> std::optional<std::string> {
        if (!a.salvage) return std::nullopt;
        make_folder(folder);
        return folder;
    }();
    StoreSource source(source_path, copies);
    Store store(path);
    print_notices(store);
    const ImportReport report = store.import_from(source, [] { return !interrupted(); });
    if (a.common.json) {
        print(json_text(import_json(report, source_path, path)));
    } else {
        print_page(import_text(report, source_path));
    }
    return 0;
}

int check(const MoveArguments& a) {
    const std::string path =
        a.file.empty() ? store_path(a.common) : fs::absolute(a.file).lexically_normal().string();
    StoreState state = check_store(path);
    if (a.repair && !state.whole()) {
        tell(repair_store(path));
        state = check_store(path);
    }
    if (a.common.json) {
        print(json_text(check_json(state, path)));
    } else {
        print_page(check_text(state, path));
    }
    return state.whole() ? 0 : 1;
}

}  // namespace

void add_results_export(Command& results) {
    auto a = std::make_shared<MoveArguments>();
    Command app = results.command(
        "export", "The store, or one job, as another store for `results import`; or raw samples as CSV");
    app.footer(
        "For one job in the formats of other tuners, see `rooftune export`.\n"
        "Examples:\n"
        "  rooftune results export --store node7.db\n"
        "  rooftune results export --csv --job 3 --file samples.csv");
    app.option("--store", a->store,
               "Write a store to this file, which must not be there yet: a snapshot, whoever measures "
               "meanwhile");
    app.flag("--csv", a->csv, "Raw samples as CSV (RFC 4180), one line a slot");
    app.option("--job", a->job,
               "Only this job, by its number, the first digits of its name or a part of its title "
               "(`rooftune results list`)");
    app.option("--file,--output", a->file, "Write the CSV to this file instead of standard output");
    app.flag("--json", a->common.json, "What was written to the store, as one JSON document");
    add_results_folder(app, a->common);
    app.runs([a] { return export_results(*a); });
}

void add_results_import(Command& results) {
    auto a = std::make_shared<MoveArguments>();
    Command app = results.command("import", "Adds what another store holds, all of it or nothing");
    app.footer(
        "The file is checked whole before anything is written. Jobs of one problem, machine and build of the "
        "kernels\nbecome one; what is there already is not doubled, so importing twice changes nothing. A "
        "job "
        "belongs to its\nmachine: results of two machines lie side by side. (For kernels that a profiler "
        "measured, "
        "see `rooftune import`.)");
    app.option("file", a->file,
               "A store: what `results export --store` wrote, or another folder's rooftune.db")
        .required();
    app.flag("--salvage", a->salvage, "Of a damaged store take what is whole, and say what is not");
    app.flag("--json", a->common.json, "One JSON document on standard output");
    add_results_folder(app, a->common);
    app.runs([a] { return import_results(*a); });
}

void add_results_check(Command& results) {
    auto a = std::make_shared<MoveArguments>();
    Command app =
        results.command("check", "Whether the store is whole: its structure, and every row by its checksum");
    app.footer("Nothing is changed without --repair. Exit status: 0 whole; 1 not whole; 2 no store.");
    app.flag("--repair", a->repair,
             "If it is not: keep it aside, put what is whole in its place, and say what is lost");
    app.option("file", a->file, "Another store (default: the one in the results folder)");
    app.flag("--json", a->common.json, "One JSON document on standard output");
    add_results_folder(app, a->common);
    app.runs([a] { return check(*a); });
}

}  // namespace rooftune
