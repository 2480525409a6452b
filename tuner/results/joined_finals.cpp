#include "tuner/results/joined_finals.h"

#include <algorithm>
#include <map>

namespace rooftune {
namespace {

constexpr std::size_t kFullInterval = 8;

using Iterator = std::vector<StoredRecord>::const_iterator;

bool of_finals(const StoredRecord& stored) {
    return stored.run && stored.record.role == "finals";
}

bool is_measured(const Record& record) {
    return record.outcome == Outcome::measured && record.slots.size() >= kFullInterval;
}

// The end of the finals that begin here: nothing else is measured between two of their processes.
Iterator end_of_finals(Iterator from, Iterator end) {
    return std::find_if(
        from, end, [&](const StoredRecord& stored) { return !of_finals(stored) || stored.run != from->run; });
}

// The end of the process that begins here: a variant that comes once more is of the next one.
Iterator end_of_process(Iterator from, Iterator end) {
    Iterator at = from;
    while (at != end &&
           std::none_of(from, at, [&](const StoredRecord& stored) { return stored.variant == at->variant; }))
        ++at;
    return at;
}

void join(Iterator from, Iterator end, std::vector<StoredRecord>& into) {
    std::map<std::string, std::size_t> places;
    for (Iterator process = from; process != end;) {
        const Iterator next = end_of_process(process, end);
        std::size_t rounds = 0;
        for (Iterator at = process; at != next; ++at) {
            if (is_measured(at->record)) rounds = std::max(rounds, at->record.slots.size());
        }
        for (; process != next; ++process) {
            const auto [place, first] = places.emplace(process->variant, into.size());
            if (first) {
                into.push_back(*process);
                continue;
            }
            Record& all = into[place->second].record;
            const Record& fresh = process->record;
            if (is_failure(fresh.outcome)) {
                all = fresh;
            } else if (is_measured(fresh) && fresh.slots.size() == rounds) {
                all.slots.insert(all.slots.end(), fresh.slots.begin(), fresh.slots.end());
                all.error = std::max(all.error, fresh.error);
                all.when = fresh.when;
            }
        }
    }
}

}  // namespace

std::vector<StoredRecord> with_joined_finals(const std::vector<StoredRecord>& records) {
    std::vector<StoredRecord> joined;
    for (Iterator at = records.begin(); at != records.end();) {
        if (!of_finals(*at)) {
            joined.push_back(*at++);
            continue;
        }
        const Iterator end = end_of_finals(at, records.end());
        join(at, end, joined);
        at = end;
    }
    return joined;
}

}  // namespace rooftune
