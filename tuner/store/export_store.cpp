#include "tuner/store/export_store.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

#include "kernels/runtime/error.h"
#include "tuner/base/descriptor.h"
#include "tuner/base/suggested.h"
#include "tuner/store/inspect.h"
#include "tuner/store/store.h"
#include "tuner/store/store_files.h"
#include "tuner/store/store_rows.h"
#include "tuner/store/store_schema.h"

namespace rooftune {
namespace {

namespace fs = std::filesystem;

/// Removes what it was given before and after its life, as far as that can be removed.
class Leftover {
public:
    explicit Leftover(std::string path) : path_(std::move(path)) { remove_quietly(); }
    ~Leftover() { remove_quietly(); }
    Leftover(const Leftover&) = delete;
    Leftover& operator=(const Leftover&) = delete;

private:
    void remove_quietly() const {
        std::error_code ignored;
        remove_with_log(path_, ignored);
    }
    std::string path_;
};

void keep_only(Database& copy, const std::optional<JobId>& job) {
    // Entries of processes that run, or were not yet found dead, mean nothing elsewhere.
    copy.run("DELETE FROM journal WHERE crashed = 0");
    if (!job) return;
    const std::string number = std::to_string(*job);
    for (const char* table : {"journal", "records", "runs"})
        copy.run(std::string("DELETE FROM ") + table + " WHERE job <> " + number);
    copy.run("DELETE FROM jobs WHERE id <> " + number + "; DELETE FROM history");
}

/// What is not as it was written would be refused by an import. A fault can come from another: a job that
/// goes takes its rows with it.
std::vector<std::string> leave_out_faults(Database& copy) {
    std::vector<std::string> left_out;
    for (bool again = true; again;) {
        // A record outlives the run that it was measured in.
        copy.run(
            "UPDATE records SET run = NULL WHERE run NOT IN (SELECT id FROM runs WHERE job = records.job)");
        std::vector<RowFault> faults;
        find_row_faults(copy, [&](RowFault fault) { faults.push_back(std::move(fault)); });
        again = !faults.empty();
        for (const RowFault& fault : faults) {
            const std::string id = std::to_string(fault.id);
            if (fault.table == "jobs") copy.run("DELETE FROM journal WHERE job = " + id);
            copy.run("DELETE FROM " + fault.table + " WHERE id = " + id);
            left_out.push_back(fault.text());
        }
    }
    return left_out;
}

void settle(const std::string& from, const std::string& to) {
    const Descriptor file(::open(from.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.fd() < 0 || ::fsync(file.fd()) != 0)
        throw EnvironmentError(to + ": the device did not take it; free some space or name another folder");
    // A link, unlike a renaming, replaces nothing.
    if (::link(from.c_str(), to.c_str()) == 0) return;
    const int why = errno;
    if (why != EEXIST && ::access(to.c_str(), F_OK) != 0 && std::rename(from.c_str(), to.c_str()) == 0)
        return;  // a file system without links
    throw EnvironmentError(to + ": cannot be written: " + std::strerror(why) +
                           "; name another file with --store");
}

}  // namespace

StoreExport Store::export_store(const std::string& file, std::optional<JobId> job) {
    for (const char* suffix : {"", "-wal", "-journal"})
        if (fs::exists(fs::symlink_status(file + suffix)))
            throw InputError(file + suffix +
                             ": is there already, and a store is not written over; name another file, or "
                             "remove it first");
    if (const fs::path folder = fs::absolute(file).parent_path(); !fs::is_directory(folder))
        throw EnvironmentError(folder.string() + ": there is no such folder; make it, or name another file");
    const std::string part = file + ".part-" + std::to_string(self_.pid);
    const Leftover leftover(part);
    StoreExport report;
    {
        // One statement reads one snapshot, whoever writes meanwhile.
        database_->prepare("VACUUM INTO ?").bind(std::string_view(part)).run();
        Database copy(part, Database::Access::write);
        copy.run("PRAGMA foreign_keys = OFF");
        {
            Transaction transaction(copy);
            keep_only(copy, job);
            report.left_out = leave_out_faults(copy);
            close_gaps_of(copy, "records");
            close_gaps_of(copy, "history");
            transaction.commit();
        }
        copy.run("VACUUM");
        const StoreState state = inspect(copy);
        if (!state.whole())
            throw EnvironmentError(file + ": the copy is not whole" +
                                   (state.damage.empty() ? "" : ": " + state.damage.front()) +
                                   "; check the device, and the store with " + suggested("results check"));
        report.jobs = state.jobs;
        report.runs = state.runs;
        report.records = state.records;
        report.history = state.history;
    }
    report.bytes = static_cast<std::int64_t>(fs::file_size(part));
    settle(part, file);
    return report;
}

}  // namespace rooftune
