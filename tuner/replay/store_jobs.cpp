#include "tuner/replay/store_jobs.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <functional>

#include "kernels/runtime/error.h"
#include "tuner/base/si.h"
#include "tuner/base/suggested.h"

namespace rooftune {
namespace {

constexpr std::size_t kLeastHashDigits = 4;

std::string list_of(const std::vector<JobSummary>& jobs) {
    std::string text;
    for (const JobSummary& job : jobs) {
        text += "\n  " + std::to_string(job.id) + "  " + job.key.hash() + "  " + job.key.title + ", " +
                job.key.state + ", " + job.key.backend + ", " + format_plural(job.key.threads, "thread") +
                ": " + format_plural(job.records, "record");
    }
    return text;
}

std::string lower(std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

std::vector<JobSummary> those(const std::vector<JobSummary>& jobs,
                              const std::function<bool(const JobSummary&)>& fits) {
    std::vector<JobSummary> found;
    std::copy_if(jobs.begin(), jobs.end(), std::back_inserter(found), fits);
    return found;
}

}  // namespace

bool is_store_file(const std::string& path) {
    constexpr std::string_view kBegins = "SQLite format 3";
    // Opening a FIFO waits for somebody who writes to it.
    std::error_code none;
    if (!std::filesystem::is_regular_file(path, none)) return false;
    std::ifstream file(path, std::ios::binary);
    std::string head(kBegins.size(), '\0');
    file.read(head.data(), static_cast<std::streamsize>(head.size()));
    return file && head == kBegins;
}

JobSummary find_job(const std::vector<JobSummary>& jobs, const std::string& wanted, const std::string& path,
                    bool without_records) {
    const std::vector<JobSummary> filled =
        those(jobs, [&](const JobSummary& j) { return j.records > 0 || without_records; });
    if (filled.empty())
        throw InputError(path + ": a store without records; " + suggested("tune") + " fills it");
    if (wanted.empty()) {
        if (filled.size() == 1) return filled.front();
        throw InputError(path + ": holds " + std::to_string(filled.size()) +
                         " jobs; name one with --job:" + list_of(filled));
    }
    // From the most exact way to name a job to the least.
    const std::vector<std::function<bool(const JobSummary&)>> ways{
        [&](const JobSummary& j) { return std::to_string(j.id) == wanted; },
        [&](const JobSummary& j) {
            return wanted.size() >= kLeastHashDigits && j.key.hash().starts_with(lower(wanted));
        },
        [&](const JobSummary& j) { return j.key.title == wanted; },
        [&](const JobSummary& j) { return lower(j.key.title).find(lower(wanted)) != std::string::npos; }};
    for (const auto& way : ways) {
        const std::vector<JobSummary> found = those(filled, way);
        if (found.size() == 1) return found.front();
        if (found.size() > 1)
            throw InputError("--job " + wanted + ": " + std::to_string(found.size()) + " jobs of " + path +
                             " fit; name one by its number:" + list_of(found));
    }
    throw InputError("--job " + wanted + ": " + path + " has no such job" +
                     (without_records ? "" : " with records") + "; it has:" + list_of(filled));
}

JobSummary newest_job(Store& store) {
    const std::vector<JobSummary> jobs = store.jobs();
    if (jobs.empty())
        throw InputError(store.path() + ": a store without jobs; " + suggested("tune") + " fills it");
    const std::vector<RunSummary> runs = store.runs();
    const JobId wanted = runs.empty() ? jobs.back().id : runs.back().job;
    const auto at =
        std::find_if(jobs.begin(), jobs.end(), [&](const JobSummary& j) { return j.id == wanted; });
    return at == jobs.end() ? jobs.back() : *at;
}

RecordedJob job_of_store(Store& store, const JobSummary& job, const std::vector<StoredRecord>& records) {
    RecordedJob read = recorded_job(job, records);
    std::vector<std::string> results;
    for (const RunSummary& run : store.runs(job.id)) results.push_back(run.result);
    read.space.drawn = drawn_by(read.records, results);
    return read;
}

RecordedJob read_store_job(const std::string& path, const std::string& wanted,
                           std::vector<std::string>* notices) {
    Store store(path, StoreUse::read);
    const JobSummary job = find_job(store.jobs(), wanted, path);
    RecordedJob read = job_of_store(store, job, store.records(job.id));
    if (notices != nullptr) notices->insert(notices->end(), store.notices().begin(), store.notices().end());
    return read;
}

}  // namespace rooftune
