#include "tuner/replay/recorded_job.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "tuner/measure/statistics.h"

namespace rooftune {
namespace {

// Names in the order in which the variant's text has them: the map has forgotten it.
std::vector<std::string> names_in(const StoredRecord& stored) {
    std::vector<std::pair<std::size_t, std::string>> found;
    const std::string text = "," + stored.variant;
    for (const auto& [name, value] : stored.record.variant)
        found.emplace_back(text.find("," + name + "=" + value), name);
    std::sort(found.begin(), found.end());
    std::vector<std::string> names;
    for (auto& [at, name] : found) names.push_back(std::move(name));
    return names;
}

// Every text names a part of the parameters in declared order: an order that agrees with all of them.
std::vector<std::string> names_of(const std::vector<StoredRecord>& records) {
    std::vector<std::string> waiting;  // by first appearance
    std::map<std::string, std::set<std::string>> before;
    for (const StoredRecord& stored : records) {
        const std::vector<std::string> names = names_in(stored);
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (before.try_emplace(names[i]).second) waiting.push_back(names[i]);
            if (i > 0) before[names[i]].insert(names[i - 1]);
        }
    }
    std::vector<std::string> order;
    std::set<std::string> placed;
    while (!waiting.empty()) {
        auto next = std::find_if(waiting.begin(), waiting.end(), [&](const std::string& name) {
            return std::includes(placed.begin(), placed.end(), before[name].begin(), before[name].end());
        });
        // Texts that contradict each other come from no space; any order will do.
        if (next == waiting.end()) next = waiting.begin();
        order.push_back(*next);
        placed.insert(*next);
        waiting.erase(next);
    }
    return order;
}

struct Spelling {
    bool absent, name;
    double number;
    std::string text;
    auto operator<=>(const Spelling&) const = default;
};

Spelling spelling_of(const Record& record, const std::string& parameter) {
    const auto at = record.variant.find(parameter);
    if (at == record.variant.end()) return {true, true, 0.0, kAbsentValue};
    const Json number = value_json(at->second);
    return {false, !number.is_number(), number.is_number() ? number.get<double>() : 0.0, at->second};
}

void fill_space(RecordedJob& job, const std::vector<std::string>& names) {
    for (const Record& record : job.records) job.space.configurations.push_back(configuration_of(record));
    for (const std::string& name : names) {
        std::set<Spelling> spellings;
        for (const Record& record : job.records) spellings.insert(spelling_of(record, name));
        RecordedParameter parameter{name, {}};
        std::map<Spelling, int> index;
        for (const Spelling& s : spellings) {
            index[s] = static_cast<int>(parameter.values.size());
            parameter.values.push_back(s.text);
        }
        for (std::size_t i = 0; i < job.records.size(); ++i)
            job.space.configurations[i].values.push_back(index[spelling_of(job.records[i], name)]);
        job.space.parameters.push_back(std::move(parameter));
    }
}

// The roles of an exhaustive run, which notes the pace it was measured at.
bool of_exhaustive_run(const Record& record) {
    return record.role == "exhaustive" || record.role == "heat" || record.role == "settle";
}

/// What a run's result tells of the variants that it chose.
struct Run {
    double space = 0.0;  ///< variants of the whole; 0: not known
    bool ended = false;  ///< it came to its end
    bool exhaustive = false;
    bool uniform = false;
};

Run run_of(const std::string& result) {
    const Json document = Json::parse(result, nullptr, false);
    if (!document.is_object() || !document.contains("certificate")) return {};
    const Json& certificate = document["certificate"];
    const auto count = [&](const char* key) { return certificate.value(key, 0.0); };
    try {
        Run run;
        run.space = count("space");
        run.ended = certificate.value("stopped_by", std::string()) != "interrupted";
        run.exhaustive = document.value("strategy", std::string()) == "exhaustive";
        run.uniform = document.value("strategy", std::string()) == "random" &&
                      count("excluded") + count("set_aside") == 0.0;
        return run;
    } catch (const Json::exception&) {  // a result of another version
        return {};
    }
}

}  // namespace

bool replaces(const Record& old, const Record& fresh) {
    const bool was = of_exhaustive_run(old), is = of_exhaustive_run(fresh);
    if (was != is) return is;
    if (is && old.role != fresh.role) return true;
    return !(old.outcome == Outcome::measured && fresh.outcome == Outcome::raced_out);
}

Drawn drawn_by(const std::vector<Record>& records, const std::vector<std::string>& results) {
    const bool exhaustive = std::all_of(records.begin(), records.end(), of_exhaustive_run);
    // A run of a part (--only, --where) is of the same job: the space is the largest that any had. All of it
    // was measured where one run that meant to came to its end, whatever was run before or after.
    double space = 0.0;
    for (const std::string& result : results) space = std::max(space, run_of(result).space);
    if (exhaustive) {
        const bool ended = std::any_of(results.begin(), results.end(), [&](const std::string& result) {
            const Run run = run_of(result);
            return run.exhaustive && run.ended && run.space >= space;
        });
        return results.empty() || ended ? Drawn::whole : Drawn::cut_short;
    }
    if (space > 0.0 && static_cast<double>(records.size()) >= space) return Drawn::whole;
    const bool uniform =
        !results.empty() &&
        std::all_of(results.begin(), results.end(), [](const std::string& r) { return run_of(r).uniform; });
    return uniform ? Drawn::uniform : Drawn::searched;
}

RecordedConfiguration configuration_of(const Record& record) {
    RecordedConfiguration c;
    c.cost = record.prepare_seconds;
    for (const Slot& slot : record.slots) {
        c.samples.push_back(slot.seconds);
        c.cost += slot.seconds * std::max(1, slot.repetitions);
    }
    const double seconds = interval_of(record.slots).median;
    if (is_failure(record.outcome)) {
        c.failure =
            std::string(to_text(record.outcome)) + (record.detail.empty() ? "" : ": ") + record.detail;
        c.samples.clear();
    } else if (std::isfinite(seconds) && seconds > 0.0) {
        c.seconds = seconds;
    } else {
        c.failure = std::string(to_text(record.outcome)) + ", but without a time";
        c.samples.clear();
    }
    return c;
}

RecordedJob recorded_job(const JobSummary& summary, const std::vector<StoredRecord>& records) {
    RecordedJob job;
    job.key = summary.key;
    job.created = summary.created;
    std::vector<StoredRecord> counted;
    std::map<std::map<std::string, std::string>, std::size_t> place;
    for (const StoredRecord& stored : records) {
        if (stored.record.outcome == Outcome::environment) continue;
        const auto [at, added] = place.try_emplace(stored.record.variant, counted.size());
        if (added) {
            counted.push_back(stored);
        } else if (replaces(counted[at->second].record, stored.record)) {
            counted[at->second] = stored;
        }
    }
    for (const StoredRecord& stored : counted) {
        job.records.push_back(stored.record);
        double& prepare = job.records.back().prepare_seconds;
        if (!std::isfinite(prepare) || prepare < 0.0) prepare = 0.0;  // not kept
    }
    fill_space(job, names_of(counted));
    job.space.name = space_name(job);
    job.space.drawn = drawn_by(job.records, {});
    job.space.of_records = true;
    return job;
}

std::string device_name(const RecordedJob& job) {
    constexpr std::string_view kOpencl = "opencl ";
    if (job.key.backend.starts_with(kOpencl)) {
        const std::string id = job.key.backend.substr(kOpencl.size());
        if (job.machine) {
            for (const Device& device : job.machine->devices) {
                if (device.id == id && !device.name.empty()) return device.name;
            }
        }
        return id;
    }
    return job.machine && !job.machine->name.empty() ? job.machine->name : job.key.machine_id;
}

std::string space_name(const RecordedJob& job) {
    const int threads = job.key.threads;
    return job.key.title + ", " + job.key.state + ", " + std::to_string(threads) +
           (threads == 1 ? " thread on " : " threads on ") + device_name(job);
}

Json value_json(const std::string& text) {
    if (text.empty() || text.find_first_not_of("-.0123456789") != std::string::npos) return text;
    const Json number = Json::parse(text, nullptr, false);
    if (!number.is_number() || number.dump() != text) return text;
    // 2.0 would be read back as 2.
    const double value = number.get<double>();
    const bool plain = number.is_number_integer() ? std::abs(value) < 1e15 : std::floor(value) != value;
    return plain ? number : Json(text);
}

}  // namespace rooftune
