// The records of a job in which a measurement ends in every way, and some variants are measured several
// times.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "tuner/store/store.h"

namespace rooftune::test {

struct ExampleRecords {
    JobSummary job;
    std::vector<StoredRecord> records;

    void add(const std::string& variant, Record record) {
        StoredRecord stored;
        stored.id = static_cast<std::int64_t>(records.size()) + 1;
        stored.variant = variant;
        for (std::size_t at = 0; at < variant.size();) {
            const std::size_t equals = variant.find('=', at),
                              end = std::min(variant.find(',', at), variant.size());
            record.variant[variant.substr(at, equals - at)] = variant.substr(equals + 1, end - equals - 1);
            at = end + 1;
        }
        record.when = "2024-05-31T17:04:" + std::to_string(10 + stored.id) + "Z";
        stored.record = std::move(record);
        records.push_back(std::move(stored));
    }
};

inline Record record_with(Outcome outcome, std::vector<Slot> slots, const std::string& role = "search",
                          const std::string& detail = {}) {
    Record record;
    record.outcome = outcome;
    record.slots = std::move(slots);
    record.role = role;
    record.detail = detail;
    record.error = 0.25;
    record.prepare_seconds = 0.01;
    return record;
}

/// Eight slots about a time, one of them disturbed.
inline std::vector<Slot> eight_slots(double seconds) {
    std::vector<Slot> slots;
    for (int i = 0; i < 8; ++i) slots.push_back({seconds * (1.0 + 0.01 * (i - 4)), 10 + i, i == 2});
    return slots;
}

/// Seven variants that count: 1.0, 2.0 and 3.1 ms, and four failures. One more failed by its environment.
inline ExampleRecords example_records() {
    ExampleRecords e;
    JobKey& key = e.job.key;
    key.family = "spmv";
    key.problem = {{"matrix", "/data/ship.mtx"}, {"dtype", "f64"}, {"nx", "120"}};
    key.digest = "d1g3st";
    key.dtype = "f64";
    key.state = "warm";
    key.threads = 2;
    key.machine_id = "intel-6-143-8-2t";
    key.space_version = 3;
    key.build = "b41ld";
    key.title = "spmv \"ship\", f64";
    e.job.id = 1;
    e.job.created = "2024-05-31T17:04:00Z";
    e.add("format=csr,threads=1", record_with(Outcome::raced_out, {{3e-3, 10, false}}));
    e.add("format=csr,threads=1", record_with(Outcome::measured, eight_slots(3.115e-3), "finals"));
    e.add("format=csr,threads=1", record_with(Outcome::raced_out, {{5e-3, 10, true}}, "audit"));
    e.add("format=sell,chunk=16,shape=0.5,threads=2", record_with(Outcome::raced_out, {{2e-3, 7, false}}));
    e.add("format=sell,chunk=4,shape=0.5,threads=1",
          record_with(Outcome::wrong, {}, "search", "y[3] is 1, not 2"));
    e.add("format=sell,chunk=8,shape=0.5,threads=1",
          record_with(Outcome::crashed, {}, "search", "signal 11"));
    e.add("format=sell,chunk=4,shape=0.5,threads=2", record_with(Outcome::timed_out, {}));
    e.add("format=sell,chunk=8,shape=0.5,threads=2",
          record_with(Outcome::unbuildable, {}, "search", "error: \"x\"\nline 2"));
    e.add("format=sell,chunk=16,shape=0.5,threads=1", record_with(Outcome::environment, {}));
    e.add("format=csr,threads=2", record_with(Outcome::measured, eight_slots(1.005e-3), "settle"));
    e.add("format=csr,threads=2", record_with(Outcome::measured, eight_slots(0.9e-3), "finals"));
    e.job.records = static_cast<std::int64_t>(e.records.size());
    return e;
}

}  // namespace rooftune::test
