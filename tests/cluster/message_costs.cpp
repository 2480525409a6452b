#include "tests/cluster/message_costs.h"

#include <filesystem>

#include "tuner/cluster/job_words.h"
#include "tuner/cluster/words.h"
#include "tuner/engine/tune_job.h"
#include "tuner/formats/machine_file.h"
#include "tuner/formats/result_json.h"

namespace rooftune::test {
namespace {

constexpr int kSlots = 10;    // of a record, and of its companion
constexpr int kTimings = 40;  // that a tune teaches
constexpr int kPoints = 250;  // on the plot of a result

SetTask::Values variant(int i) {
    return {{"method", "tiled"},
            {"simd", "512"},
            {"tile", "8x3"},
            {"threads", "2"},
            {"loop", "2d"},
            {"kc", "256"},
            {"unroll", "4"},
            {"pack_a", "1"},
            {"pack_b", "1"},
            {"mc", "96"},
            {"nc", "1024"},
            {"order", "b_outer"},
            {"prefetch_c", "false"},
            {"pages", "huge"},
            {"ahead", std::to_string(i)}};
}

JobKey key_of(const TuneResult& result) {
    JobKey key;
    key.family = result.family;
    key.problem = result.problem;
    key.digest = result.digest;
    key.dtype = result.dtype;
    key.state = result.state;
    key.threads = result.threads;
    key.machine_id = result.machine_id;
    key.build = "0123456789abcdef";
    key.title = result.title;
    return key;
}

std::string text_of(const SetTask::Values& values) {
    std::string text;
    for (const auto& [name, value] : values) text += (text.empty() ? "" : ",") + name + "=" + value;
    return text;
}

}  // namespace

class MessageCosts::Timed {
public:
    Timed(MessageCosts& costs, const char* of) : cost_(costs.costs_[of]), begun_(cpu_seconds()) {}
    ~Timed() {
        ++cost_.count;
        cost_.seconds += cpu_seconds() - begun_;
    }
    Timed(const Timed&) = delete;
    Timed& operator=(const Timed&) = delete;
    void bytes(std::size_t n) { cost_.bytes += static_cast<double>(n); }

private:
    Cost& cost_;
    double begun_;
};

MessageCosts::MessageCosts(const std::string& result_file, const std::string& folder, std::size_t kept)
    : folder_(folder),
      kept_(kept),
      result_(read_results(result_file).at(0)),
      journal_((std::filesystem::path(folder) / "simulated.nodes.jsonl").string(), Json::object(), true) {
    machine_.id = result_.machine_id;
    machine_.name = result_.machine_name;
    for (int i = 0; i < kPoints; ++i) {
        const double share = 0.01 * (1 + i % 97);
        result_.points.push_back({text_of(variant(i)), 0.1 + share, 1e9 * share, "measured", 0.9e9 * share,
                                  1.1e9 * share, 2e9 * share, "compute"});
    }
    const JobKey key = key_of(result_);
    Record record;
    record.variant = variant(0);
    record.outcome = Outcome::measured;
    record.role = "search";
    record.when = "2026-01-01T00:00:00Z";
    for (int i = 0; i < kSlots; ++i) record.slots.push_back({1.23456789e-3 + 1e-7 * i, 12, false, false});
    record.companion = record.slots;
    record_ = message_text(message_of("record", RecordWords{key, text_of(record.variant), record}));
    begins_ = message_text(message_of("begins", BeginsWords{key, text_of(record.variant)}));
    WarmStart warm_start;
    warm_start.best = variant(0);
    for (int i = 0; i < kTimings; ++i) {
        warm_start.timings.push_back({variant(i), 0.123456789 * i});
        warm_start.tried.insert(variant(i));
    }
    warm_start_ = warm_start_json(warm_start);
    EndWords end;
    end.result = to_json(result_);
    end.warm_start = warm_start_;
    end.stem = "simulated";
    tune_end_ = message_text({"end", end_json(end)});
    EndWords compared;
    compared.left_out.emplace();
    compared.left_out->variant = variant(1);
    compared.left_out->works = true;
    compared.spent_seconds = 2.0;
    compare_end_ = message_text({"end", end_json(compared)});
}

Message MessageCosts::heard(const std::string& line) {
    reader_.add(line);
    return *reader_.next();
}

void MessageCosts::record() {
    Timed timed(*this, kRecord);
    timed.bytes(begins_.size() + record_.size());
    static_cast<void>(words_of<BeginsWords>(heard(begins_)));
    static_cast<void>(words_of<RecordWords>(heard(record_)));
}

// As a run does it: what teaches the task is read from the journal and sent on.
void MessageCosts::task(const Assignment& assignment, std::size_t) {
    const SetTask& task = assignment.task;
    const bool is_tune = task.kind == SetTask::Kind::tune;
    Timed timed(*this, is_tune ? kTask : kCompare);
    TaskWords words;
    words.id = assignment.id;
    words.task = task;
    const auto line = [&](std::size_t place) {
        return places_.empty() ? Json() : journal_.at(places_[place % places_.size()]);
    };
    for (const std::size_t near : task.near) {
        const Json found = line(near);
        if (!found.is_null()) words.near.push_back(found["end"]["warm_start"]);
    }
    if (!is_tune) {
        words.winner = winner_of(result_);
        const Json own = task.offers.empty() ? Json() : line(task.place);
        if (!own.is_null()) words.tried = own["end"]["warm_start"]["tried"];
    } else if (task.goes_on && !results_.empty()) {
        words.before = journal_.at(results_[task.place % results_.size()])["result"];
    }
    timed.bytes(message_text({"task", task_json(words)}).size());
}

void MessageCosts::roofs(const Machine& machine) {
    Timed timed(*this, kRoofs);
    timed.bytes(message_text(message_of("roofs", ModelWords{machine_text(machine)})).size());
}

void MessageCosts::model(const Machine& machine) {
    const std::string line = message_text(message_of("model", ModelWords{machine_text(machine)}));
    Timed timed(*this, kModel);
    timed.bytes(line.size());
    static_cast<void>(parse_machine(words_of<ModelWords>(heard(line)).machine, kMessageName));
}

void MessageCosts::end(const Assignment& assignment, std::size_t of_class, const TuneResult* result) {
    const std::string& line = result ? tune_end_ : compare_end_;
    const bool is_kept = places_.size() < kept_;
    std::optional<TuneResult> found;
    Json journal_line, result_line;
    {
        Timed timed(*this, result ? kEnd : kCompared);
        timed.bytes(line.size());
        EndWords words = end_from(heard(line).body);
        if (words.result) found = result_from(StrictObject(*words.result, kMessageName, "/end/result"));
        if (!is_kept) return;
        if (words.result) result_line = {{"class", of_class}, {"result", std::move(*words.result)}};
        words.result.reset();
        journal_line = {
            {"class", of_class}, {"task", journal_json(assignment.task)}, {"end", end_json(words)}};
    }
    {
        Timed timed(*this, result ? kLine : kComparedLine);
        timed.bytes(line.size());
        if (result) {
            const auto [at, end] = journal_.add(result_line, journal_line);
            results_.push_back(at);
            places_.push_back(end);
        } else {
            journal_.add(journal_line);
        }
    }
    if (!found) return;
    {
        Timed timed(*this, kStored);
        timed.bytes(json_text(to_json(*found)).size());
    }
    Timed timed(*this, kFiles);
    write_result_files(*found, machine_, folder_, "simulated" + std::to_string(written_++ % 100));
}

void MessageCosts::set(const TunedSet& set) {
    Timed timed(*this, kSet);
    timed.bytes(json_text(to_json(set)).size());
}

}  // namespace rooftune::test
