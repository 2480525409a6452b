#include "tuner/cluster/words.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"
#include "tuner/formats/machine_file.h"

namespace rooftune {
namespace {

// Documents inside a message are read by whoever knows what they are: they are taken out first, and what is
// left is fields alone.
std::optional<Json> taken(Json& body, const char* key) {
    const auto at = body.find(key);
    if (at == body.end()) return std::nullopt;
    Json value = std::move(*at);
    body.erase(at);
    return value;
}

void put(Json& body, const char* key, const std::optional<Json>& value) {
    if (value) body[key] = *value;
}

void fields(Fields& f, Budget& b) {
    f("seconds", b.seconds);
    f("evaluations", b.evaluations);
    f("bounds_only", b.bounds_only);
}

}  // namespace

static void fields(Fields& f, TimeInterval& t) {
    f("median", t.median);
    f("low", t.low);
    f("high", t.high);
    f("min", t.min);
    f("slots", t.slots);
}

static void fields(Fields& f, LeftOut& l) {
    f("variant", l.variant);
    f("changed", l.changed);
    f("works", l.works);
    f("ratio", l.ratio);
}

static void fields(Fields& f, JobKey& k) {
    f("family", k.family);
    f("backend", k.backend);
    f("problem", k.problem);
    f("digest", k.digest);
    f("dtype", k.dtype);
    f("state", k.state);
    f("threads", k.threads, 1);
    f("machine", k.machine_id);
    f("space_version", k.space_version);
    f("build", k.build);
    f("title", k.title);
}

static void fields(Fields& f, Slot& s) {
    f("seconds", s.seconds);
    f("repetitions", s.repetitions);
    f("disturbed", s.disturbed);
    f("crowded", s.crowded);
}

static void fields(Fields& f, Record& r) {
    f("variant", r.variant);
    std::string outcome(to_text(r.outcome));
    f("outcome", outcome);
    if (f.reading()) f.require(outcome_from(outcome, r.outcome), "outcome", "how a variant ended", outcome);
    f("detail", r.detail);
    f("slots", r.slots);
    f("companion", r.companion);
    // A wrong answer may be infinitely far from the right one.
    f.number_or_null("error", r.error, INFINITY);
    f("prepare_seconds", r.prepare_seconds);
    f("role", r.role);
    f("when", r.when);
    f("pace", r.pace);
}

void fields(Fields& f, HelloWords& w) {
    f("protocol", w.protocol);
    f("build", w.build);
    f("version", w.version);
    f("host", w.host);
    f("pid", w.pid);
    f("fingerprint", w.fingerprint);
    f("processors", w.processors);
}

static void fields(Fields& f, CommonOptions& o) {
    f("seed", o.seed);
    f("threads", o.threads);
    f("cpus", o.cpus);
    f("state", o.state);
    f("backend", o.backend);
    f("device", o.device);
}

static void fields(Fields& f, TuneOptions& o) {
    f("common", o.common);
    f("epsilon", o.epsilon);
    f("patience", o.patience);
    f("audit", o.audit);
    f("finals_seconds", o.finals_seconds);
    f("fresh", o.fresh);
    f("no_bounds", o.no_bounds);
    f("exhaustive", o.exhaustive);
    f("only", o.only);
    f("strategy", o.strategy);
}

void fields(Fields& f, WelcomeWords& w) {
    f("node", w.node);
    f("folder", w.folder);
    f("results", w.results);
    f("store", w.store);
    f("options", w.options);
    f("alive_seconds", w.alive_seconds);
}

std::string machine_text(const Machine& machine) {
    return machine_to_json_line(machine);
}

void fields(Fields& f, ModelWords& w) {
    f("machine", w.machine);
    f("taken_away", w.taken_away);
}

void fields(Fields& f, RecordWords& w) {
    f("key", w.key);
    f("variant", w.variant);
    f("record", w.record);
}

void fields(Fields& f, BeginsWords& w) {
    f("key", w.key);
    f("variant", w.variant);
}

void fields(Fields& f, NoteWords& w) {
    f("text", w.text);
}

void fields(Fields& f, ProgressWords& w) {
    f("stage", w.stage);
    f("best_seconds", w.best_seconds);
    f("elapsed_seconds", w.elapsed_seconds);
    f("budget_seconds", w.budget_seconds);
    f("evaluated", w.evaluated);
    f("space", w.space);
}

static void fields(Fields& f, JobConstraint& c) {
    f("expression", c.expression);
    f("where", c.where);
}

static void values_list(Fields& f, std::string_view key, std::vector<SetTask::Values>& list) {
    f.each(key, list, [](Fields& inner, SetTask::Values& values) { inner("values", values); });
}

static void fields(Fields& f, TunedWinner& w) {
    f("best", w.best);
    f("seconds", w.seconds);
}

static void task_fields(Fields& f, TaskWords& w, std::string& family) {
    f("id", w.id);
    std::string kind = w.task.kind == SetTask::Kind::tune ? "tune" : "compare";
    f.one_of("kind", kind, {"tune", "compare"});
    w.task.kind = kind == "tune" ? SetTask::Kind::tune : SetTask::Kind::compare;
    f("family", family);
    Job& job = w.task.job;
    f("problem", job.problem);
    f("state", job.state);
    f("backend", job.backend);
    f("optional", job.optional);
    f("constraints", job.constraints);
    f.inside("budget", [&](Fields& inner) { fields(inner, job.budget); });
    f("goes_on", w.task.goes_on);
    f("audit", w.task.audit);
    f("patience", w.task.patience);
    f("finals_seconds", w.task.finals_seconds);
    values_list(f, "offers", w.task.offers);
    if (f.has("nearest_best", w.task.nearest_best.has_value())) {
        if (!w.task.nearest_best) w.task.nearest_best.emplace();
        f("nearest_best", *w.task.nearest_best);
    }
    f("seconds_left", w.task.seconds_left, -1e9);
    f("loading_seconds", w.task.loading_seconds);
    f("reserve_seconds", w.task.reserve_seconds);
    if (f.has("winner", w.winner.has_value())) {
        if (!w.winner) w.winner.emplace();
        f("winner", *w.winner);
    }
    f("banned", w.banned);
    values_list(f, "starts", w.starts);
    f("most_helpers", w.most_helpers);
}

Json task_json(const TaskWords& words) {
    Json body;
    TaskWords copy = words;
    std::string family(words.task.job.family->name());
    Fields f(body);
    task_fields(f, copy, family);
    put(body, "before", words.before);
    put(body, "tried", words.tried);
    put(body, "config", words.config);
    body["near"] = words.near;
    return body;
}

TaskWords task_from(const Json& body, const Registry& registry) {
    TaskWords words;
    std::string family;
    Json rest = body;
    words.before = taken(rest, "before");
    words.tried = taken(rest, "tried");
    words.config = taken(rest, "config");
    const std::optional<Json> near = taken(rest, "near");
    if (near && !near->is_array()) throw InputError("a message: at /task/near: expected an array");
    if (near) words.near.assign(near->begin(), near->end());
    Fields f(StrictObject(rest, kMessageName, "/task"));
    task_fields(f, words, family);
    f.finish();
    words.task.job.family = &family_named(registry, family);
    return words;
}

static void fields(Fields& f, EndWords& w) {
    f("id", w.id);
    f("stem", w.stem);
    f("why", w.why);
    f("environment", w.environment);
    f("skipped", w.skipped);
    if (f.has("left_out", w.left_out.has_value())) {
        if (!w.left_out) w.left_out.emplace();
        f("left_out", *w.left_out);
    }
    if (f.has("better", w.better.has_value())) {
        if (!w.better) w.better.emplace();
        f("better", *w.better);
    }
    f("spent_seconds", w.spent_seconds);
    f("loading_seconds", w.loading_seconds);
    f("machine", w.machine);
}

Json end_json(const EndWords& words) {
    Json body;
    write_fields(body, words);
    put(body, "result", words.result);
    put(body, "warm_start", words.warm_start);
    return body;
}

EndWords end_from(const Json& body) {
    Json rest = body;
    std::optional<Json> result = taken(rest, "result"), warm_start = taken(rest, "warm_start");
    EndWords words = read_fields<EndWords>(StrictObject(rest, kMessageName, "/end"));
    words.result = std::move(result);
    words.warm_start = std::move(warm_start);
    return words;
}

static void fields(Fields& f, EvaluationRequest& r) {
    f("role", r.role);
    f("incumbent_high", r.incumbent_high);
    f("slots", r.slots, 1);
    f("abandon_above", r.abandon_above);
    f("note", r.note);
    f("batches", r.batches, 1);
}

void fields(Fields& f, AskWords& w) {
    f("id", w.id);
    f("variant", w.variant);
    f("companion", w.companion);
    f("request", w.request);
}

Json assist_json(const AssistWords& words) {
    Json body;
    write_fields(body, words.ask);
    return {{"ask", body}, {"task", words.task}};
}

AssistWords assist_from(const Json& body) {
    StrictObject object(body, kMessageName, "/assist");
    AssistWords words{read_fields<AskWords>(object.object("ask")), object.value("task")};
    object.finish();
    return words;
}

void fields(Fields& f, AssistedWords& w) {
    f("id", w.id);
    f("why", w.why);
    if (f.has("record", w.record.has_value())) {
        if (!w.record) w.record.emplace();
        f("record", *w.record);
    }
}

void fields(Fields& f, HelpersWords& w) {
    f("free", w.free);
}

static void timing_fields(Fields& f, WarmStart::Timing& t) {
    f("variant", t.variant);
    f("log_ratio", t.log_ratio, -1e9);
}

static void warm_start_fields(Fields& f, WarmStart& w) {
    f("best", w.best);
    f.each("timings", w.timings, timing_fields);
    std::vector<SetTask::Values> tried(w.tried.begin(), w.tried.end());
    values_list(f, "tried", tried);
    if (f.reading()) w.tried = {tried.begin(), tried.end()};
}

Json warm_start_json(const WarmStart& warm_start) {
    Json json;
    WarmStart copy = warm_start;
    Fields f(json);
    warm_start_fields(f, copy);
    return json;
}

std::set<SetTask::Values> tried_from(const Json& json) {
    Json list;
    list["tried"] = json;
    std::vector<SetTask::Values> tried;
    Fields f(StrictObject(list, kMessageName, "/task"));
    values_list(f, "tried", tried);
    f.finish();
    return {tried.begin(), tried.end()};
}

WarmStart warm_start_from(const Json& json) {
    WarmStart warm_start;
    Fields f(StrictObject(json, kMessageName, "/near"));
    warm_start_fields(f, warm_start);
    f.finish();
    return warm_start;
}

}  // namespace rooftune
