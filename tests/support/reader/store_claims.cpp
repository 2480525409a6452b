#include "tests/support/reader/store_claims.h"

#include <algorithm>
#include <cmath>

#include "tests/support/reader/result_claims.h"
#include "tuner/base/si.h"
#include "tuner/base/text_width.h"

namespace rooftune::test {
namespace {

using nlohmann::json;

constexpr const char* kNone = "–";

std::string number(const json& value) {
    return std::to_string(value.get<std::int64_t>());
}

std::string text_or_none(const json& value) {
    return value.is_string() ? value.get<std::string>() : std::string(kNone);
}

std::string bytes(const json& value) {
    return format_si(value.get<double>(), "B");
}

std::string plural(const json& count, const char* noun) {
    return format_plural(count.get<std::int64_t>(), noun);
}

std::string time_of_best(const json& best) {
    return best.is_object() ? format_seconds(best.at("seconds").at("median")) : std::string("no winner");
}

// As sentences tell it: a share below twice as fast, else how many times; no limit where its upper end is
// far.
std::string gap_words(const json& run) {
    if (!run.at("gap").is_number()) return kNone;
    const double gap = run.at("gap");
    const json& high = run.at("gap_high");
    if (!high.is_number() || 1.0 + high.get<double>() >= 10.0 * (1.0 + gap)) return "not known, too noisy";
    if (gap <= 0.0) return format_percent_up(gap);
    return gap < 1.0 ? format_percent_up(gap) + " faster" : format_ratio_up(1.0 + gap) + " as fast";
}

std::string roof_of_best(const json& best) {
    if (!best.is_object() || !best.at("fraction_of_problem_roof").is_number()) return kNone;
    return format_percent(best.at("fraction_of_problem_roof"));
}

std::string machine_of(const json& job) {
    return job.at("machine").get<std::string>() + (job.at("this_machine").get<bool>() ? " (this one)" : "");
}

void claim_of_job(Reader& reader, const json& job) {
    reader.words_of(job);
    reader.claim("job", "(?:Job|of job) ([0-9]+)", number(job.at("job")));
    reader.claim("threads of the job", ", " + kCount + " threads?,", number(job.at("threads")));
    reader.claim("made", "^- made (.*?);", job.at("created").get<std::string>());
    reader.claim("space version", "space version ([0-9]+)", number(job.at("space_version")));
    reader.claim("records of the job", "; " + kCount + " records?", number(job.at("records")));
    reader.claim("superseded", "and " + kCount + " superseded by", number(job.at("superseded")));
}

}  // namespace

void claim_job_list(Reader& reader, const json& document) {
    Reader::Truths rows;
    for (const json& job : document.at("jobs")) {
        rows.push_back({number(job.at("job")), job.at("name"), job.at("family"), job.at("title"),
                        machine_of(job), job.at("backend"), job.at("state"), number(job.at("threads")),
                        number(job.at("records")), number(job.at("runs")), text_or_none(job.at("last_run")),
                        time_of_best(job.at("best")), roof_of_best(job.at("best"))});
    }
    reader.table("jobs",
                 {"job", "name", "family", "problem", "machine", "backend", "state", "threads", "records",
                  "runs", "last run", "best", "of problem roof"},
                 rows);
}

void claim_job(Reader& reader, const json& document) {
    claim_of_job(reader, document.at("job"));
    Reader::Truths outcomes, runs, fastest, records;
    for (const json& line : document.at("outcomes"))
        outcomes.push_back({line.at("outcome"), number(line.at("records")), number(line.at("variants"))});
    reader.table("outcomes", {"outcome", "records", "variants"}, outcomes);
    for (const json& run : document.at("runs")) {
        runs.push_back({number(run.at("run")), run.at("started"), text_or_none(run.at("ended")),
                        text_or_none(run.at("stopped_by")), time_of_best(run.at("best")),
                        roof_of_best(run.at("best")), gap_words(run)});
    }
    reader.table("runs", {"run", "started", "ended", "stopped by", "best", "of problem roof", "proven gap"},
                 runs);
    if (!document.at("runs").empty())
        reader.claim("last run", "results show run:([0-9]+)[` ]",
                     number(document.at("runs").back().at("run")));
    for (const json& line : document.at("fastest")) {
        const json& t = line.at("seconds");
        fastest.push_back({line.at("variant"),
                           format_seconds_interval(t.at("median"), t.at("low"), t.at("high")),
                           number(t.at("slots")), line.at("role"), line.at("at")});
    }
    reader.table("fastest", {"variant", "time", "slots", "role", "at"}, fastest);
    if (!document.contains("records")) return;
    for (const json& record : document.at("records")) {
        double least = INFINITY;
        for (const json& slot : record.at("slots")) {
            if (slot.at("seconds").is_number()) least = std::min(least, slot.at("seconds").get<double>());
        }
        std::string variant;
        for (const auto& [key, value] : record.at("variant").items())
            variant += (variant.empty() ? "" : ",") + key + "=" + value.get<std::string>();
        records.push_back({number(record.at("record")), record.at("at"),
                           record.at("run").is_null() ? std::string(kNone) : number(record.at("run")),
                           record.at("role"), record.at("outcome"), std::to_string(record.at("slots").size()),
                           std::isfinite(least) ? format_seconds(least) : std::string(kNone), variant,
                           cut_to_width(record.at("detail").get<std::string>(), 60)});
    }
    reader.table("records",
                 {"record", "at", "run", "role", "outcome", "slots", "least time", "variant", "detail"},
                 records);
}

void claim_run(Reader& reader, const json& document) {
    claim_of_job(reader, document.at("job"));
    reader.words_of(document.at("run"));
    const json& run = document.at("run");
    reader.claim("run", "Run ([0-9]+) of job", number(run.at("run")));
    reader.claim("started", "started ([-0-9T:]+Z)", run.at("started").get<std::string>());
    if (run.at("ended").is_string())
        reader.claim("ended", "ended ([-0-9T:]+Z)", run.at("ended").get<std::string>());
}

void claim_check(Reader& reader, const json& document) {
    reader.words_of(document);
    reader.claim("version of the store", "is whole: version ([0-9]+)", number(document.at("version")));
    reader.claim("what the store holds",
                 ", " + kCount + " jobs?, " + kCount + " runs?, " + kCount + " records?(?: \\(" + kCount +
                     " superseded\\))?, " + kCount + " of history, ([0-9.]+ [kMG]?B)",
                 Reader::Truths{{number(document.at("jobs")), number(document.at("runs")),
                                 number(document.at("records")),
                                 document.at("superseded") == 0 ? "" : number(document.at("superseded")),
                                 number(document.at("history")), bytes(document.at("bytes"))}});
}

void claim_export(Reader& reader, const json& document) {
    reader.words_of(document);
    reader.claim(
        "what is exported", "\\(([0-9.]+ [kMG]?B)\\): (.*)\\.$",
        Reader::Truths{
            {bytes(document.at("bytes")),
             plural(document.at("jobs"), "job") + ", " + plural(document.at("runs"), "run") + ", " +
                 plural(document.at("records"), "record") +
                 (document.at("history") == 0 ? ""
                                              : ", " + number(document.at("history")) + " of history")}});
}

void claim_import(Reader& reader, const json& document) {
    reader.words_of(document);
    Reader::Truths rows;
    for (const char* what : {"jobs", "runs", "records", "history"})
        rows.push_back({what, number(document.at(what).at("added")), number(document.at(what).at("known"))});
    reader.table("imported", {"", "added", "there already"}, rows);
    reader.claim("completed runs", "^" + kCount + " runs? that had been imported",
                 number(document.at("completed_runs")));
    reader.claim("superseded there", "^" + kCount + " records? that w[a-z]+ thrown away there",
                 number(document.at("superseded")));
    for (const auto& [machine, jobs] : document.at("machines").items())
        reader.words(machine + " (" + plural(jobs, "job") + ")");
}

void claim_prune(Reader& reader, const json& document) {
    Reader::Truths rows;
    for (const json& job : document.at("jobs")) {
        rows.push_back({number(job.at("job")), job.at("name"), "*", number(job.at("records")),
                        number(job.at("runs")), bytes(job.at("bytes")),
                        job.at("whole").get<bool>() ? "nothing"
                                                    : plural(job.at("records_left"), "record") + ", " +
                                                          plural(job.at("runs_left"), "run")});
    }
    reader.words_of(document);
    reader.table("pruned", {"job", "name", "problem", "records", "runs", "bytes", "what stays of it"}, rows);
    reader.excuse("rooftune results prune .*", "the command itself");
    reader.claim("what would go",
                 "(?:would delete|Deleted) " + kCount + " records?, " + kCount + " runs? and ",
                 Reader::Truths{{number(document.at("records")), number(document.at("runs"))}});
    std::int64_t whole = 0;
    for (const json& job : document.at("jobs")) whole += job.at("whole").get<bool>() ? 1 : 0;
    reader.claim("jobs that would go", "runs? and " + kCount + " jobs?", std::to_string(whole));
    reader.claim("bytes that would go", ", about ([0-9.]+ [kMG]?B)", bytes(document.at("bytes")));
    reader.claim("of history", ", and " + kCount + " of history", number(document.at("history")));
    if (document.at("store_bytes_before").is_number())
        reader.claim("bytes of the store", "The store had ([0-9.]+ [kMG]?B) and has ([0-9.]+ [kMG]?B)",
                     Reader::Truths{{bytes(document.at("store_bytes_before")),
                                     bytes(document.at("store_bytes_after"))}});
}

}  // namespace rooftune::test
