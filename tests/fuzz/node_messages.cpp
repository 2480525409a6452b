#include "tests/fuzz/node_messages.h"

#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"
#include "tests/support/toy.h"
#include "tuner/cluster/words.h"
#include "tuner/formats/machine_file.h"
#include "tuner/formats/result_json.h"
#include "tuner/formats/tuned_config.h"

namespace rooftune::fuzz {
namespace {

void read_result(const std::optional<Json>& result) {
    if (result) result_from(StrictObject(*result, kMessageName, "/result"));
}

void read_task(const Json& body, const Registry& registry) {
    const TaskWords words = task_from(body, registry);
    for (const Json& near : words.near) warm_start_from(near);
    read_result(words.before);
    if (words.tried) tried_from(*words.tried);
    if (words.config) tuned_config_from(*words.config, kMessageName);
}

void read(const Message& message, const Registry& registry) {
    static const auto machine = [](const Message& m) {
        parse_machine(words_of<ModelWords>(m).machine, kMessageName);
    };
    static const std::map<std::string, std::function<void(const Message&)>> kinds{
        {"hello", [](const Message& m) { words_of<HelloWords>(m); }},
        {"welcome", [](const Message& m) { words_of<WelcomeWords>(m); }},
        {"model", machine},
        {"probe", machine},
        {"roofs", machine},
        {"begins", [](const Message& m) { words_of<BeginsWords>(m); }},
        {"record", [](const Message& m) { words_of<RecordWords>(m); }},
        {"progress", [](const Message& m) { words_of<ProgressWords>(m); }},
        {"note", [](const Message& m) { words_of<NoteWords>(m); }},
        {"helpers", [](const Message& m) { words_of<HelpersWords>(m); }},
        {"ask", [](const Message& m) { words_of<AskWords>(m); }},
        {"assisted", [](const Message& m) { words_of<AssistedWords>(m); }},
        {"end", [](const Message& m) {
             const EndWords words = end_from(m.body);
             read_result(words.result);
             if (words.warm_start) warm_start_from(*words.warm_start);
             if (!words.machine.empty()) parse_machine(words.machine, kMessageName);
         }}};
    if (message.kind == "task") return read_task(message.body, registry);
    if (message.kind == "assist") return read_task(assist_from(message.body).task, registry);
    const auto kind = kinds.find(message.kind);
    if (kind == kinds.end()) throw InputError("nobody says '" + message.kind + "'");
    kind->second(message);
}

}  // namespace

std::vector<std::string> node_messages(const std::string& result, const std::string& config) {
    static const Registry registry = built_in_families();
    WarmStart learnt;
    learnt.best = {{"unroll", "2"}};
    learnt.timings = {{learnt.best, -0.25}};
    learnt.tried = {learnt.best};
    Record record;
    record.variant = learnt.best;
    record.outcome = Outcome::measured;
    record.slots = {{1e-3, 4, false, true}};
    record.companion = record.slots;
    record.role = "search";
    record.when = "2024-05-31T17:04:59Z";
    TaskWords tune;
    tune.id = 3;
    tune.task.job.family = registry.find("matmul");
    tune.task.job.problem = {{"m", "12"}};
    tune.task.job.constraints = {{"unroll <= 4", "--where"}};
    tune.near = {warm_start_json(learnt)};
    tune.before = Json::parse(result);
    tune.config = Json::parse(config);
    tune.banned = {"unroll=8"};
    tune.starts = {learnt.best};
    TaskWords compare = tune;
    compare.near.clear();
    compare.before.reset();
    compare.config.reset();
    compare.task.kind = SetTask::Kind::compare;
    compare.task.offers = {learnt.best, {{"unroll", "16"}}};
    compare.task.nearest_best = learnt.best;
    compare.winner = TunedWinner{learnt.best, 1e-3};
    compare.tried = warm_start_json(learnt)["tried"];
    TaskWords shared;
    shared.task.job = tune.task.job;
    const AskWords ask{5, learnt.best, {{"unroll", "4"}}, {}};
    EndWords end;
    end.id = 3;
    end.result = tune.before;
    end.warm_start = warm_start_json(learnt);
    end.left_out.emplace();
    end.better = 1;
    end.stem = "matmul_12";
    const ModelWords roofs{machine_text(toy::machine())};
    end.machine = roofs.machine;
    std::vector<std::string> streams;
    for (const Message& message :
         {message_of("hello", HelloWords{}), message_of("welcome", WelcomeWords{}),
          message_of("model", roofs), message_of("roofs", roofs), message_of("begins", BeginsWords{}),
          message_of("record", RecordWords{{}, "unroll=2", record}), message_of("progress", ProgressWords{}),
          message_of("note", NoteWords{"text"}), message_of("helpers", HelpersWords{1}),
          message_of("ask", ask), message_of("assisted", AssistedWords{5, "", record}),
          Message{"task", task_json(tune)}, Message{"task", task_json(compare)},
          Message{"assist", assist_json({ask, task_json(shared)})}, Message{"end", end_json(end)}})
        streams.push_back(message_text(message));
    streams.push_back("Welcome to the machine\nlast login: " + streams[0] + streams[5]);
    return streams;
}

void read_node_messages(const std::string& bytes, const Registry& registry) {
    MessageReader reader(true);
    // In pieces, as a pipe brings them.
    for (std::size_t at = 0; at < bytes.size(); at += 4096) {
        reader.add(std::string_view(bytes).substr(at, 4096));
        while (const std::optional<Message> message = reader.next()) read(*message, registry);
    }
}

}  // namespace rooftune::fuzz
