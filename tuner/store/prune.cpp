#include "tuner/store/prune.h"

#include <algorithm>
#include <map>
#include <set>

#include "kernels/runtime/error.h"
#include "tuner/base/date.h"
#include "tuner/base/digits.h"

namespace rooftune {
namespace {

bool fits(const PruneJob& job, const PruneWish& wish) {
    return (!wish.job || *wish.job == job.id) && (wish.family.empty() || wish.family == job.family) &&
           (wish.machine.empty() || wish.machine == job.machine) &&
           (wish.not_machine.empty() || wish.not_machine != job.machine) &&
           (wish.build.empty() || wish.build == job.build) &&
           (wish.not_build.empty() || wish.not_build != job.build);
}

bool old_enough(const std::string& at, const PruneWish& wish) {
    return wish.before.empty() || at < wish.before;
}

/// The rows of each job. Those of a job that is not there are damaged, whatever their checksums say.
std::map<std::int64_t, std::vector<const PruneRow*>> by_job(const std::vector<PruneRow>& rows) {
    std::map<std::int64_t, std::vector<const PruneRow*>> sorted;
    for (const PruneRow& row : rows) sorted[row.job].push_back(&row);
    return sorted;
}

/// Latest by date, of equal dates the one that was stored last.
std::optional<std::int64_t> newest_of(const std::vector<const PruneRow*>& runs) {
    const PruneRow* best = nullptr;
    for (const PruneRow* run : runs) {
        if (!run->intact) continue;
        if (!best || std::pair(run->result, run->at) >= std::pair(best->result, best->at)) best = run;
    }
    return best ? std::optional(best->id) : std::nullopt;
}

class Planner {
public:
    explicit Planner(const PruneWish& wish) : wish_(wish) {}

    void job(const PruneJob& job, const std::vector<const PruneRow*>& runs,
             const std::vector<const PruneRow*>& records) {
        const bool chosen = fits(job, wish_);
        const bool all = wish_.damaged && !job.intact && chosen;  // whose key cannot be believed
        const auto stays = wish_.newest_too ? std::nullopt : newest_of(runs);
        PrunedJob part{job.id, job.hash, job.title, job.backend, job.state};
        std::set<std::int64_t> in_use;
        for (const PruneRow* record : records) {
            if (chosen && (all || record_goes(*record, stays))) {
                take(*record, plan_.record_ids, part.records, part.bytes);
            } else {
                ++part.records_left;
                if (record->run) in_use.insert(*record->run);
            }
        }
        for (const PruneRow* run : runs) {
            if (chosen && (all || (run_goes(*run, stays) && (wish_.damaged || !in_use.contains(run->id)))))
                take(*run, plan_.run_ids, part.runs, part.bytes);
            else
                ++part.runs_left;
        }
        const bool nothing_left = part.records_left + part.runs_left == 0;
        const bool something_went = part.records + part.runs > 0;
        part.whole = chosen && nothing_left &&
                     (all || (job.intact && !wish_.damaged &&
                              (something_went || (!wish_.superseded && old_enough(job.created, wish_)))));
        if (part.whole) plan_.job_ids.push_back(job.id);
        if (part.whole || something_went) {
            plan_.bytes += part.bytes;
            plan_.jobs.push_back(std::move(part));
        }
    }

    void history(const std::vector<PruneRow>& rows) {
        std::int64_t count = 0;
        if (!wish_.damaged) return;
        for (const PruneRow& row : rows)
            if (!row.intact) take(row, plan_.history_ids, count, plan_.bytes);
    }

    PrunePlan plan() { return std::move(plan_); }

private:
    bool record_goes(const PruneRow& record, const std::optional<std::int64_t>& stays) const {
        if (wish_.damaged) return !record.intact;
        if (!record.intact || !old_enough(record.at, wish_)) return false;
        if (wish_.superseded) return record.superseded;
        return !stays || record.run != stays;
    }
    bool run_goes(const PruneRow& run, const std::optional<std::int64_t>& stays) const {
        if (wish_.damaged) return !run.intact;
        return run.intact && !wish_.superseded && old_enough(run.at, wish_) && (!stays || run.id != *stays);
    }
    static void take(const PruneRow& row, std::vector<std::int64_t>& ids, std::int64_t& count,
                     std::int64_t& bytes) {
        ids.push_back(row.id);
        ++count;
        bytes += row.bytes;
    }

    const PruneWish& wish_;
    PrunePlan plan_;
};

}  // namespace

PrunePlan plan_prune(const PruneRows& rows, const PruneWish& wish) {
    const auto runs = by_job(rows.runs), records = by_job(rows.records);
    const auto of = [](const auto& sorted, std::int64_t job) {
        const auto at = sorted.find(job);
        return at == sorted.end() ? std::vector<const PruneRow*>{} : at->second;
    };
    Planner planner(wish);
    for (const PruneJob& job : rows.jobs) planner.job(job, of(runs, job.id), of(records, job.id));
    planner.history(rows.history);
    return planner.plan();
}

void check_prune_date(const std::string& text) {
    const bool day = has_form(text, "0000-00-00"), moment = has_form(text, "0000-00-00T00:00:00Z");
    // seconds_of() takes a leap second, which is no date of anything stored.
    const bool leap_second = text.ends_with(":60Z");
    if (!(day || moment) || leap_second || !seconds_of(day ? text + "T00:00:00Z" : text))
        throw InputError("--before " + text +
                         ": expected a date (UTC) like 2024-05-31 or 2024-05-31T17:04:59Z");
}

}  // namespace rooftune
